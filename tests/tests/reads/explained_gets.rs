//! `explain` of gets, alone and together, of `hydrate`, and of keys with sensitive fields.

use crate::support::Outcome;
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
struct App;

/// The key of an index is sensitive.
#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[sk("USER")]
#[gsi1(pk = "PHONE#<phone>", sk = "<id:06>", as = by_phone)]
#[gsi2(pk = "TEAM#<team>", sk = "<id:06>", as = by_team)]
struct User {
    id: u32,
    #[dynamo(sensitive)]
    phone: String,
    team: String,
}

/// The key of the table is sensitive.
#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = App)]
#[pk("PIN#<pin>")]
#[sk("PIN")]
#[gsi1(pk = "DAY#<day>", sk = "PIN", as = by_day)]
struct Pin {
    #[dynamo(sensitive)]
    pin: String,
    day: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Pin(Pin),
}

#[test]
fn a_query_on_an_index_with_a_sensitive_key_hides_it() -> Outcome {
    let db = Dynamo::embedded()?;
    let explained = [
        User::by_phone("secret").explain(&db)?,
        User::by_phone("secret").query().descending().explain(&db)?,
        AppItem::collection(User::by_phone_partition_key("secret")).explain(&db)?,
    ];
    for explain in explained {
        let text = explain.to_string();
        assert!(text.contains("key: GSI1PK = ***"), "{text}");
        assert!(!format!("{text}{explain:?}").contains("secret"), "{text}");
    }
    Ok(())
}

#[test]
fn a_query_on_a_key_without_sensitive_fields_shows_it() -> Outcome {
    let db = Dynamo::embedded()?;
    let text = Pin::by_day("monday").explain(&db)?.to_string();
    assert!(text.contains("GSI1PK = \"DAY#monday\""), "{text}");
    let text = Pin::query("secret").explain(&db)?.to_string();
    assert!(text.contains("PK = ***"), "{text}");
    Ok(())
}
