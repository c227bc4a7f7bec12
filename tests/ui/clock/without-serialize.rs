use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(dynamo_model::KeyPart)]
struct Moment(u64);

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    #[dynamo(updated_at)]
    updated: Moment,
}

fn main() {}
