//! The keys that a read of several items takes.

use super::bounds::{Anywhere, HasFields};
use super::get::Get;
use super::write::{Check, Delete, Presence, Writable};
use crate::entity::{Entity, Table};
use crate::error::{Error, KeyError};
use crate::expr::IntoCondition;
use crate::key::Key;
use crate::schema::TableSchema;
use crate::wire::{Attributes, ItemKey, RawItem};
use std::collections::HashMap;

/// A key to read: a [`Key`], a reference to one, or the result of a key builder. An invalid key
/// fails the read before any request.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::batch::IntoKey;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, Debug)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let key = User::key("u1").into_key()?;
/// assert_eq!((&key).into_key()?, key);
/// assert!(User::key("").into_key().is_err());
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a primary key",
    label = "not a primary key",
    note = "pass a key of the entity, as in `User::key(…)`"
)]
pub trait IntoKey {
    /// The entity of the key.
    type Entity: Entity;

    /// The key, or why it could not be built.
    fn into_key(self) -> Result<Key<Self::Entity>, KeyError>;

    /// Reads the item with this key.
    ///
    /// ```
    /// use dynamo_model::{Dynamo, Error};
    /// use dynamo_model::batch::IntoKey;
    /// use dynamo_model::read::Loadable;
    ///
    /// async fn read<E: Loadable>(
    ///     db: &Dynamo,
    ///     key: impl IntoKey<Entity = E>,
    /// ) -> Result<Option<E>, Error> {
    ///     key.get().consistent().send(db).await
    /// }
    /// ```
    fn get(self) -> Get<Self::Entity>
    where
        Self: Sized,
    {
        Get::new(self.into_key())
    }

    /// Deletes the item with this key.
    fn delete(self) -> Delete<Self::Entity>
    where
        Self: Sized,
        Self::Entity: Writable,
    {
        Delete::new(self.into_key())
    }

    /// Checks in a transaction that an item has this key.
    fn must_exist(self) -> Check<Self::Entity>
    where
        Self: Sized,
    {
        Check::new(self.into_key(), Presence::Present, None)
    }

    /// Checks in a transaction that no item has this key.
    fn must_not_exist(self) -> Check<Self::Entity>
    where
        Self: Sized,
    {
        Check::new(self.into_key(), Presence::Absent, None)
    }

    /// Checks in a transaction that the item with this key exists and meets a condition.
    fn must_meet<C: IntoCondition>(
        self,
        condition: impl FnOnce(<Self::Entity as HasFields>::Fields<Anywhere>) -> C,
    ) -> Check<Self::Entity>
    where
        Self: Sized,
        Self::Entity: HasFields,
    {
        let condition = condition(<Self::Entity as HasFields>::fields()).into_condition();
        Check::new(self.into_key(), Presence::Present, Some(condition))
    }
}

impl<E: Entity> IntoKey for Key<E> {
    type Entity = E;

    fn into_key(self) -> Result<Key<E>, KeyError> {
        Ok(self)
    }
}

impl<E: Entity> IntoKey for &Key<E> {
    type Entity = E;

    fn into_key(self) -> Result<Key<E>, KeyError> {
        Ok(self.clone())
    }
}

impl<E: Entity> IntoKey for Result<Key<E>, KeyError> {
    type Entity = E;

    fn into_key(self) -> Result<Key<E>, KeyError> {
        self
    }
}

/// Distinct keys of a table, and the key of each place: DynamoDB refuses repeated keys.
#[derive(Debug, Clone)]
pub(crate) struct DistinctKeys {
    table: &'static TableSchema,
    keys: Vec<ItemKey>,
    /// Where each is in `keys`, by its normal form.
    at: HashMap<ItemKey, usize>,
    places: Vec<usize>,
}

impl DistinctKeys {
    pub(crate) fn new<K: IntoKey>(keys: impl IntoIterator<Item = K>) -> Result<Self, KeyError> {
        let mut this = Self::of(
            const { &<<K::Entity as Entity>::Table as Table>::SCHEMA },
            [],
        );
        for key in keys {
            this.add(key.into_key()?.into());
        }
        Ok(this)
    }

