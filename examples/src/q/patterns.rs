//! Every access pattern of the document: the nineteen of its list, those of each table, and "6.1
//! What needs a transaction".
//!
//! Each restores the data, except for the log of administrators, so that all of them can run again.

use super::generated::{
    self, APPROVED, DAYS, LOGS, PENDING, REPORTS, generated_answer, generated_report, id, minutes,
    pending_question, pending_question_id, question_of, report_id,
};
use super::logic::{
    self, Admin, NgWordCache, Stage, Target, add_ng_word, archive_question, ban_user, block,
    change_username, delete_answer, follow, is_flagged, is_mutual, post_answer, publish,
    random_approved_question, react, register, register_push_token, release_used_questions, report,
    resolve_report, restore_answer, review_flagged_answer, review_submission, schedule,
    set_daily_question, submit_question, timeline, unban_user, unfollow, unreact, withdraw,
};
use super::samples::{self, NOW, TODAY, admin, hanako, taro};
use super::{
    AdminAction, AdminLog, AdminLogs, Answer, AnswerText, Answers, AppId, Block, Blocks,
    DailyQuestion, DailyQuestions, DeviceType, Email, Follow, Follows, NgWord, NgWords,
    PublishTime, PushToken, PushTokens, QError, Question, QuestionStatus, QuestionText, Questions,
    Reaction, ReactionType, Reactions, Report, ReportCategory, ReportStatus, Reports, Reservations,
    User, UserId, UserQuestionSubmission, UserQuestionSubmissions, Username, Users, Word,
};
use crate::{Pattern, pattern};
use dynamo_model::table::Backup;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchWrite, Dynamo, Entity, Error, Table};
use jiff::SignedDuration;
use jiff::civil::{Date, date};
use uuid::uuid;

const TOMORROW: Date = date(2026, 2, 6);
const FALLBACK: &str = "今日の気分は？";

async fn create_tables(db: &Dynamo) -> Result<(), Error> {
    Users::create_table(db).await?;
    Reservations::create_table(db).await?;
    DailyQuestions::create_table(db).await?;
    Questions::create_table(db).await?;
    Answers::create_table(db).await?;
    Follows::create_table(db).await?;
    Blocks::create_table(db).await?;
    Reactions::create_table(db).await?;
    Reports::create_table(db).await?;
    UserQuestionSubmissions::create_table(db).await?;
    NgWords::create_table(db).await?;
    PushTokens::create_table(db).await?;
    AdminLogs::create_table(db).await
}

/// Backs every table up before a release or a large change. A backup is kept until an operator
/// deletes it.
pub async fn back_up(db: &Dynamo, name: &str) -> Result<Vec<Backup>, Error> {
    Ok(vec![
        Users::backup(db, name).await?,
        Reservations::backup(db, name).await?,
        DailyQuestions::backup(db, name).await?,
        Questions::backup(db, name).await?,
        Answers::backup(db, name).await?,
        Follows::backup(db, name).await?,
        Blocks::backup(db, name).await?,
        Reactions::backup(db, name).await?,
        Reports::backup(db, name).await?,
        UserQuestionSubmissions::backup(db, name).await?,
        NgWords::backup(db, name).await?,
        PushTokens::backup(db, name).await?,
        AdminLogs::backup(db, name).await?,
    ])
}

