use dynamo_model::KeyPart;

#[derive(KeyPart)]
#[dynamo(rename = "id")]
struct UserId(String);

fn main() {}
