//! State machines: their definitions, their refusals, and their execution on an engine.

#[path = "../support/states_language/mod.rs"]
mod states_language;

use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
use dynamo_model_tools::{Model, Request, StateMachine, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use states_language::{Failure, problems, run};
use std::error::Error;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[derive(DynamoTable)]
#[table(name = "Users", pk = "userId")]
struct Users;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Users)]
#[pk("<user_id>")]
struct User {
    user_id: String,
    followers: u32,
}

#[derive(DynamoTable)]
#[table(name = "Follows", pk = "followerId", sk = "followee-id")]
#[gsi1(name = "Followers", pk = "followee-id", sk = "followerId")]
struct Follows;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Follows)]
#[pk("<follower_id>")]
#[sk("<followee_id>")]
#[gsi1(pk = sk, sk = pk, as = followers)]
struct Follow {
    follower_id: String,
    #[serde(rename = "followee-id")]
    followee_id: String,
    note: String,
}

fn model() -> Model {
    Model::new("app").entity::<User>().entity::<Follow>()
}

const USER: &str = "the-user";
const OTHER: &str = "the-other";

/// Ends the follows of a user, and counts them down; then the user goes.
fn machine(db: &Dynamo) -> Outcome<StateMachine> {
    let following = Request::explained(&Follow::query(USER).explain(db)?)?;
    let followers = Request::explained(&Follow::followers(USER).explain(db)?)?;
    let key = json!({ "followerId": { "S": USER }, "followee-id": { "S": OTHER } });
    let unfollow = json!({ "TransactItems": [
        { "Delete": {
            "TableName": "Follows",
            "Key": key,
            "ConditionExpression": "attribute_exists(followerId)",
        } },
        { "Update": {
            "TableName": "Users",
            "Key": { "userId": { "S": OTHER } },
            "UpdateExpression": "SET followers = followers - :one",
            "ExpressionAttributeValues": { ":one": { "N": "1" } },
        } },
    ] });
    let unfollow = Request::new("TransactWriteItems", unfollow);
    let delete = json!({
        "TableName": "Users",
        "Key": { "userId": { "S": USER } },
        "ConditionExpression": "attribute_exists(userId)",
    });
    let delete = Request::new("DeleteItem", delete);
    let end_follows = Step::for_each("Following", following, unfollow, [("followee-id", OTHER)]);
    Ok(StateMachine::new("withdraw")
        .comment("Everything of a user goes")
        .input("userId", USER)
        .step(end_follows.skip_failed_condition())
        .step(Step::delete_found("Followers", followers))
        .step(Step::function("rest of it"))
        .step(Step::request("User", delete).skip_failed_condition()))
}

async fn app() -> Outcome<Dynamo> {
    let db = Dynamo::embedded()?;
    Users::create_table(&db).await?;
    Follows::create_table(&db).await?;
    let user = |name: String| User {
        user_id: name,
        followers: 1,
    };
    let follow = |from: &str, to: &str| Follow {
        follower_id: from.into(),
        followee_id: to.into(),
        note: "x".repeat(9_000),
    };
    user("u1".into()).create().send(&db).await?;
    // More than two pages of each.
    for n in 0..120 {
        let name = format!("other{n}");
        user(name.clone()).create().send(&db).await?;
        follow("u1", &name).create().send(&db).await?;
        follow(&name, "u1").create().send(&db).await?;
    }
    follow("other1", "other2").create().send(&db).await?;
    Ok(db)
}

async fn execute(db: &Dynamo, definition: &Value, input: Value) -> Result<Value, Failure> {
    run(definition, input, db.client(), &|name, payload| {
        Box::pin(async move {
            assert_eq!(name, "${RestOfItFunctionArn}");
            assert_eq!(payload, json!({ "userId": "u1" }));
            Ok(json!({}))
        })
    })
    .await
}

