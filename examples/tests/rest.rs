#![allow(clippy::unwrap_used)]

//! The REST service over HTTP, on the loopback interface.

#[path = "../rest/service.rs"]
mod service;

use dynamo_model::prelude::{Dynamo, Entity, Table};
use dynamo_model_examples::exam::{self, ExamStudyApp, Question};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

type Outcome<T = ()> = Result<T, dynamo_model_examples::Failure>;

/// The service on a free port. It ends with the runtime of the test.
async fn serve() -> Outcome<(SocketAddr, Dynamo)> {
    let db = Dynamo::embedded()?.with_signed_cursors(b"a key of this test");
    ExamStudyApp::create_table(&db).await?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let routes = service::routes(db.clone());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok((address, db))
}

/// What came back.
struct Answer {
    status: u16,
    head: String,
    body: Value,
}

async fn call(
    to: SocketAddr,
    request: &str,
    headers: &str,
    body: Option<Value>,
) -> Outcome<Answer> {
    let mut stream = TcpStream::connect(to).await?;
    let body = body.map_or(String::new(), |body| body.to_string());
    let length = body.len();
    let request = format!(
        "{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no end of the head")?;
    let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    let body = serde_json::from_str(body).unwrap_or(Value::Null);
    Ok(Answer {
        status,
        head: head.to_lowercase(),
        body,
    })
}

fn ann() -> Value {
    json!({ "userId": "ann", "email": "ann@example.com" })
}

#[tokio::test]
async fn a_user_is_created_once() -> Outcome {
    let (to, _db) = serve().await?;
    let created = call(to, "POST /users", "", Some(ann())).await?;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.body["version"], 1);
    assert!(created.head.contains("etag: \"1\""), "{}", created.head);

    let again = call(to, "POST /users", "", Some(ann())).await?;
    assert_eq!(
        (again.status, &again.body["error"]),
        (409, &json!("it exists already"))
    );
    let found = call(to, "GET /users/ann", "", None).await?;
    assert_eq!(
        (found.status, &found.body["email"]),
        (200, &json!("ann@example.com"))
    );
    assert_eq!(call(to, "GET /users/bob", "", None).await?.status, 404);
    let empty = json!({ "userId": "", "email": "x" });
    assert_eq!(call(to, "POST /users", "", Some(empty)).await?.status, 400);
    Ok(())
}

#[tokio::test]
async fn a_stale_version_is_a_failed_precondition() -> Outcome {
    let (to, _db) = serve().await?;
    call(to, "POST /users", "", Some(ann())).await?;
    let name = |name: &str| Some(json!({ "displayName": name }));
    let patch = "PATCH /users/ann";
    assert_eq!(call(to, patch, "", name("Ann")).await?.status, 428);
    let first = call(to, patch, "if-match: \"1\"\r\n", name("Ann")).await?;
    assert_eq!(
        (first.status, &first.body["displayName"]),
        (200, &json!("Ann"))
    );
    assert!(first.head.contains("etag: \"2\""), "{}", first.head);
    let stale = call(to, patch, "if-match: \"1\"\r\n", name("Anna")).await?;
    assert_eq!(stale.status, 412, "{}", stale.body);
    let gone = call(to, "PATCH /users/bob", "if-match: \"1\"\r\n", name("Bob")).await?;
    assert_eq!(gone.status, 404, "{}", gone.body);
    Ok(())
}

#[tokio::test]
async fn pages_lead_forwards_and_backwards() -> Outcome {
    let (to, db) = serve().await?;
    let question = exam::question()?;
    question.create().send(&db).await?;
    let choices = question.choices.len();
    let answer = |minute: u32, index: usize| {
        Some(json!({
            "questionId": question.question_id, "selectedIndex": index,
            "answeredAt": format!("2025-06-01T10:{minute:02}:00Z"),
        }))
    };
    let path = "POST /users/ann/answers";
    for minute in 0..5 {
        let stored = call(to, path, "", answer(minute, 0)).await?;
        assert_eq!(stored.status, 201, "{}", stored.body);
    }
    assert_eq!(call(to, path, "", answer(0, 0)).await?.status, 409);
    assert_eq!(call(to, path, "", answer(9, choices)).await?.status, 422);

    let mut minutes = Vec::new();
    let mut url = "GET /users/ann/answers?limit=2".to_owned();
    let mut last;
    loop {
        last = call(to, &url, "", None).await?;
        assert_eq!(last.status, 200, "{}", last.body);
        let items = last.body["items"].as_array().unwrap();
        minutes.extend(
            items
                .iter()
                .map(|it| it["answeredAt"].as_str().unwrap().to_owned()),
        );
        let Some(next) = last.body["next"].as_str() else {
            break;
        };
        url = format!("GET /users/ann/answers?limit=2&cursor={next}");
    }
    let expected: Vec<String> = (0..5)
        .rev()
        .map(|it| format!("2025-06-01T10:{it:02}:00Z"))
        .collect();
    assert_eq!(minutes, expected);

    let previous = last.body["previous"].as_str().unwrap();
    let url = format!("GET /users/ann/answers?limit=2&cursor={previous}");
    let page = call(to, &url, "", None).await?;
    let first = &page.body["items"][0]["answeredAt"];
    assert_eq!(first, "2025-06-01T10:02:00Z");

    // A cursor is good for its own list.
    let foreign = format!("GET /users/bob/answers?limit=2&cursor={previous}");
    assert_eq!(call(to, &foreign, "", None).await?.status, 400);
    assert_eq!(
        Question::get(&question.question_id).send(&db).await?,
        Some(question)
    );
    Ok(())
}
