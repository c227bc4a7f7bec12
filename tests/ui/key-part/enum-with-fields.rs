use dynamo_model::KeyPart;

#[derive(KeyPart)]
enum Level {
    Basic,
    Custom(String),
}

fn main() {}
