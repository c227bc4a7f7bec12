use dynamo_model::KeyPart;

#[derive(KeyPart, serde::Serialize)]
enum Level {
    #[serde(rename = "")]
    Basic,
}

fn main() {}
