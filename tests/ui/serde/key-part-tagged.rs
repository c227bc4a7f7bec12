use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
#[serde(tag = "status")]
enum Status {
    Open,
    Closed,
}

fn main() {}
