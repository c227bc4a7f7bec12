//! IAM policies: permissions and refusals.

use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use dynamo_model_tools::{AccessPattern, Identity, Model, Policy, PolicyDocument, Request};
use serde_json::{Value, json};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(KeyPart, serde::Serialize, serde::Deserialize)]
#[allow(dead_code)]
enum Level {
    Easy,
    Hard,
}

macro_rules! entities {
    ($($name:ident: $pk:literal, $sk:literal { $($field:ident: $ty:ty),* } $(; unique $unique:literal)?)*) => {$(
        #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
        #[dynamo(table = App)]
        #[pk($pk)]
        #[sk($sk)]
        $(#[unique($unique)])?
        #[allow(dead_code)]
        struct $name { $($field: $ty),* }
    )*

    #[derive(dynamo_model::DynamoItems)]
    #[items(table = App)]
    enum AppItem {
        $($name($name),)*
        Order(Order),
    }
    };
}

entities! {
    Profile: "USER#<user_id>", "PROFILE" { user_id: String }
    Login: "USER#<user_id>#DAY#<day>", "LOGIN#<at>" { user_id: String, day: String, at: String }
    Score: "LEVEL#<level>#<user_id>", "SCORE" { level: Level, user_id: String }
    Member: "TENANT#<tenant>#<user_id>", "MEMBER" { tenant: String, user_id: String }
    Sharded: "S#<user_id:shard(4)>", "U#<user_id>" { user_id: String }
    Device: "DEVICE#<user_id>#<serial>", "D" { user_id: uuid::Uuid, serial: String }
    Odd: "A*B?C${D#<user_id>", "O" { user_id: String }
    Named: "NAMED#<user_id>", "N" { user_id: String, email: String }; unique "EMAIL#<email>"
    Tagged: "TAGGED#<user_id>", "T" { user_id: String, tag: String }; unique "TAG#<user_id>#<tag>"
    Mail: "MAIL#<user_id:lower>", "M" { user_id: String }
    Raw: "RAW#<user_id:raw>#DAY#<day>", "R" { user_id: String, day: String }
    RawLast: "LAST#<user_id:raw>", "R" { user_id: String }
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("ORDER#<order_id>")]
#[sk("ORDER")]
#[gsi1(pk = "BUYER#<user_id>", sk = "<order_id>", as = by_buyer)]
#[allow(dead_code)]
struct Order {
    order_id: String,
    user_id: String,
}

#[derive(DynamoTable)]
#[table(name = "Numbers", pk = N("id"))]
struct Numbers;

#[derive(DynamoEntity)]
#[dynamo(table = Numbers)]
#[pk("<user_id>")]
#[allow(dead_code)]
struct Numbered {
    user_id: u64,
}

fn model() -> Model {
    Model::new("app")
        .entity::<Profile>()
        .entity::<Login>()
        .entity::<Score>()
        .entity::<Member>()
        .entity::<Sharded>()
        .entity::<Device>()
        .entity::<Odd>()
        .entity::<Named>()
        .entity::<Tagged>()
        .entity::<Mail>()
        .entity::<Raw>()
        .entity::<RawLast>()
        .entity::<Order>()
        .entity::<Numbered>()
}

fn own_of(entity: &str, identity: Identity) -> PolicyDocument {
    let policy = Policy::new()
        .reads([entity])
        .isolated_by("user_id", identity);
    model().policy(policy).unwrap()
}

/// `sub` of a user pool, passed on as a tag.
fn subject() -> Identity {
    Identity::principal_tag("sub").uuid()
}

fn condition(policy: &PolicyDocument) -> Value {
    policy.document["Statement"][0]["Condition"].clone()
}

fn refusal(entity: &str, identity: Identity) -> String {
    let policy = own_of(entity, identity);
    assert_eq!(policy.document["Statement"], json!([]), "{entity}");
    policy.refused[0].to_string()
}

#[test]
fn a_whole_partition_key_is_compared_exactly() {
    let policy = own_of("Profile", Identity::cognito_identity());
    assert_eq!(
        condition(&policy),
        json!({
            "ForAllValues:StringEquals": {
                "dynamodb:LeadingKeys": ["USER#${cognito-identity.amazonaws.com:sub}"],
            },
            "Null": { "dynamodb:LeadingKeys": "false" },
        })
    );
}

#[test]
fn text_after_the_caller_is_a_wildcard() {
    let keys = &condition(&own_of("Login", subject()))["ForAllValues:StringLike"];
    assert_eq!(
        keys["dynamodb:LeadingKeys"],
        json!(["USER#${aws:PrincipalTag/sub}#DAY#*"])
    );
}

#[test]
fn few_values_before_the_caller_are_enumerated() {
    let keys = &condition(&own_of("Score", subject()))["ForAllValues:StringEquals"];
    let expected = [
        "LEVEL#Easy#${aws:PrincipalTag/sub}",
        "LEVEL#Hard#${aws:PrincipalTag/sub}",
    ];
    assert_eq!(keys["dynamodb:LeadingKeys"], json!(expected));
}

#[test]
fn special_characters_of_policies_are_escaped() {
    let keys = &condition(&own_of("Odd", subject()))["ForAllValues:StringEquals"];
    assert_eq!(
        keys["dynamodb:LeadingKeys"],
        json!(["A${*}B${?}C${$}{D#${aws:PrincipalTag/sub}"])
    );
}

#[test]
fn a_caller_after_another_field_is_refused() {
    assert_eq!(
        refusal("Member", subject()),
        "`Member` in the table: its partition key `TENANT#<tenant>#<user_id>` has `<tenant>` \
         before `<user_id>`; only `*` could match it, which also matches the keys of others; begin \
         the key with `<user_id>`"
    );
}

#[test]
fn a_computed_part_is_refused() {
    let why = refusal("Sharded", subject());
    assert!(
        why.contains("as `shard(4)`, which is computed, but a policy cannot compute"),
        "{why}"
    );
    let mail = || Identity::principal_tag("mail").with_only("-");
    assert_eq!(
        refusal("Mail", mail()),
        "`Mail` in the table: `MAIL#<user_id:lower>` has `user_id` in lower case, and \
         `${aws:PrincipalTag/mail}` may have upper case; declare its values with \
         `Identity::lower_case`"
    );
    // In lower case on both sides, it is the same text.
    assert!(own_of("Mail", subject()).refused.is_empty());
    assert!(own_of("Mail", mail().lower_case()).refused.is_empty());
}

#[test]
fn a_caller_whose_name_a_key_would_escape_is_refused() {
    assert_eq!(
        refusal("Profile", Identity::principal_tag("name")),
        "`Profile` in the table: `${aws:PrincipalTag/name}` may contain `#`, which a key escapes \
         and a policy does not; declare its values with `Identity::with_only`"
    );
    assert!(
        own_of("Profile", Identity::principal_tag("name").with_only("-_."))
            .refused
            .is_empty()
    );
    assert!(
        refusal("Profile", Identity::principal_tag("name").with_only("-$"))
            .contains("may contain `$`")
    );
}

#[test]
fn a_caller_of_any_length_before_one_of_fixed_length_is_refused() {
    let why = refusal("Device", Identity::principal_tag("name").with_only("-"));
    assert!(why.contains("can have any length"), "{why}");
    let keys = &condition(&own_of("Device", subject()))["ForAllValues:StringLike"];
    assert_eq!(
        keys["dynamodb:LeadingKeys"],
        json!(["DEVICE#${aws:PrincipalTag/sub}#*"])
    );
}

#[test]
fn an_index_is_isolated_by_its_partition_key() {
    let policy = own_of("Order", subject());
    let statement = &policy.document["Statement"][0];
    assert_eq!(
        statement["Resource"],
        "arn:aws:dynamodb:*:*:table/App/index/GSI1"
    );
    assert_eq!(statement["Action"], json!(["dynamodb:Query"]));
    assert_eq!(policy.refused.len(), 1);
    assert!(
        policy.refused[0]
            .to_string()
            .starts_with("`Order` in the table: ")
    );
}

#[test]
fn a_numeric_key_is_refused() {
    assert!(refusal("Numbered", subject()).contains("is of type N"));
}

#[test]
fn a_unique_value_must_begin_with_the_caller() {
    let writes = |entity: &str| {
        let policy = Policy::new()
            .writes([entity])
            .isolated_by("user_id", subject());
        model().policy(policy).unwrap()
    };
    let named = writes("Named");
    let why = "`Named` to be written: `#[unique(\"EMAIL#<email>\")]` is a separate item";
    assert!(
        named.refused[0].to_string().starts_with(why),
        "{}",
        named.refused[0]
    );
    let tagged = writes("Tagged");
    assert!(tagged.refused.is_empty());
    assert!(
        tagged
            .document
            .to_string()
            .contains("TAG#${aws:PrincipalTag/sub}#*")
    );
}

#[test]
fn a_scan_is_refused() {
    let policy = Policy::new()
        .scans(["Profile"])
        .isolated_by("user_id", subject());
    let policy = model().policy(policy).unwrap();
    assert!(
        policy.refused[0]
            .reason
            .starts_with("a scan names no partition")
    );
}

#[test]
fn allowing_one_entity_allows_no_other() {
    let policy = Policy::new().reads(["Profile"]).writes(["Named"]);
    let document = model().policy(policy).unwrap().document;
    for statement in document["Statement"].as_array().unwrap() {
        let writes = statement["Action"].to_string().contains("PutItem");
        let keys = statement["Condition"].to_string();
        assert!(!(writes && keys.contains("USER#")), "{statement}");
    }
}

#[test]
fn entities_that_share_a_table_are_limited_to_their_partitions() {
    let document = model()
        .policy(Policy::new().reads(["Order"]))
        .unwrap()
        .document;
    let keys =
        &document["Statement"][0]["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
    assert_eq!(*keys, json!(["ORDER#*"]));
}

#[test]
fn a_pattern_allows_the_actions_of_its_requests() {
    let put = json!({ "Put": { "TableName": "App", "Item": {} } });
    let check = json!({ "ConditionCheck": { "TableName": "App", "Key": {} } });
    let transaction = Request::new(
        "TransactWriteItems",
        json!({ "TransactItems": [put, check] }),
    );
    let query = json!({ "TableName": "App", "IndexName": "GSI1" });
    let pattern = AccessPattern::new("1", "both")
        .request(transaction)
        .request(Request::new("Query", query));
    let model = model().pattern(pattern);
    let policy = Policy::new()
        .account("eu-west-1", "1")
        .table_prefix("dev-")
        .patterns(["1"]);
    let document = model.policy(policy).unwrap().document;
    let of = |i: usize| {
        (
            document["Statement"][i]["Resource"].clone(),
            document["Statement"][i]["Action"].clone(),
        )
    };
    let table = "arn:aws:dynamodb:eu-west-1:1:table/dev-App";
    assert_eq!(
        of(0),
        (
            json!(table),
            json!(["dynamodb:ConditionCheckItem", "dynamodb:PutItem"])
        )
    );
    assert_eq!(
        of(1),
        (
            json!(format!("{table}/index/GSI1")),
            json!(["dynamodb:Query"])
        )
    );
}

#[test]
fn an_invalid_policy_names_the_mistake() {
    let model = model();
    let error = |policy| model.policy(policy).unwrap_err().to_string();
    assert!(error(Policy::new().reads(["Usr"])).starts_with("no entity `Usr`"));
    assert!(error(Policy::new().patterns(["9"])).starts_with("no access pattern `9`"));
    let both = Policy::new()
        .all_patterns()
        .isolated_by("user_id", subject());
    assert!(error(both).starts_with("isolation applies to entities"));
}

/// Finding: "tenant `acme` matches tenant `acme#USER#x`".
#[test]
fn a_raw_part_is_refused_where_the_caller_may_have_its_delimiter() {
    let tag = || Identity::principal_tag("user");
    for identity in [tag(), tag().with_only("-#")] {
        assert_eq!(
            refusal("Raw", identity),
            "`Raw` in the table: `${aws:PrincipalTag/user}` may contain `#`, where `<user_id:raw>` \
             ends in `RAW#<user_id:raw>#DAY#<day>`; remove `raw`, or declare its values with \
             `Identity::with_only`"
        );
    }
    assert!(refusal("RawLast", tag()).contains("may contain `#`"));
    for identity in [tag().with_only("-"), Identity::cognito_identity()] {
        let variable = identity.variable();
        let keys = &condition(&own_of("Raw", identity.clone()))["ForAllValues:StringLike"];
        assert_eq!(
            keys["dynamodb:LeadingKeys"],
            json!([format!("RAW#{variable}#DAY#*")])
        );
        let keys = &condition(&own_of("RawLast", identity))["ForAllValues:StringEquals"];
        assert_eq!(
            keys["dynamodb:LeadingKeys"],
            json!([format!("LAST#{variable}")])
        );
    }
}
