use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(name = "by-meaning", attribute = "meaning", dimensions = 5000, distance = cosine)]
struct Shop;

fn main() {}
