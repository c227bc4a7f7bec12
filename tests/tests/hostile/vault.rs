//! The attacker's target: items of one user beside those of another, with every way of naming a
//! user in a key.

use crate::support::{self, Db, Item, Outcome, everything};
use dynamo_model::{BatchWrite, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// In every item of the victim, and in no other.
pub const SECRET: &str = "s3cret";
pub const VICTIM: &str = "victim";
pub const DAY: &str = "2025-06-01T10:00:00Z";

#[derive(DynamoTable)]
#[table(name = "Vault", pk = "PK", sk = "SK", entity_type = "type", items = VaultItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
pub struct Vault;

/// One a user, with a unique name.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Vault, entity_type = "PROFILE")]
#[pk("USER#<user>")]
#[sk("PROFILE")]
#[gsi1(pk = "MAIL#<mail>", sk = "USER#<user>", as = by_mail)]
#[unique("HANDLE#<handle>")]
pub struct Profile {
    pub user: String,
    pub mail: String,
    pub handle: String,
    pub body: String,
}

/// The user is the partition.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Vault, entity_type = "NOTE")]
#[pk("USER#<user>")]
#[sk("NOTE#<folder>#<title>")]
#[gsi1(pk = "FOLDER#<user>#<folder>", sk = "LABEL#<label>#<title>", as = by_folder)]
#[gsi2(pk = "LABELS#<user>", sk = "<label>", as = by_label)]
#[lsi1(sk = "TITLE#<title>", as = by_title)]
pub struct Note {
    pub user: String,
    pub folder: String,
    pub title: String,
    pub label: String,
    pub body: String,
}

/// All users share a partition: only the sort key separates them.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Vault, entity_type = "FILE")]
#[pk("FILES")]
#[sk("OF#<user>#<name>")]
pub struct File {
    pub user: String,
    pub name: String,
    pub body: String,
}

/// A partition a user, day and shard, after a delimiter that does not sort.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Vault, entity_type = "VISIT")]
#[pk("VISIT:<user>:<at:%Y-%m-%d>:<site:shard(3)>")]
#[sk("<at:ms>#<site>")]
pub struct Visit {
    pub user: String,
    pub at: Timestamp,
    pub site: String,
    pub body: String,
}

#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = Vault)]
pub enum VaultItem {
    Profile(Profile),
    Note(Note),
    File(File),
    Visit(Visit),
}

/// A part of a note, from wherever it is.
#[derive(DynamoProjection, Deserialize, Debug)]
#[projection(of = Note, from(table, gsi1, lsi1))]
#[allow(dead_code)]
pub struct NoteBody {
    pub body: String,
}

/// The same, from a KEYS_ONLY index.
#[derive(DynamoProjection, Deserialize, Debug)]
#[projection(of = Note, from(gsi2))]
#[allow(dead_code)]
pub struct NoteLabel {
    pub user: String,
    pub label: String,
}

/// Returns the text of a user, which for the victim is a secret.
fn body(of: &str) -> String {
    let secret = if of == VICTIM { SECRET } else { "mine" };
    secret.to_owned()
}

/// The items of one user, with these words in the keys.
pub struct Belongings {
    pub profile: Profile,
    pub note: Note,
    pub file: File,
    pub visit: Visit,
}

impl Belongings {
    pub fn new(user: &str, [a, b, c]: [&str; 3]) -> Self {
        let (user, [a, b, c]) = (user.to_owned(), [a, b, c].map(str::to_owned));
        let body = body(&user);
        Self {
            profile: Profile {
                user: user.clone(),
                mail: a.clone(),
                handle: b.clone(),
                body: body.clone(),
            },
            note: Note {
                user: user.clone(),
                folder: a,
                title: b.clone(),
                label: c.clone(),
                body: body.clone(),
            },
            file: File {
                user: user.clone(),
                name: b,
                body: body.clone(),
            },
            visit: Visit {
                user,
                at: DAY.parse().unwrap(),
                site: c,
                body,
            },
        }
    }

    pub fn of_victim() -> Self {
        Self::new(VICTIM, ["work", "diary", "private"])
    }
}

/// Returns the table with the victim's items, and those items as stored.
pub async fn vault() -> Outcome<(Db, Vec<Item>)> {
    let db = support::db::<Vault>().await;
    let own = Belongings::of_victim();
    own.profile.create().send(&db).await?;
    let batch = BatchWrite::new().put(&own.note).put(&own.file);
    batch.put(&own.visit).send(&db).await?;
    for i in 0..3 {
        let title = format!("diary-{i}");
        let note = Note {
            title,
            ..own.note.clone()
        };
        note.put().send(&db).await?;
    }
    let stored = everything::<Vault>(&db).await?;
    Ok((db, stored))
}
