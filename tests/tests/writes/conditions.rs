//! Every kind of condition, on updates, puts and deletes: satisfied, or failed without effect.

use crate::support::{self, Db, Outcome, everything};
use dynamo_model::{Condition, DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(DynamoTable)]
#[table(name = "Carts", pk = "PK")]
struct Carts;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Address {
    city_name: String,
    zip: Option<String>,
}

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Line {
    name: String,
    price: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Carts)]
#[pk("CART#<id>")]
struct Cart {
    id: String,
    owner: String,
    total: i64,
    weight: f64,
    paid: bool,
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    coupon: Option<String>,
    #[dynamo(nested)]
    address: Address,
    lines: Vec<Line>,
    tags: Vec<String>,
    #[serde(with = "serde_dynamo::string_set")]
    colors: BTreeSet<String>,
    stock: BTreeMap<String, u32>,
}

fn cart() -> Cart {
    let line = |name: &str, price| Line {
        name: name.into(),
        price,
    };
    Cart {
        id: "c1".into(),
        owner: "山田".into(),
        total: 300,
        weight: 1.5,
        paid: false,
        note: None,
        coupon: None,
        address: Address {
            city_name: "東京".into(),
            zip: None,
        },
        lines: vec![line("駒", 100), line("盤", 200)],
        tags: ["gift", "fast"].map(String::from).into(),
        colors: ["red", "blue"].map(String::from).into(),
        stock: [("a.b".to_owned(), 3)].into(),
    }
}

async fn carts() -> Outcome<Db> {
    let db = support::db::<Carts>().await;
    cart().create().send(&db).await?;
    Ok(db)
}

/// A satisfied condition lets an update, a put and a delete succeed; its opposite lets none.
macro_rules! met {
    ($($condition:expr),* $(,)?) => {{
        let db = carts().await?;
        $({
            let update = |no: bool| Cart::update("c1")
                .set(|cart| cart.total(), 300_i64)
                .condition(move |cart| negated(no, $condition(cart)));
            update(false).send(&db).await.map_err(|error| format!("{error}: {}", stringify!($condition)))?;
            refused(update(true).send(&db).await, stringify!($condition))?;
            let replaced = cart();
            let put = |no: bool| replaced.put().condition(move |cart| negated(no, $condition(cart)));
            put(false).send(&db).await?;
            refused(put(true).send(&db).await, stringify!($condition))?;
            let delete = |no: bool| Cart::delete("c1").condition(move |cart| negated(no, $condition(cart)));
            refused(delete(true).send(&db).await, stringify!($condition))?;
            assert_eq!(Cart::get("c1").send(&db).await?, Some(cart()));
            delete(false).send(&db).await?;
            cart().create().send(&db).await?;
        })*
        Ok(())
    }};
}

fn negated(no: bool, condition: Condition) -> Condition {
    if no { !condition } else { condition }
}

fn refused(result: Result<(), dynamo_model::Error>, condition: &str) -> Outcome {
    let error = result.expect_err(condition);
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed, "{condition}");
    assert_eq!(error.item::<Cart>()?, Some(cart()), "{condition}");
    assert_eq!(error.key_text(), Some("CART#c1"));
    Ok(())
}

#[tokio::test]
async fn conditions_compare_values() -> Outcome {
    met! {
        |c: CartFields| c.total().eq(300),
        |c: CartFields| c.total().ne(301),
        |c: CartFields| c.total().lt(301) & c.total().le(300),
        |c: CartFields| c.total().gt(299) & c.total().ge(300),
        |c: CartFields| c.total().between(-1, 300),
        |c: CartFields| c.weight().gt(1.25),
        |c: CartFields| c.paid().eq(false),
        |c: CartFields| c.owner().begins_with("山") & c.owner().contains("田"),
    }
}

/// The accessors of a cart in a condition.
type CartFields = <Cart as dynamo_model::bounds::HasFields>::Fields<dynamo_model::bounds::Anywhere>;

#[tokio::test]
async fn conditions_are_combined() -> Outcome {
    met! {
        |c: CartFields| c.paid().eq(true) | c.total().eq(300),
        |c: CartFields| !c.paid().eq(true) & !(c.total().lt(0) | c.total().gt(1_000)),
        |c: CartFields| (c.paid().eq(true) | c.total().eq(300)) & (c.owner().eq("山田") | c.paid().eq(true)),
        |c: CartFields| !(!(c.total().eq(300))),
        |c: CartFields| !(c.paid().eq(true) & c.total().eq(300)),
    }
}

