use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = new_and_old_images)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("EVENT#<id>")]
struct Event {
    id: chrono::DateTime<chrono::Utc>,
}

fn main() {}
