use dynamo_model::{DynamoEntity, DynamoTable, Vector};

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(
    name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine,
    hash = "tenant", filters("category"),
)]
struct Shop;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Shop)]
#[pk("PRODUCT#<id>")]
#[vector2(field = meaning)]
struct Product {
    id: u32,
    meaning: Vector<3>,
}

fn main() {}
