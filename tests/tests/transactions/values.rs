//! Operations as values: built before there is a handle, kept, returned, and added with all of
//! their options.

use super::assert_send;
use super::members::*;
use super::support::{Outcome, db};
use dynamo_model::batch::IntoKey;
use dynamo_model::read::Loadable;
use dynamo_model::write::{Create, Storable, Update};
use dynamo_model::{BatchGet, Error, ErrorKind};
use dynamo_model::{Dynamo, Entity, Transaction};

/// Operations that an application keeps before it has a handle.
struct Work {
    create: Create<Member>,
    rename: Update<Member>,
}

fn work() -> Work {
    Work {
        create: member("b", "b@x").create(),
        rename: Member::update("a").set(|it| it.email("a@x"), "new@x"),
    }
}

#[tokio::test]
async fn an_operation_outlives_its_item_and_needs_no_handle() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let Work { create, rename } = work();
    create.send(&db).await?;
    rename.send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#b@x", "EMAIL#new@x"]);
    Ok(())
}

#[tokio::test]
async fn a_transaction_takes_each_write_with_its_options() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let absent = Transaction::new().add(visit("a", 1).put().must_exist());
    assert!(absent.send(&db).await.unwrap_err().is_not_found());

    let stale = Transaction::new().add(member("a", "c@x").put());
    assert!(stale.send(&db).await.unwrap_err().is_conflict());
    let any = Transaction::new().add(member("a", "c@x").put().any_version());
    any.send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#c@x"]);

    let create = visit("a", 2).create();
    let create = create.condition(|it| it.number().eq(7_u32));
    let unmet = Transaction::new().add(create).send(&db).await;
    assert_eq!(unmet.unwrap_err().kind(), &ErrorKind::ConditionFailed);
    assert_eq!(Visit::get("a", 2).send(&db).await?, None);
    Ok(())
}

/// An operation with unique values is several writes: the position is that of the operation.
#[tokio::test]
async fn an_error_names_the_position_of_its_operation() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let whole = |email| {
        Transaction::new()
            .add(member("b", "b@x").create())
            .add(visit("b", 1).create())
            .add(member("c", email).create())
    };
    let error = whole("a@x").send(&db).await.unwrap_err();
    assert!(error.is_not_unique());
    assert_eq!((error.position(), error.entity()), (Some(2), "Member"));

    let error = whole("").add(Visit::key("", 1).must_exist());
    let error = error.send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)), "{error}");
    assert_eq!(error.position(), Some(2));

    let single = visit("b", 1).put().must_exist().send(&db).await;
    assert_eq!(single.unwrap_err().position(), None);
    Ok(())
}

/// As a repository of an application has it, for every entity.
struct Repository(Dynamo);

impl Repository {
    async fn store<E: Storable>(&self, entity: &E) -> Result<(), Error> {
        entity.put().send(&self.0).await
    }

    async fn read<E: Loadable>(&self, key: impl IntoKey<Entity = E>) -> Result<Option<E>, Error> {
        key.get().consistent().send(&self.0).await
    }

    async fn remove<E: Storable>(&self, key: impl IntoKey<Entity = E>) -> Result<(), Error> {
        key.delete().must_exist().send(&self.0).await
    }
}

#[tokio::test]
async fn a_generic_repository_reads_and_deletes_by_key() -> Outcome {
    let db = club(&[]).await;
    let repository = Repository((*db).clone());
    let stored = tokio::spawn(async move {
        assert_send(repository.store(&visit("a", 1))).await?;
        let found = repository.read(Visit::key("a", 1)).await?;
        repository.remove(&visit("a", 1).primary_key()?).await?;
        let gone = repository.remove(Visit::key("a", 1)).await;
        assert!(gone.unwrap_err().is_not_found());
        Ok::<_, Error>(found)
    });
    assert_eq!(stored.await??, Some(visit("a", 1)));
    let left = BatchGet::new([Visit::key("a", 1)]).send(&db).await?;
    assert_eq!(left, [None]);
    Ok(())
}

#[tokio::test]
async fn an_array_of_operations_is_added_as_it_is() -> Outcome {
    let db = db::<Club>().await;
    let visits = [1, 2, 3].map(|number| visit("a", number).create());
    Transaction::new().add_each(visits).send(&db).await?;
    let more = (4..6).map(|number| visit("a", number).create());
    Transaction::new().add_all(more).send(&db).await?;
    assert_eq!(Visit::query("a").count(&db).await?, 5);
    Ok(())
}
