//! serde is required only for reading and writing items: keys, queries and requests can be made
//! without it.

mod vendor {
    pub mod database {
        pub use dynamo_model as orm;
    }
}

/// Stands in the way: the derives must not use it.
mod dynamo_model {}

use std::borrow::Cow;
use vendor::database::orm::{
    Dynamo, DynamoEntity, DynamoItems, DynamoNested, DynamoTable, Error, KeyPart,
};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", crate = vendor::database::orm, items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
struct App;

#[derive(KeyPart)]
#[dynamo(crate = vendor::database::orm)]
struct UserId(String);

#[derive(DynamoNested)]
#[dynamo(crate = vendor::database::orm)]
struct Address {
    city: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App, crate = vendor::database::orm)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "OWNER#<owner>", sk = "ORDER#<number:06>", as = by_owner)]
struct Order<Owner: KeyPart, const SIZE: usize> {
    user_id: UserId,
    number: u32,
    owner: Owner,
    lines: [u8; SIZE],
    #[dynamo(nested)]
    address: Address,
    #[dynamo(sensitive)]
    card: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App, crate = vendor::database::orm)]
#[pk("NOTE#<id>")]
#[sk("TEXT#<text>")]
struct Note<'a> {
    id: &'a str,
    text: Cow<'a, str>,
}

#[derive(DynamoEntity)]
#[dynamo(table = App, crate = vendor::database::orm)]
#[pk("SEAT#<seat>")]
#[sk("SEAT")]
#[gsi1(pk = "ROOM#<room>", sk = "ROW#<row>", as = by_room)]
struct Seat {
    seat: UserId,
    room: UserId,
    row: UserId,
    #[dynamo(version)]
    version: u64,
    #[dynamo(created_at)]
    created: String,
}

#[derive(DynamoItems)]
#[allow(dead_code)]
#[items(table = App, crate = vendor::database::orm)]
enum AppItem {
    Order(Order<String, 2>),
    Note(Note<'static>),
    Seat(Seat),
}

fn main() -> Result<(), Error> {
    type TwoLines = Order<String, 2>;
    let db = Dynamo::embedded()?;
    let _ = TwoLines::get("u1", 1).consistent();
    TwoLines::query("u1")
        .number_in(1..=9)
        .descending()
        .explain(&db)?;
    TwoLines::query("u1")
        .filter(|order| order.address().city().eq("Kyoto"))
        .explain(&db)?;
    TwoLines::by_owner("o1").number(1).explain(&db)?;
    TwoLines::scan()
        .filter(|order| order.card().exists())
        .explain(&db)?;
    Note::query("n1").text_prefix("h").explain(&db)?;
    let _ = AppItem::collection(TwoLines::partition_key("u1")).limit(1);
    let _ = Note::update("n1", "hello");
    let _ = Note::delete("n1", "hello").must_exist();
    let _ = Seat::delete("s1").condition(|seat| seat.version().eq(1));
    let seat = Seat {
        seat: UserId("s1".into()),
        room: UserId("r1".into()),
        row: UserId("w1".into()),
        version: 0,
        created: String::new(),
    };
    println!("{} {} {}", seat.seat.0, seat.room.0, seat.row.0);
    println!("{} {}", seat.version, seat.created);
    let order = TwoLines {
        user_id: UserId("u1".into()),
        number: 1,
        owner: "o1".into(),
        lines: [1, 2],
        address: Address {
            city: "Kyoto".into(),
        },
        card: "4242".into(),
    };
    let note = Note {
        id: "n1",
        text: "hello".into(),
    };
    println!(
        "{} {:?} {} {}",
        order.number,
        order.lines,
        order.address.city,
        order.card.len()
    );
    println!("{} {} {}", note.id, note.text, order.owner);
    let AppItem::Order(order) = AppItem::from(order) else {
        return Ok(());
    };
    println!("{}", order.user_id.0);
    Ok(())
}
