//! `explain` of writes: the request as text, without sending it.

use crate::support::Outcome;
use dynamo_model::batch::IntoKey;
use dynamo_model::{
    BatchWrite, Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Transaction,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone)]
#[dynamo(table = App)]
#[pk("ORDER#<id>")]
#[sk("ORDER")]
#[gsi1(pk = "STATUS#<status>", sk = "<id>", as = by_status)]
struct Order {
    id: String,
    status: String,
    total: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[sk("USER")]
#[unique("EMAIL#<email>")]
#[gsi1(pk = "PHONE#<phone>", sk = "<id>", as = by_phone)]
struct User {
    id: u32,
    #[dynamo(sensitive)]
    email: String,
    #[dynamo(sensitive)]
    phone: String,
    name: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone)]
#[dynamo(table = App)]
#[pk("PIN#<pin>")]
#[sk("PIN")]
struct Pin {
    #[dynamo(sensitive)]
    pin: String,
    uses: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
    User(User),
    Pin(Pin),
}

fn order() -> Order {
    Order {
        id: "o1".into(),
        status: "open".into(),
        total: 7,
    }
}

fn user() -> User {
    User {
        id: 1,
        email: "ann@example.com".into(),
        phone: "555-0100".into(),
        name: "Ann".into(),
    }
}

const ITEM: &str = "item: {GSI1PK: \"STATUS#open\", GSI1SK: \"o1\", PK: \"ORDER#o1\", SK: \"ORDER\", \
                    id: \"o1\", status: \"open\", total: 7}";

#[test]
fn put_shows_its_item_and_condition() -> Outcome {
    let db = Dynamo::embedded()?;
    let put = order()
        .put()
        .condition(|order| order.total().lt(9_u32))
        .return_old();
    let text = put.explain(&db)?.to_string();
    assert_eq!(
        text,
        format!("PutItem App\n  {ITEM}\n  condition: total < 9\n  returns ALL_OLD")
    );
    let create = order().create().return_new().explain(&db)?.to_string();
    assert_eq!(
        create,
        format!("PutItem App\n  {ITEM}\n  condition: attribute_not_exists(PK)")
    );
    Ok(())
}

#[test]
fn merge_shows_its_update() -> Outcome {
    let db = Dynamo::embedded()?;
    let text = order().merge().explain(&db)?.to_string();
    assert_eq!(
        text,
        "UpdateItem App\n  key: {PK: \"ORDER#o1\", SK: \"ORDER\"}\n  update: SET GSI1PK = \
         \"STATUS#open\", GSI1SK = \"o1\", id = \"o1\", status = \"open\", total = 7"
    );
    Ok(())
}

#[test]
fn update_shows_changes_index_keys_and_conditions() -> Outcome {
    let db = Dynamo::embedded()?;
    let update = Order::update("o1")
        .set(|order| order.status(), "paid")
        .set(|order| order.total(), 8_u32)
        .return_new();
    assert_eq!(
        update.explain(&db)?.to_string(),
        "UpdateItem App\n  key: {PK: \"ORDER#o1\", SK: \"ORDER\"}\n  update: SET status = \"paid\", \
         total = 8, GSI1PK = \"STATUS#paid\", GSI1SK = \"o1\"\n  condition: attribute_exists(PK)\n  \
         returns ALL_NEW"
    );
    Ok(())
}

#[test]
fn upsert_delete_and_check_are_explained() -> Outcome {
    let db = Dynamo::embedded()?;
    let upsert = Pin::upsert("1").add(|pin| pin.uses(), 1_u32).explain(&db)?;
    assert!(
        upsert
            .to_string()
            .starts_with("UpdateItem App\n  key: {PK: ***, SK: ***}\n")
    );
    let delete = Order::delete("o1").must_exist().explain(&db)?.to_string();
    assert_eq!(
        delete,
        "DeleteItem App\n  key: {PK: \"ORDER#o1\", SK: \"ORDER\"}\n  condition: attribute_exists(PK)"
    );
    let check = Order::key("o1").must_not_exist().explain(&db)?.to_string();
    assert_eq!(
        check,
        "ConditionCheck App\n  key: {PK: \"ORDER#o1\", SK: \"ORDER\"}\n  condition: \
         attribute_not_exists(PK)"
    );
    Ok(())
}

