//! On-demand backups of a table, restoring them, the test that one can be restored, and exports to
//! S3.

use super::TableSchema;
use super::deploy::{context, describe, verify, wait_until};
use super::plan::Plan;
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind};
use aws_sdk_dynamodb::types::{
    BackupStatus, ExportFormat, ExportStatus, Select, TableDescription, TableStatus,
};
use std::time::Duration;

/// The timeout of a backup or a restore. DynamoDB guarantees no upper limit for a restore; most
/// take less than an hour.
const PATIENCE: Duration = Duration::from_secs(2 * 60 * 60);

/// A backup of a table: [`Table::backup`](crate::Table::backup) makes one.
///
/// ```
/// use dynamo_model::table::Backup;
///
/// let backup = Backup::from_arn("arn:aws:dynamodb:eu-west-1:123456789012:table/App/backup/0123");
/// assert!(backup.arn.ends_with("/backup/0123"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Backup {
    /// Its ARN.
    pub arn: String,
}

impl Backup {
    /// Names an existing backup, such as one of AWS Backup or of the console.
    pub fn from_arn(arn: impl Into<String>) -> Self {
        Self { arn: arn.into() }
    }
}

/// The contents of a restored backup.
///
/// Shown in the example of [`Table::test_restore`](crate::Table::test_restore).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RestoreTest {
    /// How many items, of all entities.
    pub items: u64,
}

/// An export of a table to S3 that was started: [`Table::export`](crate::Table::export).
///
/// ```no_run
/// # use dynamo_model::{Dynamo, DynamoTable, Table};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK", point_in_time_recovery)]
/// # struct App;
/// # async fn example(db: Dynamo) -> Result<(), dynamo_model::Error> {
/// let export = App::export(&db, "app-archive", "2026").await?;
/// while !export.is_done(&db).await? {
///     tokio::time::sleep(std::time::Duration::from_secs(60)).await;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Export {
    /// Its ARN.
    pub arn: String,
    table: &'static TableSchema,
}

impl Export {
    /// Returns whether the export is complete. Fails with [`ErrorKind::Backup`] and the reason if
    /// the export has failed.
    pub async fn is_done(&self, db: &Dynamo) -> Result<bool, Error> {
        let at = || context(db, self.table, "export");
        let describe = db.client().describe_export().export_arn(&self.arn);
        let found = describe.send().await;
        let found = found.map_err(|error| Error::sdk(at(), error))?;
        let export = found
            .export_description
            .unwrap_or_else(|| aws_sdk_dynamodb::types::ExportDescription::builder().build());
        match export.export_status {
            Some(ExportStatus::Completed) => Ok(true),
            Some(ExportStatus::Failed) => {
                let message = export.failure_message.unwrap_or_default();
                let code = export.failure_code.unwrap_or_default();
                let reason = format!("the export has failed: {message} ({code}); start it again");
                Err(Error::new(at(), ErrorKind::Backup { reason }, None))
            }
            _ => Ok(false),
        }
    }
}

/// Starts an export of the current table.
pub(crate) async fn export(
    db: &Dynamo,
    table: &'static TableSchema,
    bucket: String,
    prefix: String,
) -> Result<Export, Error> {
    let at = || context(db, table, "export");
    if !table.point_in_time_recovery {
        let reason = "DynamoDB exports only tables with point-in-time recovery; declare \
                      `#[table(point_in_time_recovery)]`, and deploy it";
        let reason = reason.to_owned();
        return Err(Error::new(at(), ErrorKind::Backup { reason }, None));
    }
    let deployed = describe(db, table).await?;
    let Some(arn) = deployed.and_then(|it| it.table_arn) else {
        return Err(Error::new(at(), ErrorKind::MissingTable, None));
    };
    let export = db.client().export_table_to_point_in_time();
    let export = export.table_arn(arn).s3_bucket(bucket).s3_prefix(prefix);
    let sent = export.export_format(ExportFormat::DynamodbJson).send();
    let sent = sent.await.map_err(|error| Error::sdk(at(), error))?;
    let arn = sent.export_description.and_then(|it| it.export_arn);
    Ok(Export {
        arn: arn.unwrap_or_default(),
        table,
    })
}

