//! Plans: from the deployed table to the declaration, step by step, with nothing lost.

use crate::canned::{Canned, refusal};
use crate::support::{self, Db, Fault, Outcome};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::schema::plan::{Plan, PlanProgress, PlanStep};
use dynamo_model::schema::{Billing, Stream};
use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, ErrorKind, Table,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// The table as it was.
mod before {
    use super::*;

    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
    #[table(ttl = "old_expiry", stream = keys_only)]
    #[gsi1(name = "by-status", pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
    #[gsi2(name = "unused", pk = "GSI2PK")]
    pub struct App;

    #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
    #[dynamo(table = App, entity_type = "ORDER")]
    #[pk("ORDER#<id:04>")]
    #[sk("ORDER")]
    #[gsi1(pk = "STATUS#<status>", sk = "<id:04>", as = by_status)]
    pub struct Order {
        pub id: u32,
        pub status: String,
        pub customer: String,
    }

    #[derive(DynamoItems)]
    #[items(table = App)]
    #[allow(dead_code)]
    pub enum AppItem {
        Order(Order),
    }
}

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[table(ttl = "expiry", stream = new_and_old_images, billing = provisioned(read = 9, write = 7))]
#[gsi1(name = "by-status", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "by-customer", pk = "GSI3PK", sk = "GSI3SK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("ORDER#<id:04>")]
#[sk("ORDER")]
#[gsi1(pk = "STATUS#<status>", sk = "<id:04>", as = by_status)]
#[gsi2(pk = "CUSTOMER#<customer>", sk = "<id:04>", as = by_customer)]
struct Order {
    id: u32,
    status: String,
    customer: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
#[allow(dead_code)]
enum AppItem {
    Order(Order),
}

const ORDERS: u32 = 30;

async fn deployed() -> Outcome<Db> {
    let db = support::db::<before::App>().await;
    for id in 0..ORDERS {
        let order = before::Order {
            id,
            status: "open".into(),
            customer: format!("c{}", id % 3),
        };
        order.create().send(&db).await?;
    }
    Ok(db)
}

async fn consented(db: &Dynamo) -> Result<Plan<'static>, Error> {
    Ok(App::plan(db)
        .await?
        .backfill::<Order>()
        .allow_index_removal("by-status")
        .allow_stream_removal())
}

/// All orders, in the table and in each index.
async fn assert_whole(db: &Dynamo) -> Outcome {
    App::verify(db).await?;
    let mut stored = Order::scan().all(db).await?;
    stored.sort_by_key(|order| order.id);
    let ids: Vec<_> = stored.iter().map(|order| order.id).collect();
    assert_eq!(ids, (0..ORDERS).collect::<Vec<_>>());
    assert_eq!(Order::by_status("open").all(db).await?, stored);
    for (n, customer) in ["c0", "c1", "c2"].into_iter().enumerate() {
        let expected = stored.iter().filter(|it| it.customer == customer);
        let expected: Vec<_> = expected.cloned().collect();
        assert_eq!(expected.len(), 10, "{n}");
        assert_eq!(Order::by_customer(customer).all(db).await?, expected);
    }
    Ok(())
}

fn removal(index: &str, is_replaced: bool) -> PlanStep {
    PlanStep::RemoveIndex {
        index: index.into(),
        is_replaced,
    }
}

fn steps() -> Vec<PlanStep> {
    let backfill = |index| PlanStep::Backfill {
        index,
        entities: vec!["Order"],
    };
    vec![
        PlanStep::SetBilling {
            billing: Billing::Provisioned { read: 9, write: 7 },
        },
        removal("by-status", true),
        removal("unused", false),
        backfill("by-status"),
        PlanStep::AddIndex { index: "by-status" },
        backfill("by-customer"),
        PlanStep::AddIndex {
            index: "by-customer",
        },
        PlanStep::DisableStream,
        PlanStep::EnableStream {
            view: Stream::NewAndOldImages,
        },
        PlanStep::DisableTtl {
            attribute: "old_expiry".into(),
        },
        PlanStep::EnableTtl {
            attribute: "expiry",
        },
    ]
}

