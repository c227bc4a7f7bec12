//! The attributes that no field declares.

use super::Value;
use core::ops::{Deref, DerefMut};
use std::collections::BTreeMap;

/// The attributes of an item that its entity does not declare: the type of a `#[dynamo(rest)]`
/// field.
///
/// Reads collect them with their exact types, and writes store them again, so that an item which
/// another program or a newer release extended survives a [`put`](crate::Entity::put). It never
/// contains keys, the entity type, the TTL attribute or declared attributes; a write of an entry
/// with such a name fails before the request.
///
/// It is a map from names to [`Value`]s. In JSON and other formats it is an object under the name
/// of the field.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Value};
/// use dynamo_model::value::Rest;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<id>")]
/// struct User {
///     id: String,
///     #[dynamo(rest)]
///     rest: Rest,
/// }
///
/// let mut user = User { id: "u1".into(), rest: Rest::default() };
/// user.rest.insert("theme".into(), Value::from("dark"));
/// assert_eq!(user.rest["theme"].as_str(), Some("dark"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Rest(BTreeMap<String, Value>);

impl Rest {
    /// Makes an empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Returns the map itself.
    #[must_use]
    pub fn into_inner(self) -> BTreeMap<String, Value> {
        self.0
    }
}

impl Deref for Rest {
    type Target = BTreeMap<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Rest {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl From<BTreeMap<String, Value>> for Rest {
    fn from(attributes: BTreeMap<String, Value>) -> Self {
        Self(attributes)
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Rest {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(attributes: I) -> Self {
        let attributes = attributes.into_iter();
        Self(attributes.map(|(k, v)| (k.into(), v.into())).collect())
    }
}

impl<K: Into<String>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Rest {
    fn from(attributes: [(K, V); N]) -> Self {
        attributes.into_iter().collect()
    }
}

impl IntoIterator for Rest {
    type Item = (String, Value);
    type IntoIter = std::collections::btree_map::IntoIter<String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'r> IntoIterator for &'r Rest {
    type Item = (&'r String, &'r Value);
    type IntoIter = std::collections::btree_map::Iter<'r, String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// The type of a `#[dynamo(rest)]` field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the attributes that no field declares",
    label = "not `dynamo_model::value::Rest`",
    note = "declare the `#[dynamo(rest)]` field as `dynamo_model::value::Rest`, which keeps all \
            ten types of DynamoDB"
)]
pub trait RestField {}

impl RestField for Rest {}

#[cfg(feature = "client")]
mod serde {
    use super::{BTreeMap, Rest, Value};
    use core::fmt;
    use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    /// An `Option`, so that serde reads a missing field as `None`.
    impl Serialize for Rest {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_some(&self.0)
        }
    }

    impl<'de> Deserialize<'de> for Rest {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_option(RestVisitor)
        }
    }

    struct RestVisitor;

    impl<'de> Visitor<'de> for RestVisitor {
        type Value = Rest;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map of attributes")
        }

        fn visit_none<E>(self) -> Result<Rest, E> {
            Ok(Rest::default())
        }

        fn visit_unit<E>(self) -> Result<Rest, E> {
            Ok(Rest::default())
        }

        fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Rest, D::Error> {
            deserializer.deserialize_map(self)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rest, A::Error> {
            let mut attributes: BTreeMap<String, Value> = BTreeMap::new();
            while let Some((name, value)) = map.next_entry()? {
                attributes.insert(name, value);
            }
            Ok(Rest(attributes))
        }
    }
}
