use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Vector};

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(
    name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine,
    projection = keys_only,
)]
struct Shop;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Shop)]
#[pk("PRODUCT#<id>")]
#[vector1(field = meaning)]
struct Product {
    id: u32,
    meaning: Vector<3>,
}

async fn find(db: &Dynamo, wanted: &Vector<3>) {
    let _ = Product::similar_to(wanted).all(db).await;
}

fn main() {}
