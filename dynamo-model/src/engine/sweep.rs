//! Deletes items that have expired by the clock of the handle. The engine's own sweep uses the
//! system's clock.

use crate::db::Dynamo;
use aws_sdk_dynamodb::error::DisplayErrorContext;
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;

fn reason(error: impl std::error::Error) -> String {
    DisplayErrorContext(error).to_string()
}

/// Deletes items that expired before this second, in every table with a TTL; returns how many. A
/// stream records them as ordinary deletions.
pub(crate) async fn sweep(db: &Dynamo, now: i64) -> Result<usize, String> {
    let mut swept = 0;
    let mut after = None;
    loop {
        let tables = db.client().list_tables();
        let tables = tables.set_exclusive_start_table_name(after);
        let tables = tables.send().await.map_err(reason)?;
        for table in tables.table_names() {
            if let Some(attribute) = ttl(db, table).await? {
                swept += sweep_table(db, table, &attribute, now).await?;
            }
        }
        after = tables.last_evaluated_table_name;
        if after.is_none() {
            return Ok(swept);
        }
    }
}

/// Returns the TTL attribute of a table.
async fn ttl(db: &Dynamo, table: &str) -> Result<Option<String>, String> {
    let ttl = db.client().describe_time_to_live().table_name(table);
    let ttl = ttl.send().await.map_err(reason)?.time_to_live_description;
    Ok(ttl.and_then(|ttl| ttl.attribute_name))
}

async fn sweep_table(db: &Dynamo, table: &str, ttl: &str, now: i64) -> Result<usize, String> {
    let described = db.client().describe_table().table_name(table).send().await;
    let described = described.map_err(reason)?.table;
    let keys = described.and_then(|table| table.key_schema);
    let keys: Vec<String> = keys
        .into_iter()
        .flatten()
        .map(|key| key.attribute_name)
        .collect();
    let now = AttributeValue::N(now.to_string());
    let (mut swept, mut after) = (0, None);
    loop {
        let page = db.client().scan().table_name(table);
        let page = page
            .filter_expression("#ttl < :now")
            .expression_attribute_names("#ttl", ttl)
            .expression_attribute_values(":now", now.clone())
            .set_exclusive_start_key(after);
        let page = page.send().await.map_err(reason)?;
        for item in page.items.unwrap_or_default() {
            let key: HashMap<_, _> = item
                .into_iter()
                .filter(|(name, _)| keys.contains(name))
                .collect();
            let delete = db.client().delete_item().table_name(table);
            let delete = delete
                .set_key(Some(key))
                .condition_expression("#ttl < :now")
                .expression_attribute_names("#ttl", ttl)
                .expression_attribute_values(":now", now.clone());
            match delete
                .send()
                .await
                .map_err(aws_sdk_dynamodb::error::SdkError::into_service_error)
            {
                Ok(_) => swept += 1,
                // Another write changed the TTL after the scan.
                Err(error) if error.is_conditional_check_failed_exception() => {}
                Err(error) => return Err(reason(error)),
            }
        }
        after = page.last_evaluated_key;
        if after.is_none() {
            return Ok(swept);
        }
    }
}
