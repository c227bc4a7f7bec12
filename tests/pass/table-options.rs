//! Every option of a table, in one attribute and in several.

use dynamo_model::schema::{Billing, Encryption, Stream};
use dynamo_model::{DynamoEntity, DynamoTable, KeyError, Table};

#[derive(DynamoTable)]
#[table(name = "Full", pk = "PK", sk = S("SK"), entity_type = "EntityType", ttl = "expires",)]
#[table(encryption = kms("alias/app"), point_in_time_recovery, deletion_protection)]
#[table(billing = provisioned(read = 5, write = 10), stream = new_and_old_images, no_scan)]
#[table(require(encryption, point_in_time_recovery, deletion_protection, ttl, stream))]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = all)]
#[gsi2(name = "GSI2", pk = "GSI1PK", projection = keys_only)]
#[lsi1(name = "LSI1", sk = N("rank"), projection = include("title", "rank"))]
pub struct Full;

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK", encryption = aws_owned, billing = on_demand, stream = keys_only)]
pub struct Plain {
    /// A table with fields.
    pub name: String,
}

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = Full)]
#[dynamo(entity_type = "SESSION", scannable = "counted every night")]
#[pk("SESSION#<id>")]
#[sk("SESSION")]
pub struct Session {
    #[dynamo(key_only)]
    pub id: String,
    #[dynamo(version)]
    pub revision: u32,
    #[dynamo(ttl)]
    #[serde(rename = "expires")]
    pub expires_at: Option<u64>,
    #[serde(skip)]
    pub cached: bool,
}

fn main() -> Result<(), KeyError> {
    let schema = Full::SCHEMA;
    assert_eq!(schema.billing, Billing::Provisioned { read: 5, write: 10 });
    assert_eq!(schema.encryption, Encryption::Kms(Some("alias/app")));
    assert_eq!(schema.stream, Some(Stream::NewAndOldImages));
    assert!(schema.point_in_time_recovery && schema.deletion_protection);
    assert_eq!(Plain::SCHEMA.stream, Some(Stream::KeysOnly));
    assert_eq!(Session::key("s1")?.to_string(), "SESSION#s1/SESSION");
    Ok(())
}