#[tokio::test]
async fn a_plan_names_each_step_and_apply_takes_them_in_order() -> Outcome {
    if support::skip("an index that a plan adds to a provisioned table") {
        return Ok(());
    }
    let db = deployed().await?;
    assert_eq!(App::plan(&db).await?.steps(), steps());

    let mut begun = Vec::new();
    let plan = consented(&db).await?.on_progress(|progress| {
        if let PlanProgress::Step { step, .. } = progress {
            begun.push(step.clone());
        }
    });
    let applied = plan.apply(&db).await?;
    let (expected, skipped): (Vec<_>, Vec<_>) = steps()
        .into_iter()
        .partition(|step| *step != removal("unused", false));
    assert_eq!(applied.steps, expected);
    assert_eq!(begun, expected);
    // An index that is not declared stays.
    assert_eq!(applied.skipped, skipped);
    assert_whole(&db).await?;
    let plan = App::plan(&db).await?;
    assert_eq!(plan.steps(), [removal("unused", false)]);

    // Until it may go.
    let applied = plan.allow_index_removal("unused").apply(&db).await?;
    assert_eq!(applied.steps, [removal("unused", false)]);
    assert!(App::plan(&db).await?.is_empty());
    assert!(App::plan(&db).await?.apply(&db).await?.steps.is_empty());
    assert_whole(&db).await
}

#[tokio::test]
async fn nothing_changes_while_a_consent_or_a_backfill_is_missing() -> Outcome {
    let db = deployed().await?;
    let reason = async |plan: Plan<'_>| {
        let error = plan.apply(&db).await.unwrap_err();
        match error.kind() {
            ErrorKind::Plan { reason } => reason.clone(),
            _ => panic!("{error}"),
        }
    };
    let plan = App::plan(&db).await?;
    assert_eq!(
        reason(plan).await,
        "index `by-status` is declared otherwise than deployed and must be removed first; allow it \
         with `.allow_index_removal(\"by-status\")`"
    );
    let plan = App::plan(&db).await?.allow_index_removal("by-status");
    assert_eq!(
        reason(plan).await,
        "the items of Order lack the keys of index `by-status`; add `.backfill::<Order>()`, or \
         `.skip_backfill()` if they have them"
    );
    let plan = App::plan(&db).await?.allow_index_removal("by-status");
    assert_eq!(
        reason(plan.backfill::<Order>()).await,
        "the stream must be disabled, and its unread records are lost; allow it with \
         `.allow_stream_removal()`"
    );
    before::App::verify(&db).await?;
    assert_eq!(App::plan(&db).await?.steps(), steps());
    Ok(())
}

/// With `progress`, too.
#[tokio::test]
async fn an_apply_can_be_spawned() -> Outcome {
    let db = support::bare();
    let spawned = db.clone();
    let apply = tokio::spawn(async move {
        let plan = App::plan(&spawned).await?;
        plan.on_progress(|_| {}).apply(&spawned).await
    });
    assert_eq!(apply.await??.steps, [PlanStep::CreateTable]);
    Ok(())
}

#[tokio::test]
async fn a_table_that_is_missing_is_created() -> Outcome {
    let db = support::bare();
    let plan = App::plan(&db).await?;
    assert_eq!(plan.to_string(), "create the table\n");
    assert_eq!(plan.apply(&db).await?.steps, [PlanStep::CreateTable]);
    App::verify(&db).await?;
    Ok(())
}

