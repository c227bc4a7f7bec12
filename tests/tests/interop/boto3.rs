//! boto3: every type of attribute, under keys that the program builds.

use crate::snapshot::{self, Snapshot, assert_changes, stored};
use crate::support::{Db, Outcome};
use dynamo_model::value::Rest;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "interop-boto3", pk = "PK", sk = "SK")]
pub struct Sensors;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Sensors)]
#[pk("SENSOR#<id>")]
#[sk("STATE")]
pub struct Sensor {
    id: String,
    label: String,
    reads: u32,
    #[dynamo(rest)]
    rest: Rest,
}

async fn sensors() -> Outcome<Db> {
    stored::<Sensors>(include_str!("items/boto3.json")).await
}

/// The changes that boto3 reads afterwards, in `tests/interop/boto3_items.py`.
pub async fn change(db: &Dynamo) -> Outcome {
    let before = Snapshot::of::<Sensors>(db).await?;
    Sensor::update("s1")
        .set(|sensor| sensor.label(), "South")
        .add(|sensor| sensor.reads(), 1_u32)
        .send(db)
        .await?;
    let after = Snapshot::of::<Sensors>(db).await?;
    assert_changes(&before, &after, &["label", "reads"]);
    merge_and_put(db).await
}

async fn merge_and_put(db: &Dynamo) -> Outcome {
    let sensor = Sensor::get("s1").send(db).await?.unwrap();
    assert_eq!(sensor.rest.len(), 10);
    snapshot::merge_and_put::<Sensors, _>(db, sensor, &[]).await
}

#[tokio::test]
async fn an_update_keeps_undeclared_attributes() -> Outcome {
    let db = sensors().await?;
    change(&db).await
}

/// Finding: "`put` drops attributes that the struct does not declare."
#[tokio::test]
async fn merge_and_put_keep_undeclared_attributes() -> Outcome {
    let db = sensors().await?;
    merge_and_put(&db).await
}
