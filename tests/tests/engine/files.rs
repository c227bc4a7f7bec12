//! Files: "The paths `""` and `":memory:"` and a file cut to 0 bytes open as an empty
//! database. A full disk, a damaged or read-only file reads "DynamoDB refused … an answer was
//! lost". After `DeleteTable` through one handle, another handle on the same file believes that the
//! table exists."

use crate::{Note, Notes, Outcome, note};
use dynamo_model::error::Outcome as Done;
use dynamo_model::{BatchWrite, Dynamo, Entity, ErrorKind, Table};
use std::path::PathBuf;

/// A separate file, deleted at the end with SQLite's files beside it.
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
async fn an_empty_file_is_refused() -> Outcome {
    let file = File::new("cut");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create_table(&db).await?;
    drop(db);
    std::fs::write(&file.0, "")?;
    let error = Dynamo::embedded_on_file(&file.0).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Engine);
    assert!(
        error
            .to_string()
            .contains("is an empty file, not a database"),
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

/// A file that is damaged while it is open: the error is the engine's, and it is certain that no
/// write happened.
#[tokio::test]
async fn a_file_damaged_after_opening_is_a_certain_error() -> Outcome {
    let file = File::new("later");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create_table(&db).await?;
    let notes: Vec<_> = (0..2_000)
        .map(|number| note(number, &"x".repeat(500)))
        .collect();
    BatchWrite::new().puts(&notes).send(&db).await?;
    drop(db);
    let mut bytes = std::fs::read(&file.0)?;
    let length = bytes.len();
    bytes[8_192..length].fill(0xAA);
    std::fs::write(&file.0, bytes)?;
    let error = match Dynamo::embedded_on_file(&file.0) {
        Err(error) => error,
        Ok(db) => {
            let error = note(1, "new").put().send(&db).await.unwrap_err();
            assert_eq!(error.outcome(), Done::NotDone);
            error
        }
    };
    assert_eq!(error.kind(), &ErrorKind::Engine);
    assert!(error.to_string().contains("malformed"), "{error}");
    Ok(())
}

#[tokio::test]
async fn handles_of_one_file_see_the_same_tables() -> Outcome {
    let file = File::new("handles");
    let first = Dynamo::embedded_on_file(&file.0)?;
    let second = Dynamo::embedded_on_file(&file.0)?;
    Notes::create_table(&first).await?;
    note(1, "a").put().send(&first).await?;
    assert_eq!(Note::get("u1", 1).send(&second).await?, Some(note(1, "a")));
    Notes::drop_table(&first).await?;
    let error = note(2, "b").put().send(&second).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::MissingTable);
    assert_eq!(error.outcome(), Done::NotDone);
    Notes::create_table(&second).await?;
    assert_eq!(Note::query("u1").count(&first).await?, 0);
    Ok(())
}

/// Written data survives the last handle, and the next one finds it.
#[tokio::test]
async fn data_outlives_its_handles() -> Outcome {
    let file = File::new("outlives");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create_table(&db).await?;
    note(1, "a").put().send(&db).await?;
    drop(db);
    let db = Dynamo::embedded_on_file(&file.0)?;
    assert_eq!(Note::get("u1", 1).send(&db).await?, Some(note(1, "a")));
    Ok(())
}

/// Set in the process that the next test starts: the file.
const OTHER: &str = "DYNAMO_TEST_FILE";

/// Another process deletes a table, makes it again with other settings, and makes a new one.
#[tokio::test]
async fn two_processes_on_one_file_see_the_same_tables() -> Outcome {
    if let Some(path) = std::env::var_os(OTHER) {
        let db = Dynamo::embedded_on_file(PathBuf::from(path))?;
        let others = db.clone().with_table_prefix("other-");
        if Notes::create_table(&others).await.is_ok() {
            note(1, "theirs").put().send(&others).await?;
            Notes::drop_table(&db).await?;
        } else {
            Notes::create_table(&db).await?;
        }
        return Ok(());
    }
    let other = |file: &File| {
        let process = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "files::two_processes_on_one_file_see_the_same_tables",
            ])
            .env(OTHER, &file.0)
            .output();
        let said = String::from_utf8_lossy(&process.unwrap().stdout).into_owned();
        assert!(said.contains("1 passed"), "{said}");
    };
    let file = File::new("processes");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create_table(&db).await?;
    note(1, "ours").put().send(&db).await?;
    other(&file);
    let error = note(2, "lost?").put().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::MissingTable, "{error}");
    assert_eq!(error.outcome(), Done::NotDone);
    let others = db.clone().with_table_prefix("other-");
    assert_eq!(
        Note::get("u1", 1).send(&others).await?,
        Some(note(1, "theirs"))
    );
    // The table is there again, and empty.
    other(&file);
    assert_eq!(Note::query("u1").count(&db).await?, 0);
    note(3, "ours").put().send(&db).await?;
    assert_eq!(Note::query("u1").count(&db).await?, 1);
    Ok(())
}

