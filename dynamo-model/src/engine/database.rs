//! The engine's database, with an index that it lacks.
//!
//! For each write to a table with a stream the engine looks for the last record of the stream, among all of them. With
//! an index it finds the record at once, and writes do not slow down as records collect.

use dynoxide::Database;
use rusqlite::Connection;
use std::sync::atomic::{AtomicU64, Ordering};

/// As the engine asks for the order of records.
const STREAM_INDEX: &str = "CREATE INDEX IF NOT EXISTS dynamo_model_stream_order
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER))";

/// In memory, under a name of its own: the index is made through a second connection.
pub(super) fn in_memory() -> Result<Database, String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    open(&format!(
        "file:dynamo-model-{number}?mode=memory&cache=shared"
    ))
}

/// In a file, which is made if it is not there.
pub(super) fn open(path: &str) -> Result<Database, String> {
    let database = Database::new(path).map_err(|error| error.to_string())?;
    let indexed = Connection::open(path).and_then(|it| it.execute_batch(STREAM_INDEX));
    match indexed {
        Ok(()) => Ok(database),
        // A file that cannot be written to can still be read.
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ReadOnly) => {
            Ok(database)
        }
        Err(error) => Err(error.to_string()),
    }
}
