//! findings §3: "The user's own SDK interceptors see inputs without key and item. AWS's encryption interceptor would
//! panic on them. This is neither documented nor detected."

use super::model::*;
use super::support::Outcome as Tested;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextMut;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{BatchWrite, Dynamo, Entity, ErrorKind, Outcome, Table, Transaction};
use std::sync::{Arc, Mutex};

/// Looks at the item of every put, as an interceptor that encrypts it does.
#[derive(Debug, Clone, Default)]
struct Encrypts(Arc<Mutex<Vec<Option<AttributeValue>>>>);

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
        if let Some(put) = context.input_mut().downcast_mut::<PutItemInput>() {
            let value = put
                .item
                .as_ref()
                .and_then(|item| item.get("value").cloned());
            self.0.lock().unwrap().push(value);
        }
        Ok(())
    }
}

impl Encrypts {
    fn seen(&self) -> Vec<Option<AttributeValue>> {
        self.0.lock().unwrap().clone()
    }
}

async fn through(encrypts: &Encrypts) -> Tested<Dynamo> {
    let own = Dynamo::embedded()?;
    Faults::create_table(&own).await?;
    let config = own.client().config().to_builder();
    let config = config.interceptor(encrypts.clone()).build();
    Ok(Dynamo::new(Client::from_conf(config)))
}

#[tokio::test]
async fn a_client_with_an_interceptor_fails_before_anything_is_sent() -> Tested {
    let encrypts = Encrypts::default();
    let db = through(&encrypts).await?;
    let error = counter(1, 7).put().send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Configuration { .. }));
    assert_eq!(error.outcome(), Outcome::NotDone);
    assert_eq!(
        error.to_string(),
        "put Counter COUNTER#001/COUNTER: the client has the interceptor `Encrypts`, which would see inputs without key \
         and item; call `Dynamo::allow_interceptors` if it needs neither, or `Dynamo::with_attribute_maps` if it does"
    );
    let batch = BatchWrite::new().put(&counter(1, 7)).send(&db).await;
    assert!(matches!(
        batch.unwrap_err().kind(),
        ErrorKind::Configuration { .. }
    ));
    let transaction = Transaction::new().add(counter(1, 7).put()).send(&db).await;
    assert!(matches!(
        transaction.unwrap_err().kind(),
        ErrorKind::Configuration { .. }
    ));
    let read = Counter::get(1).send(&db).await;
    assert!(matches!(
        read.unwrap_err().kind(),
        ErrorKind::Configuration { .. }
    ));
    let read = Entry::query(1).all(&db).await;
    assert!(matches!(
        read.unwrap_err().kind(),
        ErrorKind::Configuration { .. }
    ));
    assert!(encrypts.seen().is_empty());
    Ok(())
}

#[tokio::test]
async fn an_interceptor_that_is_allowed_sees_no_item() -> Tested {
    let encrypts = Encrypts::default();
    let db = through(&encrypts).await?.allow_interceptors();
    counter(1, 7).put().send(&db).await?;
    assert_eq!(Counter::get(1).send(&db).await?, Some(counter(1, 7)));
    assert_eq!(encrypts.seen(), [None]);
    Ok(())
}

#[tokio::test]
async fn with_attribute_maps_an_interceptor_sees_the_item() -> Tested {
    let encrypts = Encrypts::default();
    let db = through(&encrypts).await?.with_attribute_maps();
    counter(1, 7).put().send(&db).await?;
    assert_eq!(encrypts.seen(), [Some(AttributeValue::N("7".into()))]);
    Ok(())
}

/// A handle made from another one's client has the library's interceptor twice, and no foreign one.
#[tokio::test]
async fn the_librarys_own_interceptor_is_not_foreign() -> Tested {
    let own = Dynamo::embedded()?;
    Faults::create_table(&own).await?;
    let again = Dynamo::new(own.client().clone());
    counter(1, 7).put().send(&again).await?;
    assert_eq!(Counter::get(1).send(&own).await?, Some(counter(1, 7)));
    Ok(())
}
