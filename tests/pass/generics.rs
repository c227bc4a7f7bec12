//! Type, const and lifetime parameters, with bounds and where clauses.

use dynamo_model::{DynamoEntity, DynamoTable, Entity, KeyError, KeyPart};
use std::fmt::Debug;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoTable)]
#[table(name = "Notes", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Notes;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("OWNER#<owner>")]
#[sk("DOCUMENT#<number:010>")]
#[gsi1(pk = "NUMBER#<number>", sk = "OWNER#<owner>", as = by_number)]
struct Document<Owner: KeyPart, Body, const SIZE: usize>
where
    Body: Debug,
{
    owner: Owner,
    number: u32,
    body: [Body; SIZE],
}

#[derive(DynamoEntity)]
#[dynamo(table = Notes)]
#[pk("NOTE#<id>")]
#[sk("TEXT#<text>")]
struct Note<'a, 'b: 'a, T: ?Sized> {
    id: &'a str,
    text: std::borrow::Cow<'b, str>,
    extra: std::marker::PhantomData<fn(&'b T)>,
}

#[derive(KeyPart)]
struct Id<T>(T)
where
    T: KeyPart;

#[derive(KeyPart)]
enum Level {
    Basic,
}

fn main() -> Result<(), KeyError> {
    let document = Document::<_, _, 2> {
        owner: Id(String::from("u1")),
        number: 7,
        body: ['a', 'b'],
    };
    assert_eq!(
        document.primary_key()?.to_string(),
        "OWNER#u1/DOCUMENT#0000000007"
    );
    assert_eq!(document.key_attributes()?.len(), 4);
    assert_eq!(document.body.len(), 2);
    let key = Document::<Level, (), 0>::by_number_key(7, Level::Basic)?;
    assert_eq!(key.to_string(), "NUMBER#7/OWNER#Basic");
    let prefix = Document::<Level, (), 0>::sort_key().number(7).build()?;
    assert_eq!(prefix, "DOCUMENT#0000000007");

    let note = Note::<str> {
        id: "n1",
        text: "hello".into(),
        extra: std::marker::PhantomData,
    };
    assert_eq!(note.primary_key()?.to_string(), "NOTE#n1/TEXT#hello");
    assert_eq!(Note::<str>::parse_key("NOTE#n1", "TEXT#hello")?.id, "n1");
    let _ = note.extra;
    Ok(())
}
