//! What a query reads, and how its requests are made.

use super::paging::{Identity, Options, Paging, Target, Want};
use super::run::Run;
use super::selection::Selected;
use super::series::{Partitions, Series};
use crate::cursor;
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind, KeyError};
use crate::expr::Aliases;
use crate::key::KeyValue;
use crate::key::range::SortCondition;
use crate::key::sort_key::Unsorted;
use crate::request::Explain;
use crate::schema::{IndexSchema, TableSchema};
use crate::wire::{self, Object};
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::sync::Arc;

/// What a query reads, the same for every selection.
#[derive(Clone)]
pub(super) struct QueryState {
    pub(super) pk: Arc<KeyValue>,
    /// All partitions; `pk` is the first.
    pub(super) partitions: Partitions,
    pub(super) sort: SortCondition,
    pub(super) descending: bool,
    /// The next part of the sort key, where its text does not sort as its values do.
    pub(super) unsorted: Option<Unsorted>,
    pub(super) options: Options,
}

/// Hides the keys, which may contain a sensitive field; `explain` shows the others.
impl core::fmt::Debug for QueryState {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("QueryState")
            .field("partitions", &self.partitions)
            .field("descending", &self.descending)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl QueryState {
    /// All of these partitions; without partitions the result is empty.
    pub(super) fn new(partitions: Partitions, sort: SortCondition) -> Self {
        let Some(pk) = partitions.first() else {
            let nothing = KeyValue::S(String::new());
            return Self::new(nothing.into(), SortCondition::Nothing);
        };
        Self {
            pk,
            partitions,
            sort,
            descending: false,
            unsorted: None,
            options: Options::default(),
        }
    }

    /// Read against the order of the sort key, if it has one.
    pub(super) fn descending(self) -> Result<Self, KeyError> {
        match self.unsorted {
            Some(unsorted) => Err(unsorted.error()),
            None => Ok(Self {
                descending: true,
                ..self
            }),
        }
    }

    /// Reads only items whose sort keys meet the condition too.
    pub(super) fn narrow(
        self,
        condition: SortCondition,
        unsorted: Option<Unsorted>,
    ) -> Result<Self, KeyError> {
        if let Some(unsorted) = unsorted.filter(|_| self.descending) {
            return Err(unsorted.error());
        }
        Ok(Self {
            sort: self.sort.and(condition),
            unsorted: self.unsorted.or(unsorted),
            ..self
        })
    }

    /// Begins the read. The same for all selections, and so compiled once.
    pub(super) fn start(
        state: Result<Self, KeyError>,
        db: &Dynamo,
        selected: &Selected,
        want: Want,
    ) -> Result<Run<Expressions>, Error> {
        let this = state.map_err(|error| Error::key("query", error))?;
        let Selected {
            table: schema,
            id,
            entities,
            ..
        } = *selected;
        let key = this.partitions.shown().map(Into::into);
        let context = selected.context(db, "query", key);
        let own = selected.own_of_query(want, matches!(this.sort, SortCondition::Equals(_)));
        let index = id.and_then(|id| schema.index(id));
        let mut aliases = Aliases::default();
        let key_condition = key_condition(schema, index, &this, &mut aliases);
        let nothing = this.sort == SortCondition::Nothing;
        let groups = this.partitions.groups().map(Arc::clone);
        let loose = groups.as_ref().is_some_and(|it| it.is_loose(&this.sort));
        let target = Target {
            context,
            schema,
            index,
            entities,
            identity: Identity::Query {
                pk: this.pk,
                sort: this.sort,
                descending: this.descending,
                partitions: this.partitions,
            },
            own,
        };
        let sort_key = schema.key(id).1.map(|sk| sk.name);
        let mut options = this.options;
        options.projection = selected.attributes;
        let text = options.cursor.take_if(|_| groups.is_some());
        let mut paging = Paging::new(db, target, options, aliases)?;
        let pk = schema.key(id).0.name;
        if !starts_in_partition(&paging, pk) {
            return Err(refused(&paging, cursor::ELSEWHERE));
        }
        if let Some(groups) = groups {
            paging.options.cursor = text;
            let marks = paging.target.marks(db, &paging.options);
            let marks = marks.map_err(|reason| refused(&paging, reason))?;
            let (heading, marks) = marks.unwrap_or_default();
            paging.heading = heading;
            let order = (this.descending, loose);
            let marks = (heading.backward, marks);
            let series = Series::new(groups, order, (pk, sort_key), marks);
            paging.series = Some(series.map_err(|reason| refused(&paging, reason))?);
        }
        paging.done |= nothing;
        let mut request = Expressions {
            key_condition,
            descending: this.descending != paging.heading.backward,
            projection: None,
        };
        if !selected.attributes.is_empty() {
            request.project(&mut paging, selected.projected());
        }
        Ok(Run { request, paging })
    }
}

/// Returns whether a read begins in its own partition, if a cursor says where it begins.
fn starts_in_partition(paging: &Paging, pk: &str) -> bool {
    let Target {
        index, identity, ..
    } = &paging.target;
    let (
        Some(start),
        Identity::Query {
            pk: own,
            partitions,
            ..
        },
    ) = (&paging.start, identity)
    else {
        return true;
    };
    let mut rest = rest_of_partition(*index, partitions);
    cursor::is_in(start, pk, own) && rest.all(|(name, own)| cursor::is_in(start, name, own))
}

fn refused(paging: &Paging, reason: &'static str) -> Error {
    Error::new(paging.context().whole(), ErrorKind::Cursor { reason }, None)
}

/// The part of the request that only a query has.
pub(super) struct Expressions {
    key_condition: String,
    descending: bool,
    projection: Option<String>,
}

impl Expressions {
    /// Requests only these attributes.
    pub(super) fn project(&mut self, paging: &mut Paging, names: Vec<&'static str>) {
        let names: Vec<_> = names
            .into_iter()
            .map(|name| paging.aliases.name(name))
            .collect();
        self.projection = Some(names.join(", "));
    }

