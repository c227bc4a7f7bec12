//! The study app.

use crate::simulator::as_tester;
use crate::support::{
    Outcome, as_operator, as_service, at, at_once, database, item, put_raw, without_isolation,
};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, Region, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use dynamo_model::{BatchWrite, Dynamo, Entity, Table};
use dynamo_model_examples::exam::{
    AnswerHistory, ExamError, ExamItem, ExamStudyApp, ExamType, Question, QuestionId, User, UserId,
    WeakAreaAnalytics, analytics_of_exam, answers_page, change_display_name, everything_of,
    import_questions, migrate_names,
    migration::{back_up, spread_analytics},
    question, questions, record_answer, review, user, weakest_areas,
};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// The document's user and ten questions, FE-2023-01 to FE-2023-10; 2 is always right.
async fn app() -> Outcome<Dynamo> {
    Ok(as_service("exam", filled().await?))
}

async fn filled() -> Outcome<Dynamo> {
    let db = database()?;
    ExamStudyApp::create_table(&db).await?;
    user()?.create().send(&db).await?;
    let sample = question()?;
    let questions: Vec<_> = (1..=10)
        .map(|number| Question {
            question_id: id(number),
            category: if number <= 5 { "network" } else { "security" }.into(),
            ..sample.clone()
        })
        .collect();
    import_questions(&db, &questions).await?;
    Ok(db)
}

fn id(number: usize) -> QuestionId {
    QuestionId(format!("FE-2023-{number:02}"))
}

fn u1() -> UserId {
    UserId("u1".into())
}

async fn record(
    db: &Dynamo,
    question: usize,
    selected: u32,
    minute: usize,
) -> Result<AnswerHistory, ExamError> {
    let at = at(&format!("2025-06-01T10:{minute:02}:00Z"));
    record_answer(db, &u1(), &id(question), selected, at).await
}

async fn network(db: &Dynamo) -> Outcome<Option<WeakAreaAnalytics>> {
    let area = WeakAreaAnalytics::get(u1(), ExamType::Fe, "network");
    Ok(area.consistent().send(db).await?)
}

#[tokio::test]
async fn an_answer_updates_the_analytics() -> Outcome {
    let db = app().await?;
    assert!(record(&db, 1, 2, 0).await?.is_correct);
    let area = network(&db).await?.unwrap();
    assert_eq!(
        (area.total_answers, area.correct_answers, area.accuracy_rate),
        (1, 1, 1.0)
    );

    for minute in 1..4 {
        assert!(!record(&db, 1, 0, minute).await?.is_correct);
    }
    let area = network(&db).await?.unwrap();
    assert_eq!(
        (area.total_answers, area.correct_answers, area.accuracy_rate),
        (4, 1, 0.25)
    );
    assert_eq!(AnswerHistory::query(u1()).count(&db).await?, 4);
    Ok(())
}

#[tokio::test]
async fn an_answer_counts_once() -> Outcome {
    let db = app().await?;
    record(&db, 1, 2, 0).await?;
    let again = record(&db, 1, 0, 0).await.unwrap_err();
    assert!(matches!(again, ExamError::AlreadyAnswered), "{again}");
    assert_eq!(network(&db).await?.unwrap().total_answers, 1);
    Ok(())
}

