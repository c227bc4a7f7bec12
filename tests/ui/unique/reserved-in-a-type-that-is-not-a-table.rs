use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "Users", pk = N("id"))]
struct Users;

struct Reservations;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Users)]
#[pk("<id>")]
#[unique("EMAIL#<email>", in = Reservations)]
struct User {
    id: u32,
    email: String,
    name: String,
}

fn main() {}