#[tokio::test]
async fn an_execution_runs_its_steps_for_every_page() -> Outcome {
    let db = app().await?;
    let definition = model().state_machine(&machine(&db)?)?;
    assert_eq!(problems(&definition), [""; 0]);
    for _ in 0..2 {
        // The second time there is no item left to delete.
        let done = execute(&db, &definition, json!({ "userId": "u1" })).await;
        assert!(done.is_ok(), "{done:?}");
        assert_eq!(Follow::scan().count(&db).await?, 1);
        assert!(User::get("u1").send(&db).await?.is_none());
        let others = User::scan().all(&db).await?;
        assert_eq!(others.len(), 120);
        assert!(others.iter().all(|other| other.followers == 0));
    }
    Ok(())
}

/// A follow without the user that it counts: the transaction is cancelled by another reason than a
/// condition.
#[tokio::test]
async fn a_transaction_that_cannot_be_written_fails_the_execution() -> Outcome {
    let db = app().await?;
    User::delete("other7").send(&db).await?;
    let definition = model().state_machine(&machine(&db)?)?;
    let failed = execute(&db, &definition, json!({ "userId": "u1" }))
        .await
        .unwrap_err();
    assert!(
        failed.error == "TransactionCancelled" || failed.error == "DynamoDb.ValidationException",
        "{failed:?}"
    );
    assert!(User::get("u1").send(&db).await?.is_some());
    Ok(())
}

#[tokio::test]
async fn an_input_that_is_missing_empty_or_no_text_fails_before_any_request() -> Outcome {
    let db = app().await?;
    let definition = model().state_machine(&machine(&db)?)?;
    for input in [json!({}), json!({ "userId": "" }), json!({ "userId": 7 })] {
        let failed = execute(&db, &definition, input).await.unwrap_err();
        assert_eq!(failed.error, "InvalidInput");
    }
    assert_eq!(Follow::scan().count(&db).await?, 241);
    Ok(())
}

/// A page has only keys, and as many as a state can hold; unused names would be refused.
#[test]
fn a_page_has_only_keys_and_named_attributes() -> Outcome {
    let db = Dynamo::embedded()?;
    let read = Follow::query(USER)
        .filter(|it| it.note().eq("x"))
        .page_size(500);
    let read = Request::explained(&read.explain(&db)?)?;
    let machine = StateMachine::new("m")
        .input("userId", USER)
        .step(Step::delete_found("Follows", read));
    let definition = model().state_machine(&machine)?;
    let page = &definition["States"]["Follows"]["Parameters"];
    assert_eq!(page["Limit"], 50);
    assert_eq!(page["ProjectionExpression"], "#k0, #k1");
    let names = page["ExpressionAttributeNames"].as_object().unwrap();
    let mut names: Vec<_> = names.values().filter_map(Value::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["followee-id", "followerId", "followerId", "note"]);
    let items = &definition["States"]["Follows: items"]["ItemProcessor"]["States"];
    let key = &items["Follows: delete"]["Parameters"]["Key"];
    assert_eq!(key["followee-id.$"], "$.item['followee-id']");
    assert_eq!(key["followerId.$"], "$.item.followerId");
    Ok(())
}

