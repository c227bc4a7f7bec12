//! Backups and exports of whole tables.

pub use crate::schema::backups::{Backup, Export, RestoreTest};
