//! Arguments that name nothing, or have another form, are errors before any request.

use super::schema::{db, explain, live};
use dynamo_model_tools::live::LiveErrorKind;

#[tokio::test]
async fn wrong_arguments_name_the_pattern_the_field_and_the_expected_form() {
    let db = db().await;
    let cases: [(&str, &[&str], &str); 13] = [
        (
            "Ordr",
            &[],
            "no access pattern `Ordr`; the entities are `User`, `Order` and `Visit`",
        ),
        (
            "Order::by_customer",
            &[],
            "no access pattern `Order::by_customer`; there are `Order::get`, `Order::query`, \
             `Order::by_state` and `Order::by_coupon`",
        ),
        (
            "Order",
            &[],
            "`Order::query` needs `user_id`; give user_id=…",
        ),
        (
            "Order::get",
            &["user_id=u1"],
            "`Order::get` needs `number`; give number=…",
        ),
        (
            "Order",
            &["user_id=u1", "total=5"],
            "`Order::query` has no field `total` in its key; it takes `user_id` and `number`",
        ),
        (
            "Order",
            &["user_id=u1", "user_id=u2"],
            "`Order::query`: `user_id` is given twice",
        ),
        (
            "Order",
            &["user_id=u1", "number=seven"],
            "`Order::query`: `number`: `seven` is not an integer",
        ),
        (
            "Order::by_state",
            &["state=closed"],
            "`Order::by_state`: `state`: `closed` is not one of open, in_transit",
        ),
        (
            "Order::by_state",
            &["state=open", "placed_at=June"],
            "`Order::by_state`: `placed_at`: `June` is not a time, such as 2025-06-01T09:00:00Z, \
             or a part of one, such as 2025-06",
        ),
        (
            "Order",
            &["user_id="],
            "`Order::query`: `user_id`: `` is not a text of at least one character",
        ),
        (
            "Order::by_state",
            &["state=open", "placed_at=2025", "number=1.."],
            "`Order::by_state`: `placed_at` and `number` are both ranges; a query takes one, and \
             whole values for the fields before it",
        ),
        (
            "Order::get",
            &["user_id=u1", "number=1.."],
            "`Order::get`: `number` needs a whole value, because the key names one item",
        ),
        (
            "Order",
            &["user_id=u1", "number=1234567"],
            "Order: `number` needs 7 characters in the key `ORDER#<number:06>`, which gives it 6; \
             widen the padding before the first item is written",
        ),
    ];
    for (pattern, arguments, message) in cases {
        let error = explain(&db, pattern, arguments).unwrap_err();
        assert!(
            error.chain().contains(message),
            "{}\n{message}",
            error.chain()
        );
    }
}

#[tokio::test]
async fn a_field_after_a_gap_is_refused_instead_of_ignored() {
    let db = db().await;
    let error = explain(&db, "Order::by_state", &["state=open", "number=7"]).unwrap_err();
    assert!(
        error.chain().contains("`number` cannot be used here"),
        "{}",
        error.chain()
    );
}

#[tokio::test]
async fn a_range_within_a_bucket_that_is_not_sorted_is_refused() {
    let db = db().await;
    let hours = ["at=2025-06-01T00..2025-06-01T12"];
    let error = explain(&db, "Visit::by_day", &hours).unwrap_err();
    assert!(
        error.chain().contains("covers a part of a bucket"),
        "{}",
        error.chain()
    );
    assert!(explain(&db, "Visit::by_day", &["at=2025-06-01..2025-06-03"]).is_ok());
}

#[test]
fn a_name_without_a_method_is_the_query_or_else_the_get() {
    let live = live();
    let name = |name: &str| live.pattern(name).unwrap().name();
    assert_eq!(name("Order"), "Order::query");
    assert_eq!(name("User"), "User::get");
    assert_eq!(name("Order.by_state"), "Order::by_state");
    let error = live.pattern("Nothing").unwrap_err();
    assert_eq!(error.kind(), LiveErrorKind::Usage);
}
