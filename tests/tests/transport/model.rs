//! A table with one entity, and a call of every operation.

use dynamo_model::prelude::*;
use dynamo_model::transaction::TransactGet;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Things", pk = "PK")]
pub struct Things;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Things)]
#[pk("THING#<id>")]
pub struct Thing {
    pub id: u32,
    pub value: u32,
}

pub const THING: Thing = Thing { id: 1, value: 7 };

/// The operations on items.
pub const OPERATIONS: [&str; 10] = [
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "Query",
    "Scan",
    "BatchGetItem",
    "BatchWriteItem",
    "TransactGetItems",
    "TransactWriteItems",
];

/// Makes a call of an operation. Its result does not matter.
pub async fn call(db: &Dynamo, operation: &str) -> Result<(), Error> {
    match operation {
        "GetItem" => Thing::get(1).send(db).await.map(drop),
        "PutItem" => THING.put().send(db).await.map(drop),
        "UpdateItem" => {
            let update = Thing::update(1).add(|it| it.value(), 1_u32);
            update.send(db).await.map(drop)
        }
        "DeleteItem" => Thing::delete(1).send(db).await.map(drop),
        "Query" => Thing::query(1).all(db).await.map(drop),
        "Scan" => Thing::scan().all(db).await.map(drop),
        "BatchGetItem" => {
            let gets = BatchGet::new([Thing::key(1)]);
            gets.send(db).await.map(drop)
        }
        "BatchWriteItem" => BatchWrite::new().put(&THING).send(db).await.map(drop),
        "TransactGetItems" => {
            let gets = TransactGet::new((Thing::key(1),));
            gets.send(db).await.map(drop)
        }
        "TransactWriteItems" => {
            let writes = Transaction::new().add(THING.put());
            writes.send(db).await.map(drop)
        }
        other => panic!("no call of {other}"),
    }
}