    pub(super) fn explain(self, paging: &Paging, hide_key: bool) -> Explain {
        let mut explain = paging.explain("Query");
        explain.hide_key = hide_key;
        explain.key_condition = (!paging.is_over()).then_some(self.key_condition);
        if !paging.is_over() {
            let projection = self.projection.as_deref();
            let (projection, aliases) = paging.projection(projection, Want::Items);
            explain.projection = projection.map(Cow::into_owned);
            explain.names = aliases.names().into_iter().flatten().collect();
        }
        explain.descending = self.descending;
        explain
    }

    pub(super) fn body(&self, paging: &Paging, want: Want) -> Vec<u8> {
        let (projection, aliases) = paging.projection(self.projection.as_deref(), want);
        Object::body(512, |request| {
            paging.describe(request, want);
            request.text("KeyConditionExpression", &self.key_condition);
            request.text_if("ProjectionExpression", projection.as_deref());
            aliases.describe(request);
            if self.descending {
                request.flag_not("ScanIndexForward");
            }
            request.text_if("Select", (want == Want::Count).then_some("COUNT"));
        })
    }
}

/// The attributes of a partition key after the first, each with its value.
fn rest_of_partition<'p>(
    index: Option<&'static IndexSchema>,
    partitions: &'p Partitions,
) -> impl Iterator<Item = (&'static str, &'p KeyValue)> {
    let names = index.map_or(&[][..], |index| index.pk_rest);
    names.iter().map(|it| it.name).zip(partitions.rest())
}

fn key_condition(
    table: &'static TableSchema,
    index: Option<&'static IndexSchema>,
    request: &QueryState,
    aliases: &mut Aliases,
) -> String {
    let (pk, sk) = table.key(index.map(|index| index.id));
    let mut text = String::with_capacity(64);
    push_comparison(pk.name, " = ", &request.pk, aliases, &mut text);
    for (name, value) in rest_of_partition(index, &request.partitions) {
        text += " AND ";
        push_comparison(name, " = ", value, aliases, &mut text);
    }
    let rest = index.map_or(&[][..], |index| index.sk_rest);
    let mut sort_key = sk.iter().chain(rest).map(|attribute| attribute.name);
    let (given, condition) = match &request.sort {
        SortCondition::After(given, condition) => (given.as_slice(), &**condition),
        condition => (&[][..], condition),
    };
    for (value, name) in given.iter().zip(sort_key.by_ref()) {
        text += " AND ";
        push_comparison(name, " = ", value, aliases, &mut text);
    }
    if let Some(name) = sort_key.next() {
        push_sort_condition(name, condition, aliases, &mut text);
    }
    text
}

fn push_comparison(
    name: &'static str,
    sign: &str,
    value: &KeyValue,
    aliases: &mut Aliases,
    text: &mut String,
) {
    aliases.push_declared(name, text);
    *text += sign;
    push_value(value, aliases, text);
}

fn push_value(value: &KeyValue, aliases: &mut Aliases, text: &mut String) {
    aliases.push_value(wire::key_value(value.clone()), false, text);
}

fn push_sort_condition(
    name: &'static str,
    condition: &SortCondition,
    aliases: &mut Aliases,
    text: &mut String,
) {
    let (sign, value) = match condition {
        SortCondition::Any | SortCondition::Nothing | SortCondition::After(..) => return,
        SortCondition::BeginsWith(prefix) => {
            *text += " AND begins_with(";
            aliases.push_declared(name, text);
            *text += ", ";
            aliases.push_value(AttributeValue::S(prefix.clone()), false, text);
            *text += ")";
            return;
        }
        SortCondition::Equals(exact) => (" = ", exact),
        SortCondition::AtLeast(low) => (" >= ", low),
        SortCondition::AtMost(high) => (" <= ", high),
        SortCondition::Between(low, _) => (" BETWEEN ", low),
    };
    *text += " AND ";
    push_comparison(name, sign, value, aliases, text);
    if let SortCondition::Between(_, high) = condition {
        *text += " AND ";
        push_value(high, aliases, text);
    }
}
