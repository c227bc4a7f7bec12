//! A query whose entity, index and fields are named at run time. It builds the same request as the
//! generated methods do.

use super::open::Open;
use super::page::Page;
use super::paging::{Options, Want};
use super::query_state::{Expressions, QueryState};
use super::reading::Reading;
use super::run::Run;
use super::selection::{Selected, Selection};
use super::series::Partitions;
use crate::Condition;
use crate::db::Dynamo;
use crate::entity::{Entity, Table};
use crate::error::{Error, ErrorContext, KeyError, KeyErrorKind};
use crate::index::Primary;
use crate::key::fields::{KeyFields, OwnedPart};
use crate::key::item::any_key;
use crate::key::partitions::{self, Ends, Known};
use crate::key::range::SortCondition;
use crate::key::sort_key::PrefixBuilder;
use crate::key::{Key, KeyValue, PartValue, RawKey};
use crate::read::IntoCursor;
use crate::request::Explain;
use crate::schema::{EntitySchema, Form, IndexId, KeyAttribute, TableSchema, Template};
use crate::value::Value;
use crate::wire::{self, Item, RawItem, Readable};
use core::ops::Bound;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// The attributes of an item, as DynamoDB has them.
pub type Attributes = BTreeMap<String, Value>;

/// Makes the key of an item from the values of its fields. Fails if a field is missing, or if a
/// value does not fit the template.
///
/// ```
/// use dynamo_model::key::PartValue;
/// use dynamo_model::{DynamoEntity, DynamoTable, by_name};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let key = by_name::key::<User>(&[("user_id", PartValue::Text("u1"))])?;
/// assert_eq!(key, User::key("u1")?);
/// let error = by_name::key::<User>(&[]).unwrap_err();
/// assert_eq!(error.field(), Some("user_id"));
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub fn key<E: Entity>(values: &[(&'static str, PartValue<'_>)]) -> Result<Key<E>, KeyError> {
    let (table, entity) = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
    let mut fields = KeyFields::default();
    for (field, value) in values {
        fields.set(field, Some(OwnedPart::from(*value)));
    }
    for template in [Some(entity.pk), entity.sk].into_iter().flatten() {
        let mut parts = template.parts.iter();
        if let Some(part) = parts.find(|part| fields.get(part.field).is_none()) {
            return Err(template.error(part, KeyErrorKind::Missing));
        }
    }
    match any_key(&fields, table, entity, None)? {
        Some(RawKey { pk, sk }) => Ok(Key::new(pk, sk)),
        None => Err(KeyError::no_entity(entity.entity)),
    }
}

/// Decodes the attributes of an item into its entity. Fails as a read of the entity does.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Value, by_name};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let db = Dynamo::embedded()?;
/// let attributes = [("PK", "USER#u1"), ("user_id", "u1")];
/// let attributes = attributes.map(|(name, text)| (name.to_owned(), Value::S(text.into())));
/// let user: User = by_name::item(&db, attributes.into())?;
/// assert_eq!(user.user_id, "u1");
/// # Ok::<(), dynamo_model::Error>(())
/// ```
pub fn item<E: Readable + DeserializeOwned>(
    db: &Dynamo,
    attributes: Attributes,
) -> Result<E, Error> {
    let attributes = attributes.into_iter();
    let item: Item = attributes.map(|(name, it)| (name, it.into())).collect();
    wire::decode(&ErrorContext::of::<E>(db, "read", None), item)
}

