//! Functions that serve any entity, and tasks that own their reads.

use crate::support::{self, Outcome};
use dynamo_model::batch::IntoKey;
use dynamo_model::bounds::IndexedBy;
use dynamo_model::index::{Gsi1, IndexMarker, Primary};
use dynamo_model::read::{Loadable, Query, Scannable, SelectedFrom};
use dynamo_model::write::Storable;
use dynamo_model::{
    BatchGet, Dynamo, DynamoEntity, DynamoItems, DynamoTable, Error, Key, KeyError, Page,
    key::PartitionKey,
};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Generic", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
struct User {
    id: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("USER#<id>")]
#[sk("ORDER#<number:04>")]
#[gsi1(pk = "SHOP#<shop>", sk = "<number:04>", as = by_shop)]
struct Order {
    id: String,
    number: u32,
    shop: String,
}

#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = App)]
enum AppItem {
    User(User),
    Order(Order),
}

/// A layer that serves any entity.
#[derive(Clone)]
struct Repository {
    db: Dynamo,
}

impl Repository {
    async fn get<E: Loadable>(&self, key: impl IntoKey<Entity = E>) -> Result<Option<E>, Error> {
        key.get().send(&self.db).await
    }

    async fn get_all<E: Loadable>(&self, keys: Vec<Key<E>>) -> Result<Vec<Option<E>>, Error> {
        BatchGet::new(keys).send(&self.db).await
    }

    async fn save<E: Storable>(&self, item: &E) -> Result<(), Error> {
        item.put().send(&self.db).await
    }

    /// The items of a partition, in the table or an index.
    async fn in_partition<E, I>(
        &self,
        partition: Result<PartitionKey<E, I>, KeyError>,
    ) -> Result<Vec<E>, Error>
    where
        E: Loadable + IndexedBy<I> + SelectedFrom<I, Item = E>,
        I: IndexMarker,
    {
        partition?.query().all(&self.db).await
    }

    async fn page<S, I>(
        &self,
        query: Query<S, I>,
        cursor: Option<String>,
    ) -> Result<Page<S::Item>, Error>
    where
        S: SelectedFrom<I>,
        I: IndexMarker,
    {
        query.limit(2).after(cursor).page(&self.db).await
    }

    async fn export<E: Scannable>(&self) -> Result<Vec<E>, Error> {
        E::scan().stream(&self.db).try_collect().await
    }

    /// In a task of its own: the entity need not be `Sync`.
    async fn in_a_task<E>(&self, key: Key<E>) -> Outcome<(Option<E>, usize)>
    where
        E: Loadable + IndexedBy<Primary> + Send + 'static,
    {
        let this = self.clone();
        let task = tokio::spawn(async move {
            let siblings = key.partition_key().query().count(&this.db).await?;
            Ok::<_, Error>((this.get(key).await?, siblings))
        });
        Ok(task.await??)
    }
}

fn order(number: u32) -> Order {
    Order {
        id: "u1".into(),
        number,
        shop: "s1".into(),
    }
}

async fn filled() -> Outcome<(support::Db, Repository)> {
    let db = support::db::<App>().await;
    let repository = Repository { db: db.clone() };
    repository.save(&User { id: "u1".into() }).await?;
    for number in 1..=3 {
        repository.save(&order(number)).await?;
    }
    Ok((db, repository))
}

#[tokio::test]
async fn one_function_reads_any_entity() -> Outcome {
    let (_db, repository) = filled().await?;
    assert!(repository.get(User::key("u1")).await?.is_some());
    assert_eq!(repository.get(Order::key("u1", 2)).await?, Some(order(2)));
    let keys = vec![Order::key("u1", 3)?, Order::key("u1", 9)?];
    assert_eq!(repository.get_all(keys).await?, [Some(order(3)), None]);
    assert_eq!(repository.export::<User>().await?.len(), 1);
    assert_eq!(repository.export::<Order>().await?.len(), 3);
    Ok(())
}

#[tokio::test]
async fn a_partition_key_queries_its_own_entity() -> Outcome {
    let (_db, repository) = filled().await?;
    let users = repository.in_partition(User::partition_key("u1")).await?;
    assert_eq!(users.len(), 1);
    let orders = repository.in_partition(Order::partition_key("u1")).await?;
    assert_eq!(orders, [order(1), order(2), order(3)]);
    let of_shop = Order::by_shop_partition_key("s1");
    assert_eq!(
        repository.in_partition::<Order, Gsi1>(of_shop).await?,
        orders
    );
    let db = Dynamo::embedded()?;
    let own = Order::query("u1").query().explain(&db)?;
    assert_eq!(Order::partition_key("u1")?.query().explain(&db)?, own);
    let own = User::query("u1").explain(&db)?;
    assert_eq!(User::partition_key("u1")?.query().explain(&db)?, own);
    Ok(())
}

#[tokio::test]
async fn one_function_pages_queries_and_collections() -> Outcome {
    let (_db, repository) = filled().await?;
    let page = repository.page(Order::query("u1").query(), None).await?;
    assert_eq!(page.items, [order(1), order(2)]);
    let all = || AppItem::collection(User::partition_key("u1"));
    let page = repository.page(all(), None).await?;
    let rest = repository.page(all(), page.next).await?;
    assert_eq!(rest.items.len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_task_owns_its_reads() -> Outcome {
    let (_db, repository) = filled().await?;
    let (found, orders) = repository.in_a_task(Order::key("u1", 1)?).await?;
    assert_eq!((found, orders), (Some(order(1)), 3));
    let db = repository.db.clone();
    let scan = tokio::spawn(async move { AppItem::scan().segments(2).all(&db).await });
    assert_eq!(scan.await??.len(), 4);
    let db = repository.db.clone();
    let hydrated = tokio::spawn(async move {
        let orders = AppItem::collection(Order::by_shop_partition_key("s1"));
        orders.each().hydrate(&db).await
    });
    assert_eq!(hydrated.await??.len(), 3);
    Ok(())
}
