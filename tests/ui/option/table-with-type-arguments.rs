use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App<String>)]
#[pk("PARCEL#<id>")]
struct Parcel {
    id: String,
}

fn main() {}
