use dynamo_model::KeyPart;

#[derive(KeyPart, Clone, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", from = "String")]
struct Number(u64);

impl From<Number> for String {
    fn from(number: Number) -> Self {
        number.0.to_string()
    }
}

impl From<String> for Number {
    fn from(text: String) -> Self {
        Self(text.len() as u64)
    }
}

fn main() {}
