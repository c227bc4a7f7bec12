use dynamo_model::{DynamoEntity, DynamoProjection, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("PARCEL#<id>")]
struct Parcel<T> {
    id: String,
    content: T,
}

#[derive(DynamoProjection, serde::Deserialize)]
#[projection(of = Parcel<String>)]
struct Content {
    contents: String,
}

fn main() {}
