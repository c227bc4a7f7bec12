use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", from = "String")]
enum Status {
    Open,
    Closed,
}

impl From<Status> for String {
    fn from(status: Status) -> Self {
        match status {
            Status::Open => "open".into(),
            Status::Closed => "closed".into(),
        }
    }
}

impl From<String> for Status {
    fn from(text: String) -> Self {
        if text == "open" { Self::Open } else { Self::Closed }
    }
}

fn main() {}