/// A query for items of an entity, in the table or in an index, by the names of its key fields.
///
/// The fields of the partition key must have values. A write shard without a value means all
/// shards, and a range of the field of a time bucket all of its buckets. The parts of the sort key
/// follow from left to right, with one range or beginning at the end.
///
/// ```
/// use dynamo_model::by_name::Query;
/// use dynamo_model::key::PartValue;
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// use std::ops::Bound;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
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
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let db = Dynamo::embedded()?;
/// let ten = PartValue::Integer { negative: false, magnitude: 10 };
/// let query = Query::of::<Order>(None)
///     .value("user_id", PartValue::Text("u1"))
///     .range("number", Bound::Included(ten), Bound::Unbounded);
/// let typed = Order::query("u1").number_in(10..).explain(&db)?;
/// assert_eq!(query.explain(&db)?, typed);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is read until `page` or `count`"]
pub struct Query {
    selected: &'static Selected,
    table: &'static TableSchema,
    entity: &'static EntitySchema,
    index: Option<IndexId>,
    values: Vec<(&'static str, OwnedPart)>,
    last: Option<(&'static str, Last)>,
    descending: bool,
    options: Options,
}

/// The condition on the last given field.
#[derive(Debug, Clone)]
enum Last {
    Beginning(String),
    Range(Bound<OwnedPart>, Bound<OwnedPart>),
}

/// A key attribute, and the template of its values.
type Half = (KeyAttribute, &'static Template);

impl Query {
    /// Queries the table, or an index that the entity declares.
    pub fn of<E: Entity>(index: Option<IndexId>) -> Self {
        let (table, entity) = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        Self {
            selected: E::selected::<Primary>(),
            table,
            entity,
            index,
            values: Vec::new(),
            last: None,
            descending: false,
            options: Options::default(),
        }
    }

    /// The field has this value.
    pub fn value(mut self, field: &'static str, value: PartValue<'_>) -> Self {
        self.values.push((field, value.into()));
        self
    }

    /// The text of the field begins like this; only as the last field.
    pub fn beginning(mut self, field: &'static str, text: impl Into<String>) -> Self {
        self.last = Some((field, Last::Beginning(text.into())));
        self
    }

    /// The value of the field is in this range; only as the last field.
    pub fn range(
        mut self,
        field: &'static str,
        from: Bound<PartValue<'_>>,
        to: Bound<PartValue<'_>>,
    ) -> Self {
        let range = Last::Range(from.map(OwnedPart::from), to.map(OwnedPart::from));
        self.last = Some((field, range));
        self
    }

    /// Reads in descending order of the sort key. Fails before the request if the sort key has no
    /// order.
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Returns only items that meet the condition; the others still cost read units.
    pub fn filter(self, condition: Condition) -> Self {
        self.options(|options| options.add_filter(condition))
    }

    /// Continues at the cursor of a page, `next` or `previous`; `None` is the first page.
    pub fn after(self, cursor: impl IntoCursor) -> Self {
        self.options(|options| options.cursor = cursor.into_cursor())
    }

    fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// Returns at most this many items.
    pub fn limit(self, items: usize) -> Self {
        self.options(|options| options.limit = Some(items))
    }

    /// Reads at most this many items in one request, filtered ones included.
    pub fn page_size(self, items: u32) -> Self {
        self.options(|options| options.set_page_size(items))
    }

    /// Sends at most this many requests; a page ends there, with a cursor.
    pub fn max_requests(self, requests: u32) -> Self {
        self.options(|options| options.budget.requests = Some(requests))
    }

    /// Reads the next items of the entity: `limit` items, or one request. They are not decoded, so
    /// an item that its entity cannot read is a result too.
    pub fn page(&self, db: &Dynamo) -> Reading<Attributes, Page<Attributes>> {
        Reading::page(self.run(db, Want::Items), |place, item: RawItem| {
            wire::values(place, item).map(Some)
        })
    }

    /// Returns the number of items of the entity.
    pub async fn count(&self, db: &Dynamo) -> Result<usize, Error> {
        self.run(db, Want::Count)?.into_any().count().await
    }

    /// The exact first request, without sending it.
    pub fn explain(&self, db: &Dynamo) -> Result<Explain, Error> {
        let Run { request, paging } = self.run(db, Want::Items)?;
        Ok(request.explain(&paging, self.entity.hides_key(self.index)))
    }

    fn run(&self, db: &Dynamo, want: Want) -> Result<Run<Expressions>, Error> {
        let selected = self.selected.in_index(self.entity, self.index);
        let mut run = QueryState::start(self.state(), db, &selected, want)?;
        // Each item is checked, because none is decoded.
        run.paging.check_owners();
        Ok(run)
    }

    fn state(&self) -> Result<QueryState, KeyError> {
        let (pk_attribute, sk_attribute) = self.table.key(self.index);
        let (pk, sk) = self.templates();
        let sort = sk_attribute.zip(sk);
        self.check_fields(pk, sk)?;
        let partitions = self.partitions((pk_attribute, pk), sk)?;
        let Some((attribute, template)) = sort.filter(|(_, sk)| !sk.parts.is_empty()) else {
            let literal = sort.map(|(_, sk)| KeyValue::S(sk.head.to_owned()));
            let sort = literal.map_or(SortCondition::Any, SortCondition::Equals);
            return Ok(QueryState {
                descending: self.descending,
                options: self.options.clone(),
                ..QueryState::new(partitions, sort)
            });
        };
        let sk = PrefixBuilder::new(template, attribute.key_type);
        let mut open = Open::new(Ok(partitions), sk, self.descending, self.options.clone());
        for part in template.parts {
            if let Some(value) = self.known(part.field) {
                open = open.part(value);
                continue;
            }
            return match self.last_of(part.field) {
                Some(Last::Beginning(text)) => open.within(text).close(),
                // The buckets of the partition key are the range.
                Some(Last::Range(..)) if !part.sorts() && has_bucket(pk, part.field) => {
                    open.close()
                }
                Some(Last::Range(from, to)) => {
                    let from = from.as_ref().map(OwnedPart::value);
                    open.range((from, to.as_ref().map(OwnedPart::value)))
                        .close()
                }
                None => open.close(),
            };
        }
        open.close()
    }

    /// The templates of the key in the table or the index.
    fn templates(&self) -> (&'static Template, Option<&'static Template>) {
        let mut indexes = self.entity.indexes.iter();
        let index = self.index.and_then(|id| indexes.find(|it| it.id == id));
        index.map_or((self.entity.pk, self.entity.sk), |it| (it.pk, it.sk))
    }

    fn known(&self, field: &str) -> Option<PartValue<'_>> {
        let mut values = self.values.iter();
        values
            .find(|(known, _)| *known == field)
            .map(|(_, value)| value.value())
    }

    fn last_of(&self, field: &str) -> Option<&Last> {
        let last = self.last.as_ref().filter(|(known, _)| *known == field);
        last.map(|(_, last)| last)
    }

    /// The given parts of the sort key leave no gap, and every given field is used: otherwise the
    /// query would find more than was asked for.
    fn check_fields(
        &self,
        pk: &'static Template,
        sk: Option<&'static Template>,
    ) -> Result<(), KeyError> {
        let parts = sk.map_or(&[][..], |sk| sk.parts);
        let taken = parts
            .iter()
            .position(|part| self.known(part.field).is_none());
        let taken = taken.unwrap_or(parts.len());
        let next = parts.get(taken).map(|part| part.field);
        let in_partition = |field| pk.parts.iter().any(|part| part.field == field);
        let is_used =
            |field| in_partition(field) || parts[..taken].iter().any(|part| part.field == field);
        let unused = self
            .values
            .iter()
            .map(|(field, _)| *field)
            .find(|it| !is_used(*it));
        let last = self.last.as_ref().map(|(field, _)| *field);
        let unused = unused.or(last.filter(|it| Some(*it) != next && !in_partition(*it)));
        match unused {
            Some(field) => Err(KeyError::new(
                sk.unwrap_or(pk),
                Some(field),
                KeyErrorKind::Gap,
            )),
            None => Ok(()),
        }
    }

    fn partitions(
        &self,
        (attribute, template): Half,
        sk: Option<&'static Template>,
    ) -> Result<Partitions, KeyError> {
        let values: Vec<_> = template
            .parts
            .iter()
            .map(|part| self.known(part.field))
            .collect();
        if let Some(values) = values.iter().copied().collect::<Option<Vec<_>>>() {
            return template
                .build_any(attribute.key_type, &values)
                .map(Partitions::from);
        }
        let mut known = Known {
            values: Vec::new(),
            range: None,
        };
        for (part, value) in template.parts.iter().zip(values) {
            match (value, self.last_of(part.field), part.spec.form) {
                (Some(value), ..) => known.values.push((part.field, value)),
                (None, Some(Last::Range(from, to)), Form::Format(_)) => {
                    known.range = Some((part.field, ends(template, part.field, from, to)?));
                }
                (None, None, Form::Shard(_)) => {}
                _ => return Err(template.error(part, KeyErrorKind::Missing)),
            }
        }
        if let Some((field, ends)) = &known.range {
            let parts = sk.map_or(&[][..], |sk| sk.parts);
            let next = parts.iter().find(|part| self.known(part.field).is_none());
            let is_exact = next.is_some_and(|part| part.field == *field && part.sorts());
            if !is_exact && !partitions::are_whole(template, field, ends) {
                return Err(KeyError::new(
                    template,
                    Some(field),
                    KeyErrorKind::PartOfBucket,
                ));
            }
        }
        let groups = partitions::of(template, &known)?;
        Ok(Partitions::of_groups(
            groups,
            known.range.map(|(_, ends)| ends),
        ))
    }
}

/// Whether the field is a time bucket in a partition key.
fn has_bucket(template: &Template, field: &str) -> bool {
    let mut parts = template.parts.iter();
    parts.any(|part| part.field == field && matches!(part.spec.form, Form::Format(_)))
}

/// Both ends of a range of buckets, which must have a beginning.
fn ends(
    template: &'static Template,
    field: &'static str,
    from: &Bound<OwnedPart>,
    to: &Bound<OwnedPart>,
) -> Result<Ends, KeyError> {
    match from {
        Bound::Included(from) | Bound::Excluded(from) => {
            let to = to.as_ref().map(|to| partitions::owned(to.value()));
            Ok((partitions::owned(from.value()), to))
        }
        Bound::Unbounded => Err(KeyError::new(template, Some(field), KeyErrorKind::Missing)),
    }
}
