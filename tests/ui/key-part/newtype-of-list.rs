use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct Tags(Vec<String>);

fn main() {}
