use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

/// A number of cents, stored as text.
mod cents {
    pub fn serialize<S: serde::Serializer>(cents: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&cents.to_string())
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Each word in capitals.
mod capitals {
    pub fn serialize<S: serde::Serializer>(words: &Vec<String>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(words.iter().map(|word| word.to_uppercase()))
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
        serde::Deserialize::deserialize(from)
    }
}

#[derive(dynamo_model::DynamoNested, serde::Serialize, serde::Deserialize)]
struct Offer {
    #[serde(with = "cents")]
    price: u32,
    until: Timestamp,
}

#[derive(dynamo_model::KeyPart, serde::Serialize, serde::Deserialize)]
struct Deadline(Timestamp);

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: String,
    number: u32,
    at: Timestamp,
    paid_at: Option<Timestamp>,
    steps: Vec<Timestamp>,
    deadline: Deadline,
    #[serde(with = "dynamo_model::format::epoch_millis")]
    sent: Timestamp,
    #[serde(with = "cents")]
    price: u32,
    #[serde(with = "capitals")]
    words: Vec<String>,
    #[dynamo(nested)]
    offer: Offer,
    total: u64,
}

fn main() {
    let now = Timestamp::UNIX_EPOCH;
    let _ = Order::query("u1").filter(|order| order.paid_at().lt(now));
}
