//! What an error says: which entity, which key, which attribute, and what to do.

use crate::support::{self, Db, Outcome, put, put_json, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, ErrorKind, Table};
use dynamo_model_examples::exam::{
    AnswerHistory, ExamStudyApp, ExamType, Question, User, question, user,
};
use dynamo_model_examples::shogi::{Kifu, ShogiProject, kifu};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[tokio::test]
async fn a_missing_table() -> Outcome {
    let db = support::bare();
    let table = db.table_name(&ExamStudyApp::SCHEMA);
    let hint = format!("table `{table}` does not exist; create it, or check its name and region");
    let error = User::get("u1").send(&db).await.unwrap_err();
    assert!(error.is_missing_table());
    assert_eq!(
        error.to_string(),
        format!("get User USER#u1/PROFILE: {hint}")
    );
    let error = AnswerHistory::query("u1").all(&db).await.unwrap_err();
    assert!(error.is_missing_table());
    assert_eq!(
        error.to_string(),
        format!("query AnswerHistory USER#u1: {hint}")
    );
    assert!(
        AnswerHistory::query("u1")
            .count(&db)
            .await
            .unwrap_err()
            .is_missing_table()
    );
    Ok(())
}

/// The sample question, with one attribute changed or, with `None`, removed.
async fn with(attribute: &str, value: Option<AttributeValue>) -> Outcome<Db> {
    let db = support::db::<ExamStudyApp>().await;
    let mut item = stored(&question()?)?;
    item.remove(attribute);
    item.extend(value.map(|value| (attribute.to_owned(), value)));
    put::<ExamStudyApp>(&db, item).await?;
    Ok(db)
}

async fn failure(db: &Db) -> dynamo_model::Error {
    let error = Question::get("FE-2023-01").send(db).await.unwrap_err();
    assert!(error.is_decode());
    assert_eq!(error.entity(), "Question");
    assert_eq!(error.key_text(), Some("QUESTION#FE-2023-01/METADATA"));
    error
}

#[tokio::test]
async fn a_value_of_another_type() -> Outcome {
    let db = with("answerIndex", Some(AttributeValue::S("二".into()))).await?;
    let error = failure(&db).await;
    let path = String::from("answerIndex");
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    // What follows is serde's.
    let text = error.to_string();
    let start = "get Question QUESTION#FE-2023-01/METADATA: answerIndex: ";
    assert!(
        text.starts_with(start) && text.len() > start.len(),
        "{text}"
    );
    Ok(())
}

#[tokio::test]
async fn a_value_within_a_list() -> Outcome {
    let choices = ["ア", "イ"].map(|choice| AttributeValue::S(choice.into()));
    let choices = choices.into_iter().chain([AttributeValue::N("3".into())]);
    let db = with("choices", Some(AttributeValue::L(choices.collect()))).await?;
    let error = failure(&db).await;
    let path = String::from("choices[2]");
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    let text = error.to_string();
    let start = "get Question QUESTION#FE-2023-01/METADATA: choices[2]: ";
    assert!(text.starts_with(start), "{text}");
    Ok(())
}

#[tokio::test]
async fn an_attribute_that_is_missing() -> Outcome {
    let db = with("explanation", None).await?;
    let error = failure(&db).await;
    assert_eq!(
        error.to_string(),
        "get Question QUESTION#FE-2023-01/METADATA: missing field `explanation`"
    );
    // A query names the item too, and not only the partition.
    let found = Question::by_exam_type(ExamType::Fe).all(&db).await;
    let found = found.unwrap_err();
    assert_eq!(found.key_text(), Some("QUESTION#FE-2023-01/METADATA"));
    Ok(())
}

#[tokio::test]
async fn a_variant_that_is_unknown() -> Outcome {
    let db = with("difficulty", Some(AttributeValue::S("absurd".into()))).await?;
    let text = failure(&db).await.to_string();
    assert!(
        text.contains("difficulty: unknown variant `absurd`"),
        "{text}"
    );
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Nested", pk = "PK")]
struct Nested;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Line {
    name: String,
    price: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Nested)]
#[pk("CART#<id>")]
struct Cart {
    id: String,
    lines: Vec<Line>,
}

#[tokio::test]
async fn a_path_into_lists_and_maps() -> Outcome {
    let db = support::db::<Nested>().await;
    let lines = json!([{"name": "駒", "price": 1}, {"name": "盤", "price": -5}]);
    let item = json!({"PK": "CART#c1", "id": "c1", "lines": lines});
    put_json::<Nested>(&db, item).await?;
    let error = Cart::get("c1").send(&db).await.unwrap_err();
    let path = String::from("lines[1].price");
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    let text = error.to_string();
    assert!(
        text.starts_with("get Cart CART#c1: lines[1].price: "),
        "{text}"
    );
    Ok(())
}

#[tokio::test]
async fn an_item_of_another_type() -> Outcome {
    let db = support::db::<ExamStudyApp>().await;
    let mut item = stored(&user()?)?;
    item.insert("EntityType".into(), AttributeValue::S("ADMIN".into()));
    put::<ExamStudyApp>(&db, item.clone()).await?;
    let error = User::get("u1").send(&db).await.unwrap_err();
    let (found, expected) = (String::from("ADMIN"), "USER");
    assert_eq!(error.kind(), &ErrorKind::OtherEntity { found, expected });
    assert_eq!(
        error.to_string(),
        "get User USER#u1/PROFILE: the item is a ADMIN, not a USER; \
         read the partition as a collection, or give the entities other keys"
    );
    item.remove("EntityType");
    put::<ExamStudyApp>(&db, item).await?;
    let error = User::get("u1").send(&db).await.unwrap_err();
    assert!(error.is_decode(), "{error}");
    Ok(())
}

/// A key that no template makes: the field that stands in the key alone cannot be read.
#[tokio::test]
async fn a_key_that_does_not_parse() -> Outcome {
    let db = support::db::<ShogiProject>().await;
    let mut item = stored(&kifu()?)?;
    item.insert("cgsi_pk".into(), AttributeValue::S("kifu#code#x".into()));
    put::<ShogiProject>(&db, item).await?;
    let error = Kifu::query("h-akira").all(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Decode { .. }),
        "{error:?}"
    );
    assert_eq!(error.key_text(), Some("kifu#uname#h-akira/kid#fdsaj9d9s0"));
    Ok(())
}

/// A query's stream gives what it has before the error.
#[tokio::test]
async fn nothing_is_dropped_silently() -> Outcome {
    let db = with("text", Some(AttributeValue::Null(true))).await?;
    let all = Question::by_exam_type(ExamType::Fe);
    assert!(all.all(&db).await.unwrap_err().is_decode());
    Ok(())
}

#[tokio::test]
async fn an_engine_that_is_not_there() {
    // Port 9 is "discard": nobody listens.
    let db = dynamo_model::Dynamo::endpoint("http://127.0.0.1:9");
    let error = User::get("u1").send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);
    assert_eq!(
        error.to_string(),
        "get User USER#u1/PROFILE: no answer came; check the endpoint and the connection"
    );
}