#[test]
fn transaction_shows_every_operation_and_unique_item() -> Outcome {
    let db = Dynamo::embedded()?;
    let transaction = Transaction::new()
        .add(order().create())
        .add(Order::delete("o2"))
        .add(user().create())
        .add(Order::key("o3").must_exist());
    assert_eq!(
        transaction.explain(&db)?.to_string(),
        format!(
            "TransactWriteItems App\n  \
             Put App\n    {ITEM}\n    condition: attribute_not_exists(PK)\n  \
             Delete App\n    key: {{PK: \"ORDER#o2\", SK: \"ORDER\"}}\n  \
             Put App\n    item: {{GSI1PK: ***, GSI1SK: \"1\", PK: \"USER#1\", SK: \"USER\", \
             email: ***, id: 1, name: \"Ann\", phone: ***}}\n    condition: attribute_not_exists(PK)\n  \
             Put App\n    item: {{PK: ***, SK: ***, unique_owner: ***}}\n    condition: \
             attribute_not_exists(PK)\n  \
             ConditionCheck App\n    key: {{PK: \"ORDER#o3\", SK: \"ORDER\"}}\n    condition: \
             attribute_exists(PK)"
        )
    );
    Ok(())
}

#[test]
fn a_write_that_reads_first_says_so() -> Outcome {
    let db = Dynamo::embedded()?;
    for explain in [user().put().explain(&db)?, User::delete(1).explain(&db)?] {
        assert!(
            explain.reads_first && explain.operation == "TransactWriteItems",
            "{explain}"
        );
    }
    // A loaded item is known.
    assert!(!user().delete().explain(&db)?.reads_first);
    Ok(())
}

#[test]
fn batch_shows_its_writes_and_the_number_of_requests() -> Outcome {
    let db = Dynamo::embedded()?;
    let few = BatchWrite::new()
        .put(&order())
        .delete(Order::key("o2"))
        .explain(&db)?;
    assert_eq!(
        few.to_string(),
        format!(
            "BatchWriteItem App\n  PutRequest App\n    {ITEM}\n  \
             DeleteRequest App\n    key: {{PK: \"ORDER#o2\", SK: \"ORDER\"}}"
        )
    );
    let many = BatchWrite::new().deletes((0..60).map(|id| Order::key(id.to_string())));
    assert_eq!(many.explain(&db)?.requests, Some(3));
    Ok(())
}

#[test]
fn no_text_contains_a_sensitive_value() -> Outcome {
    let db = Dynamo::embedded()?;
    let pin = || Pin {
        pin: "secret".into(),
        uses: 0,
    };
    let secret = || User {
        email: "secret@example.com".into(),
        phone: "secret".into(),
        ..user()
    };
    let explained = [
        pin().put().explain(&db)?,
        pin()
            .merge()
            .condition(|pin| pin.pin().eq("secret"))
            .explain(&db)?,
        pin().update().add(|pin| pin.uses(), 1_u32).explain(&db)?,
        pin().delete().explain(&db)?,
        Pin::upsert("secret")
            .set(|pin| pin.uses(), 1_u32)
            .explain(&db)?,
        Pin::key("secret").must_exist().explain(&db)?,
        secret().put().explain(&db)?,
        secret().merge().explain(&db)?,
        secret().create().explain(&db)?,
        secret().delete().explain(&db)?,
        secret()
            .update()
            .set(|user| user.email(), "secret2")
            .explain(&db)?,
        secret()
            .update()
            .set(|user| user.phone(), "secret2")
            .explain(&db)?,
        Transaction::new()
            .add(pin().create())
            .add(secret().create())
            .explain(&db)?,
        BatchWrite::new()
            .put(&pin())
            .delete(Pin::key("secret2"))
            .explain(&db)?,
    ];
    for explain in explained {
        for text in [explain.to_string(), format!("{explain:?}")] {
            assert!(!text.contains("secret"), "{text}");
        }
    }
    Ok(())
}