/// Creates the tables, and loads the samples and two weeks of fifty users. `progress` receives the
/// number of loaded items. The sample block is omitted: its users still follow each other.
pub async fn load(db: &Dynamo, progress: &mut (dyn FnMut(usize) + Send)) -> Result<(), QError> {
    create_tables(db).await?;
    let mut loaded = 0;
    macro_rules! load {
        ($items:expr) => {{
            let batch = BatchWrite::new().on_progress(|now| progress(loaded + now.written));
            let items = $items.collect::<Result<Vec<_>, QError>>()?;
            let count = items.len();
            batch.load(items).send(db).await?;
            loaded += count;
        }};
    }
    // One by one: a batch cannot reserve unique values.
    for user in generated::users() {
        user?.create().send(db).await?;
        loaded += 1;
        progress(loaded);
    }
    load!(generated::follows().chain([samples::follow()]).map(Ok));
    load!(generated::blocks().map(Ok));
    load!(generated::daily_questions().chain([samples::daily_question()]));
    load!(generated::questions().chain([samples::question()]));
    load!(generated::answers().chain([samples::answer()]));
    load!(generated::reactions().chain([samples::reaction()]).map(Ok));
    load!(
        (0..REPORTS)
            .map(generated_report)
            .chain([samples::report()])
            .map(Ok)
    );
    load!(
        generated::submissions()
            .chain([samples::user_question_submission()])
            .map(Ok)
    );
    load!(generated::ng_words().chain([samples::ng_word()]));
    load!(
        generated::push_tokens()
            .chain([samples::push_token()])
            .map(Ok)
    );
    load!(generated::logs().map(Ok).chain([samples::admin_log()]));
    progress(loaded);
    Ok(())
}

/// Returns all of them, in the order of the document.
#[must_use]
pub fn patterns() -> Vec<Pattern> {
    let mut all = people_and_questions();
    all.extend(follows());
    all.extend(reactions_and_blocks());
    all.extend(reports_and_submissions());
    all.extend(users());
    all.extend(questions());
    all.extend(answers());
    all.extend(moderation());
    all.extend(logs());
    all.extend(transactions());
    all
}

/// "2. Access patterns", 1 to 6.
fn people_and_questions() -> Vec<Pattern> {
    vec![
        pattern!(
            "1", "a user by id",
            |db| User::get(hanako()).send(db).await?,
            |found| 1 => found.is_some_and(|user| user.app_id.as_str() == "hanako_01"), "hanako"
        ),
        pattern!(
            "2", "a user by the app's id",
            |db| User::by_app_id(AppId::new("hanako_01")?).one(db).await?,
            |found| 1 => found.user_id == hanako(), "hanako"
        ),
        pattern!(
            "3", "today's question",
            |db| DailyQuestion::get(TODAY).send(db).await?,
            |found| 1 => found == Some(samples::daily_question()?), "the question of 2026-02-05"
        ),
        pattern!(
            "4", "post an answer",
            |db| post_answer(db, &NgWordCache::default(), &id(7), AnswerText::new("ラーメンを食べた")?, minutes(45)).await?,
            |found| 1 => unposted(db, &id(7)).await?.is_some_and(|it| it == found)
                && !found.is_on_time && found.late_minutes == 15, "the answer, 15 minutes late"
        ),
        pattern!(
            "5", "my past answers",
            |db| Answer::by_user(id(1)).descending().all(db).await?,
            |found| found.len() => found.len() == DAYS + 1
                && found.is_sorted_by(|a, b| a.date > b.date),
                "14 answers, newest first"
        ),
        pattern!(
            "6", "the timeline: today's answers of those I follow",
            |db| timeline(db, &id(0), TODAY).await?,
            |found| found.len() => authors(&found) == [id(1), id(3), id(49)],
                "those on time first, then the earlier"
        ),
    ]
}

/// "2. Access patterns", 7 to 10.
fn follows() -> Vec<Pattern> {
    vec![
        pattern!(
            "7", "whom a user follows",
            |db| Follow::query(id(0)).all(db).await?,
            |found| found.len() => found.len() == 7
                && found.iter().all(|it| it.follower_id == id(0)),
                "7 users"
        ),
        pattern!(
            "8", "the followers of a user",
            |db| Follow::followers(id(0)).all(db).await?,
            |found| found.len() => found.len() == 7
                && found.iter().all(|it| it.followee_id == id(0)),
                "7 users"
        ),
        pattern!(
            "9", "whether two users follow each other",
            |db| is_mutual(db, &id(0), &id(1)).await?,
            |found| 2 => found && !is_mutual(db, &id(0), &id(2)).await?,
                "0 and 1 do, 0 and 2 do not"
        ),
        pattern!(
            "10", "how many a user follows, and is followed by",
            |db| User::get(id(0)).send(db).await?,
            |found| 1 => found.map(|user| counts(&user)) == Some((7, 7)), "7 and 7"
        ),
    ]
}

