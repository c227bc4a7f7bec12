use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct UserId(#[dynamo(lower)] String);

fn main() {}
