//! Two tables: one with an entity type, and one whose keys identify the entities.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Typed", pk = "PK", sk = "SK", entity_type = "type", items = TypedItem)]
pub struct Typed;

/// Not `Clone`: no operation may require it.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Typed, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
pub struct User {
    pub user_id: String,
    pub age: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Typed, entity_type = "ORDER")]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
pub struct Order {
    pub user_id: String,
    pub number: u32,
}

#[derive(DynamoItems)]
#[items(table = Typed)]
#[allow(dead_code)]
pub enum TypedItem {
    User(User),
    Order(Order),
}

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK", sk = N("n"), items = PlainItem)]
pub struct Plain;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Plain)]
#[pk("CAT#<name>")]
#[sk("<n>")]
pub struct Cat {
    pub name: String,
    pub n: i64,
    pub lives: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Plain)]
#[pk("DOG#<name>")]
#[sk("<n>")]
pub struct Dog {
    pub name: String,
    pub n: i64,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Plain)]
pub enum PlainItem {
    Cat(Cat),
    Dog(Dog),
}

pub fn user(id: impl ToString, age: u32) -> User {
    User {
        user_id: id.to_string(),
        age,
    }
}

pub fn order(user_id: &str, number: u32) -> Order {
    Order {
        user_id: user_id.into(),
        number,
    }
}

pub fn cat(n: i64, lives: u32) -> Cat {
    Cat {
        name: format!("c{n}"),
        n,
        lives,
    }
}

pub fn dog(n: i64) -> Dog {
    Dog {
        name: format!("d{n}"),
        n,
    }
}
