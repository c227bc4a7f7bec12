//! Finding: "The user's own SDK interceptors see inputs without key and item. AWS's encryption
//! interceptor would panic on them."

use super::model::*;
use super::support::Outcome as Tested;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextMut, FinalizerInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemOutput;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use aws_sdk_dynamodb::operation::get_item::{GetItemInput, GetItemOutput};
use aws_sdk_dynamodb::operation::put_item::{PutItemInput, PutItemOutput};
use aws_sdk_dynamodb::operation::query::{QueryInput, QueryOutput};
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsOutput;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemInput, UpdateItemOutput};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, ErrorKind, Table, Transaction};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

type Item = HashMap<String, AttributeValue>;

/// Replaces `value` and `text` of each item when it is stored and restores them when it is read, as
/// an interceptor that encrypts does. Records what it has seen.
#[derive(Debug, Clone, Default)]
struct Encrypts(Arc<Mutex<Vec<String>>>);

const SECRETS: [&str; 2] = ["value", "text"];

fn encrypt(item: &mut Item) {
    for name in SECRETS {
        if let Some(AttributeValue::N(number)) = item.get(name) {
            let hidden: String = number.chars().rev().collect();
            item.insert(name.into(), AttributeValue::S(format!("secret {hidden}")));
        }
    }
}

fn decrypt(item: &mut Item) {
    for name in SECRETS {
        if let Some(AttributeValue::S(text)) = item.get(name) {
            let hidden = text.strip_prefix("secret ").expect("what it wrote");
            let number = hidden.chars().rev().collect();
            item.insert(name.into(), AttributeValue::N(number));
        }
    }
}

impl Intercept for Encrypts {
    fn name(&self) -> &'static str {
        "Encrypts"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let input = context.input_mut();
        let mut seen = self.0.lock().unwrap();
        if let Some(put) = input.downcast_mut::<PutItemInput>() {
            let item = put.item.as_mut();
            seen.push(format!(
                "put {:?}",
                item.as_ref().and_then(|it| it.get("value"))
            ));
            item.into_iter().for_each(encrypt);
        } else if let Some(get) = input.downcast_ref::<GetItemInput>() {
            seen.push(format!("get {:?}", get.key().and_then(|key| key.get("PK"))));
        } else if let Some(query) = input.downcast_ref::<QueryInput>() {
            seen.push(format!("query {:?}", query.key_condition_expression()));
        } else if let Some(update) = input.downcast_ref::<UpdateItemInput>() {
            seen.push(format!("update {:?}", update.update_expression()));
        } else if let Some(batch) = input.downcast_mut::<BatchWriteItemInput>() {
            let requests = batch
                .request_items
                .as_mut()
                .expect("of a batch")
                .values_mut();
            let puts = requests.flatten().filter_map(|it| it.put_request.as_mut());
            puts.for_each(|put| encrypt(&mut put.item));
            seen.push("batch".into());
        } else if let Some(transaction) = input.downcast_mut::<TransactWriteItemsInput>() {
            let token = transaction.client_request_token.as_deref();
            let has_token = token.is_some_and(|it| !it.is_empty());
            let operations = transaction.transact_items.iter_mut().flatten();
            let puts = operations.filter_map(|it| it.put.as_mut());
            puts.for_each(|put| encrypt(&mut put.item));
            seen.push(format!("transaction, with a token: {has_token}"));
        }
        Ok(())
    }

    fn modify_before_completion(
        &self,
        context: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let Some(Ok(output)) = context.output_or_error_mut() else {
            return Ok(());
        };
        if let Some(get) = output.downcast_mut::<GetItemOutput>() {
            get.item.iter_mut().for_each(decrypt);
        } else if let Some(put) = output.downcast_mut::<PutItemOutput>() {
            put.attributes.iter_mut().for_each(decrypt);
        } else if let Some(update) = output.downcast_mut::<UpdateItemOutput>() {
            update.attributes.iter_mut().for_each(decrypt);
        } else if let Some(query) = output.downcast_mut::<QueryOutput>() {
            query.items.iter_mut().flatten().for_each(decrypt);
        } else if let Some(scan) = output.downcast_mut::<ScanOutput>() {
            scan.items.iter_mut().flatten().for_each(decrypt);
        } else if let Some(batch) = output.downcast_mut::<BatchGetItemOutput>() {
            let tables = batch.responses.iter_mut().flat_map(HashMap::values_mut);
            tables.flatten().for_each(decrypt);
        } else if let Some(transaction) = output.downcast_mut::<TransactGetItemsOutput>() {
            let answers = transaction.responses.iter_mut().flatten();
            answers.filter_map(|it| it.item.as_mut()).for_each(decrypt);
        }
        Ok(())
    }
}

