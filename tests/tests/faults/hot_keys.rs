//! The keys with most accesses, on the embedded engine.

use super::support::Outcome;
use dynamo_model::throttling::HotKeys;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, BatchWrite, Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, Table,
    Transaction,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Hot", pk = "PK", sk = "SK", entity_type = "type", items = HotItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Hot;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Hot, entity_type = "VISIT")]
#[pk("PAGE#<page>")]
#[sk("VISIT#<number:04>")]
#[gsi1(pk = "COUNTRY#<country>", sk = "<number:04>", as = by_country)]
struct Visit {
    page: String,
    number: u32,
    country: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Hot, entity_type = "PATIENT")]
#[pk("PATIENT#<name>")]
#[sk("PATIENT")]
#[gsi1(pk = "DISEASE#<disease>", sk = "<name>", as = by_disease)]
#[unique("CARD#<card>")]
struct Patient {
    #[dynamo(sensitive)]
    name: String,
    disease: String,
    #[dynamo(sensitive)]
    card: String,
}

#[derive(DynamoItems)]
#[items(table = Hot)]
#[allow(dead_code)]
enum HotItem {
    Visit(Visit),
    Patient(Patient),
}

fn visit(page: &str, number: u32) -> Visit {
    Visit {
        page: page.into(),
        number,
        country: "fi".into(),
    }
}

fn patient(name: &str) -> Patient {
    Patient {
        name: name.into(),
        disease: "flu".into(),
        card: format!("card-of-{name}"),
    }
}

async fn watched() -> Result<(Dynamo, HotKeys), Error> {
    let keys = HotKeys::new(8);
    let db = Dynamo::embedded()?
        .with_table_prefix("dev-")
        .with_hot_keys(&keys);
    Hot::create_table(&db).await?;
    Ok((db, keys))
}

fn counts(keys: &HotKeys) -> Vec<(String, Option<&'static str>, u32, u32)> {
    let hottest = keys.hottest().into_iter();
    hottest
        .map(|it| (it.key, it.index, it.reads, it.writes))
        .collect()
}

#[tokio::test]
async fn every_kind_of_call_counts_once_for_each_key() -> Outcome {
    let (db, keys) = watched().await?;
    let one = |keys: &HotKeys, reads, writes| {
        assert_eq!(counts(keys), [("PAGE#a".to_owned(), None, reads, writes)]);
        keys.reset();
    };
    visit("a", 1).create().send(&db).await?;
    visit("a", 1).put().send(&db).await?;
    one(&keys, 0, 2);
    Visit::update("a", 1)
        .set(|it| it.country(), "se")
        .send(&db)
        .await?;
    Visit::delete("a", 1).send(&db).await?;
    one(&keys, 0, 2);
    BatchWrite::new()
        .puts(&[visit("a", 1), visit("a", 2), visit("a", 3)])
        .send(&db)
        .await?;
    one(&keys, 0, 3);
    Transaction::new()
        .add(visit("a", 4).create())
        .add(visit("a", 5).create())
        .send(&db)
        .await?;
    one(&keys, 0, 2);
    Visit::get("a", 1).send(&db).await?;
    BatchGet::new([Visit::key("a", 1), Visit::key("a", 2)])
        .send(&db)
        .await?;
    TransactGet::new((Visit::key("a", 1), Visit::key("a", 2)))
        .send(&db)
        .await?;
    one(&keys, 5, 0);
    Visit::query("a").all(&db).await?;
    Visit::query("a").first(&db).await?;
    Visit::query("a").count(&db).await?;
    one(&keys, 3, 0);
    // A scan has no key.
    Visit::scan().all(&db).await?;
    assert_eq!(keys.accesses(), 0);
    Ok(())
}

#[tokio::test]
async fn keys_come_in_order_each_with_its_table_and_index() -> Outcome {
    let (db, keys) = watched().await?;
    for (page, times) in [("cold", 1), ("warm", 3), ("hot", 9)] {
        for _ in 0..times {
            Visit::get(page, 1).send(&db).await?;
        }
    }
    for _ in 0..5 {
        Visit::by_country("fi").all(&db).await?;
    }
    assert_eq!(
        counts(&keys),
        [
            ("PAGE#hot".to_owned(), None, 9, 0),
            ("COUNTRY#fi".to_owned(), Some("GSI1"), 5, 0),
            ("PAGE#warm".to_owned(), None, 3, 0),
            ("PAGE#cold".to_owned(), None, 1, 0),
        ]
    );
    let second = &keys.hottest()[1];
    let text = "table `dev-Hot`, index `GSI1`, `COUNTRY#fi`: 5 reads, 0 writes";
    assert_eq!(second.to_string(), text);
    assert_eq!(keys.accesses(), 18);
    // A clone of the handle counts into the same list, one without does not.
    Visit::get("hot", 1).send(&db.clone()).await?;
    assert_eq!(keys.hottest()[0].reads, 10);
    Ok(())
}

#[tokio::test]
async fn sensitive_fields_are_masked_and_their_keys_still_told_apart() -> Outcome {
    let (db, keys) = watched().await?;
    for name in ["alice", "alice", "bob"] {
        Patient::get(name).send(&db).await?;
    }
    patient("carol").create().send(&db).await?;
    Patient::by_disease("flu").all(&db).await?;
    let counts = counts(&keys);
    let text = format!("{counts:?} {keys:?}");
    for secret in ["alice", "bob", "carol"] {
        assert!(!text.contains(secret), "{text}");
    }
    // Alice, bob, carol, the index and the unique item.
    assert_eq!(counts.len(), 5, "{text}");
    let (key, _, reads, _) = &counts[0];
    assert!(key.starts_with("PATIENT#<name> [") && *reads == 2, "{text}");
    let has = |text: &str| counts.iter().any(|(key, ..)| key.starts_with(text));
    // The key of the index has no sensitive field in it.
    assert!(has("DISEASE#flu") && has("unique or internal item ["));
    Ok(())
}
