//! "9. Backups" and "8.2": the operator's tasks beside the daily backups of AWS Backup.

use super::{Bookings, Calendar, Notifications, Options, TermsOfService, UserAgreements, Users};
use dynamo_model::table::{Backup, Export};
use dynamo_model::{Dynamo, Error, Table};

/// A backup of every table.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct Backups {
    pub users: Backup,
    pub bookings: Backup,
    pub calendar: Backup,
    pub options: Backup,
    pub notifications: Backup,
    pub terms: Backup,
    pub agreements: Backup,
}

/// "9.1": backs every table up before an important change. A backup stays until it is deleted.
pub async fn back_up(db: &Dynamo, name: &str) -> Result<Backups, Error> {
    Ok(Backups {
        users: Users::backup(db, name).await?,
        bookings: Bookings::backup(db, name).await?,
        calendar: Calendar::backup(db, name).await?,
        options: Options::backup(db, name).await?,
        notifications: Notifications::backup(db, name).await?,
        terms: TermsOfService::backup(db, name).await?,
        agreements: UserAgreements::backup(db, name).await?,
    })
}

/// "9.2": restores every backup to a table of `scratch`, a handle with another table prefix,
/// compares it with the declaration and deletes it. Returns how many items the backups have.
pub async fn test_restore(db: &Dynamo, backups: &Backups, scratch: &Dynamo) -> Result<u64, Error> {
    let tests = [
        Users::test_restore(db, &backups.users, scratch).await?,
        Bookings::test_restore(db, &backups.bookings, scratch).await?,
        Calendar::test_restore(db, &backups.calendar, scratch).await?,
        Options::test_restore(db, &backups.options, scratch).await?,
        Notifications::test_restore(db, &backups.notifications, scratch).await?,
        TermsOfService::test_restore(db, &backups.terms, scratch).await?,
        UserAgreements::test_restore(db, &backups.agreements, scratch).await?,
    ];
    Ok(tests.iter().map(|test| test.items).sum())
}

/// "8.2": exports bookings and notifications, which grow, to a bucket; the deployment moves them to
/// Glacier. Exported items can then be deleted, or expire.
pub async fn archive(db: &Dynamo, bucket: &str, prefix: &str) -> Result<[Export; 2], Error> {
    Ok([
        Bookings::export(db, bucket, prefix).await?,
        Notifications::export(db, bucket, prefix).await?,
    ])
}