/// "2. Access patterns", 11 to 15.
fn reactions_and_blocks() -> Vec<Pattern> {
    vec![
        pattern!(
            "11", "react to an answer",
            |db| react(db, (TODAY, &hanako()), &id(1), ReactionType::Fire).await?,
            |_done| 1 => unreacted(db, &id(1)).await? == Some(ReactionType::Fire), "the reaction"
        ),
        pattern!(
            "12", "the reactions to an answer",
            |db| Reaction::query(TODAY, id(0)).all(db).await?,
            |found| found.len() => found.len() == 4, "4 reactions"
        ),
        pattern!(
            "13", "whether I reacted",
            |db| Reaction::get(TODAY, hanako(), taro()).send(db).await?,
            |found| 1 => found.is_some_and(|it| it.reaction_type == ReactionType::Heart),
                "with a heart"
        ),
        pattern!(
            "14", "whom a user has blocked",
            |db| Block::query(id(0)).all(db).await?,
            |found| found.len() => found.len() == 2
                && found.iter().all(|it| it.blocker_id == id(0)),
                "2 users"
        ),
        pattern!(
            "15", "whether a user has blocked another",
            |db| Block::get(id(0), id(30)).send(db).await?,
            |found| 1 => found.is_some(), "yes"
        ),
    ]
}

/// "2. Access patterns", 16 to 19.
fn reports_and_submissions() -> Vec<Pattern> {
    vec![
        pattern!(
            "16", "send a report",
            |db| report(db, &hanako(), Target::Answer(TODAY, &id(1)), (ReportCategory::Spam, None), NOW).await?,
            |found| 1 => Report::delete(found.report_id).return_old().send(db).await?.is_some_and(|it| it == found)
                && found.target_id == format!("{TODAY}#{}", id(1)), "a pending report of the answer"
        ),
        pattern!(
            "17", "submit a question",
            |db| submit_question(db, &NgWordCache::default(), &id(1), QuestionText::new("最近うれしかったことは？")?, NOW).await?,
            |found| 2 => unsubmitted(db, &found).await? && found.status == QuestionStatus::Pending,
                "a pending question, and its submission"
        ),
        pattern!(
            "17", "a second one on the same day is refused",
            |db| submit_question(db, &NgWordCache::default(), &taro(), QuestionText::new("最近うれしかったことは？")?, NOW).await,
            |refused| 0 => matches!(refused, Err(QError::AlreadySubmitted)), "one question a day"
        ),
        pattern!(
            "18", "the questions that wait for review",
            |db| Question::by_status(QuestionStatus::Pending).all(db).await?,
            |found| found.len() => found.len() == PENDING
                && found.is_sorted_by_key(|it| it.created_at),
                "20 questions, oldest first"
        ),
        pattern!(
            "19", "an approved question at random",
            |db| random_approved_question(db, 7).await?,
            |found| 1 => found.status == QuestionStatus::Approved,
                "one of those approved, used before or not"
        ),
        pattern!(
            "19", "the approved questions, longest unused first",
            |db| Question::by_last_use(QuestionStatus::Approved).all(db).await?,
            |found| found.len() => found.len() == APPROVED / 2 + 1
                && found.is_sorted_by_key(|it| it.last_used_at),
                "those that were ever used"
        ),
    ]
}

