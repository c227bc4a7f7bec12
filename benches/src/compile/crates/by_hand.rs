//! Only serde; used with the SDK and serde_dynamo.

use super::Library;

pub(super) const SERDE: Library = Library {
    name: "serde",
    head: r#"
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;
fn text(text: String) -> AttributeValue {
    AttributeValue::S(text)
}
"#,
    derive: "",
    attributes: "",
    after: "",
    usage: r##"
impl Entity@ {
    fn key(&self) -> HashMap<String, AttributeValue> {
        HashMap::from([
            ("PK".into(), text(format!("TENANT#{}", self.tenant))),
            ("SK".into(), text(format!("E@#{:.3}#{}", self.at, self.id))),
        ])
    }
}
pub async fn use_@(db: &Client, entity: &Entity@) -> Result<Vec<Entity@>, Failure> {
    let mut item: HashMap<_, _> = serde_dynamo::to_item(entity)?;
    item.extend(entity.key());
    item.insert("EntityType".into(), text("E@".into()));
    item.insert("GSI1PK".into(), text(format!("E@#{}", entity.state)));
    item.insert("GSI1SK".into(), text(format!("{:.3}", entity.at)));
    db.put_item().table_name("App").set_item(Some(item)).send().await?;
    let got = db.get_item().table_name("App").set_key(Some(entity.key())).send().await?;
    let got: Option<Entity@> = got.item.map(serde_dynamo::from_item).transpose()?;
    db.update_item()
        .table_name("App")
        .set_key(Some(entity.key()))
        .update_expression("SET active = :active")
        .expression_attribute_values(":active", AttributeValue::Bool(got.is_some()))
        .condition_expression("attribute_exists(PK)")
        .send()
        .await?;
    let page = db.query()
        .table_name("App")
        .index_name("GSI1")
        .key_condition_expression("GSI1PK = :pk")
        .expression_attribute_values(":pk", text(format!("E@#{}", entity.state)))
        .send()
        .await?;
    Ok(serde_dynamo::from_items(page.items.unwrap_or_default())?)
}
"##,
    tail: String::new,
};
