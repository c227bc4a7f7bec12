//! Scans, required settings, immutable fields and reservations tables in outputs.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
use dynamo_model_tools::{AccessPattern, Deployment, Identity, Model, Policy, Request};
use serde_json::{Value, json};

#[derive(DynamoTable)]
#[table(name = "users", pk = "userId", items = UserItem, no_scan)]
#[table(encryption = kms, require(encryption))]
struct Users;

#[derive(DynamoTable)]
#[table(name = "reservations", pk = "value")]
struct Reservations;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Users)]
#[pk("U#<user_id>")]
#[unique("EMAIL#<email>", in = Reservations)]
#[allow(dead_code)]
struct User {
    user_id: String,
    email: String,
    #[dynamo(immutable)]
    app_id: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Users, scannable = "nightly export")]
#[pk("D#<day>")]
#[allow(dead_code)]
struct Day {
    day: String,
}

#[derive(DynamoItems)]
#[items(table = Users)]
#[allow(dead_code)]
enum UserItem {
    User(User),
    Day(Day),
}

fn model() -> Model {
    Model::new("app").items::<UserItem>()
}

/// Returns the actions on a table, over all statements, and the partition keys that they are
/// limited to.
fn allowed(document: &Value, table: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let texts = |value: &Value| -> Vec<String> {
        let list = value.as_array().cloned();
        let list = list.unwrap_or_else(|| vec![value.clone()]);
        list.iter()
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect()
    };
    let statements = document["Statement"].as_array().unwrap().iter();
    let own = statements.filter(|it| {
        texts(&it["Resource"])
            .iter()
            .any(|arn| arn.ends_with(table))
    });
    let allowed = own.map(|it| {
        let condition = it["Condition"].as_object();
        let keys = condition.and_then(|it| it.values().next());
        let keys = keys.map(|it| texts(&it["dynamodb:LeadingKeys"]));
        (texts(&it["Action"]), keys.unwrap_or_default())
    });
    allowed.collect()
}

#[test]
fn a_policy_allows_only_the_scans_that_are_declared() {
    let scans = model().policy(Policy::new().scans(["Day"])).unwrap();
    let allowed_scans = allowed(&scans.document, "table/users");
    assert_eq!(allowed_scans[0].0, ["dynamodb:Scan"]);
    let error = model().policy(Policy::new().scans(["User"])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`User` scans table `users`, which is declared with `no_scan`; declare the entity \
         `scannable`, with the reason, or use `Policy::migrates` for a migration"
    );
    let migration = model().policy(Policy::new().migrates(["User"])).unwrap();
    let actions = &allowed(&migration.document, "table/users")[0].0;
    assert!(actions.contains(&"dynamodb:Scan".to_owned()), "{actions:?}");
}

#[derive(DynamoTable)]
#[table(name = "closed", pk = "PK", no_scan)]
struct Closed;

#[derive(DynamoEntity)]
#[dynamo(table = Closed)]
#[pk("NOTE#<id>")]
#[allow(dead_code)]
struct Note {
    id: String,
}

#[test]
fn a_policy_of_a_pattern_that_scans_such_a_table_is_refused() {
    let scan = Request::new("Scan", json!({ "TableName": "closed" }));
    let pattern = AccessPattern::new("1", "everything").request(scan);
    let model = Model::new("app").entity::<Note>().pattern(pattern);
    let error = model.policy(Policy::new().all_patterns()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("an access pattern scans table `closed`"),
        "{error}"
    );
    assert!(
        model.markdown().contains("- scans: none\n"),
        "{}",
        model.markdown()
    );
}

#[test]
fn documents_list_protections() {
    let markdown = model().markdown();
    for line in [
        "- scans: none but of `Day` (nightly export)",
        "- required: encryption",
        "Unique: `EMAIL#<email>`, reserved in `reservations`.",
        "| `app_id` | String | yes | Set at creation only. |",
    ] {
        assert!(markdown.contains(line), "{line}\n{markdown}");
    }
    let page = model().html();
    assert!(page.contains("<span class=\"mark\">immutable</span>"));
    assert!(page.contains("in <code>reservations</code>"));
    let json = serde_json::to_value(model()).unwrap();
    let users = &json["tables"][0];
    assert_eq!(
        (&users["no_scan"], &users["required"]),
        (&json!(true), &json!(["encryption"]))
    );
    let user = &users["entities"][0];
    assert_eq!(
        user["reserved_in"],
        json!({ "EMAIL#<email>": "reservations" })
    );
    assert_eq!(user["attributes"][2]["immutable"], true);
    assert_eq!(users["entities"][1]["scannable"], "nightly export");
}

#[test]
fn the_reservations_table_is_part_of_the_model() {
    let model = model();
    let names: Vec<_> = model.tables.iter().map(|it| it.schema.name).collect();
    assert_eq!(names, ["users", "reservations"]);
    let template = model.cloud_formation(&Deployment::new());
    assert_eq!(
        template["Resources"]["Reservations"]["Properties"]["TableName"],
        "reservations"
    );
    let lock: Value = serde_json::from_str(&model.lock()).unwrap();
    let user = &lock["tables"]["users"]["entities"]["User"];
    assert_eq!(
        user["reserved_in"],
        json!({ "EMAIL#<email>": "reservations" })
    );
    assert_eq!(user["attributes"]["app_id"]["immutable"], true);
}

#[test]
fn a_writer_may_only_reserve_values_in_the_reservations_table() {
    let policy = Policy::new().writes(["User"]);
    let document = model().policy(policy).unwrap().document;
    let allowed_there = allowed(&document, "table/reservations");
    assert_eq!(allowed_there.len(), 1, "{document:#}");
    let (actions, keys) = &allowed_there[0];
    assert_eq!(keys, &["EMAIL#*"]);
    for action in ["PutItem", "DeleteItem", "ConditionCheckItem"] {
        assert!(
            actions.contains(&format!("dynamodb:{action}")),
            "{actions:?}"
        );
    }
    let migration = model().policy(Policy::new().migrates(["User"])).unwrap();
    let (actions, _) = &allowed(&migration.document, "table/reservations")[0];
    assert!(
        actions.contains(&"dynamodb:GetItem".to_owned()),
        "{actions:?}"
    );
    assert!(
        !actions.contains(&"dynamodb:Scan".to_owned()),
        "{actions:?}"
    );

    let own = Policy::new()
        .writes(["User"])
        .isolated_by("user_id", Identity::cognito_identity());
    let refused = model().policy(own).unwrap().refused;
    assert!(
        refused[0].reason.contains("`#[unique(\"EMAIL#<email>\")]`"),
        "{refused:?}"
    );
}