/// "3.1 Users" and "3.11 PushTokens".
fn users() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.1", "a user by email, to log in",
            |db| User::by_email(Email::new("hanako@example.com")?).one(db).await?,
            |found| 1 => found.user_id == hanako(), "hanako"
        ),
        pattern!(
            "3.1", "whether a username is taken",
            |db| User::by_username(Username::new("hanako")?).count(db).await?,
            |found| found => found == 1, "yes"
        ),
        pattern!(
            "3.1", "sign up",
            |db| register(db, &newcomer()?).await?,
            |_done| 1 => signed_up_once(db).await?,
                "the user; whoever has the same appId, email or username is refused"
        ),
        pattern!(
            "3.1", "change a username",
            |db| change_username(db, &id(2), &Username::new("Renamed_002")?).await?,
            |_done| 1 => renamed_back(db).await?,
                "the new name finds the user, the old one does not"
        ),
        pattern!(
            "3.11", "the devices of a user, to notify",
            |db| PushToken::query(id(1)).all(db).await?,
            |found| found.len() => found.len() == 2, "2 tokens"
        ),
        pattern!(
            "3.11", "register a device",
            |db| register_push_token(db, &hanako(), "ExponentPushToken[tour]", DeviceType::Android).await?,
            |_done| 1 =>
                PushToken::delete(hanako(), "ExponentPushToken[tour]").return_old().send(db).await?.is_some(),
                "one more token"
        ),
    ]
}

/// "3.2 DailyQuestions" and "3.3 Questions".
fn questions() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.2", "set the question of tomorrow",
            |db| set_daily_question(db, &boss()?, (TOMORROW, PublishTime::new("21:00")?), &generated_approved()?.question_id, NOW).await?,
            |found| 2 => daily_unset(db).await?
                && found.question_text == generated_approved()?.text,
                "the day has it, and it is used"
        ),
        pattern!(
            "3.2", "the daily job: a record for tomorrow",
            |db| schedule(db, (TOMORROW, PublishTime::new("21:00")?), QuestionText::new(FALLBACK)?, 3, NOW).await?,
            |found| 2 => unscheduled(db, &found).await?, "an approved question, which is used then"
        ),
        pattern!(
            "3.2", "publish the question of the day",
            |db| publish_again(db).await?,
            |found| 1 => found.published_at == Some(NOW), "when it came out, and that only once"
        ),
        pattern!(
            "3.3", "used questions are approved again after 30 days",
            |db| release_used_questions(db, NOW + days(25)).await?,
            |found| found => used_again(db).await? && found == 9,
                "the 9 that were used 5 days ago or earlier"
        ),
        pattern!(
            "3.3", "review a submission",
            |db| review_submission(db, &boss()?, &pending_question_id(3), true, NOW).await?,
            |_done| 1 => reviewed(db).await?, "it is approved"
        ),
        pattern!(
            "3.3", "archive a question",
            |db| archive_question(db, &boss()?, &generated_approved()?.question_id, NOW).await?,
            |_done| 1 => archived(db).await?, "it is archived, and no longer among those approved"
        ),
    ]
}

/// "3.4 Answers" and "3.7 Reactions".
fn answers() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.4", "a second answer on the same day is refused",
            |db| post_answer(db, &NgWordCache::default(), &hanako(), AnswerText::new("もう一つ")?, minutes(5)).await,
            |refused| 0 => matches!(refused, Err(QError::AlreadyAnswered)), "one answer a day"
        ),
        pattern!(
            "3.4", "also after the first was deleted",
            |db| post_answer(db, &NgWordCache::default(), &id(8), AnswerText::new("もう一つ")?, minutes(5)).await,
            |refused| 0 => matches!(refused, Err(QError::AlreadyAnswered)), "one answer a day"
        ),
        pattern!(
            "3.4", "delete an answer",
            |db| delete_answer(db, TODAY, &id(1), NOW).await?,
            |_done| 1 => undeleted(db).await?, "it is marked, and can be restored"
        ),
        pattern!(
            "3.7", "another reaction takes the place of the first",
            |db| react(db, (TODAY, &hanako()), &taro(), ReactionType::Eyes).await?,
            |_done| 1 => reacted_once(db).await?, "one reaction each, the newer"
        ),
        pattern!(
            "3.7", "take a reaction back",
            |db| unreact(db, (TODAY, &hanako()), &taro()).await?,
            |_done| 1 => reacted_again(db).await?, "none"
        ),
    ]
}

