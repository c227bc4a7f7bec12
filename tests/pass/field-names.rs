//! Fields with names that generated code uses.

use dynamo_model::{DynamoEntity, DynamoTable, Entity, KeyError};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("A#<pk>#<key>#<entity>")]
#[sk("B#<sk>#<sk_prefix>#<text>#<value>#<part>#<parts>")]
#[gsi1(pk = "C#<attributes>", sk = "D#<table>#<field>#<new>#<clone>#<into>#<f>", as = by)]
struct Odd {
    pk: String,
    sk: String,
    sk_prefix: String,
    key: u8,
    entity: u8,
    text: u8,
    value: u8,
    part: u8,
    parts: u8,
    attributes: u8,
    table: u8,
    field: u8,
    new: u8,
    clone: u8,
    into: u8,
    f: u8,
}

fn main() -> Result<(), KeyError> {
    let odd = Odd {
        pk: "p".into(),
        sk: "s".into(),
        sk_prefix: "x".into(),
        key: 1,
        entity: 2,
        text: 3,
        value: 4,
        part: 5,
        parts: 6,
        attributes: 7,
        table: 8,
        field: 9,
        new: 10,
        clone: 11,
        into: 12,
        f: 13,
    };
    assert_eq!(odd.primary_key()?.to_string(), "A#p#1#2/B#s#x#3#4#5#6");
    assert_eq!(Odd::sort_key().sk("s").sk_prefix("x").build()?, "B#s#x#");
    assert_eq!(odd.key_attributes()?.len(), 4);
    Ok(())
}
