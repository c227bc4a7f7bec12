use dynamo_model::{DynamoEntity, DynamoTable, stream::{Change, StreamRecord}};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = keys_only)]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

async fn handler(event: dynamo_model::stream::StreamEvent) -> dynamo_model::stream::BatchFailures {
    event.for_each(on_change).await
}

async fn on_change(_: Change<User>, _: StreamRecord) -> Result<(), String> {
    Ok(())
}

fn main() {}