#[tokio::test]
async fn conditions_look_into_lists_and_maps() -> Outcome {
    met! {
        |c: CartFields| c.address().city_name().eq("東京"),
        |c: CartFields| c.address().city_name().begins_with("東"),
        |c: CartFields| c.lines().at(1).fields().price().gt(100),
        |c: CartFields| c.lines().at(2).not_exists(),
        |c: CartFields| c.tags().at(0).eq("gift") & c.tags().contains("fast"),
        |c: CartFields| c.colors().contains("red") & !c.colors().contains("r"),
        |c: CartFields| c.stock().entry("a.b").eq(3) & c.stock().entry("a").not_exists(),
    }
}

#[tokio::test]
async fn conditions_test_sizes_and_types() -> Outcome {
    met! {
        |c: CartFields| c.tags().size().eq(2) & c.lines().size().ge(2),
        |c: CartFields| c.colors().size().eq(2) & c.stock().size().eq(1),
        |c: CartFields| c.owner().size().eq(2) | c.owner().size().eq(6),
        |c: CartFields| c.tags().attribute_type("L") & c.colors().attribute_type("SS"),
        |c: CartFields| c.address().attribute_type("M") & c.total().attribute_type("N"),
        |c: CartFields| !c.note().attribute_type("NULL"),
    }
}

/// `None` is absent, however serde writes it.
#[tokio::test]
async fn conditions_distinguish_null_and_absent() -> Outcome {
    met! {
        |c: CartFields| c.note().not_exists() & !c.note().exists(),
        |c: CartFields| c.coupon().not_exists(),
        |c: CartFields| !c.coupon().eq("x"),
        |c: CartFields| c.coupon().ne("x"),
    }
}

#[tokio::test]
async fn is_in_matches_one_of_its_values() -> Outcome {
    met! {
        |c: CartFields| c.total().is_in([1, 300]),
        |c: CartFields| c.total().is_in(0..400),
        |c: CartFields| !c.owner().is_in(["x"]),
        |c: CartFields| !c.owner().is_in([""; 0]),
        |c: CartFields| c.owner().is_in([""; 0]) | c.total().eq(300),
    }
}

#[tokio::test]
async fn is_in_an_empty_list_fails_the_condition() -> Outcome {
    let db = carts().await?;
    let nobody = || Cart::delete("c1").condition(|cart| cart.owner().is_in([""; 0]));
    refused(nobody().send(&db).await, "delete")?;
    let update = Cart::update("c1").set(|cart| cart.total(), 1_i64);
    let update = update.condition(|cart| cart.total().eq(300) & cart.owner().is_in([""; 0]));
    refused(update.send(&db).await, "update")?;
    let put = cart();
    let put = put.put().condition(|cart| cart.owner().is_in([""; 0]));
    refused(put.send(&db).await, "put")?;
    assert_eq!(everything::<Carts>(&db).await?.len(), 1);
    // The same on a missing item.
    Cart::delete("c1").send(&db).await?;
    assert_eq!(
        nobody().send(&db).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    let put = cart();
    let put = put.put().condition(|cart| cart.owner().is_in([""; 0]));
    assert_eq!(
        put.send(&db).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    assert!(everything::<Carts>(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn several_conditions_must_all_be_met() -> Outcome {
    let db = carts().await?;
    let update = |total| {
        cart()
            .update()
            .set(|cart| cart.paid(), false)
            .condition(|cart| cart.paid().eq(false))
            .condition(move |cart| cart.total().eq(total) | cart.total().eq(-1))
            .send(&db)
    };
    update(300).await?;
    refused(update(301).await, "total")?;
    Ok(())
}

/// Finding: "`is_not_found`, `is_already_exists`, `is_not_unique`; `error.is_of::<Star>()`;
/// `From<KeyError> for Error`".
#[test]
fn a_key_error_names_its_entity() {
    use dynamo_model_examples::exam::{Question, User};

    fn key(id: &str) -> Result<dynamo_model::Key<User>, dynamo_model::Error> {
        Ok(User::key(id)?)
    }
    let error = key("").unwrap_err();
    assert_eq!(error.to_string(), "key of User: the key could not be built");
    assert!(error.is_of::<User>() && !error.is_of::<Question>());
    assert!(!error.is_not_found() && !error.is_already_exists() && !error.is_not_unique());
}
