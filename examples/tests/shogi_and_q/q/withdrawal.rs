//! Withdrawal, whole and cut off.

use super::{
    app_with, app_with_admin, assert_counts, id, minutes_later, now, post_answer, reserved,
    submit_question, today, user,
};
use crate::simulator::as_tester;
use crate::states_language::{problems, run};
use crate::support::{Outcome, cut_off_after};
use dynamo_model::Dynamo;
use dynamo_model_examples::Recorder;
use dynamo_model_examples::outputs::find;
use dynamo_model_examples::q::logic::{
    Stage, Target, block, follow, react, register, register_push_token, report, resolve_report,
    state_machine, withdraw,
};
use dynamo_model_examples::q::{
    Answer, Block, DeviceType, Follow, PushToken, Question, Reaction, ReactionType, Report,
    ReportCategory, User, UserId, UserQuestionSubmission, deployed,
};
use dynamo_model_tools::Request;
use serde_json::{Value, json};
use uuid::Uuid;

/// hanako, who has items in every table; and as many of others.
async fn busy_app() -> Outcome<Dynamo> {
    let db = app_with(&["hanako", "taro", "jiro", "saburo"]).await?;
    for n in 0..12 {
        let fan = format!("fan{n:02}");
        register(&db, &user(&fan)).await?;
        follow(&db, &id(&fan), &id("hanako"), now()).await?;
        follow(&db, &id(&fan), &id("taro"), now()).await?;
    }
    for name in ["taro", "jiro"] {
        follow(&db, &id("hanako"), &id(name), now()).await?;
    }
    follow(&db, &id("taro"), &id("hanako"), now()).await?;
    block(&db, &id("hanako"), &id("saburo"), now()).await?;
    block(&db, &id("jiro"), &id("saburo"), now()).await?;
    for name in ["hanako", "taro", "jiro"] {
        let (me, other) = (
            id(name),
            if name == "taro" {
                id("jiro")
            } else {
                id("taro")
            },
        );
        post_answer(&db, &me, "はい", now()).await?;
        submit_question(&db, &me, &format!("{name}の質問"), now()).await?;
        register_push_token(&db, &me, name, DeviceType::Ios).await?;
        report(
            &db,
            &me,
            Target::User(&other),
            (ReportCategory::Other, None),
            now(),
        )
        .await?;
    }
    for (author, reactor) in [("hanako", "taro"), ("taro", "hanako"), ("taro", "jiro")] {
        react(
            &db,
            (today(), &id(author)),
            &id(reactor),
            ReactionType::Heart,
        )
        .await?;
    }
    submit_question(&db, &id("hanako"), "明日の質問", minutes_later(24 * 60)).await?;
    Ok(db)
}

/// Asserts that no item of hanako remains, and all items of the others.
async fn assert_gone(db: &Dynamo) -> Outcome {
    assert_eq!(as_tester(User::scan().count(db)).await?, 15);
    assert_eq!(User::get(id("hanako")).send(db).await?, None);
    assert_eq!(as_tester(Follow::scan().count(db)).await?, 12);
    for name in ["taro", "jiro", "saburo", "fan00", "fan11"] {
        assert_counts(db, &id(name)).await?;
    }
    assert_eq!(as_tester(Block::scan().count(db)).await?, 1);
    assert_eq!(as_tester(Answer::scan().count(db)).await?, 2);
    let reactions = as_tester(Reaction::scan().all(db)).await?;
    assert_eq!(reactions.len(), 1);
    assert_eq!(reactions[0].reactor_id, id("jiro"));
    assert_eq!(
        as_tester(UserQuestionSubmission::scan().count(db)).await?,
        2
    );
    let questions = as_tester(Question::scan().all(db)).await?;
    let nobodys = questions
        .iter()
        .filter(|question| question.submitted_by.is_none());
    assert_eq!((questions.len(), nobodys.count()), (4, 2));
    assert_eq!(as_tester(Report::scan().count(db)).await?, 2);
    assert_eq!(as_tester(PushToken::scan().count(db)).await?, 2);
    // Three for each remaining user.
    assert_eq!(reserved(db).await?, 45);
    Ok(())
}

fn end() -> jiff::Timestamp {
    minutes_later(2 * 24 * 60)
}

#[tokio::test]
async fn withdrawal_deletes_all_items_of_a_user() -> Outcome {
    let db = busy_app().await?;
    withdraw(&db, &id("hanako"), Stage::Close, end()).await?;
    assert_gone(&db).await?;
    // A repetition has no effect.
    withdraw(&db, &id("hanako"), Stage::Close, end()).await?;
    assert_gone(&db).await
}

/// Each stage can be the last before a crash; the next run continues with the following stage, or
/// with the first.
#[tokio::test]
async fn withdrawal_continues_after_each_stage() -> Outcome {
    for (at, stage) in Stage::ALL.into_iter().enumerate() {
        let db = busy_app().await?;
        for done in &Stage::ALL[..=at] {
            done.run(&db, &id("hanako"), end()).await?;
        }
        let from = match at % 2 {
            0 => stage,
            _ => Stage::Close,
        };
        withdraw(&db, &id("hanako"), from, end()).await?;
        assert_gone(&db).await?;
    }
    Ok(())
}

