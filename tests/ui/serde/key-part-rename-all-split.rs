use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
#[serde(rename_all(serialize = "lowercase"))]
enum Status {
    Open,
    Closed,
}

fn main() {}
