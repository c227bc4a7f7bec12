use dynamo_model::DynamoNested;

#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    town: String,
}

#[derive(DynamoNested, Clone, serde::Serialize, serde::Deserialize)]
#[serde(into = "Stored", from = "Stored")]
struct Address {
    city: String,
}

impl From<Address> for Stored {
    fn from(address: Address) -> Self {
        Self { town: address.city }
    }
}

impl From<Stored> for Address {
    fn from(stored: Stored) -> Self {
        Self { city: stored.town }
    }
}

fn main() {}
