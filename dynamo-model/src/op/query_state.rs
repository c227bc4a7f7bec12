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
use crate::schema::KeyAttribute;
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
        let key = Some(Arc::clone(&this.pk).into());
        let context = selected.context(db, "query", key);
        let own = selected.own_of_query(want, matches!(this.sort, SortCondition::Equals(_)));
        let mut aliases = Aliases::default();
        let key_condition = key_condition(schema.key(id), &this, &mut aliases);
        let nothing = this.sort == SortCondition::Nothing;
        let groups = this.partitions.groups().map(Arc::clone);
        let loose = groups.as_ref().is_some_and(|it| it.is_loose(&this.sort));
        let target = Target {
            context,
            schema,
            index: id.and_then(|id| schema.index(id)),
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
        if let (Some(start), Identity::Query { pk: own, .. }) =
            (&paging.start, &paging.target.identity)
            && !cursor::is_in(start, pk, own)
        {
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

fn key_condition(
    (pk, sk): (KeyAttribute, Option<KeyAttribute>),
    request: &QueryState,
    aliases: &mut Aliases,
) -> String {
    let value = |aliases: &mut Aliases, value: &KeyValue, text: &mut String| {
        aliases.push_value(wire::key_value(value.clone()), false, text);
    };
    let mut text = String::with_capacity(64);
    aliases.push_declared(pk.name, &mut text);
    text += " = ";
    value(aliases, &request.pk, &mut text);
    let Some(sk) = sk else { return text };
    if matches!(request.sort, SortCondition::Any | SortCondition::Nothing) {
        return text;
    }
    text += " AND ";
    let (sign, values): (&str, [Option<&KeyValue>; 2]) = match &request.sort {
        SortCondition::Any | SortCondition::Nothing => return text,
        SortCondition::Equals(exact) => (" = ", [Some(exact), None]),
        SortCondition::Between(low, high) => (" BETWEEN ", [Some(low), Some(high)]),
        SortCondition::AtLeast(low) => (" >= ", [Some(low), None]),
        SortCondition::AtMost(high) => (" <= ", [Some(high), None]),
        SortCondition::BeginsWith(prefix) => {
            text += "begins_with(";
            aliases.push_declared(sk.name, &mut text);
            text += ", ";
            aliases.push_value(AttributeValue::S(prefix.clone()), false, &mut text);
            text += ")";
            return text;
        }
    };
    aliases.push_declared(sk.name, &mut text);
    text += sign;
    for (i, part) in values.into_iter().flatten().enumerate() {
        if i > 0 {
            text += " AND ";
        }
        value(aliases, part, &mut text);
    }
    text
}