    pub(crate) fn of(table: &'static TableSchema, keys: impl IntoIterator<Item = ItemKey>) -> Self {
        let mut this = Self {
            table,
            keys: Vec::new(),
            at: HashMap::new(),
            places: Vec::new(),
        };
        keys.into_iter().for_each(|key| this.add(key));
        this
    }

    fn add(&mut self, key: ItemKey) {
        let next = self.keys.len();
        let at = *self.at.entry(key.clone()).or_insert(next);
        if at == next {
            self.keys.push(key);
        }
        self.places.push(at);
    }

    pub(crate) fn keys(&self) -> &[ItemKey] {
        &self.keys
    }

    /// Returns the key of each place.
    pub(crate) fn places(&self) -> &[usize] {
        &self.places
    }

    /// Which key a stored item has.
    pub(crate) fn position(&self, item: &impl Attributes) -> Option<usize> {
        let key = ItemKey::of(self.table, item)?;
        self.at.get(&key).copied()
    }

    /// Returns the items, found in the order of [`Self::keys`], in the order of the places. An item
    /// of several places is decoded for each, so that an entity need not be `Clone`.
    pub(crate) fn hand_out<T>(
        &self,
        found: Vec<Option<RawItem>>,
        decode: impl Fn(RawItem) -> Result<Option<T>, Error>,
    ) -> Result<Vec<Option<T>>, Error> {
        self.answers(found)
            .map(|(_, item)| item.map_or(Ok(None), &decode))
            .collect()
    }

    /// Returns, for each place, the position of its key in [`Self::keys`], and the item.
    pub(crate) fn answers(
        &self,
        mut found: Vec<Option<RawItem>>,
    ) -> impl Iterator<Item = (usize, Option<RawItem>)> {
        let mut uses = vec![0_usize; found.len()];
        for &at in &self.places {
            uses[at] += 1;
        }
        self.places.iter().map(move |&at| {
            uses[at] -= 1;
            let item = if uses[at] == 0 {
                found[at].take()
            } else {
                found[at].clone()
            };
            (at, item)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as dynamo_model; // the derives write code for those who use the crate
    use crate::key::KeyValue;
    use crate::wire::{self, Item};
    use crate::{DynamoEntity, DynamoTable};

    #[derive(DynamoTable)]
    #[table(name = "App", pk = N("id"), crate = dynamo_model)]
    struct App;

    #[derive(DynamoEntity, Debug)]
    #[dynamo(table = App, crate = dynamo_model)]
    #[pk("<id>")]
    #[allow(dead_code)]
    struct User {
        id: i64,
    }

    fn item(number: &str) -> Item {
        let id = wire::key_value(KeyValue::N(number.into()));
        [("id".to_owned(), id)].into()
    }

    #[test]
    fn each_key_is_asked_for_once_and_answered_everywhere() {
        let keys = DistinctKeys::new([2, 1, 2, 2].map(User::key)).unwrap();
        assert_eq!(
            keys.keys(),
            [2, 1].map(|id| ItemKey::from(User::key(id).unwrap()))
        );
        let found = vec![Some(item("2").into()), None];
        let handed_out = keys.hand_out(found, |item| Ok(Some(item.only(["id"].into_iter()))));
        let handed_out = handed_out.unwrap();
        let two = Some(item("2"));
        assert_eq!(handed_out, [two.clone(), None, two.clone(), two]);
    }

    #[test]
    fn a_number_is_found_however_it_is_written() {
        let keys = DistinctKeys::new([7, -7, 0].map(User::key)).unwrap();
        for (written, at) in [("7", 0), ("007", 0), ("-07", 1), ("-0", 2), ("00", 2)] {
            assert_eq!(keys.position(&item(written)), Some(at), "{written}");
        }
        assert_eq!(keys.position(&item("70")), None);
        assert_eq!(keys.position(&Item::new()), None);
    }

    #[test]
    fn the_first_key_that_cannot_be_built_is_the_error() {
        let error = KeyError::no_entity("App");
        let keys = [User::key(1), Err(error.clone())];
        assert_eq!(DistinctKeys::new(keys).unwrap_err(), error);
    }
}
