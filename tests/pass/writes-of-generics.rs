//! Writes of entities with type, const and lifetime parameters, with bounds and where clauses.

use dynamo_model::expr::Numeric;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Error, KeyPart, Table};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoTable)]
#[table(name = "Notes", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Notes;

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = App)]
#[pk("OWNER#<owner>")]
#[sk("DOCUMENT#<number:010>")]
#[gsi1(pk = "LEVEL#<level>", sk = "EDITOR#<editor>", as = by_level)]
struct Document<Owner: KeyPart, Level, Body, const SIZE: usize>
where
    Level: KeyPart,
{
    owner: Owner,
    number: u32,
    level: Level,
    editor: Option<Owner>,
    title: String,
    body: Vec<Body>,
    #[dynamo(immutable)]
    first: Option<Body>,
    #[dynamo(created_at)]
    created: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = Notes)]
#[pk("NOTE#<id>")]
#[sk("NOTE")]
#[gsi1(pk = "TAG#<tag>", sk = "TEXT#<text>", as = by_tag)]
struct Note<'a, T> {
    id: &'a str,
    tag: &'a str,
    text: Cow<'a, str>,
    count: T,
    more: Option<Cow<'a, str>>,
}

#[derive(KeyPart, Serialize, Deserialize, Debug, PartialEq)]
struct Id(String);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Yen(u64);

impl Numeric for Yen {
    const RANGE: dynamo_model::expr::NumberRange = u64::RANGE;
}

async fn rename<Body>(db: &Dynamo, title: &str) -> Result<(), Error>
where
    Body: Serialize + DeserializeOwned,
{
    let document = Document::<Id, u8, Body, 2>::get("u1", 1)
        .send(db)
        .await?
        .expect("an item");
    document
        .update()
        .set(|document| document.title(), title)
        .send(db)
        .await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    type Paper = Document<Id, u8, char, 2>;
    let db = Dynamo::embedded()?;
    App::create_table(&db).await?;
    Notes::create_table(&db).await?;
    let paper = Paper {
        owner: Id("u1".into()),
        number: 1,
        level: 3,
        editor: None,
        title: "Paper".into(),
        body: vec!['a'],
        first: Some('a'),
        created: String::new(),
    };
    paper.create().send(&db).await?;
    rename::<char>(&db, "PAPERS").await?;
    Paper::update("u1", 1)
        .set(|paper| paper.editor(3), "u2")
        .append(|paper| paper.body(), ['b'])
        .send(&db)
        .await?;
    let found = Paper::by_level(3).all(&db).await?;
    assert_eq!(
        (found[0].body.as_slice(), &found[0].editor),
        (['a', 'b'].as_slice(), &Some(Id("u2".into())))
    );
    found[0].delete().send(&db).await?;

    let note = Note {
        id: "n1",
        tag: "t",
        text: "hello".into(),
        count: Yen(1),
        more: None,
    };
    note.put().send(&db).await?;
    note.update()
        .set(|note| note.text(), "world")
        .add(|note| note.count(), Yen(2))
        .set(|note| note.more(), Cow::Borrowed("x"))
        .send(&db)
        .await?;
    Note::<Yen>::update("n1")
        .set(|note| note.tag("world"), "u")
        .send(&db)
        .await?;
    assert_eq!(Note::<Yen>::by_tag("u").text("world").count(&db).await?, 1);
    Note::<Yen>::delete("n1").must_exist().send(&db).await
}
