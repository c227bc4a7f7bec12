//! A read can be sent to another task, and borrows nothing; its items need not be `Send`.

use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
use std::rc::Rc;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: String,
    number: u32,
}

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = App)]
#[pk("TEAM#<team_id>")]
#[sk("TEAM")]
struct Team {
    team_id: String,
    #[serde(skip)]
    _cache: Rc<String>,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
    Team(Team),
}

impl<'de> serde::Deserialize<'de> for Team {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let team_id = String::deserialize(deserializer)?;
        let _cache = Rc::default();
        Ok(Self { team_id, _cache })
    }
}

fn takes_sent(_: impl Send + 'static) {}

fn takes_any(_: impl Future) {}

fn reads(db: &Dynamo) {
    takes_sent(Order::query("u1").all(db));
    takes_sent(Order::query("u1").limit(1).page(db));
    takes_sent(Order::query("u1").stream(db));
    takes_sent(Order::scan().all(db));
    takes_sent(Order::get("u1", 1).send(db));
    takes_any(Team::query("t1").one(db));
    takes_any(Team::get("t1").send(db));
}

fn main() {
    let _ = reads;
}
