//! The builder of a migration.

use super::checkpoint::{self, Checkpoint};
use super::replacement::{Encoded, encode};
use super::report::MigrationReport;
use super::rewrite::Rewrite;
use super::run::{OnProgress, Run, Step, Target};
use super::shape::{self, table_of};
use super::step::Typed;
use crate::db::Dynamo;
use crate::entity::{IndexedBy, Table};
use crate::error::{Error, ErrorContext, Source};
use crate::index::Primary;
use crate::op::{Loadable, Storable};
use crate::schema::TableSchema;
use crate::wire::{self, ItemKey};
use core::fmt;
use std::sync::Mutex;

/// One item has the state of every segment in it, and an item has at most 400 KB.
const MAX_SEGMENTS: u32 = 100;
/// The default number of items of one segment that are written concurrently.
const CONCURRENCY: usize = 8;

/// An entity that can be migrated, from or to: one that can be read and written.
///
/// ```
/// use dynamo_model::{Dynamo, Error};
/// use dynamo_model::migrate::{Migratable, Migration};
///
/// async fn preview<Old: Migratable, New: Migratable>(
///     migration: &Migration<'_, Old, New>,
///     db: &Dynamo,
/// ) -> Result<u64, Error> {
///     Ok(migration.dry_run(db).await?.migrated)
/// }
/// ```
pub trait Migratable: Storable + Loadable + IndexedBy<Primary> {}

#[diagnostic::do_not_recommend]
impl<E: Storable + Loadable + IndexedBy<Primary>> Migratable for E {}

type StepOf<'m, Old, New> = Box<dyn Fn(Old) -> Result<New, Source> + Send + Sync + 'm>;
type AlsoOf<'m, Old> =
    Box<dyn Fn(&Dynamo, &Old, &mut Vec<Encoded>) -> Result<(), Error> + Send + Sync + 'm>;
type DoneIf<'m, E> = Box<dyn Fn(&E) -> bool + Send + Sync + 'm>;

/// Replaces every item of entity `Old` by an item of entity `New`, and optional further items: for
/// attributes that change their name or type, keys of the table or of an index that change, an
/// entity that is split. For added attributes, serde's `default` and `alias` are enough, and no
/// item has to be written.
///
/// - An item is replaced only if it is unchanged since it was read. A changed item is read again.
///   The comparison covers the declared attributes of both entities, so declare all attributes that
///   writers set.
/// - Where the key changes, one transaction deletes the old item and creates the new one. No item
///   is ever overwritten: a new item whose key is taken is an error. Unique constraints of both
///   entities are kept.
/// - A killed run can be run again, and continues from its checkpoint: an item of entity type
///   `#migration`, whose key is `#migration#` and the name of the migration, which is deleted at
///   the end. The item itself shows whether it is migrated, so another run changes nothing, except
///   for items written in the old form since.
/// - Each new version is the old one plus one; the step determines `created_at` and `updated_at`.
///
/// Deploy code that can read both forms, then run the migration, then deploy code that knows only
/// the new form.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Table};
/// use dynamo_model::migrate::Migration;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity, Serialize, Deserialize)]
/// #[dynamo(table = App, entity_type = "USER", former)]
/// #[pk("USER#<id>")]
/// #[sk("PROFILE")]
/// struct OldUser {
///     id: String,
///     name: String,
///     theme: String,
/// }
///
/// #[derive(DynamoEntity, Serialize, Deserialize)]
/// #[dynamo(table = App, entity_type = "USER")]
/// #[pk("ACCOUNT#<id>")]
/// #[sk("PROFILE")]
/// struct User {
///     id: String,
///     display_name: String,
/// }
///
/// #[derive(DynamoEntity, Serialize, Deserialize)]
/// #[dynamo(table = App, entity_type = "SETTINGS")]
/// #[pk("ACCOUNT#<id>")]
/// #[sk("SETTINGS")]
/// struct Settings {
///     id: String,
///     theme: String,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
///     Settings(Settings),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// OldUser { id: "u1".into(), name: "Ann".into(), theme: "dark".into() }.create().send(&db).await?;
///
/// let migration = Migration::new("users-to-accounts", |old: OldUser| User {
///     id: old.id,
///     display_name: old.name,
/// })
/// .also(|old| [Settings { id: old.id.clone(), theme: old.theme.clone() }])
/// .segments(4)
/// .items_per_second(500)
/// .on_progress(|report| println!("{} of about {}", report.read, report.estimate));
///
/// let preview = migration.dry_run(&db).await?;
/// assert_eq!((preview.migrated, preview.problems.len()), (1, 0));
///
/// let report = migration.run(&db).await?;
/// assert_eq!(report.migrated, 1);
/// assert_eq!(User::get("u1").send(&db).await?.unwrap().display_name, "Ann");
/// assert_eq!(Settings::get("u1").send(&db).await?.unwrap().theme, "dark");
/// assert!(OldUser::get("u1").send(&db).await?.is_none());
///
/// assert_eq!(migration.run(&db).await?.migrated, 0);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing happens until `run` or `dry_run`"]
pub struct Migration<'m, Old, New> {
    name: String,
    pub(super) step: StepOf<'m, Old, New>,
    pub(super) also: Vec<AlsoOf<'m, Old>>,
    pub(super) done_if: Option<DoneIf<'m, Old>>,
    pub(super) done_if_new: Option<DoneIf<'m, New>>,
    /// How a rewrite replaces an item.
    pub(super) rewrite: Option<Rewrite>,
    pub(super) settings: Settings,
    on_progress: Option<Mutex<OnProgress<'m>>>,
}

