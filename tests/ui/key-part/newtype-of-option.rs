use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct Nickname(Option<String>);

fn main() {}