impl Encrypts {
    fn seen(&self) -> Vec<String> {
        core::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Returns an engine, and the same through an interceptor that encrypts.
async fn through(encrypts: &Encrypts) -> Tested<(Dynamo, Dynamo)> {
    let own = Dynamo::embedded()?;
    Faults::create_table(&own).await?;
    let config = own.client().config().to_builder();
    let config = config.interceptor(encrypts.clone()).build();
    Ok((own, Dynamo::new(Client::from_conf(config))))
}

fn entry(number: u32) -> Entry {
    Entry {
        log: 1,
        number,
        text: 40 + u64::from(number),
    }
}

#[tokio::test]
async fn an_interceptor_sees_and_changes_the_item_of_a_put_and_of_a_get() -> Tested {
    let encrypts = Encrypts::default();
    let (own, db) = through(&encrypts).await?;
    counter(1, 17).put().send(&db).await?;
    assert_eq!(encrypts.seen(), [r#"put Some(N("17"))"#]);
    let stored = Counter::get(1).send(&own).await.unwrap_err();
    assert!(matches!(stored.kind(), ErrorKind::Decode { path } if path == "value"));

    assert_eq!(Counter::get(1).send(&db).await?, Some(counter(1, 17)));
    assert_eq!(encrypts.seen(), [r#"get Some(S("COUNTER#001"))"#]);
    let old = counter(1, 8).put().return_old().send(&db).await?;
    assert_eq!(old, Some(counter(1, 17)));
    assert_eq!(Counter::get(2).send(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn an_interceptor_sees_and_changes_the_items_of_a_query_and_of_a_scan() -> Tested {
    let encrypts = Encrypts::default();
    let (own, db) = through(&encrypts).await?;
    for number in 0..5 {
        entry(number).create().send(&db).await?;
    }
    encrypts.seen();
    let all: Vec<Entry> = (0..5).map(entry).collect();
    assert_eq!(Entry::query(1).page_size(2).all(&db).await?, all);
    let seen = encrypts.seen();
    assert_eq!(seen.len(), 3, "one for each page");
    assert!(seen[0].starts_with("query Some(\"#n0 = :v0"), "{seen:?}");
    assert_eq!(Entry::query(1).count(&db).await?, 5);
    let page = Entry::query(1).limit(2).page(&db).await?;
    let cursor = page.next.expect("of what follows");
    assert_eq!(Entry::query(1).after(&cursor).all(&db).await?, all[2..]);
    assert_eq!(Entry::scan().all(&db).await?.len(), 5);
    assert!(Entry::query(1).all(&own).await.is_err());
    Ok(())
}

#[tokio::test]
async fn an_interceptor_sees_and_changes_the_items_of_a_transaction() -> Tested {
    let encrypts = Encrypts::default();
    let (own, db) = through(&encrypts).await?;
    let marks = Counter::update(2).set(|it| it.lines(), vec![1_u64]);
    counter(2, 5).put().send(&db).await?;
    encrypts.seen();
    Transaction::new()
        .add(counter(1, 17).create())
        .add(marks)
        .add(counter(3, 0).delete())
        .add(Counter::key(4).must_not_exist())
        .send(&db)
        .await?;
    assert_eq!(encrypts.seen(), ["transaction, with a token: true"]);
    assert!(Counter::get(1).send(&own).await.is_err());
    let (one, two) = TransactGet::new((Counter::key(1), Counter::key(2)))
        .send(&db)
        .await?;
    assert_eq!(one, Some(counter(1, 17)));
    assert_eq!(two.map(|it| (it.value, it.lines)), Some((5, vec![1])));

    let taken = Transaction::new()
        .add(counter(1, 9).create())
        .send(&db)
        .await;
    assert!(taken.unwrap_err().is_already_exists());
    Ok(())
}

#[tokio::test]
async fn an_interceptor_sees_and_changes_the_items_of_a_batch() -> Tested {
    let encrypts = Encrypts::default();
    let (own, db) = through(&encrypts).await?;
    let entries: Vec<Entry> = (0..30).map(entry).collect();
    BatchWrite::new().puts(&entries).send(&db).await?;
    assert_eq!(encrypts.seen(), ["batch", "batch"]);
    let keys = || (0..30).map(|number| Entry::key(1, number));
    let read = BatchGet::new(keys()).send(&db).await?;
    let read: Vec<Entry> = read.into_iter().flatten().collect();
    assert_eq!(read, entries);
    assert!(BatchGet::new(keys()).send(&own).await.is_err());
    BatchWrite::new().deletes(keys()).send(&db).await?;
    assert_eq!(Entry::scan().count(&own).await?, 0);
    Ok(())
}

/// The error of a failed condition is the same as without an interceptor.
#[tokio::test]
async fn an_update_through_an_interceptor_is_the_same() -> Tested {
    let encrypts = Encrypts::default();
    let (_, db) = through(&encrypts).await?;
    let missing = Counter::update(1).set(|it| it.lines(), vec![1_u64]);
    assert!(missing.send(&db).await.unwrap_err().is_not_found());
    counter(1, 17).put().send(&db).await?;
    encrypts.seen();
    let update = Counter::update(1).set(|it| it.lines(), vec![1_u64, 2]);
    let now = update.return_new().send(&db).await?;
    assert_eq!((now.value, now.lines), (17, vec![1, 2]));
    assert_eq!(encrypts.seen(), [r#"update Some("SET #n0 = :v0")"#]);
    counter(1, 0).delete().send(&db).await?;
    assert_eq!(Counter::get(1).send(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn an_interceptor_of_http_alone_sees_no_item() -> Tested {
    let encrypts = Encrypts::default();
    let (own, db) = through(&encrypts).await?;
    let db = db.with_http_only_interceptors();
    counter(1, 7).put().send(&db).await?;
    assert_eq!(encrypts.seen(), ["put None"]);
    assert_eq!(Counter::get(1).send(&own).await?, Some(counter(1, 7)));
    Ok(())
}

/// A handle made from another one's client has the library's interceptor twice, and none of the
/// user's own.
#[tokio::test]
async fn the_librarys_own_interceptor_is_not_one_of_the_users() -> Tested {
    let own = Dynamo::embedded()?;
    Faults::create_table(&own).await?;
    let again = Dynamo::new(own.client().clone());
    counter(1, 7).put().send(&again).await?;
    assert_eq!(Counter::get(1).send(&own).await?, Some(counter(1, 7)));
    Ok(())
}