/// "3.6 Blocks", "3.8 Reports", "3.10 NGWords".
fn moderation() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.6", "the users who have blocked me",
            |db| Block::blocked_by(id(0)).all(db).await?,
            |found| found.len() => found.len() == 2
                && found.iter().all(|it| it.blocked_id == id(0)),
                "2 users"
        ),
        pattern!(
            "3.8", "the open reports",
            |db| Report::by_status(ReportStatus::Pending).all(db).await?,
            |found| found.len() => found.len() == REPORTS * 2 / 3 + 1
                && found.is_sorted_by_key(|it| it.created_at),
                "17 reports, oldest first"
        ),
        pattern!(
            "3.8", "deal with a report",
            |db| resolve_report(db, &boss()?, &report_id(1), true, NOW).await?,
            |_done| 1 => unresolved(db).await?, "when, and by whom"
        ),
        pattern!(
            "3.10", "the forbidden words: the document's own scan",
            |db| NgWord::scan().all(db).await?,
            |found| found.len() => found.len() == 5, "5 words"
        ),
        pattern!(
            "3.10", "whether a text has a forbidden word",
            |db| is_flagged(db, "これは SPAM です").await?,
            |found| 1 => found, "yes, in any case"
        ),
        pattern!(
            "3.10", "forbid a word",
            |db| add_ng_word(db, &boss()?, "Troll", NOW).await?,
            |_done| 1 => NgWord::delete(Word::new("troll")?).return_old().send(db).await?.is_some(),
                "it is there, in lower case"
        ),
        pattern!(
            "3.12", "ban a user",
            |db| ban_user(db, &boss()?, &id(3), NOW).await?,
            |_done| 1 => banned(db).await?, "the user is banned, until unbanned"
        ),
        pattern!(
            "3.12", "review a flagged answer",
            |db| review_flagged_answer(db, &boss()?, (TODAY, &id(5)), true, NOW).await?,
            |_done| 1 => flagged_again(db).await?, "it is deleted"
        ),
    ]
}

/// "3.12 AdminLogs".
fn logs() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.12", "all logs, newest first",
            |db| AdminLog::query().descending().limit(50).all(db).await?,
            |found| found.len() => found.len() == 50 && descending(&found), "the 50 newest"
        ),
        pattern!(
            "3.12", "the logs of a day",
            |db| AdminLog::query().timestamp_in(NOW - days(2)..NOW - days(1)).all(db).await?,
            |found| found.len() => found.len() == 24 && found.is_sorted_by_key(|log| log.timestamp),
                "24 logs, oldest first"
        ),
        pattern!(
            "3.12", "logs by action",
            |db| AdminLog::by_action(AdminAction::DeleteNgWord).descending().all(db).await?,
            |found| found.len() => found.len() == LOGS / 8 && descending(&found),
                "15 logs, newest first"
        ),
        pattern!(
            "3.12", "logs by administrator",
            |db| AdminLog::by_admin(hanako()).descending().all(db).await?,
            |found| found.len() => found.len() == LOGS / 2 && descending(&found),
                "60 logs, newest first"
        ),
    ]
}

/// "6.1 What needs a transaction".
fn transactions() -> Vec<Pattern> {
    vec![
        pattern!(
            "6.1", "follow",
            |db| follow(db, &id(10), &id(30), NOW).await?,
            |_done| 3 => counted(db, &id(10), &id(30)).await? == [(8, 7), (7, 8)]
                && unfollow(db, &id(10), &id(30)).await.is_ok(), "one more on both sides"
        ),
        pattern!(
            "6.1", "unfollow",
            |db| unfollow(db, &id(10), &id(11)).await?,
            |_done| 3 => counted(db, &id(10), &id(11)).await? == [(6, 7), (7, 6)]
                && follow(db, &id(10), &id(11), NOW).await.is_ok(), "one less on both sides"
        ),
        pattern!(
            "6.1", "block",
            |db| block(db, &id(20), &id(21), NOW).await?,
            |_done| 5 => counted(db, &id(20), &id(21)).await? == [(6, 6), (6, 6)]
                && unblocked(db, &id(20), &id(21)).await?, "both follows are gone, and counted"
        ),
        pattern!(
            "6.1", "withdraw",
            |db| { busy_newcomer(db).await?; withdraw(db, &tourist(), Stage::Close, NOW).await? },
            |_done| 1 => nothing_left(db).await?,
                "no item of the user is left, and all counts are correct"
        ),
    ]
}

