//! `username-index`: the document lists it among the three indexes of its users, and marks it as
//! future. No function needs it before: the reservations show whether a username is taken.

use super::Users;
use crate::Result;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, IndexStatus,
    KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use dynamo_model::{Dynamo, Table};
use std::time::Duration;

const INDEX: &str = "username-index";
const ATTRIBUTE: &str = "username";
/// How often a new index is looked at, a second apart.
const LOOKS: usize = 1_800;

/// Adds the index to a table that was deployed without it, and waits until DynamoDB has filled it.
/// Its key is an attribute of the items, so no item is written. Does nothing if the index exists;
/// fails if the table then differs from its declaration.
pub async fn add_username_index(db: &Dynamo) -> Result<()> {
    if status(db).await?.is_none() {
        create(db).await?;
    }
    for _ in 0..LOOKS {
        if status(db).await? == Some(IndexStatus::Active) {
            return Ok(Users::verify(db).await?);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Err(format!("`{INDEX}` is not active yet; call this again").into())
}

/// Where the index is between absent and active.
async fn status(db: &Dynamo) -> Result<Option<IndexStatus>> {
    let describe = db.client().describe_table();
    let described = describe.table_name(db.table_name(&Users::SCHEMA)).send();
    let described = described.await?.table;
    let indexes = described.and_then(|table| table.global_secondary_indexes);
    let mut indexes = indexes.into_iter().flatten();
    let index = indexes.find(|index| index.index_name() == Some(INDEX));
    Ok(index.and_then(|index| index.index_status))
}

async fn create(db: &Dynamo) -> Result<()> {
    let attribute = AttributeDefinition::builder()
        .attribute_name(ATTRIBUTE)
        .attribute_type(ScalarAttributeType::S)
        .build()?;
    let key = KeySchemaElement::builder()
        .attribute_name(ATTRIBUTE)
        .key_type(KeyType::Hash)
        .build()?;
    let all = Projection::builder().projection_type(ProjectionType::All);
    let index = CreateGlobalSecondaryIndexAction::builder()
        .index_name(INDEX)
        .key_schema(key)
        .projection(all.build())
        .build()?;
    let update = GlobalSecondaryIndexUpdate::builder().create(index).build();
    let request = db.client().update_table();
    request
        .table_name(db.table_name(&Users::SCHEMA))
        .attribute_definitions(attribute)
        .global_secondary_index_updates(update)
        .send()
        .await?;
    Ok(())
}
