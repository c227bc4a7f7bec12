//! A sample item and the check of its keys, for any entity: the tour prints it.

use dynamo_model::bounds::IndexedBy;
use dynamo_model::index::{IndexMarker, Primary};
use dynamo_model::schema::{EntitySchema, TableSchema, Template};
use dynamo_model::{Entity, Key, KeyError, Table};

/// Anything that goes wrong while samples are made or patterns run.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The result of making a sample: a document's text may not be a valid time or UUID.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// One item's keys, each built, parsed back and built again.
#[derive(Debug)]
pub struct Sample {
    /// The table it is in.
    pub table: TableSchema,
    /// Which kind of item it is.
    pub entity: EntitySchema,
    /// Its key in the table, then those in the indexes.
    pub keys: Vec<SampleKey>,
}

/// One key of a sample item.
#[derive(Debug)]
pub struct SampleKey {
    /// `table`, or the index by its real name.
    pub place: &'static str,
    /// The declared template, both halves.
    pub template: String,
    /// The key of the item, both halves; empty where it could not be built.
    pub key: String,
    /// Whether the key, parsed and built again from its parts, is the same; otherwise the error.
    pub outcome: Result<(), String>,
}

/// Collects the keys of one item; [`Sample::of`] begins.
#[derive(Debug)]
pub struct SampleOf<'a, E> {
    item: &'a E,
    sample: Sample,
}

impl Sample {
    /// Returns the sample of an item; `rebuild` is the typed call that makes its primary key.
    pub fn of<E>(
        item: &E,
        rebuild: impl FnOnce(E::Parts) -> Result<Key<E>, KeyError>,
    ) -> SampleOf<'_, E>
    where
        E: IndexedBy<Primary>,
    {
        let sample = Sample {
            table: <E::Table as Table>::SCHEMA,
            entity: E::SCHEMA,
            keys: Vec::new(),
        };
        SampleOf { item, sample }.index(rebuild)
    }
}

impl<E: Entity> SampleOf<'_, E> {
    /// Adds the item's key in the index `I`. Building is injective, so where `rebuild`, called with
    /// the parsed parts, gives the same key, the parts are the ones that made it.
    #[must_use]
    pub fn index<I: IndexMarker>(
        mut self,
        rebuild: impl FnOnce(E::Parts) -> Result<Key<E, I>, KeyError>,
    ) -> Self
    where
        E: IndexedBy<I>,
    {
        let (key, outcome) = match self.item.key_in() {
            Ok(Some(key)) => (shown(&key), check(&key, rebuild)),
            Ok(None) => (String::new(), Err("the item is not in the index".into())),
            Err(error) => (String::new(), Err(error.to_string())),
        };
        self.sample.keys.push(SampleKey {
            place: place(&self.sample.table, I::ID),
            template: template::<E, I>(),
            key,
            outcome,
        });
        self
    }

    /// Returns the finished sample.
    #[must_use]
    pub fn done(self) -> Sample {
        self.sample
    }
}

fn check<E: IndexedBy<I>, I: IndexMarker>(
    key: &Key<E, I>,
    rebuild: impl FnOnce(E::Parts) -> Result<Key<E, I>, KeyError>,
) -> Result<(), String> {
    let again = key
        .parse()
        .and_then(rebuild)
        .map_err(|error| error.to_string())?;
    if again == *key {
        Ok(())
    } else {
        Err(format!("parsed back, it is {}", shown(&again)))
    }
}

fn place(table: &TableSchema, id: Option<dynamo_model::schema::IndexId>) -> &'static str {
    id.and_then(|id| table.index(id))
        .map_or("table", |index| index.name)
}

fn template<E: Entity, I: IndexMarker>() -> String {
    let schema = E::SCHEMA;
    let (pk, sk) = schema
        .indexes
        .iter()
        .find(|index| Some(index.id) == I::ID)
        .map_or((schema.pk, schema.sk), |index| (index.pk, index.sk));
    halves(pk.text, sk.map(|sk: &Template| sk.text))
}

fn shown<E, I>(key: &Key<E, I>) -> String {
    halves(key.pk(), key.sk())
}

fn halves<T: ToString + ?Sized>(pk: &T, sk: Option<&T>) -> String {
    match sk {
        Some(sk) => format!("{} + {}", pk.to_string(), sk.to_string()),
        None => pk.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Sample;
    use crate::exam::{User, user};

    #[test]
    fn a_different_key_is_reported() {
        let sample = Sample::of(&user().unwrap(), |_| User::key("u2")).done();
        let outcome = &sample.keys[0].outcome;
        assert_eq!(*outcome, Err("parsed back, it is USER#u2 + PROFILE".into()));
    }

    #[test]
    fn an_invalid_key_is_reported() {
        let sample = Sample::of(&user().unwrap(), |_| User::key("")).done();
        let why = sample.keys[0].outcome.as_ref().unwrap_err();
        assert!(why.contains("`user_id` is empty"), "{why}");
    }
}
