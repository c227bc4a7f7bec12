use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("SHARD#<email:shard(10)>")]
struct User {
    user_id: String,
    #[dynamo(key_only)]
    email: String,
}

fn main() {}
