use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine)]
#[vector2(name = "by-length", attribute = "meaning", dimensions = 4, distance = euclidean)]
struct Shop;

fn main() {}
