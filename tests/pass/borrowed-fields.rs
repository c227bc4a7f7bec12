//! Fields that borrow: parsing gives the owned form.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity, Items, KeyError};
use std::borrow::Cow;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("NAME#<name>")]
#[gsi1(pk = "TEAM#<team>", sk = "NAME#<name>")]
struct User<'a> {
    user_id: &'a str,
    name: Cow<'a, str>,
    team: Option<&'a str>,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem<'a> {
    User(User<'a>),
}

fn main() -> Result<(), KeyError> {
    let user = User {
        user_id: "u1",
        name: "Ada".into(),
        team: None,
    };
    assert_eq!(User::key("u1", "Ada")?, user.primary_key()?);
    let parts = User::parse_key("USER#u1", "NAME#Ada")?;
    let (id, name): (String, Cow<'_, str>) = (parts.user_id, parts.name);
    assert_eq!((id.as_str(), &*name), ("u1", "Ada"));
    assert_eq!(User::parse_gsi1_key("TEAM#t1", "NAME#Ada")?.team, "t1");
    assert_eq!(AppItem::from(user).entity().unwrap().entity, "User");
    Ok(())
}