#[tokio::test]
async fn a_difference_that_cannot_change_in_place_is_an_obstacle() -> Outcome {
    #[derive(DynamoTable)]
    #[table(name = "App", pk = N("id"), sk = "SK")]
    #[lsi1(name = "by-date", sk = "date")]
    struct Other;

    let db = support::db::<before::App>().await;
    let plan = Other::plan(&db).await?;
    let obstacles: Vec<_> = plan.obstacles().iter().map(ToString::to_string).collect();
    assert_eq!(
        obstacles,
        [
            "key: declared id (N) + SK (S), deployed PK (S) + SK (S); DynamoDB cannot change the \
             key of a table: declare a table of another name, write to both, copy the items with a \
             migration, then read from the new one",
            "local index by-date: declared id (N) + date (S), ALL, deployed none; DynamoDB makes \
             local indexes with the table only: declare a global index instead, or a table of \
             another name, write to both, and copy the items with a migration",
        ]
    );
    let error = plan.apply(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Plan { .. }), "{error}");
    before::App::verify(&db).await?;
    Ok(())
}

/// Numbers that are the same in every run.
fn below(state: &mut u64, end: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state % end
}

#[tokio::test]
async fn an_apply_that_is_killed_anywhere_ends_as_declared_with_nothing_lost() -> Outcome {
    if support::skip("an index that a plan adds to a provisioned table") {
        return Ok(());
    }
    let mut kills = 0;
    for seed in 1..=10_u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let db = deployed().await?;
        for round in 0.. {
            assert!(round < 200, "seed {seed} never ends");
            // Dead from this request on; the last one may have been done.
            let last = 3 + round + below(&mut state, 40);
            let answer_lost = below(&mut state, 2) == 0;
            let (dying, _) = db.faulty(RetryConfig::disabled(), move |number, _| {
                match (number as u64).cmp(&last) {
                    std::cmp::Ordering::Less => Fault::None,
                    std::cmp::Ordering::Equal if answer_lost => Fault::AnswerLost,
                    _ => Fault::NotSent,
                }
            });
            let applied = async {
                let plan = consented(&dying).await?;
                plan.allow_index_removal("unused").apply(&dying).await
            };
            match applied.await {
                Ok(_) => break,
                Err(error) => assert_eq!(error.kind(), &ErrorKind::Network, "{error}"),
            }
            kills += 1;
            let stored = Order::scan().count(&db).await?;
            assert_eq!(stored, ORDERS as usize, "seed {seed}, round {round}");
        }
        assert!(App::plan(&db).await?.is_empty(), "seed {seed}");
        assert_whole(&db).await?;
    }
    assert!(kills > 20, "only {kills}");
    Ok(())
}

#[tokio::test]
async fn an_apply_that_is_dropped_is_continued_by_the_next() -> Outcome {
    if support::skip("an index that a plan adds to a provisioned table") {
        return Ok(());
    }
    let db = deployed().await?;
    let mut drops = 0;
    for polls in 1.. {
        let mut apply = Box::pin(async { consented(&db).await?.apply(&db).await });
        let mut left = polls;
        let done = std::future::poll_fn(|cx| {
            left -= 1;
            match apply.as_mut().poll(cx) {
                std::task::Poll::Ready(done) => std::task::Poll::Ready(Some(done)),
                std::task::Poll::Pending if left == 0 => std::task::Poll::Ready(None),
                std::task::Poll::Pending => std::task::Poll::Pending,
            }
        })
        .await;
        drop(apply);
        if let Some(done) = done {
            done?;
            break;
        }
        drops += 1;
    }
    assert!(drops > 3, "{drops}");
    assert_whole(&db).await
}

#[derive(DynamoTable)]
#[table(name = "Safe", pk = "PK", encryption = kms("0a1b"), point_in_time_recovery, deletion_protection)]
struct Safe;

