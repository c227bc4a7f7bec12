//! An entity with a lock and values that no other has.

use super::support::{Db, Outcome, db};
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Club", pk = "PK", sk = "SK", entity_type = "type", items = ClubItem)]
pub struct Club;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Club, entity_type = "MEMBER")]
#[pk("MEMBER#<id>")]
#[sk("MEMBER")]
#[unique("EMAIL#<email>")]
#[unique("PHONE#<phone>")]
pub struct Member {
    pub id: String,
    pub email: String,
    pub phone: Option<String>,
    #[dynamo(version)]
    pub version: u64,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Club, entity_type = "VISIT")]
#[pk("MEMBER#<member>")]
#[sk("VISIT#<number:05>")]
pub struct Visit {
    pub member: String,
    pub number: u32,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Club)]
pub enum ClubItem {
    Member(Member),
    Visit(Visit),
}

pub fn member(id: &str, email: &str) -> Member {
    Member {
        id: id.into(),
        email: email.into(),
        phone: None,
        version: 0,
    }
}

pub fn visit(member: &str, number: u32) -> Visit {
    Visit {
        member: member.into(),
        number,
    }
}

/// Returns a club with members, by their identifiers and addresses.
pub async fn club(members: &[(&str, &str)]) -> Db {
    let db = db::<Club>().await;
    for (id, email) in members {
        member(id, email).create().send(&db).await.unwrap();
    }
    db
}

/// The values that are taken, in order.
pub async fn taken(db: &Dynamo) -> Outcome<Vec<String>> {
    let request = db.client().scan().table_name(db.table_name(&Club::SCHEMA));
    let items = request.consistent_read(true).send().await?.items.unwrap();
    let sentinels = items
        .iter()
        .filter(|it| it["type"].as_s().unwrap() == "#unique");
    let mut taken: Vec<_> = sentinels
        .map(|it| it["PK"].as_s().unwrap().clone())
        .collect();
    taken.sort_unstable();
    Ok(taken)
}

pub async fn version(db: &Dynamo, id: &str) -> Outcome<Option<u64>> {
    let member = Member::get(id).consistent().send(db).await?;
    Ok(member.map(|member| member.version))
}
