use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
enum Status {
    Open,
    #[serde(rename(serialize = "closed", deserialize = "CLOSED"))]
    Closed,
}

fn main() {}