/// Makes a backup and waits until it can be restored.
pub(crate) async fn back_up(
    db: &Dynamo,
    table: &'static TableSchema,
    name: String,
) -> Result<Backup, Error> {
    const OPERATION: &str = "back up";
    let at = || context(db, table, OPERATION);
    // DynamoDB's own rule, before any request.
    let is_valid = (3..=255).contains(&name.len())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    if !is_valid {
        let reason = format!(
            "`{name}` cannot be the name of a backup; use 3 to 255 letters, digits, `_`, `.` and \
             `-`"
        );
        return Err(Error::new(at(), ErrorKind::Backup { reason }, None));
    }
    let create = db.client().create_backup();
    let create = create.table_name(db.table_name(table)).backup_name(name);
    let made = create.send().await;
    let made = made.map_err(|error| Error::sdk(at(), error))?;
    let arn = made.backup_details.map(|details| details.backup_arn);
    let backup = Backup::from_arn(arn.unwrap_or_default());
    let deadline = tokio::time::Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(50);
    loop {
        let describe = db.client().describe_backup().backup_arn(&backup.arn);
        let found = describe.send().await;
        let found = found.map_err(|error| Error::sdk(at(), error))?;
        let details = found.backup_description.and_then(|it| it.backup_details);
        match details.map(|it| it.backup_status) {
            Some(BackupStatus::Available) => return Ok(backup),
            status if tokio::time::Instant::now() >= deadline => {
                let status = status.map_or_else(|| "missing".into(), |it| it.as_str().to_owned());
                return Err(Error::new(at(), ErrorKind::NotReady { status }, None));
            }
            _ => {}
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(5));
    }
}

/// Creates the table of `db` from a backup. A backup lacks some settings, and has others as they
/// were when it was made, so the settings are changed to those of the declaration.
pub(crate) async fn restore(
    db: &Dynamo,
    table: &'static TableSchema,
    backup: &Backup,
) -> Result<(), Error> {
    restore_data(db, table, backup).await?;
    set_up(db, table, false).await
}

async fn set_up(db: &Dynamo, table: &'static TableSchema, is_test: bool) -> Result<(), Error> {
    let plan = Plan::new(db, table).await?.of_restored_table(is_test);
    plan.apply(db).await.map(|_| ())
}

async fn restore_data(db: &Dynamo, table: &TableSchema, backup: &Backup) -> Result<(), Error> {
    const OPERATION: &str = "restore";
    let restore = db.client().restore_table_from_backup();
    let restore = restore.target_table_name(db.table_name(table));
    let sent = restore.backup_arn(&backup.arn).send().await;
    sent.map_err(|error| Error::sdk(context(db, table, OPERATION), error))?;
    wait_until(db, table, OPERATION, PATIENCE, |deployed| {
        deployed.and_then(TableDescription::table_status) == Some(&TableStatus::Active)
    })
    .await
}

/// Restores into the table of `scratch`, compares it with the declaration, counts its items, and
/// deletes it.
pub(crate) async fn test_restore(
    db: &Dynamo,
    table: &'static TableSchema,
    backup: &Backup,
    scratch: &Dynamo,
) -> Result<RestoreTest, Error> {
    let at = || context(scratch, table, "test the restore of");
    let refuse = |reason: &str| {
        let reason = reason.to_owned();
        Err(Error::new(at(), ErrorKind::Backup { reason }, None))
    };
    if db.table_name(table) == scratch.table_name(table) {
        return refuse(
            "the test restores into a separate table; give `scratch` another table prefix",
        );
    }
    // An existing table does not belong to the test, so the test must not delete it.
    if describe(scratch, table).await?.is_some() {
        return refuse(
            "the table already exists; give `scratch` a table prefix that is not in use",
        );
    }
    let tested = restored_items(scratch, table, backup).await;
    // Also where the comparison failed.
    let deleted = super::deploy::delete(scratch, table).await;
    let items = tested?;
    deleted?;
    Ok(RestoreTest { items })
}

/// Returns the number of items of the restored table. The test deletes it again, so that it has
/// neither protection nor replicas.
async fn restored_items(
    db: &Dynamo,
    table: &'static TableSchema,
    backup: &Backup,
) -> Result<u64, Error> {
    let expected = TableSchema {
        deletion_protection: false,
        replicas: &[],
        multi_region_strong: false,
        ..*table
    };
    restore_data(db, table, backup).await?;
    set_up(db, table, true).await?;
    verify(db, &expected, false).await?;
    count(db, table).await
}

async fn count(db: &Dynamo, table: &TableSchema) -> Result<u64, Error> {
    let (mut items, mut start) = (0, None);
    loop {
        let scan = db.client().scan().table_name(db.table_name(table));
        let scan = scan.select(Select::Count).consistent_read(true);
        let page = scan.set_exclusive_start_key(start).send().await;
        let page = page.map_err(|error| Error::sdk(context(db, table, "count"), error))?;
        items += u64::try_from(page.count).unwrap_or_default();
        start = page.last_evaluated_key;
        if start.is_none() {
            return Ok(items);
        }
    }
}
