//! One item an entity. The document gives question ids, exam types and attribute names; the rest is
//! made up in their form.

use super::{
    AnswerHistory, Difficulty, ExamType, Question, QuestionId, User, UserId, WeakAreaAnalytics,
};
use crate::{Result, Sample};
use dynamo_model::index::{Gsi1, Gsi2};

fn user_id() -> UserId {
    UserId("u1".into())
}

fn question_id() -> QuestionId {
    QuestionId("FE-2023-01".into())
}

/// "1. User".
pub fn user() -> Result<User> {
    Ok(User {
        user_id: user_id(),
        email: "user@example.com".into(),
        display_name: Some("山田太郎".into()),
        name: None,
        created_at: "2025-06-01T09:00:00Z".parse()?,
        updated_at: "2025-06-01T09:00:00Z".parse()?,
        version: 1,
    })
}

/// "2. Question".
pub fn question() -> Result<Question> {
    Ok(Question {
        question_id: question_id(),
        exam_type: ExamType::Fe,
        category: "network".into(),
        sub_category: "TCP/IP".into(),
        difficulty: Difficulty::Medium,
        text: "TCPとUDPの違いはどれか。".into(),
        choices: ["ア", "イ", "ウ", "エ"].map(String::from).into(),
        answer_index: 2,
        explanation: "UDPはコネクションレスである。".into(),
        created_at: "2025-05-01T00:00:00Z".parse()?,
    })
}

/// "3. AnswerHistory".
pub fn answer_history() -> Result<AnswerHistory> {
    Ok(AnswerHistory {
        user_id: user_id(),
        question_id: question_id(),
        selected_index: 2,
        is_correct: true,
        answered_at: "2025-06-01T10:00:00Z".parse()?,
        exam_type: ExamType::Fe,
    })
}

/// "4. WeakAreaAnalytics".
pub fn weak_area_analytics() -> Result<WeakAreaAnalytics> {
    Ok(WeakAreaAnalytics {
        user_id: user_id(),
        exam_type: ExamType::Fe,
        category: "network".into(),
        total_answers: 8,
        correct_answers: 2,
        accuracy_rate: 0.25,
        last_updated_at: "2025-06-01T10:00:00Z".parse()?,
    })
}

/// One item an entity, with all its keys.
pub fn samples() -> Result<Vec<Sample>> {
    Ok(vec![
        Sample::of(&user()?, |key| User::key(key.user_id)).done(),
        Sample::of(&question()?, |key| Question::key(key.question_id))
            .index::<Gsi1>(|key| {
                Question::by_category_key(key.exam_type, key.category, key.question_id)
            })
            .index::<Gsi2>(|key| Question::by_exam_type_key(key.exam_type, key.question_id))
            .done(),
        Sample::of(&answer_history()?, |key| {
            AnswerHistory::key(key.user_id, key.answered_at, key.question_id)
        })
        .index::<Gsi1>(|key| {
            AnswerHistory::by_question_key(key.question_id, key.user_id, key.answered_at)
        })
        .done(),
        Sample::of(&weak_area_analytics()?, |key| {
            WeakAreaAnalytics::key(key.user_id, key.exam_type, key.category)
        })
        .index::<Gsi1>(|key| {
            WeakAreaAnalytics::by_exam_type_key(key.exam_type, key.user_id, key.category)
        })
        .done(),
    ])
}