#[tokio::test]
async fn an_answer_must_be_a_choice_of_its_question() -> Outcome {
    let db = app().await?;
    let unknown = record(&db, 11, 0, 0).await.unwrap_err();
    assert_eq!(unknown.to_string(), "question FE-2023-11 does not exist");
    let choice = record(&db, 1, 4, 0).await.unwrap_err();
    assert_eq!(
        choice.to_string(),
        "choice 4 does not exist; the question has 4, from 0"
    );
    assert_eq!(network(&db).await?, None);

    let broken = Question {
        answer_index: 4,
        ..question()?
    };
    let refused = import_questions(&db, &[broken]).await.unwrap_err();
    assert!(matches!(
        refused,
        ExamError::NoSuchChoice { choices: 4, .. }
    ));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_answers_at_once_are_all_counted() -> Outcome {
    if without_isolation() {
        return Ok(());
    }
    let db = app().await?;
    let answers = at_once(50, |number| {
        let db = db.clone();
        async move { record(&db, number % 5 + 1, (number % 4) as u32, number).await }
    });
    let correct = answers
        .await
        .into_iter()
        .filter(|it| it.as_ref().unwrap().is_correct);
    let (area, correct) = (network(&db).await?.unwrap(), correct.count() as u32);
    assert_eq!((area.total_answers, area.correct_answers), (50, correct));
    assert_eq!(area.accuracy_rate, f64::from(correct) / 50.0);
    assert_eq!(AnswerHistory::query(u1()).count(&db).await?, 50);
    Ok(())
}

#[tokio::test]
async fn questions_answered_wrongly_last_are_reviewed() -> Outcome {
    let db = app().await?;
    // 1 was learnt, 2 was forgotten, 3 is wrong; 6 is of another area.
    for (minute, (question, selected)) in [(1, 0), (2, 2), (3, 1), (6, 0), (1, 2), (2, 0)]
        .into_iter()
        .enumerate()
    {
        record(&db, question, selected, minute).await?;
    }
    let ids = |questions: Vec<Question>| {
        questions
            .into_iter()
            .map(|it| it.question_id)
            .collect::<Vec<_>>()
    };
    let network = review(&db, &u1(), ExamType::Fe, "network").await?;
    assert_eq!(ids(network), [id(2), id(3)]);
    let security = review(&db, &u1(), ExamType::Fe, "security").await?;
    assert_eq!(ids(security), [id(6)]);
    assert!(
        review(&db, &u1(), ExamType::Ap, "network")
            .await?
            .is_empty()
    );

    let areas = weakest_areas(&db, &u1(), ExamType::Fe).await?;
    let areas: Vec<_> = areas
        .iter()
        .map(|it| (it.category.as_str(), it.accuracy_rate))
        .collect();
    assert_eq!(areas, [("security", 0.0), ("network", 0.4)]);
    Ok(())
}

#[tokio::test]
async fn a_profile_change_checks_the_version() -> Outcome {
    let db = app().await?;
    let user = User::get(u1()).send(&db).await?.unwrap();
    let renamed = change_display_name(&db, &user, "山田花子").await?;
    assert_eq!((renamed.shown_name(), renamed.version), ("山田花子", 2));
    assert!(renamed.updated_at >= user.updated_at && renamed.created_at == user.created_at);

    let late = change_display_name(&db, &user, "山田次郎")
        .await
        .unwrap_err();
    assert!(matches!(late, ExamError::Changed), "{late}");
    // As in the document: by key, with a given version.
    let update = User::update(u1()).set(|user| user.display_name(), "山田次郎");
    let late = update.expect_version(1).send(&db).await.unwrap_err();
    assert!(late.is_conflict(), "{late}");
    assert_eq!(User::get(u1()).send(&db).await?.unwrap(), renamed);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_changes_of_a_version_succeeds() -> Outcome {
    let db = app().await?;
    let user = User::get(u1()).send(&db).await?.unwrap();
    let changes = at_once(50, |number| {
        let (db, user) = (db.clone(), user.clone());
        async move { change_display_name(&db, &user, &format!("名前{number}")).await }
    });
    let made: Vec<_> = changes.await.into_iter().filter_map(Result::ok).collect();
    assert_eq!(made.len(), 1);
    assert_eq!(User::get(u1()).send(&db).await?.unwrap(), made[0]);
    Ok(())
}

#[tokio::test]
async fn batches_of_any_length_are_read_and_written() -> Outcome {
    let db = app().await?;
    let sample = question()?;
    let ids: Vec<_> = (0..130)
        .map(|n| QuestionId(format!("AP-2024-{n:03}")))
        .collect();
    let new = ids.iter().map(|id| Question {
        question_id: id.clone(),
        ..sample.clone()
    });
    import_questions(&db, &new.collect::<Vec<_>>()).await?;

    let found = questions(&db, &ids).await?;
    assert!(found.iter().map(|it| &it.question_id).eq(&ids));
    let some = questions(&db, &[id(1), id(99), id(2)]).await?;
    assert!(some.iter().map(|it| &it.question_id).eq(&[id(1), id(2)]));
    Ok(())
}

#[tokio::test]
async fn a_partition_is_read_completely_or_page_by_page() -> Outcome {
    let db = app().await?;
    let sample = record(&db, 1, 2, 0).await?;
    let many = (1..=250).map(|n| AnswerHistory {
        answered_at: sample.answered_at + jiff::SignedDuration::from_secs(n),
        ..sample.clone()
    });
    BatchWrite::new()
        .load(many.collect::<Vec<_>>())
        .send(&db)
        .await?;

    // SK: ANALYTICS#… before ANSWER#… before PROFILE.
    let everything = everything_of(&db, &u1()).await?;
    assert_eq!(everything.len(), 253);
    assert!(matches!(everything[0], ExamItem::WeakArea(_)));
    assert!(matches!(everything[1], ExamItem::Answer(_)));
    assert!(matches!(everything[252], ExamItem::User(_)));

    let (mut answers, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
    loop {
        let page = answers_page(&db, &u1(), 100, cursor).await?;
        pages += 1;
        answers.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((answers.len(), pages), (251, 3));
    assert!(answers.is_sorted_by(|a, b| a.answered_at > b.answered_at));
    Ok(())
}

/// "Non-breaking change": items of older code can be read and changed.
#[tokio::test]
async fn old_users_are_migrated() -> Outcome {
    let engine = filled().await?;
    let db = as_service("exam", engine.clone());
    let operator = as_operator("exam", engine);
    let old = |id: &str, name: Option<&str>| {
        let mut old = item(json!({
            "PK": format!("USER#{id}"), "SK": "PROFILE", "EntityType": "USER", "userId": id,
            "email": "old@example.com", "createdAt": "2024-01-01T00:00:00Z", "updatedAt": "2024-01-01T00:00:00Z",
        }));
        old.extend(
            name.map(|name| item(json!({ "name": name })))
                .unwrap_or_default(),
        );
        old
    };
    for number in 0..120 {
        put_raw::<ExamStudyApp>(&db, old(&format!("old{number}"), Some("鈴木"))).await?;
    }
    put_raw::<ExamStudyApp>(&db, old("nameless", None)).await?;
    let before = User::get("old7").send(&db).await?.unwrap();
    assert_eq!(
        (before.shown_name(), before.display_name.as_deref()),
        ("鈴木", None)
    );

    assert_eq!(migrate_names(&operator).await?, 120);
    let after = User::get("old7").send(&db).await?.unwrap();
    assert_eq!(
        (after.display_name.as_deref(), after.name.as_deref()),
        (Some("鈴木"), Some("鈴木"))
    );
    assert_eq!(after.version, 1);
    assert_eq!(
        User::get("nameless").send(&db).await?.unwrap().shown_name(),
        "Unknown"
    );
    assert_eq!(User::get("u1").send(&db).await?.unwrap().version, 1);
    assert_eq!(migrate_names(&operator).await?, 0);

    let renamed = change_display_name(&db, &after, "佐藤").await?;
    assert_eq!(renamed.shown_name(), "佐藤");
    Ok(())
}

#[tokio::test]
async fn a_key_cannot_be_changed_into_another() -> Outcome {
    let db = app().await?;
    let hostile = UserId("u1#ADMIN".into());
    record_answer(&db, &hostile, &id(1), 0, at("2025-06-01T10:00:00Z")).await?;
    assert_eq!(AnswerHistory::query(u1()).count(&db).await?, 0);
    assert_ne!(user()?.primary_key()?.pk(), User::key(hostile)?.pk());
    Ok(())
}

/// An item with the document's index key is in no shard until the migration moves it, with its
/// separate permissions.
#[tokio::test]
async fn analytics_of_the_document_move_to_their_shards() -> Outcome {
    let engine = database()?;
    ExamStudyApp::create_table(&engine).await?;
    let (service, operator) = (
        as_service("exam", engine.clone()),
        as_operator("exam", engine.clone()),
    );
    for number in 0..20 {
        let user = format!("u{number}");
        let shown = json!({
            "PK": format!("USER#{user}"), "SK": "ANALYTICS#FE#network", "EntityType": "ANALYTICS",
            "userId": user, "examType": "FE", "category": "network", "totalAnswers": 8,
            "correctAnswers": 2, "accuracyRate": 0.25, "lastUpdatedAt": "2025-06-01T10:00:00Z",
            "GSI1PK": "ANALYTICS#FE", "GSI1SK": format!("USER#{user}#CATEGORY#network"),
        });
        put_raw::<ExamStudyApp>(&engine, item(shown)).await?;
    }
    assert_eq!(analytics_of_exam(&service, ExamType::Fe).await?, []);
    // It can be read and changed meanwhile, by its key.
    let area = WeakAreaAnalytics::get(u1(), ExamType::Fe, "network");
    assert_eq!(area.send(&service).await?.unwrap().total_answers, 8);

    assert_eq!(spread_analytics().run(&operator).await?.migrated, 20);
    let areas = analytics_of_exam(&service, ExamType::Fe).await?;
    assert_eq!(areas.len(), 20);
    assert!(areas.is_sorted_by_key(|it| it.user_id.0.clone()));
    assert!(areas.iter().all(|it| it.total_answers == 8));
    assert_eq!(spread_analytics().run(&operator).await?.migrated, 0);
    Ok(())
}

/// "No scans": IAM refuses one to the service, whoever sends it; the migration's role scans.
#[tokio::test]
async fn a_scan_by_the_service_is_refused() -> Outcome {
    if crate::support::endpoint().is_some() {
        eprintln!("skipped: the policy is for tables without a prefix");
        return Ok(());
    }
    let (engine, table) = (database()?, "ExamStudyApp");
    ExamStudyApp::create_table(&engine).await?;
    let scan = async |db: &Dynamo| db.client().scan().table_name(table).send().await;
    let service = as_service("exam", engine.clone());
    let refused = format!("{:?}", scan(&service).await.unwrap_err());
    let expected = "the role may not dynamodb:Scan on table/ExamStudyApp";
    assert!(refused.contains(expected), "{refused}");
    assert!(scan(&as_operator("exam", engine)).await.is_ok());
    assert!(as_tester(scan(&service)).await.is_ok());
    Ok(())
}

/// Records the target of a request and its `Authorization` header, and sends nothing.
#[derive(Debug, Clone, Default)]
struct Nowhere(Arc<Mutex<Vec<(String, String)>>>);

impl Intercept for Nowhere {
    fn name(&self) -> &'static str {
        "Nowhere"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request();
        let signed = request.headers().get("authorization").unwrap_or_default();
        let mut seen = self.0.lock().unwrap();
        seen.push((request.uri().to_owned(), signed.to_owned()));
        Err("nothing is sent".into())
    }
}

/// Where the first request of a client would go, and how it is signed.
async fn request_of(config: aws_sdk_dynamodb::config::Builder) -> (String, String) {
    let nowhere = Nowhere::default();
    let config = config.interceptor(nowhere.clone()).build();
    let db = Dynamo::new(Client::from_conf(config)).with_http_only_interceptors();
    assert!(User::get("u1").send(&db).await.is_err());
    let seen = nowhere.0.lock().unwrap();
    seen[0].clone()
}

/// "In transit: HTTPS". A default client connects to AWS over TLS.
#[tokio::test]
async fn requests_to_aws_go_over_https() {
    let local = Dynamo::endpoint("http://127.0.0.1:8000");
    let config = local.client().config().to_builder();
    let mut config = config.region(Region::new("ap-northeast-1"));
    config.set_endpoint_url(None);
    let (uri, _) = request_of(config).await;
    assert!(
        uri.starts_with("https://") && uri.contains("ap-northeast-1"),
        "{uri}"
    );
}

/// "Test client": a custom address, the region `local`, credentials that no engine checks.
#[tokio::test]
async fn a_client_of_dynamodb_local_needs_only_its_address() {
    let local = Dynamo::endpoint("http://localhost:8000");
    let (uri, signed) = request_of(local.client().config().to_builder()).await;
    assert!(uri.starts_with("http://localhost:8000"), "{uri}");
    assert!(
        signed.contains("Credential=local/") && signed.contains("/local/dynamodb/"),
        "{signed}"
    );
}

/// "On-demand backup": the table is backed up before an important change, on engines that have
/// backups.
#[tokio::test]
async fn the_table_is_backed_up_before_an_important_change() -> Outcome {
    let db = database()?;
    ExamStudyApp::create_table(&db).await?;
    let made = back_up(&db, "before-2.0").await;
    if crate::support::endpoint().is_none() {
        let error = made.unwrap_err().to_string();
        assert!(error.contains("back up ExamStudyApp"), "{error}");
        eprintln!("skipped: the embedded engine has no backups");
        return Ok(());
    }
    assert!(made?.arn.contains("ExamStudyApp"));
    Ok(())
}
