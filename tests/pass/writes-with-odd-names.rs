//! Fields with the names of keywords, of the methods of an update, and of generated code.

use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = App)]
#[pk("ODD#<self_>")]
#[gsi1(pk = "TYPE#<type>#<match>", sk = "SEND#<send>#<known>#<r#fn>", as = r#impl)]
#[unique("ODD_KEY#<key>")]
struct Odd {
    self_: String,
    r#type: String,
    r#match: u32,
    send: String,
    known: Option<String>,
    r#fn: String,
    key: String,
    set: u32,
    add: u32,
    remove: Option<u32>,
    update: u32,
    condition: u32,
    current_key: u32,
    #[serde(rename = "r#loop")]
    r#loop: Vec<String>,
    #[dynamo(version)]
    r#use: u64,
    #[dynamo(updated_at)]
    r#final: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let db = Dynamo::embedded()?;
    App::create_table(&db).await?;
    let odd = Odd {
        self_: "o1".into(),
        r#type: "t".into(),
        r#match: 1,
        send: "s".into(),
        known: Some("k".into()),
        r#fn: "f".into(),
        key: "y".into(),
        set: 1,
        add: 1,
        remove: Some(1),
        update: 1,
        condition: 1,
        current_key: 1,
        r#loop: vec![],
        r#use: 0,
        r#final: String::new(),
    };
    let odd = odd.create().return_new().send(&db).await?;
    Odd::update("o1")
        .set(|odd| odd.r#type(1, "s", &"k".to_owned(), "f"), "t2")
        .set(|odd| odd.key("y"), "z")
        .set(|odd| odd.set(), 2)
        .add(|odd| odd.add(), 1)
        .remove(|odd| odd.remove())
        .append(|odd| odd.r#loop(), ["l"])
        .condition(|odd| odd.r#type().eq("t") & odd.condition().eq(1) & odd.r#fn().exists())
        .send(&db)
        .await?;
    let error = odd
        .update()
        .set(|odd| odd.r#match(), 2)
        .send(&db)
        .await
        .unwrap_err();
    assert!(error.is_conflict());
    let odd = Odd::get("o1").send(&db).await?.expect("an item");
    let odd = odd
        .update()
        .set(|odd| odd.r#fn(), "g")
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(
        Odd::r#impl("t2", 1)
            .send("s")
            .known("k")
            .r#fn("g")
            .all(&db)
            .await?,
        [odd]
    );
    Ok(())
}
