use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct UserId<'a>(&'a str);

fn main() {}
