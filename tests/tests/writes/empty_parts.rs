//! Parts with `or_empty`: an item without the optional field stays in the index, with an empty
//! part, as other libraries keep it there.

use crate::support::{self, Outcome, assert_keys_as_put, put_json, raw};
use dynamo_model::bounds::IndexedBy;
use dynamo_model::index::{Gsi1, Gsi3};
use dynamo_model::{DynamoEntity, DynamoTable, Entity, KeyPart};
use dynamo_model_tools::Model;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::error::Error as _;

#[derive(DynamoTable)]
#[table(name = "Desk", pk = "PK", sk = "SK")]
#[gsi1(name = "ByTeam", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "Open", pk = "GSI2PK", sk = "GSI2SK")]
#[gsi3(name = "Assigned", pk = "GSI3PK")]
struct Desk;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Closed,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Desk)]
#[pk("TICKET#<id>")]
#[sk("TICKET")]
#[gsi1(
    pk = "team_<team:or_empty>",
    sk = "due_<due:epoch_s+or_empty>#level_<level:lower+or_empty>#<id>",
    as = by_team
)]
#[gsi2(pk = "OPEN#<team:or_empty>", sk = "<rank:03+or_empty>#<id>", when(state = State::Open), as = open)]
#[gsi3(pk = "ASSIGNED#<team>", as = assigned)]
struct Ticket {
    id: String,
    team: Option<String>,
    due: Option<Timestamp>,
    level: Option<String>,
    rank: Option<u16>,
    state: State,
}

fn ticket(id: &str) -> Ticket {
    Ticket {
        id: id.into(),
        team: None,
        due: None,
        level: None,
        rank: None,
        state: State::Open,
    }
}

