//! Scans: every item of an entity, found by reading the whole table.

use super::bounds::{Anywhere, HasFields};
use super::explain::Explain;
use super::page::Page;
use super::paging::{self, Answer, Identity, Options, Paging, Run, Target, Want};
use super::parallel_scan::ParallelScan;
use super::reading::{ItemStream, Reading};
use crate::db::Dynamo;
use crate::entity::{Entity, IndexedBy, Table};
use crate::error::{Error, Place};
use crate::expr::{Aliases, Condition, Path};
use crate::index::Primary;
use crate::schema::TableSchema;
use crate::wire::{self, Decodable, Object, Serde, Stored, call};
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnConsumedCapacity, Select};
use aws_smithy_types::body::SdkBody;
use core::marker::PhantomData;
use core::pin::pin;

/// Every item of entity `E`; made by the `scan` of an entity.
///
/// The whole table is read, and paid for, whatever comes back: a scan is for exports, migrations and
/// small tables, and a query for everything else. The items of other entities are left out: by DynamoDB, where
/// the table has an entity-type attribute; otherwise here, by their keys.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// # use aws_sdk_dynamodb::types::AttributeValue;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", entity_type = "type")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App, entity_type = "USER")]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
///     age: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create(&db).await?;
/// # for (id, age) in [("u1", "17"), ("u2", "18"), ("u3", "19")] {
/// #     db.client().put_item().table_name("App")
/// #         .item("PK", AttributeValue::S(format!("USER#{id}")))
/// #         .item("type", AttributeValue::S("USER".into()))
/// #         .item("user_id", AttributeValue::S(id.into()))
/// #         .item("age", AttributeValue::N(age.into()))
/// #         .send().await?;
/// # }
/// // Three users, two of them adults.
/// let page = User::scan().filter(|user| user.age().ge(18)).limit(1).page(&db).await?;
/// let rest = User::scan().filter(|user| user.age().ge(18)).after(page.cursor.unwrap());
/// assert_eq!(page.items.len() + rest.all(&db).await?.len(), 2);
/// assert_eq!(User::scan().count(&db).await?, 3);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until `page`, `all`, `stream` or `count`"]
pub struct Scan<E> {
    pub(super) options: Options,
    of: PhantomData<fn() -> E>,
}

impl<E> core::fmt::Debug for Scan<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Scan").field(&self.options).finish()
    }
}

impl<E> Clone for Scan<E> {
    fn clone(&self) -> Self {
        Self {
            options: self.options.clone(),
            of: PhantomData,
        }
    }
}

impl<E> Scan<E> {
    /// For generated code.
    #[doc(hidden)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self {
            options: Options::default(),
            of: PhantomData,
        }
    }

    fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    paging::page_methods!();

    /// Sees every write that was acknowledged before; costs twice as much.
    pub fn consistent(self) -> Self {
        self.options(|options| options.consistent = true)
    }

    /// Only the items that pass; the others are read, and paid for, all the same. Several filters must
    /// all pass.
    pub fn filter(self, condition: impl FnOnce(E::Fields<Anywhere>) -> Condition) -> Self
    where
        E: HasFields,
    {
        self.options(|options| options.add_filter(condition(E::fields())))
    }

    /// Reads the table in this many parts at the same time. They have no common order, so that there are
    /// no pages and no cursor then: see [`ParallelScan`].
    pub fn segments(self, segments: u32) -> ParallelScan<E> {
        ParallelScan::new(self, segments)
    }
}

impl<E: IndexedBy<Primary>> Scan<E> {
    /// The next items: as many as `limit` says, or as one request gives; that can be none though others
    /// follow, as long as there is a cursor.
    pub fn page(self, db: &Dynamo) -> Reading<E, Page<E>>
    where
        E: Decodable<Serde>,
    {
        Reading::page(self.run(db, None), super::query::decode)
    }

    /// All items, or `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<E, Vec<E>>
    where
        E: Decodable<Serde>,
    {
        Reading::all(self.run(db, None), super::query::decode)
    }

    /// The items one by one, read page by page as they are asked for.
    pub fn stream(self, db: &Dynamo) -> ItemStream<E>
    where
        E: Decodable<Serde>,
    {
        ItemStream::new(self.run(db, None), super::query::decode)
    }
}

impl<E: IndexedBy<Primary>> Scan<E> {
    /// How many items there are; none of them is sent over.
    pub async fn count(self, db: &Dynamo) -> Result<usize, Error> {
        self.run(db, None)?.into_any().count().await
    }

    /// The exact first request, without sending it.
    pub fn explain(self, db: &Dynamo) -> Result<Explain, Error> {
        Ok(self.run(db, None)?.paging.explain("Scan"))
    }

