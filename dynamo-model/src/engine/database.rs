//! The engine's database, with an index that it lacks, and with an eye on other processes.
//!
//! For each write to a table with a stream the engine looks for the last record of the stream,
//! among all of them. With an index it finds the record at once, and writes do not slow down as
//! records collect.
//!
//! The engine caches table descriptions and cannot drop them. So if another process changes the
//! tables of a file, the file is reopened.

use dynoxide::Database;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

/// The index matches the engine's query for the last record.
const STREAM_INDEX: &str = "CREATE INDEX IF NOT EXISTS dynamo_model_stream_order
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER))";

/// A database with current table descriptions.
pub(super) struct Shared {
    current: RwLock<Database>,
    /// Of a file, its tables.
    tables: Option<Mutex<Tables>>,
}

impl Shared {
    /// Returns the database, reopened if another process has changed its tables.
    pub(super) fn current(&self) -> Database {
        let changed = self.tables.as_ref().and_then(|tables| {
            let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            // A locked file has not changed yet; the engine waits, or returns an error.
            let changed = tables.have_changed().unwrap_or(false);
            changed.then(|| open(&tables.path)).and_then(Result::ok)
        });
        if let Some(newer) = changed {
            *self.current.write().unwrap_or_else(PoisonError::into_inner) = newer;
        }
        let current = self.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The tables of a file.
struct Tables {
    path: String,
    connection: Connection,
    /// SQLite's `data_version`, which counts the commits of other connections.
    version: i64,
    known: Vec<Vec<Value>>,
}

impl Tables {
    fn new(path: &str) -> rusqlite::Result<Self> {
        let mut tables = Self {
            path: path.to_owned(),
            connection: Connection::open(path)?,
            version: 0,
            known: Vec::new(),
        };
        tables.have_changed()?;
        Ok(tables)
    }

    fn have_changed(&mut self) -> rusqlite::Result<bool> {
        let version = |row: &rusqlite::Row<'_>| row.get(0);
        let version = self
            .connection
            .query_row("PRAGMA data_version", [], version)?;
        if version == self.version {
            return Ok(false);
        }
        let mut query = self
            .connection
            .prepare("SELECT * FROM _tables ORDER BY table_name")?;
        let columns = query.column_count();
        let rows = query.query_map([], |row| (0..columns).map(|at| row.get(at)).collect())?;
        let tables = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        drop(query);
        self.version = version;
        let changed = tables != self.known;
        self.known = tables;
        Ok(changed)
    }
}

/// Opens a database in memory, under a unique name: a second connection creates the index.
pub(super) fn in_memory() -> Result<Shared, String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let database = open(&format!(
        "file:dynamo-model-{number}?mode=memory&cache=shared"
    ))?;
    Ok(Shared {
        current: RwLock::new(database),
        tables: None,
    })
}

/// Opens the database in a file, which is created if it does not exist.
pub(super) fn on_file(path: &str) -> Result<Shared, String> {
    let database = open(path)?;
    let tables = Tables::new(path).map_err(|error| error.to_string())?;
    Ok(Shared {
        current: RwLock::new(database),
        tables: Some(Mutex::new(tables)),
    })
}

fn open(path: &str) -> Result<Database, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Finding: "Writes to a table with a stream slow down with the number of records". The
    /// engine looks up the last record before each write; SQLite finds it in the index, and reads
    /// no other records.
    #[test]
    fn the_last_record_of_a_stream_is_found_by_an_index() -> Result<(), String> {
        let folder =
            std::env::temp_dir().join(format!("dynamo-model-index-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let file = folder.join("index.db");
        let path = file.to_str().ok_or("the path is not UTF-8")?;
        let plan = plan_of_last_record(path);
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        let plan = plan?;
        assert!(plan.contains("dynamo_model_stream_order"), "{plan}");
        assert!(plan.starts_with("SEARCH"), "{plan}");
        Ok(())
    }

    fn plan_of_last_record(path: &str) -> Result<String, String> {
        on_file(path)?;
        let query =
            "EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1
            FROM _stream_records WHERE table_name = ?1";
        let connection = Connection::open(path).map_err(|error| error.to_string())?;
        let detail = |row: &rusqlite::Row<'_>| row.get("detail");
        let plan = connection.query_row(query, ["App"], detail);
        plan.map_err(|error| error.to_string())
    }
}
