use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosin)]
struct Shop;

fn main() {}
