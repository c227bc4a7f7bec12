//! "Scalability, 3.": the table's stream does bulk work. Deleting a record deletes its tags and
//! permissions, also after an interrupted deletion or one by another tool.

use super::logic::delete_what_belongs_to;
use super::{Kifu, ShogiError};
use dynamo_model::Dynamo;
use dynamo_model::stream::{BatchFailures, Change, StreamEvent, StreamRecord};

/// Handles a Lambda event of the stream of the table. Records of other entities are not among
/// the changes.
pub async fn on_records(db: &Dynamo, event: StreamEvent) -> BatchFailures {
    let handle = |change, _: StreamRecord| async move { on_record(db, change).await };
    event.for_each(handle).await
}

/// Handles one change of a record. Deleting again changes nothing, so a record may be repeated.
pub async fn on_record(db: &Dynamo, change: Change<Kifu>) -> Result<(), ShogiError> {
    match change {
        Change::Removed(kifu) | Change::Expired(kifu) => {
            delete_what_belongs_to(db, &kifu.kifu_id).await
        }
        Change::Inserted(_) | Change::Modified { .. } => Ok(()),
    }
}