/// A table as AWS has it, with the settings that the embedded engine does not know.
fn aws() -> Canned {
    let state = std::sync::Mutex::new((false, false, false, 0));
    Canned::new(move |_, body| {
        let mut state = state.lock().unwrap();
        let (protected, encrypted, recovers, updating) = &mut *state;
        if body["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] == true {
            *recovers = true;
            return (200, json!({}));
        }
        if body["DeletionProtectionEnabled"] == true {
            (*protected, *updating) = (true, 2);
            return (200, json!({}));
        }
        if body["SSESpecification"]["KMSMasterKeyId"] == "0a1b" {
            if *updating > 0 {
                return refusal("ResourceInUseException", json!({ "message": "busy" }));
            }
            (*encrypted, *updating) = (true, 3);
            return (200, json!({}));
        }
        assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
        *updating = i32::max(0, *updating - 1);
        let status = if *updating > 0 { "UPDATING" } else { "ACTIVE" };
        let encryption = match *encrypted {
            true => json!({
                "Status": "ENABLED",
                "SSEType": "KMS",
                "KMSMasterKeyArn": "arn:aws:kms:eu-west-1:111122223333:key/0a1b",
            }),
            false => Value::Null,
        };
        // One answer for the three descriptions.
        let recovery = if *recovers { "ENABLED" } else { "DISABLED" };
        let answer = json!({
            "Table": {
                "TableStatus": status,
                "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
                "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
                "BillingModeSummary": { "BillingMode": "PAY_PER_REQUEST" },
                "DeletionProtectionEnabled": *protected,
                "SSEDescription": encryption,
            },
            "TimeToLiveDescription": { "TimeToLiveStatus": "DISABLED" },
            "ContinuousBackupsDescription": {
                "ContinuousBackupsStatus": "ENABLED",
                "PointInTimeRecoveryDescription": { "PointInTimeRecoveryStatus": recovery },
            },
        });
        (200, answer)
    })
}

#[tokio::test(start_paused = true)]
async fn protection_recovery_and_encryption_are_set_as_aws_takes_them() -> Outcome {
    let aws = aws();
    let db = aws.db();
    let expected = [
        PlanStep::Protect,
        PlanStep::EnableRecovery,
        PlanStep::Encrypt { key: Some("0a1b") },
    ];
    let mut waits = Vec::new();
    let plan = Safe::plan(&db).await?;
    assert_eq!(plan.steps(), expected);
    let plan = plan.on_progress(|progress| {
        if let PlanProgress::Waiting { status } = progress {
            waits.push(status);
        }
    });
    assert_eq!(plan.apply(&db).await?.steps, expected);
    assert!(waits.iter().all(|status| status == "UPDATING"));
    assert!(waits.len() >= 2, "{waits:?}");
    assert!(Safe::plan(&db).await?.is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_table_that_stays_busy_ends_the_patience() -> Outcome {
    let canned = Canned::new(|_, _| {
        let answer = json!({
            "Table": { "TableStatus": "UPDATING", "DeletionProtectionEnabled": false,
                "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
                "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
                "BillingModeSummary": { "BillingMode": "PAY_PER_REQUEST" },
            },
        });
        (200, answer)
    });
    let db = canned.db();
    let plan = Safe::plan(&db).await?.patience(Duration::from_secs(60));
    let error = plan.apply(&db).await.unwrap_err();
    let status = "UPDATING".to_owned();
    assert_eq!(error.kind(), &ErrorKind::NotReady { status }, "{error}");
    Ok(())
}

mod settings_before {
    use super::*;

    #[derive(DynamoTable)]
    #[table(name = "Settings", pk = "PK", billing = on_demand(max_read = 10, max_write = 5))]
    pub struct Settings;
}

#[derive(DynamoTable)]
#[table(name = "Settings", pk = "PK", billing = on_demand(max_read = 40, max_write = 20))]
#[table(table_class = infrequent_access, tags(team = "exam", stage = "test"))]
struct Settings;

#[tokio::test]
async fn maximum_class_and_tags_are_created_compared_and_changed() -> Outcome {
    if support::skip("the on-demand maximum and the table class") {
        return Ok(());
    }
    let db = support::db::<settings_before::Settings>().await;
    settings_before::Settings::verify(&db).await?;
    let plan = Settings::plan(&db).await?;
    let steps = [
        "set the on-demand maximum to 40 read and 20 write units",
        "set the table class to STANDARD_INFREQUENT_ACCESS",
        "set the tags",
    ];
    let planned: Vec<_> = plan.steps().iter().map(ToString::to_string).collect();
    assert_eq!(planned, steps);
    let error = Settings::verify(&db).await.unwrap_err();
    let differences = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(
        differences,
        "on-demand maximum: declared 40 read and 20 write units, deployed 10 read and 5 write \
         units\ntable class: declared STANDARD_INFREQUENT_ACCESS, deployed STANDARD\ntags: \
         declared team=exam, stage=test, deployed team=none, stage=none"
    );
    plan.apply(&db).await?;
    Settings::verify_exactly(&db).await?;
    assert!(Settings::plan(&db).await?.is_empty());

    // Back again: other tags stay.
    settings_before::Settings::plan(&db)
        .await?
        .apply(&db)
        .await?;
    settings_before::Settings::verify_exactly(&db).await?;

    // And as it is created.
    Settings::drop_table(&db).await?;
    Settings::create_table(&db).await?;
    Settings::verify_exactly(&db).await?;
    Ok(())
}

#[derive(DynamoTable)]
#[table(
    name = "Wide",
    pk = "PK",
    warm_throughput(read = 20_000, write = 8_000)
)]
#[table(replicas("eu-north-1"), stream = new_and_old_images)]
struct Wide;