/// A deployment has a prefix for its tables: every request of the definition has it, and no other
/// text.
#[tokio::test]
async fn table_names_have_the_prefix_of_the_deployment() -> Outcome {
    let db = Dynamo::embedded()?.with_table_prefix("dev-");
    let declared = machine(&Dynamo::embedded()?)?;
    let plain = model().state_machine(&declared)?.to_string();
    let definition = model().state_machine(&declared.table_prefix("dev-"))?;
    let expected = plain.replace(r#""TableName":""#, r#""TableName":"dev-"#);
    assert_ne!(plain, expected);
    assert_eq!(definition.to_string(), expected);
    Users::create_table(&db).await?;
    Follows::create_table(&db).await?;
    let done = execute(&db, &definition, json!({ "userId": "u1" })).await;
    assert!(done.is_ok(), "{done:?}");
    Ok(())
}

/// A request that adds is not repeated if its outcome is unknown.
#[test]
fn a_request_that_adds_is_repeated_only_if_it_was_not_done() -> Outcome {
    let db = Dynamo::embedded()?;
    let definition = model().state_machine(&machine(&db)?)?;
    let errors = |state: &Value| state["Retry"][0]["ErrorEquals"].to_string();
    let states = &definition["States"];
    let uncertain = "DynamoDb.InternalServerErrorException";
    let write = &states["Following: items"]["ItemProcessor"]["States"]["Following: write"];
    assert!(!errors(write).contains(uncertain), "{write}");
    assert!(errors(write).contains("DynamoDb.ThrottlingException"));
    assert!(errors(&states["User"]).contains(uncertain));
    assert!(errors(&states["Following"]).contains(uncertain));
    Ok(())
}

fn refused(machine: &StateMachine) -> String {
    model().state_machine(machine).unwrap_err().to_string()
}

#[test]
fn impossible_steps_are_refused() {
    let get = |table: &str, id: &str| {
        let body = json!({ "TableName": table, "Key": { "userId": { "S": id } } });
        Request::new("GetItem", body)
    };
    let machine = || StateMachine::new("m").input("userId", USER);
    let one = |request| refused(&machine().step(Step::request("Read", request)));
    assert!(one(get("Users", "u1")).contains("has no sample of an input"));
    assert!(
        one(get("test-Users", USER)).contains("the model has no table `test-Users`, only `Users`")
    );
    let within = one(get("Users", &format!("USER#{USER}")));
    assert!(within.contains("is inside `USER#the-user`"), "{within}");
    let read = Step::delete_found("Read", get("Users", USER));
    assert!(refused(&machine().step(read)).contains("is not a query or a scan"));
    let odd =
        json!({ "TableName": "Users", "Key": { "userId": { "S": USER }, "x.$": { "S": "y" } } });
    assert!(one(Request::new("GetItem", odd)).contains("`x.$` for a path"));

    assert!(refused(&machine()).contains("needs a step"));
    let twice = machine()
        .step(Step::function("A"))
        .step(Step::function("A"));
    assert!(refused(&twice).contains("the step `A`"));
    let step = || Step::function("A");
    assert!(refused(&machine().input("page", "x").step(step())).contains("`page` cannot be"));
    assert!(refused(&machine().input("other", USER).step(step())).contains("used twice"));
}

#[test]
fn an_explanation_of_no_request_is_refused() -> Outcome {
    let db = Dynamo::embedded()?;
    let nothing = Follow::query(USER).filter(|it| it.note().is_in(Vec::<String>::new()));
    let error = Request::explained(&nothing.explain(&db)?).unwrap_err();
    assert!(error.to_string().contains("is not one request"), "{error}");
    Ok(())
}

/// The checker itself: each rule, broken once.
#[test]
fn the_checker_finds_every_broken_rule() -> Outcome {
    let db = Dynamo::embedded()?;
    let valid = model().state_machine(&machine(&db)?)?;
    let broken: [(&str, Value, &str); 8] = [
        ("/StartAt", json!("Nowhere"), "does not exist"),
        ("/States/User/Next", json!("Nowhere"), "does not exist"),
        ("/States/User/Type", json!("Tusk"), "unknown type"),
        (
            "/States/User/ResultPath",
            json!("user"),
            "`ResultPath` is not a path",
        ),
        (
            "/States/User/Retry/0/MaxAttempts",
            json!(-1),
            "`MaxAttempts` is too small",
        ),
        (
            "/States/User/Catch/0/ErrorEquals",
            json!([]),
            "is not a list of names",
        ),
        (
            "/States/Check the input/Choices/0/And",
            json!([]),
            "an empty rule",
        ),
        (
            "/States/rest of it/Resource",
            json!("rest"),
            "is not an ARN",
        ),
    ];
    for (place, value, rule) in broken {
        let mut definition = valid.clone();
        *definition.pointer_mut(place).unwrap() = value;
        let found = problems(&definition);
        assert!(
            found.iter().any(|it| it.contains(rule)),
            "{place}: {found:?}"
        );
    }
    let mut unreachable = valid.clone();
    unreachable["States"]["Lonely"] = json!({ "Type": "Succeed" });
    assert_eq!(problems(&unreachable), ["/Lonely: is not reachable"]);
    Ok(())
}

/// The role of a state machine allows the requests of its steps on their tables only, and its
/// functions.
#[test]
fn the_policy_of_a_state_machine_allows_its_steps() -> Outcome {
    use dynamo_model_tools::{Application, Deployment, Policy};
    let db = Dynamo::embedded()?;
    let application = Application::new()
        .function("rest of it", Policy::new().reads(["User"]))
        .state_machine(machine(&db)?);
    let deployment = Deployment::new().table_prefix("dev-");
    let template = model().sam_application(&deployment, &application)?;
    let machine = &template["Resources"]["WithdrawStateMachine"]["Properties"];
    let substitutions = machine["DefinitionSubstitutions"].as_object().unwrap();
    let names: Vec<_> = substitutions.keys().collect();
    assert_eq!(names, ["FollowsTable", "RestOfItFunctionArn", "UsersTable"]);
    let states = &machine["Definition"]["States"];
    assert_eq!(states["User"]["Parameters"]["TableName"], "${UsersTable}");

    let statements = machine["Policies"][0]["Statement"].as_array().unwrap();
    let allowed = |resource: &str| {
        let resource = format!(
            "arn:${{AWS::Partition}}:dynamodb:${{AWS::Region}}:${{AWS::AccountId}}:table/${{TablePrefix}}{resource}"
        );
        let found = statements
            .iter()
            .find(|it| it["Resource"]["Fn::Sub"] == *resource);
        found.unwrap()["Action"].clone()
    };
    assert_eq!(
        allowed("Follows"),
        json!(["dynamodb:DeleteItem", "dynamodb:Query"])
    );
    assert_eq!(
        allowed("Follows/index/Followers"),
        json!(["dynamodb:Query"])
    );
    assert_eq!(
        allowed("Users"),
        json!(["dynamodb:DeleteItem", "dynamodb:UpdateItem"])
    );
    let actions = machine["Policies"].to_string();
    assert!(actions.contains("lambda:InvokeFunction") && actions.contains("states:StartExecution"));
    let function = &template["Resources"]["RestOfItFunction"]["Properties"]["Policies"];
    assert!(!function.to_string().contains("PutItem"));
    Ok(())
}

#[test]
fn an_application_needs_every_function_of_its_state_machines() -> Outcome {
    use dynamo_model_tools::{Application, Deployment, Policy};
    let db = Dynamo::embedded()?;
    let error = |application: &Application| {
        let made = model().sam_application(&Deployment::new(), application);
        made.unwrap_err().to_string()
    };
    let missing = Application::new().state_machine(machine(&db)?);
    assert!(error(&missing).contains("the function `rest of it` does not exist"));
    let policy = || Policy::new().reads(["User"]);
    let twice = Application::new()
        .function("a-b", policy())
        .function("a b", policy());
    assert!(error(&twice).contains("two resources are called `ABFunction`"));
    let unknown = Application::new().function("a", Policy::new().reads(["Usr"]));
    assert!(error(&unknown).contains("no entity `Usr`"));
    let text =
        json!({ "TableName": "Users", "Key": { "userId": { "S": USER }, "x": { "S": "${y}" } } });
    let step = Step::request("Read", Request::new("GetItem", text));
    let machine = StateMachine::new("m").input("userId", USER).step(step);
    let replaced = Application::new().state_machine(machine);
    assert!(error(&replaced).contains("which a template would replace"));
    Ok(())
}

/// In templates without SAM a state machine has the same definition and rights, and takes its
/// functions by their ARNs.
#[test]
fn a_state_machine_is_the_same_in_every_template() -> Outcome {
    use dynamo_model_tools::{Application, Deployment, Policy};
    let db = Dynamo::embedded()?;
    let application = Application::new()
        .function("rest of it", Policy::new().reads(["User"]))
        .state_machine(machine(&db)?);
    let deployment = Deployment::new().table_prefix("dev-");
    let model = model();
    let sam = model.sam_application(&deployment, &application)?;
    let in_sam = &sam["Resources"]["WithdrawStateMachine"]["Properties"];

    let template = model.cloud_formation_application(&deployment, &application)?;
    assert_eq!(template.get("Transform"), None);
    let plain = &template["Resources"]["WithdrawStateMachine"];
    assert_eq!(plain["Type"], "AWS::StepFunctions::StateMachine");
    let plain = &plain["Properties"];
    assert_eq!(plain["Definition"], in_sam["Definition"]);
    let mut substitutions = in_sam["DefinitionSubstitutions"].clone();
    let arn = json!({ "Ref": "RestOfItFunctionArn" });
    substitutions["RestOfItFunctionArn"] = arn.clone();
    assert_eq!(plain["DefinitionSubstitutions"], substitutions);
    assert_eq!(
        template["Parameters"]["RestOfItFunctionArn"]["Type"],
        "String"
    );
    assert_eq!(
        plain["RoleArn"]["Fn::GetAtt"][0],
        "WithdrawStateMachineRole"
    );
    let role = &template["Resources"]["WithdrawStateMachineRole"]["Properties"];
    let trusted = &role["AssumeRolePolicyDocument"]["Statement"][0]["Principal"];
    assert_eq!(trusted["Service"], "states.amazonaws.com");
    let function = |statements: &Value| {
        let statements = statements.as_array().unwrap().iter();
        let mut of_functions = statements.filter(|it| it["Sid"] == "Functions");
        of_functions.next().unwrap()["Resource"].clone()
    };
    let allowed = &role["Policies"][0]["PolicyDocument"]["Statement"];
    assert_eq!(function(allowed), json!([arn]));
    let without_functions = |statements: &Value| {
        let mut statements = statements.as_array().unwrap().clone();
        statements.retain(|it| it["Sid"] != "Functions");
        statements
    };
    assert_eq!(
        without_functions(allowed),
        without_functions(&in_sam["Policies"][0]["Statement"])
    );

    let terraform = model.terraform_application(&deployment, &application)?;
    let resources = &terraform["resource"];
    let machine = &resources["aws_sfn_state_machine"]["withdraw"];
    let definition = machine["definition"].as_str().unwrap();
    let mut expected = in_sam["Definition"].to_string();
    for (placeholder, value) in [
        ("${UsersTable}", "${aws_dynamodb_table.users.name}"),
        ("${FollowsTable}", "${aws_dynamodb_table.follows.name}"),
        ("${RestOfItFunctionArn}", "${var.rest_of_it_function_arn}"),
    ] {
        expected = expected.replace(placeholder, value);
    }
    assert_eq!(definition, expected);
    let variable = &terraform["variable"]["rest_of_it_function_arn"];
    assert_eq!(variable["type"], "string");
    assert_eq!(
        machine["role_arn"],
        "${aws_iam_role.withdraw_state_machine.arn}"
    );
    let policy = &resources["aws_iam_role_policy"]["withdraw_state_machine"];
    let policy: Value = serde_json::from_str(policy["policy"].as_str().unwrap())?;
    let statements = policy["Statement"].as_array().unwrap();
    assert_eq!(statements.len(), allowed.as_array().unwrap().len());
    let table = "arn:aws:dynamodb:${data.aws_region.current.name}:\
                 ${data.aws_caller_identity.current.account_id}:table/${var.table_prefix}Users";
    let users = statements.iter().find(|it| it["Resource"] == table);
    let actions = json!(["dynamodb:DeleteItem", "dynamodb:UpdateItem"]);
    assert_eq!(users.unwrap()["Action"], actions, "{policy:#}");
    Ok(())
}

#[test]
fn templates_without_sam_refuse_what_sam_refuses() -> Outcome {
    use dynamo_model_tools::{Application, Deployment};
    let db = Dynamo::embedded()?;
    let missing = Application::new().state_machine(machine(&db)?);
    let twice = Application::new()
        .state_machine(StateMachine::new("a b").step(Step::function("f")))
        .state_machine(StateMachine::new("a-b").step(Step::function("f")))
        .function("f", dynamo_model_tools::Policy::new());
    for (application, expected) in [
        (&missing, "the function `rest of it` does not exist"),
        (&twice, "two resources are called"),
    ] {
        let (model, deployment) = (model(), Deployment::new());
        let plain = model.cloud_formation_application(&deployment, application);
        let terraform = model.terraform_application(&deployment, application);
        for error in [plain.unwrap_err(), terraform.unwrap_err()] {
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
    Ok(())
}