    /// The SDK's own builder, filled in as the first request would be.
    pub fn into_sdk(self, db: &Dynamo) -> Result<ScanFluentBuilder, Error> {
        let Run { request, paging } = self.run(db, None)?;
        Ok(request.builder(&paging, Want::Items))
    }

    pub(super) fn run(self, db: &Dynamo, segment: Option<Segment>) -> Result<Run<Part>, Error> {
        let schema: &'static TableSchema = const { &<E::Table as Table>::SCHEMA };
        let mut options = self.options;
        let entity_type = entity_type::<E>();
        if let Some((attribute, entity_type)) = entity_type {
            let own = Path::<String>::attribute(attribute).eq(entity_type);
            options.filter = Some(match options.filter.take() {
                Some(filter) => own & filter,
                None => own,
            });
        }
        let target = Target {
            place: place::<E>(db),
            schema,
            index: None,
            identity: Identity::Scan,
            skips: entity_type.is_none(),
        };
        let paging = Paging::new(db, target, options, Aliases::default())?;
        let request = Part {
            segment,
            is_own: wire::has_key_of::<E>,
        };
        Ok(Run { request, paging })
    }
}

/// The attribute that tells this entity's items from others, and what it says.
fn entity_type<E: Entity>() -> Option<(&'static str, &'static str)> {
    <E::Table as Table>::SCHEMA
        .entity_type
        .zip(E::SCHEMA.entity_type)
}

pub(super) fn place<E: Entity>(db: &Dynamo) -> Place {
    Place::of::<E>(db, "scan", None)
}

/// One of the parts that a table is read in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) number: i32,
    pub(super) total: i32,
}

/// What only a scan says.
pub(super) struct Part {
    segment: Option<Segment>,
    is_own: fn(&Stored) -> bool,
}

impl Part {
    /// Which attributes are asked for, where it is not all of them: DynamoDB cannot count what is recognised here,
    /// and the keys are enough for that.
    fn projection(paging: &Paging, want: Want, aliases: &mut Aliases) -> Option<String> {
        (want == Want::Count && paging.target.skips).then(|| {
            let names = crate::cursor::key_names(paging.target.schema, None);
            let names: Vec<_> = names.map(|name| aliases.name(name)).collect();
            names.join(", ")
        })
    }

    fn body(&self, paging: &Paging, want: Want) -> SdkBody {
        let mut aliases = paging.aliases.clone();
        let keys = Self::projection(paging, want, &mut aliases);
        Object::body(512, |request| {
            paging.describe(request, want);
            request.text_if("ProjectionExpression", keys.as_deref());
            aliases.describe(request);
            let counts = want == Want::Count && keys.is_none();
            request.text_if("Select", counts.then_some("COUNT"));
            if let Some(segment) = self.segment {
                request.number("Segment", segment.number);
                request.number("TotalSegments", segment.total);
            }
        })
    }

    fn builder(&self, paging: &Paging, want: Want) -> ScanFluentBuilder {
        let mut aliases = paging.aliases.clone();
        let keys = Self::projection(paging, want, &mut aliases);
        let counts = want == Want::Count && keys.is_none();
        let client = paging.db.client();
        client
            .scan()
            .table_name(paging.table())
            .set_filter_expression(paging.filter.clone())
            .set_projection_expression(keys)
            .set_expression_attribute_names(aliases.names())
            .set_expression_attribute_values(aliases.values())
            .set_consistent_read(paging.options.consistent.then_some(true))
            .set_limit(paging.page_size(want))
            .set_select(counts.then_some(Select::Count))
            .set_segment(self.segment.map(|segment| segment.number))
            .set_total_segments(self.segment.map(|segment| segment.total))
            .set_exclusive_start_key(paging.start.clone())
            .set_return_consumed_capacity(paging.reports.then_some(ReturnConsumedCapacity::Total))
    }
}

impl Part {
    pub(super) async fn send(&self, paging: &Paging, want: Want) -> Result<Answer, Error> {
        let (request, body) = match paging.db.uses_maps() {
            true => (self.builder(paging, want), None),
            false => {
                let request = paging.db.client().scan().table_name(paging.table());
                (request, Some(self.body(paging, want)))
            }
        };
        let request = pin!(request.send());
        let reply = call::send(&paging.db, body, request).await;
        let reply = reply.map_err(|error| Error::sdk(paging.place().clone(), error))?;
        let mut answer = Answer::from(reply);
        if paging.target.skips {
            // Without an entity type, an item is known by its key.
            answer.items.retain(|item| (self.is_own)(item));
            answer.count = answer.items.len();
        }
        Ok(answer)
    }
}
