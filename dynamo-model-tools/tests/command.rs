//! The command on the embedded engine: what it prints, and its exit status.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use dynamo_model::prelude::*;
use dynamo_model_tools::{Model, Policy, Schema, Tools};
use expect_test::{expect, expect_file};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

mod last_year {
    use dynamo_model::{DynamoEntity, DynamoTable};
    use serde::{Deserialize, Serialize};

    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK", sk = "SK")]
    #[gsi2(name = "old", pk = "GSI2PK")]
    pub(crate) struct App;

    #[derive(DynamoEntity, Serialize, Deserialize)]
    #[dynamo(table = App)]
    #[pk("USER#<id>")]
    #[sk("USER")]
    pub(crate) struct User {
        pub(crate) id: String,
        pub(crate) email: String,
    }
}

mod moved {
    use dynamo_model::{DynamoEntity, DynamoTable};

    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK", sk = "SK")]
    pub(crate) struct App;

    #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    #[dynamo(table = App)]
    #[pk("ACCOUNT#<id>")]
    #[sk("USER")]
    pub(crate) struct User {
        pub(crate) id: String,
        pub(crate) email: String,
    }
}

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "expires", items = AppItem)]
#[gsi1(name = "by-email", pk = "GSI1PK")]
struct App;

/// Who uses the app.
#[derive(DynamoEntity, Debug, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[sk("USER")]
#[gsi1(pk = "EMAIL#<email>", as = by_email)]
struct User {
    id: String,
    email: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    #[allow(dead_code)]
    User(User),
}

fn model() -> Model {
    Model::new("app").items::<AppItem>()
}

struct Ended {
    status: u8,
    out: String,
    err: String,
}

async fn run(tools: impl Into<Tools>, arguments: &str) -> Ended {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = ["tools"].into_iter().chain(arguments.split_whitespace());
    let status = tools.into().execute(arguments, &mut out, &mut err).await;
    let [out, err] = [out, err].map(|text| String::from_utf8(text).unwrap());
    Ended { status, out, err }
}

/// A file of the test's own, which is removed at its end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let name = format!("dynamo-model-tools-{}-{name}", std::process::id());
        let file = Self(std::env::temp_dir().join(name));
        let _ = std::fs::remove_file(&file.0);
        file
    }

    fn at(&self, arguments: &str) -> String {
        format!("{arguments} --file {}", self.0.display())
    }

    async fn with_last_year(name: &str) -> Self {
        let file = Self::new(name);
        let db = Dynamo::embedded_on_file(&file.0).unwrap();
        last_year::App::create_table(&db).await.unwrap();
        let (id, email) = ("u1".into(), "a@example.com".into());
        let user = last_year::User { id, email };
        user.put().send(&db).await.unwrap();
        file
    }
}

impl Drop for File {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", self.0.display()));
        }
    }
}

#[tokio::test]
async fn help_texts_are_as_recorded() {
    let all = [
        "",
        "output",
        "lock",
        "verify",
        "plan",
        "apply",
        "completion",
    ];
    let mut text = String::new();
    for command in all {
        let ended = run(model(), &format!("{command} --help")).await;
        assert_eq!((ended.status, ended.err.as_str()), (0, ""));
        let call = format!("tools {command} --help").replace("  ", " ");
        text += &format!("$ {call}\n{}\n", ended.out);
    }
    expect_file!["golden/help.txt"].assert_eq(&text);
}

#[tokio::test]
async fn wrong_arguments_exit_with_2_and_name_the_fix() {
    let ended = run(model(), "plan").await;
    assert_eq!((ended.status, ended.out.as_str()), (2, ""));
    expect!["error: where are the tables? give `--endpoint URL`, `--file PATH` or `--memory`; for AWS, give the schema a client with `Schema::client`\n"]
        .assert_eq(&ended.err);
    for wrong in [
        "",
        "plna",
        "plan --memory --file x",
        "output",
        "output html --name x",
        "plan --memory --table Other",
        "lock /nowhere/schema.lock",
        "--schema other plan --memory",
        "output policy --name none",
        "output capacity",
    ] {
        let ended = run(model(), wrong).await;
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{wrong}");
        assert!(!ended.err.is_empty(), "{wrong}");
    }
}

#[tokio::test]
async fn outputs_are_those_of_the_model() {
    let expected = [
        ("markdown", model().markdown()),
        ("html", model().html()),
        ("mermaid", model().mermaid()),
        ("lock", model().lock()),
        ("workbench", format!("{:#}\n", model().workbench())),
        (
            "model",
            format!("{:#}\n", serde_json::to_value(model()).unwrap()),
        ),
        (
            "cloudformation",
            format!("{:#}\n", model().cloud_formation(&Default::default())),
        ),
        ("sam", format!("{:#}\n", model().sam(&Default::default()))),
        (
            "terraform",
            format!("{:#}\n", model().terraform(&Default::default())),
        ),
    ];
    for (kind, text) in expected {
        let ended = run(model(), &format!("output {kind}")).await;
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{kind}");
        assert_eq!(ended.out, text, "{kind}");
    }
    let ended = run(model(), "output create-table").await;
    let inputs: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(inputs["CreateTable"][0]["TableName"], "App");
}

