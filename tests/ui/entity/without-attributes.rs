use dynamo_model::DynamoEntity;

#[derive(DynamoEntity)]
struct User {
    user_id: String,
}

fn main() {}
