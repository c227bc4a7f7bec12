//! Global tables with strong consistency between regions: conflicts, and the transactions that
//! DynamoDB refuses.

use super::model::*;
use super::script::{Script, ScriptedResponse};
use super::support::Outcome;
use super::support::network::error;
use dynamo_model::batch::IntoKey;
use dynamo_model::error::Outcome as Became;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind, Transaction,
};
use serde::{Deserialize, Serialize};

const CONFLICT: &str = "ReplicatedWriteConflictException";

#[derive(DynamoTable)]
#[table(name = "Strong", pk = "PK", items = StrongItem)]
#[table(replicas("us-east-2", "us-west-2"), multi_region_strong)]
struct Strong;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Strong)]
#[pk("SEAT#<number>")]
struct Seat {
    number: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Strong)]
#[pk("GUEST#<id>")]
#[unique("EMAIL#<email>")]
struct Guest {
    id: u32,
    email: String,
}

#[derive(DynamoItems)]
#[items(table = Strong)]
#[allow(dead_code)]
enum StrongItem {
    Seat(Seat),
    Guest(Guest),
}

#[tokio::test(start_paused = true)]
async fn a_write_that_meets_one_of_another_region_is_sent_again() -> Outcome {
    for typed in [false, true] {
        let conflict = ScriptedResponse::Whole(400, error(CONFLICT));
        let done = ScriptedResponse::Whole(200, "{}".into());
        let script = Script::of(vec![conflict.clone(), conflict.clone(), done]);
        counter(1, 7).put().send(&script.db(typed)).await?;
        assert_eq!(script.asked().len(), 3);

        let script = Script::of(vec![conflict]);
        let sent = counter(1, 7).put().send(&script.db(typed)).await;
        let error = sent.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::RegionConflict);
        assert_eq!(error.outcome(), Became::NotDone);
        assert_eq!(
            error.to_string(),
            "put Counter COUNTER#001/COUNTER: a write in another region was at work on the item, \
             during all attempts; try later, or write the item in one region"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_transaction_on_a_strong_table_fails_before_it_is_sent() -> Outcome {
    let script = Script::of(vec![ScriptedResponse::Whole(200, "{}".into())]);
    let db: Dynamo = script.db(false);
    let guest = Guest {
        id: 1,
        email: "a@b.c".into(),
    };
    let errors = [
        Transaction::new()
            .add(Seat { number: 1 }.create())
            .send(&db)
            .await
            .unwrap_err(),
        Transaction::new()
            .add(Seat::key(1).must_exist())
            .send(&db)
            .await
            .unwrap_err(),
        TransactGet::new((Seat::key(1),))
            .send(&db)
            .await
            .unwrap_err(),
        guest.create().send(&db).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), &ErrorKind::NoTransactions, "{error}");
        assert!(
            error.to_string().ends_with(
                "DynamoDB takes no transactions on a table with multi-region strong consistency, \
                 and unique values need them; write and read the items one by one"
            ),
            "{error}"
        );
    }
    assert!(script.asked().is_empty());
    // One item alone is as ever.
    Seat { number: 1 }.create().send(&db).await?;
    assert_eq!(script.asked().len(), 1);
    Ok(())
}