#[tokio::test]
async fn a_policy_is_found_by_its_name() {
    let schema = || Schema::new(model()).policy("reader", Policy::new().reads(["User"]));
    let reader = run(schema(), "output policy --name reader").await;
    assert_eq!(reader.status, 0, "{}", reader.err);
    assert!(reader.out.contains("dynamodb:GetItem") && !reader.out.contains("dynamodb:PutItem"));
    let all = run(schema(), "output policy").await;
    assert!(all.out.contains("dynamodb:PutItem"));
    let none = run(schema(), "output policy --name writer").await;
    assert_eq!(none.err, "error: no policy `writer`; there are reader\n");
}

#[tokio::test]
async fn several_schemas_need_a_choice() {
    let tools = || -> Tools {
        let names = ["shop", "forum"];
        names
            .map(|name| Schema::new(Model::new(name).items::<AppItem>()))
            .into_iter()
            .collect()
    };
    let ended = run(tools(), "output lock").await;
    assert_eq!(ended.status, 2);
    assert_eq!(
        ended.err,
        "error: there are several schemas; choose one with `--schema`: shop, forum\n"
    );
    assert_eq!(run(tools(), "output lock --schema forum").await.status, 0);
    assert!(
        run(tools(), "--help")
            .await
            .out
            .contains("Which schema: shop, forum")
    );
}

#[tokio::test]
async fn plan_apply_and_verify_bring_a_table_to_its_declaration() {
    let file = File::with_last_year("plan").await;
    let ended = run(model(), &file.at("verify")).await;
    assert_eq!((ended.status, ended.err.as_str()), (3, ""));
    assert!(ended.out.contains("by-email"), "{}", ended.out);

    let ended = run(model(), &file.at("plan")).await;
    assert_eq!((ended.status, ended.err.as_str()), (3, ""));
    expect![[r#"
        App:
          remove index `old`, which is not declared (only with `--allow-index-removal old`)
          backfill the keys of index `by-email` into the items of User
          add index `by-email`
          enable TTL by `expires`
    "#]]
    .assert_eq(&ended.out);
    let json = run(model(), &file.at("plan --json")).await;
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["tables"][0]["steps"][0]["needs_consent"], json!(true));

    let refused = run(model(), &file.at("apply")).await;
    assert_eq!((refused.status, refused.out.as_str()), (2, ""));
    assert!(
        refused.err.contains(".backfill::<User>()"),
        "{}",
        refused.err
    );

    let schema = || Schema::new(model()).backfill::<User>();
    let ended = run(schema(), &file.at("apply --allow-index-removal old")).await;
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    expect![[r#"
        App: done: remove index `old`, which is not declared
        App: done: backfill the keys of index `by-email` into the items of User
        App: done: add index `by-email`
        App: done: enable TTL by `expires`
    "#]]
    .assert_eq(&ended.out);

    for command in ["verify --exact", "plan"] {
        assert_eq!(run(model(), &file.at(command)).await.status, 0, "{command}");
    }
    let again = run(schema(), &file.at("apply --json")).await;
    let again: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(
        again,
        json!({ "tables": [{ "table": "App", "done": [], "left": [] }] })
    );
    let db = Dynamo::embedded_on_file(&file.0).unwrap();
    let users = User::by_email("a@example.com").all(&db).await.unwrap();
    assert_eq!(users.len(), 1, "the item has the keys of the new index");
}

#[tokio::test]
async fn a_missing_table_fails_verify_and_is_created_by_apply() {
    let file = File::new("missing");
    let ended = run(model(), &file.at("verify")).await;
    assert_eq!((ended.status, ended.out.as_str()), (1, ""));
    assert!(ended.err.starts_with("error: "), "{}", ended.err);
    let ended = run(model(), &file.at("apply --table-prefix dev-")).await;
    assert!(
        ended.out.starts_with("dev-App: done: create the table\n"),
        "{}",
        ended.out
    );
    assert_eq!(
        run(model(), &file.at("verify --table-prefix dev-"))
            .await
            .status,
        0
    );
}

#[tokio::test]
async fn lock_is_written_once_and_refuses_what_breaks_stored_items() {
    let file = File::new("schema.lock");
    let lock = |options: &str| format!("lock {} {options}", file.0.display());
    assert_eq!(run(model(), &lock("")).await.status, 2);
    assert_eq!(run(model(), &lock("--write")).await.status, 0);
    assert_eq!(run(model(), &lock("")).await.status, 0);

    let moved = || Model::new("app").entity::<moved::User>();
    let ended = run(moved(), &lock("--json")).await;
    assert_eq!(ended.status, 3);
    let changes: Value = serde_json::from_str(&ended.out).unwrap();
    let changes = changes["changes"].as_array().unwrap();
    assert!(
        changes.iter().any(|change| change["impact"] == "breaking"),
        "{changes:?}"
    );

    let refused = run(moved(), &lock("--write")).await;
    assert_eq!(refused.status, 1);
    assert_eq!(
        std::fs::read_to_string(&file.0).unwrap(),
        model().lock(),
        "still the old one"
    );
    assert_eq!(
        run(moved(), &lock("--write --allow-breaking")).await.status,
        0
    );
    assert_eq!(run(moved(), &lock("")).await.status, 0);
}

#[tokio::test]
async fn completion_scripts_name_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ended = run(model(), &format!("completion {shell}")).await;
        assert_eq!((ended.status, ended.err.as_str()), (0, ""));
        assert!(ended.out.contains("verify"), "{shell}");
    }
}
