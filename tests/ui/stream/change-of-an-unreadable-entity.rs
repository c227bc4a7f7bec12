use dynamo_model::{DynamoEntity, DynamoTable, stream::{Change, StreamRecord}};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = new_and_old_images)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

fn main() {
    let _ = |record: &StreamRecord| Change::<User>::of(record).is_ok();
}
