//! dynamo-model, with and without the enum of all entities.

use super::{ENTITIES, Library};
use std::fmt::Write;

/// The entities are not compared with each other: they are outside an items enum, like a former
/// shape.
pub(super) const OURS: Library = Library {
    name: crate::OURS,
    head: r#"
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity};
#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "EntityType")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct App;
"#,
    derive: "DynamoEntity,",
    attributes: r##"#[dynamo(table = App, entity_type = "E@", former)]
#[pk("TENANT#<tenant>")]
#[sk("E@#<at:ms>#<id>")]
#[gsi1(pk = "E@#<state>", sk = "<at:ms>", as = by_state)]
"##,
    after: "",
    usage: r#"
pub async fn use_@(db: &Dynamo, entity: &Entity@) -> Result<Vec<Entity@>, Failure> {
    entity.put().send(db).await?;
    let got = Entity@::get(&entity.tenant, entity.at, &entity.id).send(db).await?;
    Entity@::update(&entity.tenant, entity.at, &entity.id)
        .set(|it| it.active(), got.is_some())
        .send(db)
        .await?;
    Ok(Entity@::by_state(&entity.state).all(db).await?)
}
"#,
    tail: String::new,
};

/// With the check that no two of them can have the same key, which no other library has.
pub(super) const OURS_WITH_ITEMS: Library = Library {
    name: "dynamo-model-items",
    head: r#"
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity};
#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "EntityType", items = Item)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct App;
"#,
    attributes: r##"#[dynamo(table = App, entity_type = "E@")]
#[pk("TENANT#<tenant>")]
#[sk("E@#<at:ms>#<id>")]
#[gsi1(pk = "E@#<state>", sk = "<at:ms>", as = by_state)]
"##,
    tail: items,
    ..OURS
};

fn items() -> String {
    let mut text = "\n#[derive(DynamoItems)]\n#[items(table = App)]\npub enum Item {\n".to_owned();
    for number in 0..ENTITIES {
        let _ = writeln!(text, "    E{number:02}(Entity{number:02}),");
    }
    text + "}\n"
}
