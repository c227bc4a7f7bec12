//! The document's items, and a class of 40 that answers 25 questions each. The same every time.

use super::{
    AnswerHistory, Difficulty, ExamStudyApp, ExamType, Question, QuestionId, User, UserId,
    WeakAreaAnalytics, samples,
};
use crate::{Failure, loading::Loading};
use dynamo_model::{Dynamo, Table};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// How many items [`load`] writes.
pub const LOADED: usize = 1 + USERS + 2 * YEARS * PER_YEAR + ANSWERS + AREAS;

const USERS: usize = 39;
/// The last of them are from before `name` became `displayName`.
pub(super) const OLD_USERS: usize = 5;
const YEARS: usize = 5;
const PER_YEAR: usize = 20;
const ANSWERS: usize = USERS * 25 + 8;
const AREAS: usize = USERS * 2 * CATEGORIES.len() + 1;
const CATEGORIES: [&str; 5] = ["network", "security", "database", "algorithm", "management"];

/// 2025-06-01T10:00:00Z.
const FIRST_DAY: Timestamp = Timestamp::constant(1_748_772_000, 0);

/// Creates the table and loads the data; `progress` is called with the number of items so far.
pub async fn load(db: &Dynamo, progress: &mut (dyn FnMut(usize) + Send)) -> Result<(), Failure> {
    ExamStudyApp::create_table(db).await?;
    let (first_user, first_question) = (samples::user()?, samples::question()?);
    let answers: Vec<_> = [samples::answer_history()?]
        .into_iter()
        .chain(answers())
        .collect();
    let areas = areas(&answers);
    let users = [first_user].into_iter().chain((1..=USERS).map(user));
    let others = questions().filter(|it| it.question_id != first_question.question_id);

    let mut loading = Loading::new(db, FIRST_DAY, progress);
    loading.write(|batch| batch.load(users)).await?;
    loading
        .write(|batch| batch.put(&first_question).load(others))
        .await?;
    loading.write(|batch| batch.load(answers)).await?;
    loading.write(|batch| batch.load(areas)).await?;
    Ok(())
}

/// Returns the users with only a `name`.
pub(super) fn old_users() -> impl Iterator<Item = User> {
    (1..=USERS).skip(USERS - OLD_USERS).map(user)
}

/// User 1 is the document's.
fn user(number: usize) -> User {
    let name = Some(format!("受験者{:02}", number + 1));
    let (display_name, name) = if number > USERS - OLD_USERS {
        (None, name)
    } else {
        (name, None)
    };
    User {
        user_id: user_id(number),
        email: format!("u{}@example.com", number + 1),
        display_name,
        name,
        created_at: FIRST_DAY,
        updated_at: FIRST_DAY,
        version: 1,
    }
}

fn user_id(number: usize) -> UserId {
    UserId(format!("u{}", number + 1))
}

/// Five years of two exams: FE-2019-01 to AP-2023-20.
fn questions() -> impl Iterator<Item = Question> + Send {
    [ExamType::Fe, ExamType::Ap]
        .into_iter()
        .flat_map(|exam_type| (0..YEARS * PER_YEAR).map(move |number| question(exam_type, number)))
}

fn question(exam_type: ExamType, number: usize) -> Question {
    const DIFFICULTIES: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];
    Question {
        question_id: question_id(exam_type, number),
        exam_type,
        category: category(number).into(),
        sub_category: "基礎".into(),
        difficulty: DIFFICULTIES[number % DIFFICULTIES.len()],
        text: format!("問{}: 正しいものはどれか。", number % PER_YEAR + 1),
        choices: ["ア", "イ", "ウ", "エ"].map(String::from).into(),
        answer_index: answer_index(number),
        explanation: "教科書を参照。".into(),
        created_at: FIRST_DAY - SignedDuration::from_hours(24 * 31),
    }
}

fn question_id(exam_type: ExamType, number: usize) -> QuestionId {
    let exam = match exam_type {
        ExamType::Fe => "FE",
        ExamType::Ap => "AP",
    };
    let (year, in_year) = (2019 + number / PER_YEAR, number % PER_YEAR + 1);
    QuestionId(format!("{exam}-{year}-{in_year:02}"))
}

fn category(number: usize) -> &'static str {
    CATEGORIES[number % CATEGORIES.len()]
}

/// 2 is the right one of FE-2023-01, as in the sample.
fn answer_index(number: usize) -> u32 {
    (number as u32 + 2) % 4
}

/// Of every user 25, two hours apart. The first user's are about the network, so that with the
/// document's own one there are 8, and 2 are right.
fn answers() -> impl Iterator<Item = AnswerHistory> {
    let first = (0..7).map(|n| answer(0, n, ExamType::Fe, n * CATEGORIES.len(), n == 0));
    let others = (1..=USERS).flat_map(|user| {
        (0..25).map(move |n| {
            let exam_type = [ExamType::Fe, ExamType::Ap][(user + n) % 2];
            let right = (user * 7 + n * 3) % 10 < 6;
            answer(
                user,
                n,
                exam_type,
                (user * 3 + n) % (YEARS * PER_YEAR),
                right,
            )
        })
    });
    first.chain(others)
}

fn answer(
    user: usize,
    number: usize,
    exam_type: ExamType,
    question: usize,
    is_correct: bool,
) -> AnswerHistory {
    let since = SignedDuration::from_secs((number as i64 + 1) * 7200 + user as i64 * 60);
    let right = answer_index(question);
    AnswerHistory {
        user_id: user_id(user),
        question_id: question_id(exam_type, question),
        selected_index: if is_correct { right } else { (right + 1) % 4 },
        is_correct,
        answered_at: FIRST_DAY + since,
        exam_type,
    }
}

/// Returns the analytics of the answers.
fn areas(answers: &[AnswerHistory]) -> Vec<WeakAreaAnalytics> {
    let categories: BTreeMap<_, _> = questions()
        .map(|question| (question.question_id.0, question.category))
        .collect();
    let mut areas: BTreeMap<_, WeakAreaAnalytics> = BTreeMap::new();
    for answer in answers {
        let Some(category) = categories.get(&answer.question_id.0) else {
            continue;
        };
        let key = (&answer.user_id.0, answer.exam_type as u8, category);
        let area = areas.entry(key).or_insert_with(|| WeakAreaAnalytics {
            user_id: answer.user_id.clone(),
            exam_type: answer.exam_type,
            category: category.clone(),
            total_answers: 0,
            correct_answers: 0,
            accuracy_rate: 0.0,
            last_updated_at: answer.answered_at,
        });
        area.total_answers += 1;
        area.correct_answers += u32::from(answer.is_correct);
        area.accuracy_rate = f64::from(area.correct_answers) / f64::from(area.total_answers);
    }
    areas.into_values().collect()
}
