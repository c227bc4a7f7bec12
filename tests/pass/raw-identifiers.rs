//! Keywords as names of fields, variants, index methods, tables and entities.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity, KeyError, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[allow(non_camel_case_types)]
struct r#static;

#[derive(KeyPart, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(non_camel_case_types)]
enum Kind {
    r#struct,
    r#fn,
}

#[derive(DynamoEntity)]
#[dynamo(table = r#static)]
#[pk("TYPE#<type>")]
#[sk("WHERE#<r#where>")]
#[gsi1(pk = "KIND#<kind>", sk = "TYPE#<type>", as = r#match)]
struct r#Item {
    r#type: String,
    r#where: String,
    kind: Kind,
}

#[derive(DynamoItems)]
#[items(table = r#static)]
enum Items {
    r#Item(r#Item),
}

fn main() -> Result<(), KeyError> {
    let item = Item {
        r#type: "a".into(),
        r#where: "b".into(),
        kind: Kind::r#fn,
    };
    assert_eq!(item.primary_key()?.to_string(), "TYPE#a/WHERE#b");
    assert_eq!(
        Item::match_key(Kind::r#struct, "a")?.to_string(),
        "KIND#struct/TYPE#a"
    );
    assert_eq!(Item::match_sort_key().r#type("a").build()?, "TYPE#a");
    assert_eq!(Item::sort_key().where_prefix("b").build()?, "WHERE#b");
    assert_eq!(Item::parse_key("TYPE#a", "WHERE#b")?.r#where, "b");
    let Items::Item(_) = Items::from(item);
    Ok(())
}
