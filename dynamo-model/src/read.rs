//! Reads: of one item by its key, of a partition, of a whole table, and of parts of items.

#[cfg(feature = "client")]
pub use crate::cursor::CursorKeys;
pub use crate::membership::AnyOf;
#[cfg(feature = "client")]
pub use crate::op::{
    Closest, Collection, Each, Explain, Get, IntoCursor, ItemResult, ItemStream, Loadable, Page,
    ParallelScan, PartOf, Projected, Projection, Query, Reading, ReadingOne, ReadingSegments, Scan,
    Scannable, SegmentStream, SelectedFrom, Selection,
};
pub use crate::unknown::UnknownItem;
