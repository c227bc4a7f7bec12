//! Public declarations under the strictest lints: generated code must not trip over them.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    trivial_casts,
    trivial_numeric_casts,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    non_ascii_idents,
    unused_lifetimes,
    unused_import_braces,
    variant_size_differences,
    rust_2018_idioms,
    future_incompatible,
    nonstandard_style
)]
#![forbid(unsafe_code)]

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};

/// The table.
#[derive(Debug, Clone, Copy, DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct App;

/// An id.
#[derive(Debug, Clone, KeyPart)]
pub struct UserId(pub String);

/// A level.
#[derive(Debug, Clone, Copy, KeyPart)]
pub enum Level {
    /// The first.
    Basic,
    /// The last.
    Advanced,
}

/// A user.
#[derive(Debug, DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE#<level>")]
#[gsi1(pk = "LEVEL#<level>", sk = "USER#<user_id>#<team>", as = by_level)]
pub struct User {
    /// The user.
    pub user_id: UserId,
    /// How far.
    pub level: Level,
    /// The team.
    pub team: Option<String>,
}

/// All items.
#[derive(Debug, DynamoItems)]
#[items(table = App)]
pub enum AppItem {
    /// A user.
    User(User),
}

fn main() -> Result<(), dynamo_model::KeyError> {
    assert_eq!(
        User::key("u1", Level::Advanced)?.to_string(),
        "USER#u1/PROFILE#Advanced"
    );
    Ok(())
}