fn boss() -> Result<Admin, QError> {
    Ok(Admin {
        user_id: admin(),
        email: Some(Email::new("admin@example.com")?),
        ip_address: None,
    })
}

const fn tourist() -> UserId {
    UserId(uuid!("9a6e0d52-7b1f-4c38-a4e5-2d8c7b6f0e19"))
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(days * 24)
}

fn counts(user: &User) -> (u64, u64) {
    (user.following_count, user.follower_count)
}

async fn counted(db: &Dynamo, one: &UserId, other: &UserId) -> Result<[(u64, u64); 2], Error> {
    let (one, other) = TransactGet::new((User::key(one), User::key(other)))
        .send(db)
        .await?;
    Ok([one, other].map(|user| user.as_ref().map(counts).unwrap_or_default()))
}

fn authors(answers: &[Answer]) -> Vec<UserId> {
    answers.iter().map(|answer| answer.user_id).collect()
}

fn descending(logs: &[AdminLog]) -> bool {
    logs.is_sorted_by(|a, b| a.timestamp >= b.timestamp)
}

async fn unposted(db: &Dynamo, user_id: &UserId) -> Result<Option<Answer>, Error> {
    Answer::delete(TODAY, user_id).return_old().send(db).await
}

async fn unreacted(db: &Dynamo, reactor: &UserId) -> Result<Option<ReactionType>, Error> {
    let delete = Reaction::delete(TODAY, hanako(), reactor).return_old();
    Ok(delete
        .send(db)
        .await?
        .map(|reaction| reaction.reaction_type))
}

async fn unsubmitted(db: &Dynamo, question: &Question) -> Result<bool, Error> {
    let submission = UserQuestionSubmission::delete(TODAY, id(1))
        .return_old()
        .send(db)
        .await?;
    let stored = Question::delete(question.question_id)
        .return_old()
        .send(db)
        .await?;
    Ok(stored.is_some() && submission.is_some_and(|it| it.question_id == question.question_id))
}

async fn renamed_back(db: &Dynamo) -> Result<bool, QError> {
    let found = User::by_username(Username::new("Renamed_002")?)
        .one(db)
        .await?;
    let free = User::by_username(Username::new("User_002")?)
        .count(db)
        .await?
        == 0;
    change_username(db, &id(2), &Username::new("User_002")?).await?;
    Ok(free && found.user_id == id(2))
}

fn generated_approved() -> Result<Question, QError> {
    generated::generated_question(QuestionStatus::Approved, 1)
}

async fn daily_unset(db: &Dynamo) -> Result<bool, QError> {
    let approved = generated_approved()?;
    let daily = DailyQuestion::delete(TOMORROW)
        .return_old()
        .send(db)
        .await?;
    let question = Question::get(approved.question_id).send(db).await?;
    approved.put().send(db).await?;
    let used = question.is_some_and(|it| it.status == QuestionStatus::Used);
    Ok(used && daily.is_some_and(|it| it.published_at.is_none()))
}

async fn unscheduled(db: &Dynamo, daily: &DailyQuestion) -> Result<bool, QError> {
    DailyQuestion::delete(TOMORROW).send(db).await?;
    let question = Question::get(daily.question_id).send(db).await?;
    let all = generated::questions().chain([samples::question()]);
    let all = all.collect::<Result<Vec<_>, QError>>()?;
    let original = all
        .into_iter()
        .find(|question| question.question_id == daily.question_id);
    BatchWrite::new().load(original).send(db).await?;
    Ok(!daily.is_fallback && question.is_some_and(|it| it.status == QuestionStatus::Used))
}