fn due(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn ids(tickets: &[Ticket]) -> Vec<&str> {
    tickets.iter().map(|ticket| ticket.id.as_str()).collect()
}

/// Finding: "cannot be declared: empty index parts"; peers: ElectroDB writes `opt_` for an
/// absent part.
#[tokio::test]
async fn an_absent_field_is_stored_as_an_empty_part_and_read_as_none() -> Outcome {
    let db = support::db::<Desk>().await;
    ticket("t1").create().send(&db).await?;
    let stored = raw(&db, Ticket::key("t1")).await?.unwrap();
    assert_eq!(stored["GSI1PK"].as_s(), Ok(&"team_".to_owned()));
    assert_eq!(stored["GSI1SK"].as_s(), Ok(&"due_#level_#t1".to_owned()));
    assert_eq!(stored["GSI2PK"].as_s(), Ok(&"OPEN#".to_owned()));
    assert_eq!(stored["GSI2SK"].as_s(), Ok(&"#t1".to_owned()));
    assert!(!stored.contains_key("GSI3PK"), "sparse without `or_empty`");
    assert_eq!(Ticket::by_team(None).all(&db).await?, [ticket("t1")]);
    assert_eq!(Ticket::open(None).all(&db).await?, [ticket("t1")]);
    let parts = Ticket::parse_by_team_key("team_", "due_#level_#t1")?;
    assert_eq!((parts.team, parts.due, parts.level), (None, None, None));
    let parts = Ticket::parse_by_team_key("team_a", "due_0000000005#level_high#t1")?;
    assert_eq!(parts.team.as_deref(), Some("a"));
    assert_eq!(Ticket::by_team("a").all(&db).await?, []);
    assert_eq!(
        (parts.due, parts.level.as_deref()),
        (Some(due(5)), Some("high"))
    );
    let key = Ticket::by_team_key(Some("a"), None, Some("High"), "t1")?;
    assert_eq!(key.to_string(), "team_a/due_#level_high#t1");
    assert!(IndexedBy::<Gsi1>::key_in(&ticket("t1"))?.is_some());
    assert!(IndexedBy::<Gsi3>::key_in(&ticket("t1"))?.is_none());
    Ok(())
}

#[tokio::test]
async fn an_empty_text_is_refused_as_it_would_be_read_as_none() -> Outcome {
    let db = support::db::<Desk>().await;
    let empty = Ticket {
        team: Some(String::new()),
        ..ticket("t1")
    };
    let error = empty.create().send(&db).await.unwrap_err();
    let reason = error.source().map(ToString::to_string).unwrap_or_default();
    assert!(reason.contains("`team` is empty"), "{error}: {reason}");
    assert!(Ticket::by_team_key(Some(""), None, None, "t1").is_err());
    assert!(
        Ticket::parse_by_team_key("team_a", "due_#level_#").is_err(),
        "`id` is never empty"
    );
    Ok(())
}

#[tokio::test]
async fn updates_fill_and_empty_the_part() -> Outcome {
    let db = support::db::<Desk>().await;
    ticket("t1").create().send(&db).await?;
    let as_put = async |team: Option<&str>| -> Outcome<Ticket> {
        assert_keys_as_put(&db, Ticket::key("t1")).await?;
        let found = Ticket::by_team(team).one(&db).await?;
        assert_eq!(ids(&Ticket::open(team).all(&db).await?), ["t1"]);
        Ok(found)
    };
    let fill = Ticket::update("t1").set(|it| it.team(None, None, None, State::Open), "a");
    fill.send(&db).await?;
    let loaded = as_put(Some("a")).await?;
    loaded.update().set(|it| it.due(), due(7)).send(&db).await?;
    let loaded = as_put(Some("a")).await?;
    loaded.update().remove(|it| it.team()).send(&db).await?;
    as_put(None).await?;
    let rank = Ticket::update("t1").set(|it| it.rank(None, State::Open), 7_u16);
    rank.send(&db).await?;
    assert_eq!(as_put(None).await?.rank, Some(7));
    let stale = Ticket::update("t1").set(|it| it.due("a", None), due(8));
    assert!(stale.send(&db).await.is_err(), "the team is not `a`");
    let close = Ticket::update("t1").set(|it| it.state(None, 7_u16), State::Closed);
    close.send(&db).await?;
    assert!(Ticket::open(None).all(&db).await?.is_empty());
    assert_keys_as_put(&db, Ticket::key("t1")).await
}

#[tokio::test]
async fn an_upsert_must_set_or_remove_the_part() -> Outcome {
    let db = support::db::<Desk>().await;
    let unsaid = Ticket::upsert("t1").set(|it| it.state(None, None), State::Open);
    assert!(unsaid.send(&db).await.is_err(), "`due` is not known");
    let said = Ticket::upsert("t2")
        .set(|it| it.state(None, None), State::Open)
        .remove(|it| it.due(None, None));
    said.send(&db).await?;
    assert_eq!(Ticket::by_team(None).one(&db).await?, ticket("t2"));
    Ticket::delete("t2").send(&db).await?;
    let none: Option<String> = None;
    let upsert = Ticket::upsert("t1")
        .set(|it| it.state(None, None), State::Open)
        .set_or_remove(|it| it.team(None, None, None, State::Open), none.clone())
        .set_or_remove(|it| it.due(None, None), None::<Timestamp>)
        .set_or_remove(|it| it.level(None, None), none)
        .set_or_remove(|it| it.rank(None, State::Open), None::<u16>);
    upsert.send(&db).await?;
    assert_eq!(Ticket::by_team(None).one(&db).await?, ticket("t1"));
    Ok(())
}

/// Items that another library wrote stay where it keeps them.
#[tokio::test]
async fn an_item_of_another_library_keeps_its_empty_parts() -> Outcome {
    let db = support::db::<Desk>().await;
    let item = json!({
        "PK": "TICKET#t9", "SK": "TICKET", "GSI1PK": "team_", "GSI1SK": "due_#level_#t9",
        "GSI2PK": "OPEN#", "GSI2SK": "#t9", "id": "t9", "state": "Open",
    });
    put_json::<Desk>(&db, item).await?;
    let found = Ticket::by_team(None).one(&db).await?;
    assert_eq!(found, ticket("t9"));
    assert_keys_as_put(&db, found.primary_key()).await
}

#[tokio::test]
async fn ranges_and_prefixes_match_only_values() -> Outcome {
    let db = support::db::<Desk>().await;
    let dues = [None, Some(5), Some(1_700_000_000)];
    for (number, second) in dues.into_iter().enumerate() {
        let ticket = Ticket {
            due: second.map(due),
            rank: second.map(|_| 7),
            ..ticket(&format!("t{number}"))
        };
        ticket.put().send(&db).await?;
    }
    let all = Ticket::by_team(None).descending().all(&db).await?;
    assert_eq!(ids(&all), ["t2", "t1", "t0"], "without a value comes first");
    let range = async |from, to| Ticket::by_team(None).due_in((from, to)).all(&db).await;
    use std::ops::Bound::{Excluded, Included, Unbounded};
    assert_eq!(ids(&range(Unbounded, Unbounded).await?), ["t1", "t2"]);
    assert_eq!(ids(&range(Unbounded, Included(due(5))).await?), ["t1"]);
    assert_eq!(ids(&range(Excluded(due(5)), Unbounded).await?), ["t2"]);
    assert_eq!(
        ids(&Ticket::open(None).rank_in(..).all(&db).await?),
        ["t1", "t2"]
    );
    let empty = Ticket::by_team(None).due(None).all(&db).await?;
    assert_eq!(ids(&empty), ["t0"]);
    Ok(())
}

#[test]
fn outputs_show_the_spec_and_an_index_that_is_not_sparse() {
    let model = Model::new("desk").entity::<Ticket>();
    let lock = model.lock().to_string();
    assert!(lock.contains("team_<team:or_empty>"), "{lock}");
    let indexes = Ticket::SCHEMA.indexes.iter().map(|index| index.sparse);
    assert_eq!(indexes.collect::<Vec<_>>(), [false, false, true]);
    let spec = Ticket::SCHEMA.indexes[0].sk.unwrap().parts[0].spec;
    assert_eq!(spec.to_string(), "epoch_s+or_empty");
}
