use dynamo_model::KeyPart;

#[derive(KeyPart, serde::Serialize)]
enum Level {
    Basic,
    #[serde(rename = "Basic")]
    Beginner,
}

fn main() {}
