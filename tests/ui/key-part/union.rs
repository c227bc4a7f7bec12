use dynamo_model::KeyPart;

#[derive(KeyPart)]
union Name {
    number: u32,
}

fn main() {}
