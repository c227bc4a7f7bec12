use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
enum Status {
    Open,
    #[serde(other)]
    Closed,
}

fn main() {}
