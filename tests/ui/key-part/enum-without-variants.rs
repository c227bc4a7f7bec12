use dynamo_model::KeyPart;

#[derive(KeyPart)]
enum Level {}

fn main() {}
