use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(name = "by-meaning", distance = cosine)]
struct Shop;

fn main() {}
