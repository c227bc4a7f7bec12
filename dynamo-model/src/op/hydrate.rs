//! Whole items, through an index that projects only a part of each.

use super::batch_get::{self, FoundItems};
use super::each::{Each, ItemResult, keep};
use super::query::Query;
use super::query_state::Expressions;
use super::reading::{Reading, ReadingTogether};
use super::run::Run;
use super::selection::{Decodes, Selected, Selection, WholeItems, decoded};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext};
use crate::index::{IndexMarker, Primary};
use crate::request::Explain;
use crate::wire::{ItemKey, RawItem};

impl<S: Selection, I: IndexMarker> Query<S, I> {
    /// Returns whole items, through an index that projects only a part of each: reads their keys
    /// from the index, then the items from the table. Items deleted in between are skipped.
    pub fn hydrate<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<S::Item>>
    where
        S: WholeItems + Decodes,
        S::Item: 'f,
    {
        let (run, db) = (self.run_for_keys(db), db.clone());
        let sending = async move {
            let keys = Reading::all(run, key::<S, I>).await?;
            found::<S>(&db, keys).await
        };
        ReadingTogether::new(sending, |found| {
            let items = found.decode(decoded::<S, Primary>)?;
            Ok(items.into_iter().flatten().collect())
        })
    }

    /// The first request of [`hydrate`](Self::hydrate), without sending it: the query of the keys,
    /// and the read of the items that follows it.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", type_attribute = none)]
    /// # #[gsi1(name = "GSI1", pk = "GSI1PK", projection = keys_only)]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("ISSUE#<id>")]
    /// # #[gsi1(pk = "AUTHOR#<author>", as = by_author)]
    /// # struct Issue {
    /// #     id: String,
    /// #     author: String,
    /// # }
    /// let db = Dynamo::embedded()?;
    /// assert_eq!(
    ///     Issue::by_author("ann").explain_hydrate(&db)?.to_string(),
    ///     "Query App index GSI1\n  \
    ///      key: GSI1PK = \"AUTHOR#ann\"\n  \
    ///      projection: PK\n  \
    ///      BatchGetItem App",
    /// );
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    pub fn explain_hydrate(self, db: &Dynamo) -> Result<Explain, Error>
    where
        S: WholeItems,
    {
        let Run { request, paging } = self.run_for_keys(db)?;
        let mut explain = request.explain(&paging, S::selected::<I>().hides_key());
        if !explain.nothing {
            let items = batch_get::explain_unknown(db, S::selected::<Primary>());
            explain.operations.push(items);
        }
        Ok(explain)
    }

    /// Reads only the keys, and the type that identifies the entity.
    fn run_for_keys(self, db: &Dynamo) -> Result<Run<Expressions>, Error> {
        let names = S::selected::<I>().key_names();
        let mut run = self.run(db)?;
        run.request.project(&mut run.paging, names);
        Ok(run)
    }
}

impl<S: Selection, I: IndexMarker> Each<Query<S, I>> {
    /// Returns whole items, through an index that projects only a part of each; see
    /// [`Query::hydrate`].
    pub fn hydrate<'f>(self, db: &Dynamo) -> ReadingTogether<'f, Vec<ItemResult<S::Item>>>
    where
        S: WholeItems + Decodes,
        S::Item: 'f,
    {
        let (run, db) = (self.0.run_for_keys(db), db.clone());
        let sending = async move {
            let keys = Reading::all(run, each_key::<S, I>).await?;
            let known = keys.iter().filter_map(|key| key.as_ref().ok().cloned());
            let items = found::<S>(&db, known.collect()).await?;
            Ok((keys, items))
        };
        ReadingTogether::new(sending, |(keys, found)| {
            let mut items = found.decode_each(decoded::<S, Primary>)?.into_iter();
            let read = |key: ItemResult<ItemKey>| match key {
                Ok(_) => items.next().flatten(),
                Err(error) => Some(Err(error)),
            };
            Ok(keys.into_iter().filter_map(read).collect())
        })
    }
}

async fn found<S: Selection>(db: &Dynamo, keys: Vec<ItemKey>) -> Result<FoundItems, Error> {
    batch_get::found(db.clone(), S::selected::<Primary>(), keys).await
}

fn each_key<S: Selection, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<ItemResult<ItemKey>>, Error> {
    Ok(keep(item, |item| key::<S, I>(context, item)))
}

fn key<S: Selection, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<ItemKey>, Error> {
    key_of(S::selected::<I>(), context, &item)
}

fn key_of(
    selected: &Selected,
    context: &ErrorContext,
    item: &RawItem,
) -> Result<Option<ItemKey>, Error> {
    Ok(match selected.has_key_of(context, item)? {
        true => ItemKey::of(selected.table, item),
        false => None,
    })
}
