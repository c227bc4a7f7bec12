//! Files that hold the engine's data: which paths are accepted, and one engine for each file.

use super::{Engine, Inner, database};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The open files of this process. An engine caches its tables, and checks the file only for
/// changes of other processes.
static OPEN: Mutex<Option<HashMap<PathBuf, Weak<Inner>>>> = Mutex::new(None);

/// Opens the engine of a file.
pub(super) fn open(path: &Path) -> Result<Engine, String> {
    let text = path.to_str().ok_or("the path is not UTF-8")?;
    check(path, text)?;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.get_or_insert_default();
    open.retain(|_, engine| engine.strong_count() > 0);
    let known = |path: &PathBuf| open.get(path).and_then(Weak::upgrade);
    if let Some(engine) = path.canonicalize().ok().as_ref().and_then(known) {
        return Ok(Engine(engine));
    }
    let database = database::on_file(text);
    let database = database.map_err(|error| {
        // The engine's text describes a feature that this build does not have.
        let reason = match error.contains("not a valid SQLite database") {
            true => "it is not a database, or it is damaged",
            false => &error,
        };
        format!("`{text}` cannot be opened: {reason}")
    })?;
    let engine = Engine::new(database);
    if let Ok(path) = path.canonicalize() {
        open.insert(path, Arc::downgrade(&engine.0));
    }
    Ok(engine)
}

/// Refuses names that SQLite treats as a database in memory, and empty files, which it treats as
/// new: data would be lost silently.
fn check(path: &Path, text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("the path is empty; name a file, or use `Dynamo::embedded()`".into());
    }
    if text == ":memory:" || text.starts_with("file:") {
        return Err(format!(
            "`{text}` is not a file to SQLite; name a file, or use `Dynamo::embedded()`"
        ));
    }
    match path.metadata() {
        Ok(file) if file.is_dir() => Err(format!("`{text}` is a directory; name a file in it")),
        Ok(file) if file.len() == 0 => Err(format!(
            "`{text}` is an empty file, not a database; delete it to start with an empty database, \
             or restore it"
        )),
        _ => Ok(()),
    }
}
