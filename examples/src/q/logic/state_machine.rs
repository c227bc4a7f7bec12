//! "退会 … Step Functionsで段階削除": the stages of [`withdraw`](super::withdraw) as a state machine.
//!
//! A stage that reads items and writes each of them is that here. Stages that compute keys (of each
//! day, of reactions, of reserved names) run as functions: [`Stage::run`](super::Stage::run) with
//! the user of the input.

use super::withdrawal::reports_of;
use crate::Result;
use crate::q::{Block, Follow, PushToken, Reaction, ReportStatus, User, UserId, Users};
use dynamo_model::{Dynamo, Entity, Key, Table};
use dynamo_model_tools::{Request, StateMachine, Step};
use serde_json::{Map, Value, json};
use uuid::uuid;

/// Stands in the requests for the user of the input.
const USER: UserId = UserId(uuid!("00000000-0000-4000-8000-00000000000a"));
/// Stands for the other user of a follow.
const OTHER: UserId = UserId(uuid!("00000000-0000-4000-8000-00000000000b"));

/// Returns the state machine; its input is `{"userId": "…"}`. A failed execution is started again:
/// deleted items are not found again. The user is deleted last, and only without follows.
pub fn state_machine() -> Result<StateMachine> {
    let db = Dynamo::embedded()?;
    let machine = StateMachine::new("withdraw")
        .comment("Deletes everything of a user, in stages, from all tables")
        .input("userId", USER.to_string())
        .step(Step::request("Close", close()?).skip_failed_condition())
        .step(following(&db)?.skip_failed_condition())
        .step(followers(&db)?.skip_failed_condition());
    let blocks = Request::explained(&Block::query(USER).explain(&db)?)?;
    let blocked_by = Request::explained(&Block::blocked_by(USER).explain(&db)?)?;
    let reactions = Reaction::scan().filter(|reaction| reaction.reactor_id().eq(USER));
    let reactions = Request::explained(&reactions.explain(&db)?)?;
    let mut machine = machine
        .step(Step::delete_found("Blocks", blocks))
        .step(Step::delete_found("Blocked by", blocked_by))
        .step(Step::delete_found("Reactions", reactions))
        .step(Step::function("Answers"))
        .step(Step::function("Submissions"));
    for (name, status) in [
        ("Pending reports", ReportStatus::Pending),
        ("Resolved reports", ReportStatus::Resolved),
        ("Dismissed reports", ReportStatus::Dismissed),
    ] {
        let reports = Request::explained(&reports_of(status, &USER).explain(&db)?)?;
        machine = machine.step(Step::delete_found(name, reports));
    }
    let tokens = Request::explained(&PushToken::query(USER).explain(&db)?)?;
    Ok(machine
        .step(Step::delete_found("Push tokens", tokens))
        .step(Step::function("User")))
}

/// Bans the user.
fn close() -> Result<Request> {
    let update = json!({
        "TableName": Users::SCHEMA.name,
        "Key": key(&User::key(USER)?),
        "UpdateExpression": "SET isBanned = :true",
        "ConditionExpression": "attribute_exists(userId)",
        "ExpressionAttributeValues": { ":true": { "BOOL": true } },
    });
    Ok(Request::new("UpdateItem", update))
}

fn following(db: &Dynamo) -> Result<Step> {
    let read = Request::explained(&Follow::query(USER).explain(db)?)?;
    let other = [("followeeId", OTHER.to_string())];
    let other = other.iter().map(|(name, sample)| (*name, sample.as_str()));
    Ok(Step::for_each(
        "Following",
        read,
        unfollow(USER, OTHER)?,
        other,
    ))
}

fn followers(db: &Dynamo) -> Result<Step> {
    let read = Request::explained(&Follow::followers(USER).explain(db)?)?;
    let other = [("followerId", OTHER.to_string())];
    let other = other.iter().map(|(name, sample)| (*name, sample.as_str()));
    Ok(Step::for_each(
        "Followers",
        read,
        unfollow(OTHER, USER)?,
        other,
    ))
}

/// As [`unfollow`](super::unfollow): the follow and both counters.
fn unfollow(follower: UserId, followee: UserId) -> Result<Request> {
    let count = |user: UserId, counter: &str| -> Result<Value> {
        Ok(json!({ "Update": {
            "TableName": Users::SCHEMA.name,
            "Key": key(&User::key(user)?),
            "UpdateExpression": format!("SET {counter} = {counter} - :one"),
            "ConditionExpression": format!("{counter} >= :one"),
            "ExpressionAttributeValues": { ":one": { "N": "1" } },
        } }))
    };
    let follow = json!({ "Delete": {
        "TableName": <<Follow as Entity>::Table as Table>::SCHEMA.name,
        "Key": key(&Follow::key(follower, followee)?),
        "ConditionExpression": "attribute_exists(followerId)",
    } });
    let follower = count(follower, "followingCount")?;
    let followee = count(followee, "followerCount")?;
    let all = json!({ "TransactItems": [follow, follower, followee] });
    Ok(Request::new("TransactWriteItems", all))
}

/// A key as DynamoDB takes it; all of these are texts.
fn key<E: Entity>(key: &Key<E>) -> Value {
    let schema = <E::Table as Table>::SCHEMA;
    let sort_key = schema.sk.zip(key.sk());
    let parts = std::iter::once((schema.pk, key.pk())).chain(sort_key);
    let parts = parts.map(|(part, text)| (part.name.into(), json!({ "S": text.to_string() })));
    Value::Object(parts.collect::<Map<_, _>>())
}