/// Published already, today's question cannot be published; unpublished, it can.
async fn publish_again(db: &Dynamo) -> Result<DailyQuestion, QError> {
    if publish(db, TODAY, NOW).await.is_ok() {
        return Err(QError::DayTaken);
    }
    let update = DailyQuestion::update(TODAY).remove(|question| question.published_at());
    update.send(db).await?;
    publish(db, TODAY, NOW).await?;
    let published = DailyQuestion::get(TODAY).send(db).await?;
    published.ok_or(QError::NoSuchQuestion)
}

async fn used_again(db: &Dynamo) -> Result<bool, QError> {
    let released = Question::get(question_of(5)).send(db).await?;
    let resting = Question::get(question_of(4)).send(db).await?;
    let used = generated::used_questions().collect::<Result<Vec<_>, QError>>()?;
    BatchWrite::new().load(used).send(db).await?;
    Ok(
        released.is_some_and(|it| it.status == QuestionStatus::Approved)
            && resting.is_some_and(|it| it.status == QuestionStatus::Used),
    )
}

async fn reviewed(db: &Dynamo) -> Result<bool, QError> {
    let reviewed = Question::get(pending_question_id(3)).send(db).await?;
    pending_question(3)?.put().send(db).await?;
    Ok(reviewed.is_some_and(|it| it.status == QuestionStatus::Approved))
}

async fn archived(db: &Dynamo) -> Result<bool, QError> {
    let approved = generated_approved()?;
    let archived = Question::by_status(QuestionStatus::Archived)
        .all(db)
        .await?;
    approved.put().send(db).await?;
    Ok(archived
        .iter()
        .any(|it| it.question_id == approved.question_id))
}

async fn undeleted(db: &Dynamo) -> Result<bool, QError> {
    let deleted = Answer::get(TODAY, id(1)).send(db).await?;
    restore_answer(db, TODAY, &id(1)).await?;
    let restored = Answer::get(TODAY, id(1)).send(db).await?;
    let marked = deleted.is_some_and(|it| it.is_deleted && it.deleted_at == Some(NOW));
    Ok(marked && restored == Some(generated_answer(1, 0)?))
}

async fn reacted_once(db: &Dynamo) -> Result<bool, Error> {
    let found = Reaction::query(TODAY, hanako()).all(db).await?;
    samples::reaction().put().send(db).await?;
    Ok(found.len() == 1 && found[0].reaction_type == ReactionType::Eyes)
}

async fn reacted_again(db: &Dynamo) -> Result<bool, Error> {
    let none = Reaction::query(TODAY, hanako()).count(db).await? == 0;
    samples::reaction().put().send(db).await?;
    Ok(none)
}

async fn unresolved(db: &Dynamo) -> Result<bool, Error> {
    let resolved = Report::get(report_id(1)).send(db).await?;
    generated_report(1).put().send(db).await?;
    Ok(resolved.is_some_and(|it| it.resolved_at == Some(NOW) && it.resolved_by == Some(admin())))
}

async fn banned(db: &Dynamo) -> Result<bool, QError> {
    let refused = submit_question(
        db,
        &NgWordCache::default(),
        &id(3),
        QuestionText::new("なぜ？")?,
        NOW,
    )
    .await;
    unban_user(db, &boss()?, &id(3), NOW).await?;
    Ok(matches!(refused, Err(QError::Banned)))
}

async fn flagged_again(db: &Dynamo) -> Result<bool, QError> {
    let reviewed = Answer::get(TODAY, id(5)).send(db).await?;
    generated_answer(5, 0)?.put().send(db).await?;
    Ok(reviewed.is_some_and(|it| it.is_deleted && !it.is_flagged))
}

