use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK", billing = provisioned(read = 5, write = 5))]
#[vector1(name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine)]
struct Shop;

fn main() {}
