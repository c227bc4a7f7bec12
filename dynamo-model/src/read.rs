//! Reads: of one item by its key, of a partition, of a whole table, and of parts of items.

#[cfg(feature = "client")]
pub use crate::cursor::CursorKeys;
#[cfg(feature = "client")]
pub use crate::op::{
    Collection, Each, Explain, Get, IntoCursor, ItemResult, ItemStream, Loadable, Page,
    ParallelScan, Projected, Projection, Query, Reading, ReadingOne, ReadingSegments, Scan,
    SegmentStream,
};
pub use crate::unknown::UnknownItem;
