//! dynamodb-facade, with its global client.

use super::Library;

pub(super) const FACADE: Library = Library {
    name: "dynamodb-facade",
    head: r#"
use dynamodb_facade::{
    DynamoDBItemOp, KeyId, StringAttribute, Update, attribute_definitions, dynamodb_item,
    index_definitions, table_definitions,
};
attribute_definitions! {
    Pk { "PK": StringAttribute }
    Sk { "SK": StringAttribute }
    EntityType { "EntityType": StringAttribute }
    Gsi1Pk { "GSI1PK": StringAttribute }
    Gsi1Sk { "GSI1SK": StringAttribute }
}
table_definitions! {
    App {
        type PartitionKey = Pk;
        type SortKey = Sk;
        fn table_name() -> String { "App".to_owned() }
    }
}
index_definitions! {
    #[table = App]
    Gsi1 {
        type PartitionKey = Gsi1Pk;
        type SortKey = Gsi1Sk;
        fn index_name() -> String { "GSI1".to_owned() }
    }
}
"#,
    derive: "",
    attributes: "",
    after: r##"
dynamodb_item! {
    #[table = App]
    Entity@ {
        #[partition_key]
        Pk {
            fn attribute_id(&self) -> &'id str { &self.tenant }
            fn attribute_value(id) -> String { format!("TENANT#{id}") }
        }
        #[sort_key]
        Sk {
            fn attribute_id(&self) -> (Timestamp, &'id str) { (self.at, &self.id) }
            fn attribute_value(id) -> String { format!("E@#{:.3}#{}", id.0, id.1) }
        }
        EntityType { const VALUE: &'static str = "E@"; }
        Gsi1Pk {
            fn attribute_id(&self) -> &'id str { &self.state }
            fn attribute_value(id) -> String { format!("E@#{id}") }
        }
        Gsi1Sk {
            fn attribute_id(&self) -> Timestamp { self.at }
            fn attribute_value(id) -> String { format!("{id:.3}") }
        }
    }
}
"##,
    usage: r#"
pub async fn use_@(entity: &Entity@) -> Result<Vec<Entity@>, Failure> {
    entity.put().await?;
    let key = KeyId::pk(entity.tenant.as_str()).sk((entity.at, entity.id.as_str()));
    let got = Entity@::get(key).await?;
    Entity@::update_by_id(key, Update::set("active", got.is_some())).exists().return_none().await?;
    let condition = Entity@::index_key_condition::<Gsi1>(&entity.state);
    Ok(Entity@::query_index::<Gsi1>(condition).all().await?)
}
"#,
    tail: String::new,
};
