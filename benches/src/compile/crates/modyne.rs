//! modyne, with its derive.

use super::Library;

pub(super) const MODYNE: Library = Library {
    name: "modyne",
    head: r#"
use modyne::{
    Aggregate, Entity, EntityDef, EntityExt, ProjectionExt, QueryInput, QueryInputExt, Table, expr, keys,
};
pub struct App {
    client: aws_sdk_dynamodb::Client,
}
impl Table for App {
    const ENTITY_TYPE_ATTRIBUTE: &'static str = "EntityType";
    type PrimaryKey = keys::Primary;
    type IndexKeys = keys::Gsi1;
    fn table_name(&self) -> &str {
        "App"
    }
    fn client(&self) -> &aws_sdk_dynamodb::Client {
        &self.client
    }
}
"#,
    derive: "EntityDef,",
    attributes: "#[serde(rename = \"E@\")]\n",
    after: r##"
impl Entity for Entity@ {
    type KeyInput<'a> = (&'a str, Timestamp, &'a str);
    type Table = App;
    type IndexKeys = keys::Gsi1;
    fn primary_key((tenant, at, id): Self::KeyInput<'_>) -> keys::Primary {
        keys::Primary {
            hash: format!("TENANT#{tenant}"),
            range: format!("E@#{at:.3}#{id}"),
        }
    }
    fn full_key(&self) -> keys::FullKey<keys::Primary, Self::IndexKeys> {
        keys::FullKey {
            primary: Self::primary_key((&self.tenant, self.at, &self.id)),
            indexes: keys::Gsi1 {
                hash: format!("E@#{}", self.state),
                range: format!("{:.3}", self.at),
            },
        }
    }
}
pub struct ByState@<'a>(pub &'a str);
impl QueryInput for ByState@<'_> {
    type Index = keys::Gsi1;
    type Aggregate = Vec<Entity@>;
    fn key_condition(&self) -> expr::KeyCondition<Self::Index> {
        expr::KeyCondition::in_partition(format!("E@#{}", self.0))
    }
}
"##,
    usage: r#"
pub async fn use_@(db: &App, entity: &Entity@) -> Result<Vec<Entity@>, Failure> {
    let key = (entity.tenant.as_str(), entity.at, entity.id.as_str());
    entity.clone().put().execute(db).await?;
    let got = Entity@::get(key).execute(db).await?;
    let got = got.item.map(Entity@::from_item).transpose()?;
    let update = expr::Update::new("SET active = :active").value(":active", got.is_some());
    Entity@::update(key)
        .expression(update)
        .condition(expr::Condition::new("attribute_exists(PK)"))
        .execute(db)
        .await?;
    let page = ByState@(&entity.state).query().execute(db).await?;
    let mut found = Vec::new();
    found.reduce(page.items.unwrap_or_default())?;
    Ok(found)
}
"#,
    tail: String::new,
};
