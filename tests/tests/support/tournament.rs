//! A table whose indexes have keys of several attributes, and its entities.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Tournament", pk = "PK", sk = "SK", entity_type = "kind", items = TournamentItem)]
#[gsi1(name = "Rounds", pk = (tenant: S, region: S), sk = (round: N, startsAt: N, matchId: S))]
#[gsi2(name = "Venues", pk = (venue: S), sk = (day: S), projection = keys_only)]
pub struct Tournament;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Tenant(pub String);

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Tournament, entity_type = "MATCH")]
#[pk("TENANT#<tenant>")]
#[sk("MATCH#<match_id>")]
#[gsi1(pk = (tenant, region), sk = (round, starts_at, match_id), as = by_round)]
#[gsi2(pk = (venue), sk = (day), as = by_venue)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    pub tenant: Tenant,
    pub match_id: String,
    pub region: String,
    pub round: i32,
    #[serde(with = "dynamo_model::format::epoch_millis")]
    pub starts_at: Timestamp,
    pub venue: Option<String>,
    pub day: jiff::civil::Date,
    pub score: u32,
}

/// Has all attributes of the index, which it does not declare.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Tournament, entity_type = "BYE")]
#[pk("TENANT#<tenant>")]
#[sk("BYE#<match_id>")]
#[serde(rename_all = "camelCase")]
pub struct Bye {
    pub tenant: String,
    pub match_id: String,
    pub region: String,
    pub round: i32,
    pub starts_at: i64,
}

#[derive(DynamoItems, Debug)]
#[items(table = Tournament)]
pub enum TournamentItem {
    Match(Match),
    Bye(Bye),
}

pub fn game(id: &str, round: i32, millis: i64) -> Match {
    Match {
        tenant: Tenant("acme".into()),
        match_id: id.into(),
        region: "eu".into(),
        round,
        starts_at: Timestamp::from_millisecond(millis).unwrap(),
        venue: None,
        day: jiff::civil::date(2026, 3, 1),
        score: 0,
    }
}

/// In the order of the index: by round, then by time, then by id.
pub fn games() -> Vec<Match> {
    vec![
        game("m0", -3, 900),
        game("m1", 2, 5),
        game("m2", 2, 10),
        game("m3", 2, 10),
        game("x4", 2, 100),
        game("m5", 10, 7),
        game("m6", 10, 8),
    ]
}
