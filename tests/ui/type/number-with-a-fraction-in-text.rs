use dynamo_model::{DynamoEntity, DynamoTable, value::Number};

#[derive(DynamoTable)]
#[table(name = "Offers", pk = "PK", sk = "SK")]
struct Offers;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Offers)]
#[pk("ITEM#<item>")]
#[sk("PRICE#<price>")]
struct Offer {
    item: String,
    price: Number,
}

fn main() {}
