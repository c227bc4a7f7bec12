//! A field whose type is an alias of `Option`, in index keys.

use crate::support::{self, Outcome, assert_keys_as_put, raw};
use dynamo_model::{DynamoEntity, DynamoTable, Entity};
use dynamo_model_tools::Model;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Desks", pk = "PK")]
#[gsi1(name = "ByRoom", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "ByRank", pk = "GSI2PK", sk = "GSI2SK")]
struct Desks;

type Maybe<T> = Option<T>;
type Room = Option<String>;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Desks)]
#[pk("DESK#<id>")]
#[gsi1(pk = "ROOM#<room>", sk = "FLOOR#<floor:03>", as = by_room)]
#[gsi2(pk = "DESKS", sk = "<rank:03+or_empty>#<id>", as = by_rank)]
struct Desk {
    id: String,
    #[dynamo(optional)]
    room: Room,
    floor: u16,
    #[dynamo(optional)]
    rank: Maybe<u16>,
}

fn desk(room: Option<&str>) -> Desk {
    Desk {
        id: "d1".into(),
        room: room.map(str::to_owned),
        floor: 3,
        rank: None,
    }
}

/// Finding: "An alias of `Option` in a sparse index".
#[tokio::test]
async fn an_alias_of_option_makes_an_index_sparse() -> Outcome {
    let db = support::db::<Desks>().await;
    assert!(Desk::SCHEMA.indexes[0].sparse && !Desk::SCHEMA.indexes[1].sparse);
    desk(None).create().send(&db).await?;
    let item = raw(&db, Desk::key("d1")).await?.unwrap();
    assert!(!item.contains_key("GSI1PK") && !item.contains_key("GSI1SK"));
    assert_eq!(item["GSI2SK"].as_s(), Ok(&"#d1".to_owned()));

    let enter = Desk::update("d1").set(|desk| desk.room(3), "r1");
    enter.send(&db).await?;
    assert_keys_as_put(&db, Desk::key("d1")).await?;
    let found = Desk::by_room("r1").floor(3).one(&db).await?;
    assert_eq!(found, desk(Some("r1")));
    Desk::update("d1")
        .set(|desk| desk.floor("r1"), 3_u16)
        .send(&db)
        .await?;
    let wrong = Desk::update("d1").set(|desk| desk.floor(None), 4_u16);
    assert!(wrong.send(&db).await.unwrap_err().is_conflict());

    found.update().remove(|desk| desk.room()).send(&db).await?;
    assert_eq!(Desk::get("d1").send(&db).await?, Some(desk(None)));
    assert_eq!(Desk::by_room("r1").count(&db).await?, 0);
    assert_keys_as_put(&db, Desk::key("d1")).await
}

#[test]
fn outputs_know_that_the_field_may_be_absent() {
    let lock = Model::new("desks").entity::<Desk>().lock().to_string();
    assert!(lock.contains("<rank:03+or_empty>"), "{lock}");
    let room = Desk::SCHEMA.attributes.iter().find(|it| it.field == "room");
    assert!(room.is_some_and(|room| !room.required));
}