/// The embedded engine knows neither.
#[tokio::test(start_paused = true)]
async fn warm_throughput_and_replicas_are_set_as_aws_takes_them() -> Outcome {
    let state = std::sync::Mutex::new((12_000, Vec::new(), 0));
    let aws = Canned::new(move |_, body| {
        let mut state = state.lock().unwrap();
        let (warm, replicas, waits) = &mut *state;
        if let Some(read) = body["WarmThroughput"]["ReadUnitsPerSecond"].as_i64() {
            assert_eq!(body["WarmThroughput"]["WriteUnitsPerSecond"], 8_000);
            *warm = read;
            return (200, json!({}));
        }
        if let Some(region) = body["ReplicaUpdates"][0]["Create"]["RegionName"].as_str() {
            (*replicas, *waits) = (vec![region.to_owned()], 3);
            return (200, json!({}));
        }
        *waits = i32::max(0, *waits - 1);
        let status = if *waits > 0 { "CREATING" } else { "ACTIVE" };
        let replicas = replicas
            .iter()
            .map(|region| json!({ "RegionName": region, "ReplicaStatus": status }));
        let answer = json!({
            "Table": {
                "TableStatus": "ACTIVE",
                "TableArn": "arn:aws:dynamodb:eu-west-1:111122223333:table/Wide",
                "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
                "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
                "BillingModeSummary": { "BillingMode": "PAY_PER_REQUEST" },
                "StreamSpecification": {
                    "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES",
                },
                "WarmThroughput": {
                    "ReadUnitsPerSecond": warm, "WriteUnitsPerSecond": 9_000, "Status": "ACTIVE",
                },
                "Replicas": replicas.collect::<Vec<_>>(),
            },
            "TimeToLiveDescription": { "TimeToLiveStatus": "DISABLED" },
            "ContinuousBackupsDescription": { "ContinuousBackupsStatus": "ENABLED" },
        });
        (200, answer)
    });
    let db = aws.db();
    let mut waits = Vec::new();
    let plan = Wide::plan(&db).await?;
    assert_eq!(
        plan.to_string(),
        "raise the warm throughput to 20000 read and 8000 write units\nadd a replica in \
         `eu-north-1`\n"
    );
    let plan = plan.on_progress(|progress| {
        if let PlanProgress::Waiting { status } = progress {
            waits.push(status);
        }
    });
    plan.apply(&db).await?;
    assert!(waits.contains(&"replica eu-north-1 is CREATING".to_owned()));
    Wide::verify_exactly(&db).await?;
    Ok(())
}
