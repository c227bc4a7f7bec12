//! Results of a query: the first item, the only one, the count; and strongly consistent reads.

use crate::support::{self, Db, Outcome, store};
use dynamo_model::ErrorKind;
use dynamo_model::error::KeyErrorKind;
use dynamo_model_examples::exam::{
    AnswerHistory, ExamStudyApp, ExamType, User, answer_history, user,
};
use jiff::ToSpan;

/// Thirty answers of one user, every third of another exam.
async fn app() -> Outcome<Db> {
    let db = support::db::<ExamStudyApp>().await;
    store(&db, &[user()?]).await?;
    let mut answers = Vec::new();
    for number in 0..30_i64 {
        let mut answer = answer_history()?;
        answer.answered_at += number.hours();
        answer.selected_index = u32::try_from(number)?;
        if number % 3 == 0 {
            answer.exam_type = ExamType::Ap;
        }
        answers.push(answer);
    }
    store(&db, &answers).await?;
    Ok(db)
}

#[tokio::test]
async fn first_returns_the_first_item() -> Outcome {
    let db = app().await?;
    let first = AnswerHistory::query("u1").first(&db).await?;
    assert_eq!(first.unwrap().selected_index, 0);
    let last = AnswerHistory::query("u1").descending().first(&db).await?;
    assert_eq!(last.unwrap().selected_index, 29);
    // Past filtered items, request by request.
    let filtered = AnswerHistory::query("u1")
        .filter(|answer| answer.selected_index().ge(17))
        .page_size(5);
    assert_eq!(filtered.first(&db).await?.unwrap().selected_index, 17);
    assert_eq!(AnswerHistory::query("u2").first(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn one_requires_exactly_one_item() -> Outcome {
    let db = app().await?;
    let query = |index: u32| {
        AnswerHistory::query("u1")
            .filter(move |answer| answer.selected_index().ge(index))
            .page_size(7)
    };
    assert_eq!(query(29).one(&db).await?.selected_index, 29);

    let none = query(30).one(&db).await.unwrap_err();
    assert_eq!(none.kind(), &ErrorKind::NotOne { found: 0 });
    let text = "query AnswerHistory: no item was found; use `first` if there may be none";
    assert_eq!(none.to_string(), text);

    let two = query(28).one(&db).await.unwrap_err();
    assert_eq!(two.kind(), &ErrorKind::NotOne { found: 2 });
    let text = "query AnswerHistory: more than one item was found; use `first` or `all`";
    assert_eq!(two.to_string(), text);
    Ok(())
}

#[tokio::test]
async fn a_count_is_the_number_of_items() -> Outcome {
    let db = app().await?;
    let queries = [
        || AnswerHistory::query("u1").query(),
        || {
            AnswerHistory::query("u1")
                .filter(|answer| answer.exam_type().eq(ExamType::Ap))
                .query()
        },
        || AnswerHistory::query("u1").page_size(4).query(),
        || AnswerHistory::query("u1").limit(11).query(),
        || AnswerHistory::query("u1").limit(11).page_size(4).query(),
        || AnswerHistory::query("u1").limit(31).descending().query(),
        || {
            AnswerHistory::query("u1")
                .filter(|answer| answer.exam_type().eq(ExamType::Fe))
                .limit(11)
                .page_size(4)
                .query()
        },
        || AnswerHistory::query("u2").query(),
    ];
    for query in queries {
        let all = query().all(&db).await?.len();
        assert_eq!(query().count(&db).await?, all, "{:?}", query());
    }
    Ok(())
}

#[tokio::test]
async fn consistent_reads_are_requested() -> Outcome {
    let db = app().await?;
    assert_eq!(User::get("u1").consistent().send(&db).await?, Some(user()?));
    let query = AnswerHistory::query("u1").consistent();
    assert_eq!(query.all(&db).await?.len(), 30);
    let explained = AnswerHistory::query("u1").consistent().explain(&db)?;
    assert!(explained.consistent);
    let sent = AnswerHistory::query("u1").consistent().into_sdk(&db)?;
    assert_eq!(sent.get_consistent_read(), &Some(true));
    Ok(())
}

#[tokio::test]
async fn explain_shows_the_request_that_is_sent() -> Outcome {
    let db = app().await?;
    let query = || {
        AnswerHistory::by_question("FE-2023-01")
            .user_id("u1")
            .filter(|answer| answer.is_correct().eq(true))
            .page_size(10)
    };
    let explained = query().explain(&db)?;
    let sdk = query().into_sdk(db.direct())?;
    assert_eq!(sdk.get_key_condition_expression(), &explained.key_condition);
    assert_eq!(sdk.get_filter_expression(), &explained.filter);
    assert_eq!(sdk.get_limit(), &explained.page_size);
    assert_eq!(sdk.get_index_name().as_deref(), explained.index);
    let table = &explained.table;
    assert_eq!(
        explained.to_string(),
        format!(
            "Query {table} index GSI1\n  \
             key: GSI1PK = \"QUESTION#FE-2023-01\" AND begins_with(GSI1SK, \"USER#u1#\")\n  \
             filter: isCorrect = true\n  \
             at most 10 items a request"
        )
    );
    assert_eq!(sdk.send().await?.count, 10);
    Ok(())
}

/// An impossible key is an error before any request: there is not even a table.
#[tokio::test]
async fn an_invalid_key_fails_every_read_before_the_request() {
    let db = support::bare();
    let error = User::get("").send(&db).await.unwrap_err();
    let ErrorKind::Key(key) = error.kind() else {
        panic!("{error:?}")
    };
    assert_eq!(key.kind(), &KeyErrorKind::Empty);
    assert_eq!(key.field(), Some("user_id"));
    let long = "u".repeat(3000);
    let error = AnswerHistory::query(long.as_str())
        .all(&db)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)), "{error:?}");
}
