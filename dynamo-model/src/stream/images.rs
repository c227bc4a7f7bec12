//! The images of a table's stream, as traits, so that a record is not read as a change whose images
//! its stream lacks.
//!
//! The derive of a table implements them by its `stream = …`.

use crate::__private::NoTable;
use crate::entity::Table;

/// A table with a stream, of any view type.
#[diagnostic::on_unimplemented(
    message = "table `{Self}` declares no stream; write `stream = new_and_old_images` in \
     `#[table(…)]` on `{Self}`",
    label = "no stream to read"
)]
pub trait HasStream: Table {}

/// A table whose stream contains each item after the write: `new_image` or `new_and_old_images`.
#[diagnostic::on_unimplemented(
    message = "the stream of table `{Self}` does not carry the new image; write `stream = \
     new_and_old_images` in `#[table(…)]` on `{Self}`",
    label = "needs the item after the write"
)]
pub trait HasNewImages: HasStream {}

/// A table whose stream contains each item before the write: `old_image` or `new_and_old_images`.
#[diagnostic::on_unimplemented(
    message = "the stream of table `{Self}` does not carry the old image; write `stream = \
     new_and_old_images` in `#[table(…)]` on `{Self}`",
    label = "needs the item before the write"
)]
pub trait HasOldImages: HasStream {}

/// A table whose stream contains each item before and after the write, as
/// [`Change`](crate::stream::Change) requires.
///
/// ```
/// use dynamo_model::{DynamoTable, Error};
/// use dynamo_model::stream::{Change, HasBothImages, StreamRecord, Streamed};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Bookings", pk = "PK", stream = new_and_old_images)]
/// struct Bookings;
///
/// // For code that is generic over what it reads.
/// fn read<T, M>(record: &StreamRecord) -> Result<Option<Change<T>>, Error>
/// where
///     T: Streamed<M, Table: HasBothImages>,
/// {
///     Change::of(record)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a `Change` needs the item before and after the write, and the stream of table \
     `{Self}` does not carry both; write `stream = new_and_old_images` in `#[table(…)]` on \
     `{Self}`",
    label = "needs both images of the item"
)]
pub trait HasBothImages: HasNewImages + HasOldImages {}

impl HasStream for NoTable {}
impl HasNewImages for NoTable {}
impl HasOldImages for NoTable {}
impl HasBothImages for NoTable {}
