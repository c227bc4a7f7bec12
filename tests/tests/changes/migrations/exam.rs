//! The study app: items of its first release, in a run that is killed five times. The command
//! `migrate` runs it with ten thousand items.

use super::killed::Seeded;
use super::{at_once, is_embedded};
use crate::support::{self, Db, Fault, Outcome, everything, store};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::Dynamo;
use dynamo_model_examples::exam::migration::{FirstAnswer, answers, first_release, profiles};
use dynamo_model_examples::exam::{AnswerHistory, ExamStudyApp, UserId};
use std::collections::BTreeSet;

fn items() -> u32 {
    if is_embedded() { 2_000 } else { 200 }
}

async fn run(db: &Dynamo) -> Result<u64, dynamo_model::Error> {
    let users = profiles()
        .segments(at_once(4))
        .page_size(250)
        .concurrency(at_once(8) as usize)
        .run(db)
        .await?;
    let answers = answers()
        .segments(at_once(4))
        .page_size(250)
        .concurrency(at_once(8) as usize)
        .run(db)
        .await?;
    Ok(users.migrated + answers.migrated)
}

/// Breaks off after some of the requests that the whole of it takes.
async fn killed(db: &Db, requests: usize) -> bool {
    let (dying, _) = db.faulty(RetryConfig::disabled(), move |number, _| {
        match number.cmp(&requests) {
            std::cmp::Ordering::Less => Fault::None,
            std::cmp::Ordering::Equal => Fault::AnswerLost,
            std::cmp::Ordering::Greater => Fault::NotSent,
        }
    });
    run(&dying).await.is_err()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_killed_five_times_migrates_every_item() -> Outcome {
    let db = support::db::<ExamStudyApp>().await;
    let (users, first) = first_release(items());
    store(&db, &users).await?;
    store(&db, &first).await?;

    let mut seeded = Seeded::new(5);
    for _ in 0..5 {
        let sixth = u64::from(items() / 6);
        let requests = sixth / 2 + seeded.below(sixth);
        assert!(killed(&db, usize::try_from(requests)?).await);
    }
    run(&db).await?;

    assert_eq!(
        everything::<ExamStudyApp>(&db).await?.len(),
        items() as usize
    );
    let expected = |old: &FirstAnswer| AnswerHistory {
        user_id: old.user_id.clone(),
        question_id: old.question_id.clone(),
        selected_index: old.choice,
        is_correct: old.is_correct,
        answered_at: old.answered_at,
        exam_type: old.exam_type,
    };
    let mut expected: Vec<_> = first.iter().map(expected).collect();
    // The table forbids scans; each user's answers are a query.
    let mut found = Vec::new();
    for user in expected
        .iter()
        .map(|it| &it.user_id.0)
        .collect::<BTreeSet<_>>()
    {
        found.extend(AnswerHistory::query(user).all(&db).await?);
    }
    expected.sort_by_key(|answer| (answer.answered_at, answer.user_id.0.clone()));
    found.sort_by_key(|answer| (answer.answered_at, answer.user_id.0.clone()));
    assert_eq!(found, expected);

    // The index exists, and a second run finds no item to migrate.
    let one = &expected[expected.len() / 2];
    let by_question = AnswerHistory::by_question(&one.question_id);
    let by_question = by_question.user_id(&one.user_id).all(&db).await?;
    assert!(by_question.contains(one));
    let user = UserId("u3".into());
    let newest = AnswerHistory::query(&user).descending().all(&db).await?;
    assert!(newest.is_sorted_by_key(|answer| std::cmp::Reverse(answer.answered_at)));
    assert_eq!(answers().run(&db).await?.migrated, 0);
    Ok(())
}