/// How it is run.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) segments: u32,
    pub(super) page_size: Option<u32>,
    pub(super) concurrency: usize,
    pub(super) items_per_second: Option<u32>,
    pub(super) write_units_per_second: Option<u32>,
    pub(super) drop_unknown: bool,
    checkpoint_in: Option<&'static TableSchema>,
}

impl<Old, New> fmt::Debug for Migration<'_, Old, New> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Migration")
            .field("name", &self.name)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl<'m, Old: Migratable, New: Migratable> Migration<'m, Old, New> {
    /// Creates a migration with this name, which identifies it in the table: another migration
    /// needs another name.
    pub fn new(
        name: impl Into<String>,
        step: impl Fn(Old) -> New + Send + Sync + 'm,
    ) -> Migration<'m, Old, New> {
        Self::with(name.into(), Box::new(move |old| Ok(step(old))))
    }

    /// Creates a migration whose step can refuse an item. A run stops there, with an error that
    /// names the item; a dry run lists all of them.
    ///
    /// ```
    /// # use dynamo_model::migrate::{Migratable, Migration};
    /// # fn migration<Old: Migratable, New: Migratable + TryFrom<Old, Error = std::num::ParseIntError>>() {
    /// let migration = Migration::try_new("texts-to-numbers", |old: Old| New::try_from(old));
    /// # let _ = migration;
    /// # }
    /// ```
    pub fn try_new<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        name: impl Into<String>,
        step: impl Fn(Old) -> Result<New, E> + Send + Sync + 'm,
    ) -> Migration<'m, Old, New> {
        Self::with(
            name.into(),
            Box::new(move |old| step(old).map_err(Into::into)),
        )
    }

    pub(super) fn with(name: String, step: StepOf<'m, Old, New>) -> Self {
        Self {
            name,
            step,
            also: Vec::new(),
            done_if: None,
            done_if_new: None,
            rewrite: None,
            settings: Settings {
                segments: 1,
                page_size: None,
                concurrency: CONCURRENCY,
                items_per_second: None,
                write_units_per_second: None,
                drop_unknown: false,
                checkpoint_in: None,
            },
            on_progress: None,
        }
    }

    /// Adds items of another entity, written in the same transaction: any number of them. Their
    /// keys must be free, otherwise the run fails.
    pub fn also<E: Storable, I: IntoIterator<Item = E>>(
        mut self,
        from: impl Fn(&Old) -> I + Send + Sync + 'm,
    ) -> Self {
        self.also.push(Box::new(move |db, old, encoded| {
            for entity in from(old) {
                encoded.push(encode(db, &entity)?);
            }
            Ok(())
        }));
        self
    }

    /// Tells which items are migrated, where they can be read as both entities: for a change of
    /// meaning, as from yen to sen, which no attribute shows.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # use dynamo_model::migrate::Migration;
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// #[dynamo(table = App)]
    /// #[pk("ITEM#<id>")]
    /// struct Item {
    ///     id: String,
    ///     price: u64,
    ///     #[serde(default)]
    ///     in_sen: bool,
    /// }
    ///
    /// let migration = Migration::new("yen-to-sen", |old: Item| Item {
    ///     price: old.price * 100,
    ///     in_sen: true,
    ///     ..old
    /// })
    /// .done_if(|item: &Item| item.in_sen);
    /// # let _ = migration;
    /// ```
    pub fn done_if(mut self, done: impl Fn(&Old) -> bool + Send + Sync + 'm) -> Self {
        self.done_if = Some(Box::new(done));
        self
    }

    /// Tells which items are migrated by the new entity, where they can be read as both: by a field
    /// that `Old` does not have. An item that cannot be read as `New` is not migrated.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # use dynamo_model::migrate::Migration;
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App, former)]
    /// # #[pk("ITEM#<id>")]
    /// # struct OldItem {
    /// #     id: String,
    /// #     price: u64,
    /// # }
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// #[dynamo(table = App)]
    /// #[pk("ITEM#<id>")]
    /// struct Item {
    ///     id: String,
    ///     price: u64,
    ///     #[serde(default)]
    ///     in_sen: bool,
    /// }
    ///
    /// let migration = Migration::new("yen-to-sen", |old: OldItem| Item {
    ///     id: old.id,
    ///     price: old.price * 100,
    ///     in_sen: true,
    /// })
    /// .done_if_new(|item| item.in_sen);
    /// # let _ = migration;
    /// ```
    pub fn done_if_new(mut self, done: impl Fn(&New) -> bool + Send + Sync + 'm) -> Self {
        self.done_if_new = Some(Box::new(done));
        self
    }

    /// Drops attributes that `Old` does not declare. Without it, an item that has some is refused.
    pub fn drop_unknown(mut self) -> Self {
        self.settings.drop_unknown = true;
        self
    }

    /// Reads the table in this many parallel segments, 100 at most; the default is one. A run that
    /// continues from a checkpoint has the number of the first run.
    pub fn segments(mut self, segments: u32) -> Self {
        self.settings.segments = segments.clamp(1, MAX_SEGMENTS);
        self
    }

    /// Reads at most this many items at once, and as many again after a crash; the default is 1 MB.
    pub fn page_size(mut self, items: u32) -> Self {
        self.settings.page_size = Some(items.max(1));
        self
    }

    /// Writes at most this many items of a segment concurrently; the default is 8.
    pub fn concurrency(mut self, items: usize) -> Self {
        self.settings.concurrency = items.max(1);
        self
    }

    /// Limits the items per second, over all segments.
    pub fn items_per_second(mut self, items: u32) -> Self {
        self.settings.items_per_second = Some(items);
        self
    }

    /// Limits the write units per second, over all segments, approximately; units of indexes are
    /// not counted.
    pub fn write_units_per_second(mut self, units: u32) -> Self {
        self.settings.write_units_per_second = Some(units);
        self
    }

    /// Stores the checkpoint in another table: for tables whose keys are numbers, or whose items
    /// are recognised only by a key that could be any text.
    pub fn checkpoint_in<T: Table>(mut self) -> Self {
        self.settings.checkpoint_in = Some(const { &T::SCHEMA });
        self
    }

    /// Calls a function at the beginning and after each page.
    pub fn on_progress(mut self, progress: impl FnMut(&MigrationReport) + Send + 'm) -> Self {
        self.on_progress = Some(Mutex::new(Box::new(progress)));
        self
    }

    /// Reads everything and writes nothing. Returns how many items would be migrated, and which
    /// cannot be. It also reads the items whose keys and unique values the migration needs, and
    /// keeps these in memory until it ends, so that it reports each value that two items share.
    pub async fn dry_run(&self, db: &Dynamo) -> Result<MigrationReport, Error> {
        let step = self.step(db);
        self.start(db, &step).dry().await
    }

    /// Migrates every item that is not migrated yet. Stops at the first item that cannot be
    /// migrated; earlier items stay migrated, and the next run continues there.
    pub async fn run(&self, db: &Dynamo) -> Result<MigrationReport, Error> {
        let schema = self.checkpoint_table(db);
        let context = ErrorContext {
            operation: "migrate",
            entity: Old::SCHEMA.entity,
            table: db.deployed_name(schema),
            key: Some(format!("#migration#{}", self.name).into()),
        };
        let key = checkpoint::key(&context, schema, &self.name)?;
        self.check_key(db, &context, &key)?;
        let step = self.step(db);
        let segments = self.settings.segments;
        let begun = Checkpoint::begin(db, context, schema, key, segments).await?;
        self.start(db, &step).wet(begun).await
    }

    /// Returns the table with the checkpoint. If the old declaration of a table has no entity type,
    /// the new one has: readers of the table recognise the checkpoint by it.
    fn checkpoint_table(&self, db: &Dynamo) -> &'static TableSchema {
        let own = match Self::is_same_table(db) {
            true => table_of::<New>(),
            false => table_of::<Old>(),
        };
        self.settings.checkpoint_in.unwrap_or(own)
    }

    fn is_same_table(db: &Dynamo) -> bool {
        db.table_name(table_of::<Old>()) == db.table_name(table_of::<New>())
    }

    /// Refuses a checkpoint key that looks like the key of an item, where items are recognised only
    /// by their keys.
    fn check_key(&self, db: &Dynamo, context: &ErrorContext, key: &ItemKey) -> Result<(), Error> {
        let here = context.table == db.table_name(table_of::<Old>());
        let untyped = table_of::<Old>().entity_type.is_none();
        let key = &key.to_item(table_of::<Old>());
        let taken = wire::has_key_of::<Old>(key) || wire::has_key_of::<New>(key);
        if here && untyped && taken {
            let reason = "the key of the checkpoint could be an item's; keep it in another table, with `checkpoint_in`";
            return Err(shape::error(context, reason));
        }
        Ok(())
    }

    fn start<'r>(&'r self, db: &'r Dynamo, step: &'r dyn Step) -> Run<'r, 'm> {
        let schema = table_of::<Old>();
        let target = Target {
            context: ErrorContext::of::<Old>(db, "migrate", None),
            schema,
            entity_type: schema
                .entity_type
                .filter(|_| Old::SCHEMA.entity_type.is_some())
                .map(|name| (name, const { &Old::SCHEMA })),
        };
        Run::new(db, target, step, &self.settings, self.on_progress.as_ref())
    }

    fn step(&self, db: &Dynamo) -> Typed<'_, 'm, Old, New> {
        Typed {
            migration: self,
            context: ErrorContext::of::<Old>(db, "migrate", None),
            same_table: Self::is_same_table(db),
        }
    }
}
