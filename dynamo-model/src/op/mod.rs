//! Operations: one builder each, next to the code that sends it.

pub(crate) mod backoff;
mod batch_get;
mod bounds;
mod budget;
pub(crate) mod by_name;
mod collection;
mod each;
mod get;
mod hydrate;
mod item_stream;
mod keys;
mod narrow;
mod open;
mod own_items;
mod page;
mod paging;
mod parallel_scan;
mod projection;
mod query;
mod query_state;
mod reading;
mod run;
mod scan;
mod selection;
mod series;
pub(crate) mod trace;
mod transact_get;
mod vector_search;
mod write;

pub use crate::request::{Closest, Explain};
pub use batch_get::{BatchGet, BatchRead};
pub use bounds::{
    Anywhere, AttributeName, ConsistentRead, HasFields, ProjectedFrom, Projects, ProjectsAll,
    TypedIn, TypedTable,
};
pub use collection::Collection;
pub use each::{Each, ItemResult};
pub use get::Get;
pub use item_stream::{ItemStream, ReadingSegments, SegmentStream};
pub use keys::IntoKey;
pub use open::OpenQuery;
pub use page::{IntoCursor, Page};
pub use parallel_scan::ParallelScan;
pub use projection::{Projected, Projection};
pub use query::Query;
pub use reading::{Reading, ReadingOne, ReadingTogether};
pub use scan::{Scan, Scannable};
pub use selection::{CarriedBy, Contains, Decodes, PartOf, SelectedFrom, Selection, WholeItems};
pub use series::{Partitions, PartitionsOf};
pub use transact_get::{TransactGet, TransactKeys};
pub use vector_search::{ProjectedSearch, Searchable, VectorSearch};
pub(crate) use write::{
    Action, Guard, Holder, Owner as UniqueOwner, PreparedWrite, Presence, Unchanged, add_keys,
    check_together, current, has_same_owner, is_of_value, is_owned_by, owner_text, send_together,
    unique_claims, unique_moves, version_of,
};
pub use write::{
    BatchWrite, Batchable, CanWrite, Check, Create, Delete, DeleteRequest, Encodable, EntityItem,
    Expires, FixedSize, Importable, KnownFields, Loadable, Merge, New, NoImmutables, NoUniques,
    Old, Progress, Put, ReadBack, SomeImmutables, SomeUniques, Stamp, StampOn, Stamped, Storable,
    Touched, Transaction, TransactionWrite, UnknownVersion, Unversioned, Unwritten, Update,
    Updated, UpdatedNew, UpdatedOld, Upsert, Versioned, WithConditions, WithVersion,
    WithoutImmutable, WithoutUnique, WithoutVersion, Writable, WrittenItems, known, maybe_known,
};
