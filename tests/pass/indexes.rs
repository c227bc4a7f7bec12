//! An index on a plain attribute, an inverted one, shared attributes, sparse ones and local ones.

use dynamo_model::{DynamoEntity, DynamoTable, Entity, KeyError};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "Inverted", pk = "SK", sk = "PK")]
#[gsi2(name = "ByStatus", pk = "status", sk = "createdAt")]
#[gsi3(name = "ByStatusAndTotal", pk = "status", sk = N("total"))]
#[gsi4(name = "Sparse", pk = "GSI4PK", sk = "GSI4SK", projection = keys_only)]
#[gsi20(name = "ByOwner", pk = "GSI20PK", projection = include("total", "status"))]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
#[lsi5(name = "LSI5", sk = "createdAt")]
struct App;

#[derive(DynamoEntity, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:08>")]
#[gsi1(pk = sk, sk = pk, as = inverted)]
#[gsi2(pk = "<status>", sk = "<created_at>", as = by_status)]
#[gsi3(pk = "<status>", sk = "<total>")]
#[gsi4(pk = "COUPON#<coupon>", sk = "GIFT#<gift>", as = by_coupon)]
#[gsi20(pk = "<user_id>")]
#[lsi1(sk = "<status>#<created_at>", as = newest)]
#[lsi5(sk = "<created_at>")]
struct Order {
    user_id: String,
    number: u32,
    status: String,
    created_at: String,
    total: u64,
    coupon: Option<String>,
    gift: Option<u8>,
}

fn main() -> Result<(), KeyError> {
    let order = Order {
        user_id: "u1".into(),
        number: 42,
        status: "open".into(),
        created_at: "2025-06-01".into(),
        total: 1_000,
        coupon: Some("c1".into()),
        gift: None,
    };
    assert_eq!(
        Order::inverted_key(42, "u1")?.to_string(),
        "ORDER#00000042/USER#u1"
    );
    assert_eq!(
        Order::by_status_key("open", "2025-06-01")?.to_string(),
        "open/2025-06-01"
    );
    assert_eq!(Order::gsi3_key("open", 1_000)?.parse()?.total, 1_000);
    assert_eq!(
        Order::by_coupon_key("c1", 3)?.to_string(),
        "COUPON#c1/GIFT#3"
    );
    assert_eq!(Order::gsi20_key("u1")?.to_string(), "u1");
    assert_eq!(Order::newest_sort_key().status("open").build()?, "open#");
    assert_eq!(
        Order::lsi5_key("u1", "2025-06-01")?.to_string(),
        "USER#u1/2025-06-01"
    );
    let absent = order
        .key_attributes()?
        .into_iter()
        .filter(|attribute| attribute.value.is_none());
    assert_eq!(absent.count(), 2);
    Ok(())
}
