//! Filters on indexes that project a part of each item. Filters that must not compile are in
//! `ui/filter/on-*-not-in-*`.

use crate::support::{self, Outcome, store};
use dynamo_model::read::Query;
use dynamo_model::{Dynamo, DynamoEntity, DynamoNested, DynamoTable, Error};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "People", pk = "PK", sk = "kind")]
#[gsi1(name = "ByCity", pk = "GSI1PK", sk = "born", projection = include("age", "home"))]
#[lsi1(name = "ByName", sk = "name", projection = keys_only)]
struct People;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Home {
    street: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = People)]
#[pk("PERSON#<id>")]
#[sk("<kind>")]
#[gsi1(pk = "CITY#<city>", sk = "<born>", as = by_city)]
#[lsi1(sk = "<name>", as = by_name)]
struct Person {
    id: String,
    kind: String,
    city: String,
    born: String,
    name: String,
    age: u32,
    #[dynamo(nested)]
    home: Home,
    picture: String,
}

fn person(id: &str, age: u32) -> Person {
    Person {
        id: id.into(),
        kind: "adult".into(),
        city: "Oslo".into(),
        born: format!("200{id}"),
        name: format!("name {id}"),
        age,
        home: Home {
            street: format!("street {id}"),
        },
        picture: "…".into(),
    }
}

/// Finding: "a filter on an attribute that a KEYS_ONLY or INCLUDE index does not project": one
/// on an attribute that it does project matches, as do those on key attributes of the table.
#[tokio::test]
async fn a_filter_on_a_projected_attribute_matches() -> Outcome {
    let db = support::db::<People>().await;
    let (young, old) = (person("1", 17), person("2", 70));
    store(&db, &[young.clone(), old.clone()]).await?;

    let adults = Person::by_city("Oslo").filter(|person| person.age().ge(18));
    assert_eq!(adults.count(&db).await?, 1);
    let on_street = Person::by_city("Oslo").filter(|it| it.home().street().eq("street 1"));
    assert_eq!(on_street.hydrate(&db).await?, [young]);
    let by_table_key = Person::by_city("Oslo").filter(|person| person.kind().eq("adult"));
    assert_eq!(by_table_key.count(&db).await?, 2);
    let local = Person::by_name("2").filter(|person| person.kind().eq("adult"));
    assert_eq!(local.hydrate(&db).await?, [old]);
    Ok(())
}

/// Returns every item of a query of the table, for any entity.
async fn all<E>(query: Query<E>, db: &Dynamo) -> Result<Vec<E>, Error>
where
    E: dynamo_model::Entity + dynamo_model::bounds::Decodable<dynamo_model::bounds::Serde>,
{
    query.all(db).await
}

/// Finding: "a generic query on the table claims that the index `Primary` does not carry the
/// whole item".
#[tokio::test]
async fn a_generic_query_of_the_table_needs_no_bound_on_its_projection() -> Outcome {
    let db = support::db::<People>().await;
    store(&db, &[person("1", 17)]).await?;
    let query = Person::query("1").kind("adult").limit(10).query();
    assert_eq!(all(query, &db).await?.len(), 1);
    Ok(())
}
