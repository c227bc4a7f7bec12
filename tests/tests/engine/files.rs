//! Files: findings §6, "The paths `""` and `":memory:"` and a file cut to 0 bytes open as an empty database. A full disk,
//! a damaged or read-only file reads "DynamoDB refused … an answer was lost". After `DeleteTable` through one handle,
//! another handle on the same file believes that the table exists."

use crate::{Note, Notes, Outcome, note};
use dynamo_model::{Dynamo, ErrorKind, Outcome as Done, Table};
use std::path::PathBuf;

/// A file of its own, deleted at the end with what SQLite puts beside it.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("dynamo-model-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder.join("notes.db"))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

#[test]
fn paths_that_are_not_files_are_refused() {
    for (path, reason) in [
        (
            "",
            "the path is empty; name a file, or use `Dynamo::embedded()`",
        ),
        (
            ":memory:",
            "`:memory:` is not a file to SQLite; name a file, or use `Dynamo::embedded()`",
        ),
        (
            "file:x?mode=memory",
            "`file:x?mode=memory` is not a file to SQLite",
        ),
    ] {
        let error = Dynamo::embedded_on_file(path).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let folder = std::env::temp_dir();
    let error = Dynamo::embedded_on_file(&folder).unwrap_err().to_string();
    assert!(
        error.contains("is a directory; name a file in it"),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_that_was_cut_to_nothing_is_refused() -> Outcome {
    let file = File::new("cut");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create(&db).await?;
    drop(db);
    std::fs::write(&file.0, "")?;
    let error = Dynamo::embedded_on_file(&file.0).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Engine);
    assert!(
        error
            .to_string()
            .contains("is an empty file, and not a database"),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn a_damaged_file_is_an_error_of_the_engine() -> Outcome {
    let file = File::new("damaged");
    std::fs::write(
        &file.0,
        "this is not a database, whatever its name says".repeat(100),
    )?;
    let error = Dynamo::embedded_on_file(&file.0).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Engine);
    assert!(error.to_string().contains("not a database"), "{error}");
    Ok(())
}

/// A file that is damaged while it is open: the error is the engine's, and it is certain that nothing was written.
#[tokio::test]
async fn a_file_damaged_later_is_an_error_that_is_certain() -> Outcome {
    let file = File::new("later");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create(&db).await?;
    let notes: Vec<_> = (0..2_000)
        .map(|number| note(number, &"x".repeat(500)))
        .collect();
    db.batch_write().puts(&notes).send().await?;
    drop(db);
    let mut bytes = std::fs::read(&file.0)?;
    let length = bytes.len();
    bytes[8_192..length].fill(0xAA);
    std::fs::write(&file.0, bytes)?;
    let error = match Dynamo::embedded_on_file(&file.0) {
        Err(error) => error,
        Ok(db) => {
            let error = db.put(&note(1, "new")).send().await.unwrap_err();
            assert_eq!(error.outcome(), Done::NotDone);
            error
        }
    };
    assert_eq!(error.kind(), &ErrorKind::Engine);
    assert!(error.to_string().contains("malformed"), "{error}");
    Ok(())
}

#[tokio::test]
async fn handles_to_one_file_agree_about_tables() -> Outcome {
    let file = File::new("handles");
    let first = Dynamo::embedded_on_file(&file.0)?;
    let second = Dynamo::embedded_on_file(&file.0)?;
    Notes::create(&first).await?;
    first.put(&note(1, "a")).send().await?;
    assert_eq!(Note::get("u1", 1).send(&second).await?, Some(note(1, "a")));
    Notes::delete(&first).await?;
    let error = second.put(&note(2, "b")).send().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::MissingTable);
    assert_eq!(error.outcome(), Done::NotDone);
    Notes::create(&second).await?;
    assert_eq!(Note::query("u1").count(&first).await?, 0);
    Ok(())
}

/// What is written is there after the last handle is gone, and the next one finds it.
#[tokio::test]
async fn data_outlives_its_handles() -> Outcome {
    let file = File::new("outlives");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create(&db).await?;
    db.put(&note(1, "a")).send().await?;
    drop(db);
    let db = Dynamo::embedded_on_file(&file.0)?;
    assert_eq!(Note::get("u1", 1).send(&db).await?, Some(note(1, "a")));
    Ok(())
}
