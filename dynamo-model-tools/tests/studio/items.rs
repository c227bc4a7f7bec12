//! What the page may see, and what it may change.

use super::client::{Note, SECRET, note, start};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::Entity;
use serde_json::json;

#[tokio::test]
async fn a_studio_without_write_refuses_every_write() {
    let page = start(|studio| studio).await;
    let item = page.first_item("Notes").await;
    let (id, fingerprint) = (&item["id"], &item["fingerprint"]);
    let fields = json!({ "id": "\"n2\"", "text": "\"x\"", "points": "1" });
    let writes = [
        ("create", json!({ "entity": "Note", "fields": fields })),
        (
            "update",
            json!({ "id": id, "fingerprint": fingerprint, "changes": { "text": "\"x\"" } }),
        ),
        ("delete", json!({ "id": id, "fingerprint": fingerprint })),
    ];
    for (path, body) in writes {
        let response = page.post(path, body).await;
        assert_eq!(response.status, 400);
        assert!(response.body.contains("--write"), "{}", response.body);
    }
    assert_eq!(Note::scan().all(&page.db).await.unwrap()[0].text, "hello");
    assert_eq!(Note::scan().count(&page.db).await.unwrap(), 1);
}

#[tokio::test]
async fn sensitive_values_never_leave_the_server() {
    let page = start(|studio| studio.write(true)).await;
    let item = page.first_item("Club").await;
    assert_eq!(item["attributes"]["phone"], json!({ "hidden": true }));
    assert_eq!(item["attributes"]["GSI1PK"], json!({ "hidden": true }));
    assert_eq!(item["attributes"]["points"], json!({ "N": "3" }));
    let mut partitions = item["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["partition"].clone());
    let by_phone = partitions.nth(1).unwrap();
    let read = json!({ "pattern": "Member::by_phone", "arguments": [{ "field": "phone", "is": SECRET }], "limit": 1 });
    let read = page.post("read", read).await.json();
    assert_eq!(read["items"].as_array().unwrap().len(), 1);
    assert!(read["explain"].as_str().unwrap().contains("***"));
    // The call has the argument that the page itself has sent.
    assert!(!read["items"].to_string().contains(SECRET));
    let all = [
        page.get("/api/schema").await,
        page.post("scan", json!({ "table": "Club" })).await,
        page.post("overview", json!({ "table": "Club" })).await,
        page.post("partition", json!({ "partition": by_phone }))
            .await,
        page.post("item", json!({ "id": item["id"] })).await,
    ];
    for response in all {
        assert_eq!(response.status, 200, "{}", response.body);
        assert!(!response.body.contains(SECRET), "{}", response.body);
    }
    // A change of another field keeps the hidden one.
    let change = json!({ "id": item["id"], "fingerprint": item["fingerprint"], "changes": { "points": "4" } });
    assert_eq!(page.post("update", change).await.status, 200);
    let member = super::client::Member::scan().all(&page.db).await.unwrap();
    assert_eq!((member[0].points, member[0].phone.as_str()), (4, SECRET));
}

#[tokio::test]
async fn an_item_without_an_entity_is_hidden_where_others_have_sensitive_fields() {
    let page = start(|studio| studio).await;
    for (table, sk) in [("Club", Some("X")), ("Notes", None)] {
        let put = page.db.client().put_item().table_name(table);
        let put = put
            .item("PK", AttributeValue::S("A#other".into()))
            .item("phone", AttributeValue::S("55-55".into()));
        let put = match sk {
            Some(sk) => put.item("SK", AttributeValue::S(sk.into())),
            None => put,
        };
        put.send().await.unwrap();
    }
    let club = page.post("scan", json!({ "table": "Club" })).await;
    assert!(
        !club.body.contains("55-55") && !club.body.contains("A#other"),
        "{}",
        club.body
    );
    assert!(
        page.post("scan", json!({ "table": "Notes" }))
            .await
            .body
            .contains("55-55")
    );
}

#[tokio::test]
async fn a_studio_that_shows_sensitive_fields_shows_them() {
    let page = start(|studio| studio.show_sensitive(true)).await;
    let item = page.first_item("Club").await;
    assert_eq!(item["attributes"]["phone"], json!({ "S": SECRET }));
    assert_eq!(item["keys"][1]["fields"], json!([["phone", SECRET]]));
}

#[tokio::test]
async fn an_edit_after_another_client_wrote_is_a_conflict() {
    let page = start(|studio| studio.write(true)).await;
    let item = page.first_item("Notes").await;
    Note::update("n1")
        .set(|it| it.points(), 7_i64)
        .send(&page.db)
        .await
        .unwrap();
    let (id, fingerprint) = (&item["id"], &item["fingerprint"]);
    let change = json!({ "id": id, "fingerprint": fingerprint, "changes": { "text": "\"mine\"" } });
    for (path, body) in [
        ("update", change),
        ("delete", json!({ "id": id, "fingerprint": fingerprint })),
    ] {
        let response = page.post(path, body).await;
        assert_eq!(
            (response.status, &response.json()["kind"]),
            (409, &json!("conflict"))
        );
    }
    let stored = Note::get("n1").send(&page.db).await.unwrap().unwrap();
    assert_eq!((stored.text.as_str(), stored.points), ("hello", 7));
}

#[tokio::test]
async fn items_are_created_changed_and_deleted() {
    let page = start(|studio| studio.write(true)).await;
    // More digits than a number of JavaScript has.
    let big = i64::MAX.to_string();
    let fields = json!({ "id": "\"n2\"", "text": "\"x\"", "points": big });
    let create = json!({ "entity": "Note", "fields": fields });
    let created = page.post("create", create.clone()).await;
    assert_eq!(created.status, 200, "{}", created.body);
    assert_eq!(page.post("create", create).await.status, 409);
    let item = page.post("item", created.json()).await.json();
    assert_eq!(item["document"]["points"], json!(big));
    let change = json!({ "id": item["id"], "fingerprint": item["fingerprint"], "changes": { "points": "-1" } });
    assert_eq!(page.post("update", change).await.status, 200);
    let item = page.post("item", created.json()).await.json();
    let delete = json!({ "id": item["id"], "fingerprint": item["fingerprint"] });
    assert_eq!(page.post("delete", delete).await.status, 200);
    assert_eq!(page.post("item", created.json()).await.status, 404);
}

#[tokio::test]
async fn text_that_looks_like_code_stays_text() {
    let page = start(|studio| studio.write(true)).await;
    let hostile = "</script><img src=x onerror=alert(1)>\u{202e}\u{0}\"'`${1}";
    let mut own = note(hostile);
    own.text = hostile.into();
    own.create().send(&page.db).await.unwrap();
    let read = json!({ "pattern": "Note::get", "arguments": [{ "field": "id", "is": hostile }] });
    let response = page.post("read", read).await;
    assert!(response.head.contains("content-type: application/json"));
    let row = response.json()["items"][0].clone();
    assert_eq!(row["attributes"]["text"], json!({ "S": hostile }));
    let item = page.post("item", json!({ "id": row["id"] })).await.json();
    assert_eq!(item["keys"][0]["fields"], json!([["id", hostile]]));
    let partition = json!({ "partition": item["keys"][0]["partition"] });
    assert_eq!(
        page.post("partition", partition).await.json()["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_request_that_makes_no_sense_is_an_error_and_not_a_panic() {
    let page = start(|studio| studio.write(true)).await;
    let bodies = [
        ("item", json!({ "id": "" })),
        ("item", json!({ "id": "hidden:99" })),
        ("item", json!({ "id": "[\"Nothing\",{\"S\":\"a\"},null]" })),
        ("item", json!({ "id": "[\"Notes\",{\"B\":\"é\"},null]" })),
        (
            "partition",
            json!({ "partition": "[\"Notes\",\"GSI9\",{\"S\":\"a\"}]" }),
        ),
        ("scan", json!({ "table": "Nothing" })),
        ("scan", json!({ "table": "Notes", "start": "{" })),
        ("read", json!({ "pattern": "Note::get", "arguments": [] })),
        ("read", json!({ "pattern": "Note::drop", "arguments": [] })),
        (
            "create",
            json!({ "entity": "Note", "fields": { "id": "{" } }),
        ),
        (
            "update",
            json!({ "id": "[\"Notes\",{\"S\":\"NOTE#n1\"},null]", "fingerprint": "x", "changes": {} }),
        ),
    ];
    for (path, body) in bodies {
        let response = page.post(path, body.clone()).await;
        assert_eq!(response.status, 400, "{path} {body} {}", response.body);
        assert!(!response.json()["message"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn the_overview_counts_items_and_names_those_that_cannot_be_read() {
    let page = start(|studio| studio).await;
    let put = page.db.client().put_item().table_name("Notes");
    let put = put
        .item("PK", AttributeValue::S("NOTE#broken".into()))
        .item("points", AttributeValue::S("many".into()));
    put.send().await.unwrap();
    let found = page
        .post("overview", json!({ "table": "Notes" }))
        .await
        .json();
    assert_eq!(
        (&found["items"], &found["isWhole"], &found["partitions"]),
        (&json!(2), &json!(true), &json!(2))
    );
    assert_eq!(found["entities"][0]["name"], json!("Note"));
    assert_eq!(found["findings"][0]["kind"], json!("unreadable"));
    assert_eq!(found["findings"][0]["count"], json!(1));
}
