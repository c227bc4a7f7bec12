use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum Status {
    Open,
    Closed,
}

fn main() {}