/// Runs one test of this program in a separate process, started by a shell command; `None` if it
/// cannot be run.
fn in_shell(begin: &str, test: &str, file: &File) -> Option<String> {
    let process = std::process::Command::new("sh")
        .args(["-c", &format!("{begin} exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(OTHER, &file.0)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&process.stdout).into_owned();
    assert!(said.contains("1 passed"), "{said}");
    Some(said)
}

/// A limit on the size of files simulates a full disk. The error names the engine, the write did
/// not happen, and acknowledged writes are still there.
#[tokio::test]
async fn a_full_disk_is_a_certain_error() -> Outcome {
    let Some(path) = std::env::var_os(OTHER) else {
        let file = File::new("full");
        Notes::create_table(&Dynamo::embedded_on_file(&file.0)?).await?;
        // 512 bytes each; the signal would end the process.
        let begin = "trap '' XFSZ; ulimit -f 2000;";
        let test = "files::a_full_disk_is_a_certain_error";
        in_shell(begin, test, &file);
        return Ok(());
    };
    let db = Dynamo::embedded_on_file(PathBuf::from(path))?;
    let mut stored = 0;
    let error = loop {
        assert!(stored < 100, "the file grew");
        match note(stored, &"x".repeat(100_000)).put().send(&db).await {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), &ErrorKind::Engine, "{error}");
    assert_eq!(error.outcome(), Done::NotDone);
    let found = Note::query("u1").all(&db).await?;
    assert_eq!(found.len(), stored as usize);
    Ok(())
}

/// Root can write to everything, so the other process runs as `nobody`.
#[cfg(unix)]
#[tokio::test]
async fn a_read_only_file_is_a_certain_error() -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    if let Some(path) = std::env::var_os(OTHER) {
        let error = match Dynamo::embedded_on_file(PathBuf::from(path)) {
            Err(error) => error,
            Ok(db) => note(1, "new").put().send(&db).await.unwrap_err(),
        };
        assert_eq!(error.kind(), &ErrorKind::Engine, "{error}");
        assert_eq!(error.outcome(), Done::NotDone);
        let text = error.to_string();
        assert!(
            !text.contains("DynamoDB refused") && !text.contains("may have been done"),
            "{text}"
        );
        return Ok(());
    }
    let file = File::new("read-only");
    let db = Dynamo::embedded_on_file(&file.0)?;
    Notes::create_table(&db).await?;
    note(1, "a").put().send(&db).await?;
    drop(db);
    let folder = file.0.parent().unwrap();
    let set = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
    };
    set(&file.0, 0o444)?;
    set(folder, 0o555)?;
    let run = |nobody: bool| {
        let mut other = std::process::Command::new(std::env::current_exe().unwrap());
        other
            .args(["--exact", "files::a_read_only_file_is_a_certain_error"])
            .env(OTHER, &file.0);
        if nobody {
            other.uid(65_534).gid(65_534);
        }
        other.output()
    };
    // Root may write in spite of it.
    let is_root = std::fs::write(folder.join("probe"), "").is_ok();
    let ran = run(is_root);
    set(folder, 0o755)?;
    set(&file.0, 0o644)?;
    match ran {
        Ok(ran) => {
            let said = String::from_utf8_lossy(&ran.stdout);
            assert!(said.contains("1 passed"), "{said}");
        }
        Err(error) => eprintln!("skipped: no other user can run this program: {error}"),
    }
    Ok(())
}