async fn unblocked(db: &Dynamo, one: &UserId, other: &UserId) -> Result<bool, QError> {
    let refused = follow(db, other, one, NOW).await;
    logic::unblock(db, one, other).await?;
    follow(db, one, other, NOW).await?;
    follow(db, other, one, NOW).await?;
    Ok(matches!(refused, Err(QError::Blocked)))
}

fn newcomer() -> Result<User, QError> {
    Ok(User {
        user_id: tourist(),
        app_id: AppId::new("tourist")?,
        username: Some(Username::new("Tourist")?),
        email: Email::new("tourist@example.com")?,
        following_count: 0,
        follower_count: 0,
        created_at: NOW,
        ..samples::user()?
    })
}

/// Others with one of the newcomer's names are refused; afterwards the newcomer is deleted.
async fn signed_up_once(db: &Dynamo) -> Result<bool, QError> {
    let me = newcomer()?;
    let other = User {
        user_id: UserId::random(),
        app_id: AppId::new("other")?,
        username: Some(Username::new("Other")?),
        email: Email::new("other@example.com")?,
        ..me.clone()
    };
    let (app_id, email, username) = (me.app_id.clone(), me.email.clone(), me.username.clone());
    let twins = [
        (
            "appId",
            User {
                app_id,
                ..other.clone()
            },
        ),
        (
            "email",
            User {
                email,
                ..other.clone()
            },
        ),
        ("username", User { username, ..other }),
    ];
    let mut refused = 0;
    for (attribute, twin) in twins {
        let outcome = register(db, &twin).await;
        refused += usize::from(matches!(outcome, Err(QError::Taken(it)) if it == attribute));
    }
    withdraw(db, &me.user_id, Stage::User, NOW).await?;
    Ok(refused == 3)
}

/// A user with items in every table.
async fn busy_newcomer(db: &Dynamo) -> Result<(), QError> {
    let me = tourist();
    register(db, &newcomer()?).await?;
    follow(db, &me, &id(1), NOW).await?;
    follow(db, &id(2), &me, NOW).await?;
    block(db, &me, &id(3), NOW).await?;
    post_answer(
        db,
        &NgWordCache::default(),
        &me,
        AnswerText::new("旅行した")?,
        minutes(1),
    )
    .await?;
    react(db, (TODAY, &me), &id(1), ReactionType::Fire).await?;
    react(db, (TODAY, &id(1)), &me, ReactionType::Heart).await?;
    submit_question(
        db,
        &NgWordCache::default(),
        &me,
        QuestionText::new("どこへ行きたい？")?,
        NOW,
    )
    .await?;
    report(
        db,
        &me,
        Target::User(&id(3)),
        (ReportCategory::Other, None),
        NOW,
    )
    .await?;
    register_push_token(db, &me, "ExponentPushToken[tourist]", DeviceType::Ios).await
}

async fn nothing_left(db: &Dynamo) -> Result<bool, QError> {
    let (me, wish) = (tourist(), QuestionText::new("どこへ行きたい？")?);
    let left = [
        User::get(me).send(db).await?.is_some(),
        Follow::query(me).count(db).await? + Follow::followers(me).count(db).await? > 0,
        Block::query(me).count(db).await? > 0,
        Answer::by_user(me).count(db).await? > 0,
        Reaction::query(TODAY, me).count(db).await? > 0,
        Reaction::get(TODAY, id(1), me).send(db).await?.is_some(),
        UserQuestionSubmission::get(TODAY, me)
            .send(db)
            .await?
            .is_some(),
        PushToken::query(me).count(db).await? > 0,
    ];
    // The question stays without an author; the tour deletes it.
    let text =
        Question::by_status(QuestionStatus::Pending).filter(|question| question.text().eq(wish));
    let kept = text.all(db).await?;
    let keys = kept.iter().map(Entity::primary_key);
    BatchWrite::new().deletes(keys).send(db).await?;
    let nobodys = kept.len() == 1 && kept[0].submitted_by.is_none();
    Ok(!left.contains(&true) && nobodys && counted(db, &id(1), &id(2)).await? == [(7, 7), (7, 7)])
}
