//! Keys of type N and B, and a table without a sort key.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Items, KeyError};

#[derive(DynamoTable)]
#[table(name = "Events", pk = N("seq"), sk = B("digest"))]
#[gsi1(name = "ByDay", pk = "day", sk = N("seq"))]
#[gsi2(name = "BySize", pk = N("size"))]
#[lsi1(name = "LSI1", sk = N("size"))]
struct Events;

#[derive(DynamoEntity)]
#[dynamo(table = Events)]
#[pk("<seq>")]
#[sk("<digest>")]
#[gsi1(pk = "<day>", sk = pk, as = by_day)]
#[gsi2(pk = "<size>", as = by_size)]
#[lsi1(sk = "<size>", as = sized)]
struct Event {
    seq: u64,
    digest: [u8; 4],
    day: String,
    size: i32,
}

#[derive(DynamoTable)]
#[table(name = "Users", pk = "userId")]
#[gsi1(name = "by-email", pk = "email")]
struct Users;

#[derive(DynamoEntity, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Users)]
#[pk("<user_id>")]
#[gsi1(pk = "<email>", as = by_email)]
struct User {
    user_id: String,
    email: Option<String>,
}

#[derive(DynamoItems)]
#[items(table = Users)]
enum UserItem {
    User(User),
}

fn main() -> Result<(), KeyError> {
    let event = Event {
        seq: 7,
        digest: *b"abcd",
        day: "2025-06-01".into(),
        size: -5,
    };
    let key = Event::key(event.seq, event.digest)?;
    assert_eq!(key.parse()?.seq, 7);
    assert_eq!(Event::by_day_key(&event.day, event.seq)?.parse()?.seq, 7);
    assert_eq!(Event::by_size_key(event.size)?.parse()?.size, -5);
    assert_eq!(Event::sized_key(event.seq, event.size)?.parse()?.size, -5);
    let user = User {
        user_id: "u1".into(),
        email: None,
    };
    assert_eq!(User::key("u1")?.to_string(), "u1");
    assert_eq!(
        User::by_email_key("a@example.com")?.to_string(),
        "a@example.com"
    );
    assert_eq!(UserItem::entity_of("u1".into(), None)?.entity, "User");
    assert_eq!(UserItem::from(user).key_attributes()?.len(), 2);
    Ok(())
}
