use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct Name;

fn main() {}