/// Cut off before its first request, its second, and so on, and begun again each time, until it is
/// through.
#[tokio::test]
async fn withdrawal_continues_before_each_request() -> Outcome {
    let db = busy_app().await?;
    let hanako = id("hanako");
    let mut requests = 0;
    loop {
        let broken = deployed(&cut_off_after(&db, requests), "test");
        if withdraw(&broken, &hanako, Stage::Close, end())
            .await
            .is_ok()
        {
            break;
        }
        for name in ["taro", "jiro", "fan00", "fan05", "fan11"] {
            assert_counts(&db, &id(name)).await?;
        }
        requests += 1;
    }
    assert!(requests > 10, "{requests}");
    assert_gone(&db).await
}

/// A follower added after the first stage does not keep a count of a missing user.
#[tokio::test]
async fn a_follower_added_during_withdrawal_is_removed() -> Outcome {
    let db = busy_app().await?;
    Stage::Follows.run(&db, &id("hanako"), end()).await?;
    follow(&db, &id("fan03"), &id("hanako"), now()).await?;
    withdraw(&db, &id("hanako"), Stage::Blocks, end()).await?;
    assert_gone(&db).await?;
    assert_counts(&db, &id("fan03")).await
}

/// Returns the updated and deleted keys by table, without ids that differ between two runs.
fn written(sent: &[Request]) -> Vec<String> {
    let mut written = Vec::new();
    let mut write = |what: &str, table: &Value, key: &Value| {
        let text = format!("{what} {} {key}", table.as_str().unwrap());
        written.push(without_random_ids(&text));
    };
    for Request {
        operation, body, ..
    } in sent
    {
        match operation.as_str() {
            "UpdateItem" => write("Update", &body["TableName"], &body["Key"]),
            "DeleteItem" => write("Delete", &body["TableName"], &body["Key"]),
            "TransactWriteItems" => {
                let parts = body["TransactItems"].as_array().unwrap().iter();
                for (what, part) in parts.flat_map(|part| part.as_object().unwrap()) {
                    write(what, &part["TableName"], &part["Key"]);
                }
            }
            "BatchWriteItem" => {
                for (table, requests) in body["RequestItems"].as_object().unwrap() {
                    for request in requests.as_array().unwrap() {
                        let key = &request["DeleteRequest"]["Key"];
                        write("Delete", &Value::from(table.as_str()), key);
                    }
                }
            }
            _ => {}
        }
    }
    written.sort();
    written
}

/// Version 4 is random; the users of the tests have version 8.
fn without_random_ids(text: &str) -> String {
    let parts = text.split('"').map(|part| match Uuid::parse_str(part) {
        Ok(id) if id.get_version_num() == 4 => "random",
        _ => part,
    });
    parts.collect::<Vec<_>>().join("\"")
}

/// The exported definition, on an engine: it updates and deletes the same keys of the same tables
/// as the code.
#[tokio::test]
async fn the_state_machine_sends_the_requests_of_the_code() -> Outcome {
    let recorder = Recorder::default();
    let by_code = recorder
        .record(&busy_app().await?)
        .with_table_prefix("test-q-");
    let _ = recorder.take();
    withdraw(&by_code, &id("hanako"), Stage::Close, end()).await?;
    let (sent_by_code, _) = recorder.take();

    let db = busy_app().await?;
    let (_, settings) = find("q").unwrap();
    let machine = state_machine().unwrap().table_prefix("test-q-");
    let definition = (settings.model)().state_machine(&machine)?;
    assert_eq!(problems(&definition), [""; 0]);
    let recorded = recorder.record(&db).with_table_prefix("test-q-");
    let input = json!({ "userId": id("hanako").to_string() });
    let functions = recorded.clone();
    let done = run(
        &definition,
        input,
        recorded.client(),
        &move |name, payload| {
            let db = functions.clone();
            Box::pin(async move {
                let name = name
                    .trim_start_matches("${")
                    .trim_end_matches("FunctionArn}");
                let stage = Stage::ALL
                    .into_iter()
                    .find(|stage| format!("{stage:?}") == name);
                let user: UserId = serde_json::from_value(payload["userId"].clone()).unwrap();
                stage.unwrap().run(&db, &user, end()).await.unwrap();
                Ok(json!({}))
            })
        },
    )
    .await;
    assert!(done.is_ok(), "{done:?}");
    let (sent_by_machine, _) = recorder.take();
    assert_gone(&db).await?;
    let expected = written(&sent_by_code);
    assert!(expected.len() >= 60, "{}", expected.len());
    assert_eq!(written(&sent_by_machine), expected);
    Ok(())
}

/// Reports by the user, about the user and about an answer of the user go; others stay.
#[tokio::test]
async fn withdrawal_deletes_reports_about_the_user() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro", "jiro"]).await?;
    let (hanako, taro, jiro) = (id("hanako"), id("taro"), id("jiro"));
    post_answer(&db, &hanako, "はい", now()).await?;
    post_answer(&db, &jiro, "はい", now()).await?;
    let spam = (ReportCategory::Spam, None);
    let of_user = report(&db, &taro, Target::User(&hanako), spam, now()).await?;
    report(&db, &taro, Target::Answer(today(), &hanako), spam, now()).await?;
    let kept = report(&db, &taro, Target::Answer(today(), &jiro), spam, now()).await?;
    resolve_report(&db, &boss, &of_user.report_id, true, now()).await?;
    withdraw(&db, &hanako, Stage::Close, end()).await?;
    assert_eq!(as_tester(Report::scan().all(&db)).await?, [kept]);
    Ok(())
}
