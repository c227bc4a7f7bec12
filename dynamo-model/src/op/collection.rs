//! Item collections: all items of a partition, each as its own entity.

use super::bounds::{HasFields, TypedIn};
use super::query::Query;
use super::scan::Scan;
use super::selection::Contains;
use crate::entity::{Items, Table};
use crate::expr::{Condition, IntoCondition};
use crate::index::Primary;
use crate::membership::AnyOf;
use crate::schema::EntitySchema;
use crate::wire::is_of_type;

/// A query for all items of a partition, of any entity, in the order of their sort keys.
///
/// Made by the `collection` of an items enum.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// struct User {
///     user_id: String,
/// }
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
///     Order(Order),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let everything: Vec<AppItem> = AppItem::collection(User::partition_key("u1")).all(&db).await?;
/// for item in everything {
///     match item {
///         AppItem::User(user) => println!("{}", user.user_id),
///         AppItem::Order(order) => println!("order {}", order.number),
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// # A part of the partition
///
/// ```
/// # use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Table};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
/// # #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
/// # struct App;
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App, entity_type = "USER")]
/// # #[pk("USER#<user_id>")]
/// # #[sk("PROFILE")]
/// # #[gsi1(pk = "CITY#<city>", sk = "USER#<user_id>", as = by_city)]
/// # struct User {
/// #     user_id: String,
/// #     city: String,
/// # }
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App, entity_type = "ORDER")]
/// # #[pk("USER#<user_id>")]
/// # #[sk("ORDER#<number:06>")]
/// # #[gsi1(pk = "CITY#<city>", sk = "ORDER#<number:06>", as = by_city)]
/// # struct Order {
/// #     user_id: String,
/// #     number: u32,
/// #     city: String,
/// #     total: u32,
/// # }
/// # #[derive(DynamoItems)]
/// # #[items(table = App)]
/// # enum AppItem {
/// #     User(User),
/// #     Order(Order),
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// # User { user_id: "u1".into(), city: "Oslo".into() }.create().send(&db).await?;
/// # for number in 1..=5 {
/// #     let (user_id, city) = ("u1".into(), "Oslo".into());
/// #     Order { user_id, number, city, total: 10 * number }.create().send(&db).await?;
/// # }
/// // A user with five orders, of 10 to 50.
/// let all = || AppItem::collection(User::partition_key("u1"));
/// assert_eq!(all().count(&db).await?, 6);
/// // A range of one entity's sort keys.
/// assert_eq!(all().within(Order::sort_key().number_in(4..).build()).count(&db).await?, 2);
/// // A filter of one entity: the user is returned in any case.
/// let dear = all().filter_entity::<Order, _>(|order| order.total().ge(30_u32));
/// assert_eq!(dear.count(&db).await?, 4);
/// // An index in which both entities are.
/// let in_oslo = AppItem::collection(User::by_city_partition_key("Oslo"));
/// assert_eq!(in_oslo.without::<Order>().all(&db).await?.len(), 1);
/// # Ok(())
/// # }
/// ```
pub type Collection<T, I = Primary> = Query<AnyOf<T>, I>;

/// Filters that know the entities apart.
macro_rules! entity_filters {
    ($index:ty) => {
        /// Returns only items of the entity `E` that pass, and all items of other entities. Several
        /// filters must all pass.
        ///
        /// DynamoDB tells the entities apart by the table's entity type, which the index must
        /// project.
        pub fn filter_entity<E, C>(self, condition: impl FnOnce(E::Fields<$index>) -> C) -> Self
        where
            E: HasFields,
            AnyOf<T>: Contains<E>,
            T::Table: TypedIn<$index>,
            C: IntoCondition,
        {
            let condition = condition(E::fields()).into_condition();
            let others = !is_entity::<T>(&E::SCHEMA);
            self.options(|options| options.add_filter(others | condition))
        }

        /// Leaves out the items of the entity `E`; they still cost read units.
        pub fn without<E>(self) -> Self
        where
            E: crate::Entity,
            AnyOf<T>: Contains<E>,
            T::Table: TypedIn<$index>,
        {
            let others = !is_entity::<T>(&E::SCHEMA);
            self.options(|options| options.add_filter(others))
        }
    };
}

impl<T: Items, I> Query<AnyOf<T>, I> {
    entity_filters!(I);
}

impl<T: Items> Scan<AnyOf<T>> {
    entity_filters!(Primary);
}

/// The condition that an item is of this entity.
fn is_entity<T: Items>(entity: &EntitySchema) -> Condition {
    let table = const { &<T::Table as Table>::SCHEMA };
    let others = T::ENTITIES.iter().filter(|it| it.entity != entity.entity);
    table.entity_type.and_then(|name| {
        let own = is_of_type(name, entity)?;
        Some(match entity.untyped {
            false => own,
            true if others.clone().any(|it| it.untyped) => {
                let reason = "items of several entities may have no type, so that DynamoDB cannot tell them apart";
                Condition::broken(format!("{name}: {reason}"))
            }
            true => own | crate::expr::Path::<String>::attribute(name).not_exists(),
        })
    })
    .unwrap_or_else(|| Condition::broken("the entity has no type".into()))
}
