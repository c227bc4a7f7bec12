use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct Name(String, String);

fn main() {}
