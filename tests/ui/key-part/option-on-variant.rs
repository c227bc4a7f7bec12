use dynamo_model::KeyPart;

#[derive(KeyPart)]
enum Level {
    #[dynamo(rename = "B")]
    Basic,
}

fn main() {}
