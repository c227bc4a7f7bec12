use dynamo_model::KeyPart;

#[derive(KeyPart)]
struct Place(Address);

struct Address {
    city: String,
}

fn main() {}
