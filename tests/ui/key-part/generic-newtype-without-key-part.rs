use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct Id<T>(T);

fn main() {}
