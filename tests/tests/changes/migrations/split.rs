//! One entity becomes several.

use super::at_once;
use super::model::{App, OldUser, Visit, old_user, stored};
use crate::support::{self, Outcome};
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, Entity, ErrorKind};
use serde::{Deserialize, Serialize};

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "PERSON", former)]
#[pk("USER#<id>")]
#[sk("PERSON")]
struct Person {
    #[dynamo(key_only)]
    id: String,
    name: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "VISIT", former)]
#[pk("USER#<id>")]
#[sk("VISIT#<number:03>")]
struct PageVisit {
    id: String,
    number: u32,
    page: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "MOTTO", former)]
#[pk("USER#<id>")]
#[sk("MOTTO")]
struct Motto {
    id: String,
    motto: String,
}

fn visits(old: &OldUser) -> Vec<PageVisit> {
    let visits = (0..).zip(&old.visits);
    let visit = |(number, visit): (u32, &Visit)| PageVisit {
        id: old.id.clone(),
        number,
        page: visit.page.clone(),
    };
    visits.map(visit).collect()
}

fn split<'m>() -> Migration<'m, OldUser, Person> {
    let person = |old: OldUser| Person {
        id: old.id,
        name: old.name,
    };
    let motto = |old: &OldUser| {
        let motto = old.motto.clone();
        motto.map(|motto| Motto {
            id: old.id.clone(),
            motto,
        })
    };
    Migration::new("split", person)
        .concurrency(at_once(8) as usize)
        .also(visits)
        .also(motto)
}

#[tokio::test]
async fn every_item_becomes_its_parts() -> Outcome {
    let db = support::db::<App>().await;
    for number in 0..12 {
        old_user(number).create().send(&db).await?;
    }
    let report = split().segments(at_once(2)).run(&db).await?;
    assert_eq!(report.migrated, 12);
    for number in 0..12 {
        let old = old_user(number);
        let person = Person::get(&old.id)
            .send(&db)
            .await?
            .ok_or("no such person")?;
        assert_eq!(person.name, old.name);
        assert_eq!(PageVisit::query(&old.id).all(&db).await?, visits(&old));
        let motto = Motto::get(&old.id).send(&db).await?;
        assert_eq!(motto.map(|motto| motto.motto), old.motto);
    }
    assert_eq!(OldUser::scan().count(&db).await?, 0);
    assert_eq!(split().run(&db).await?.migrated, 0);
    Ok(())
}

#[tokio::test]
async fn an_item_is_not_split_if_one_part_cannot_be_written() -> Outcome {
    let db = support::db::<App>().await;
    old_user(3).create().send(&db).await?;
    let motto = Motto {
        id: "u3".into(),
        motto: "another".into(),
    };
    motto.create().send(&db).await?;
    let before = stored(&db).await?;
    // Finding: the dry run reports what would stop the run
    let preview = split().dry_run(&db).await?;
    assert_eq!((preview.migrated, preview.problems.len()), (0, 1));
    assert_eq!(preview.problems[0].kind(), &ErrorKind::AlreadyExists);
    assert_eq!(preview.problems[0].key_text(), Some("USER#u3/MOTTO"));
    let error = split().run(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(
        (error.entity(), error.key_text()),
        ("Motto", Some("USER#u3/MOTTO"))
    );
    let mut after = stored(&db).await?;
    after.retain(|key, _| !key.contains("#migration"));
    assert_eq!(after, before);
    Ok(())
}
