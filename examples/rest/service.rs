//! The routes of the service: each is a call of the library and a status.
//!
//! | route | does | refuses |
//! | --- | --- | --- |
//! | `POST /users` | creates a user | 409 if the id is taken |
//! | `GET /users/{id}` | the user; its version is the `ETag` | 404 |
//! | `PATCH /users/{id}` | changes the name if `If-Match` is the version | 404, 412, 428 |
//! | `GET /users/{id}/answers` | a page of answers, newest first | 400 for a foreign cursor |
//! | `POST /users/{id}/answers` | stores an answer and counts it | 404, 409, 422 |

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use dynamo_model::prelude::{Dynamo, Entity, Error, ErrorKind, Page};
use dynamo_model_examples::exam::{self, AnswerHistory, ExamError, QuestionId, User, UserId};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

/// How many answers a page has at most.
const MAX_PAGE: usize = 100;

/// Returns all routes. The handle is the state: it is cheap to clone.
pub(crate) fn routes(db: Dynamo) -> Router {
    Router::new()
        .route("/users", post(create_user))
        .route("/users/{id}", get(find_user).patch(rename_user))
        .route("/users/{id}/answers", get(list_answers).post(record_answer))
        .with_state(db)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewUser {
    user_id: UserId,
    email: String,
    display_name: Option<String>,
}

async fn create_user(
    State(db): State<Dynamo>,
    Json(new): Json<NewUser>,
) -> Result<Response, Refusal> {
    let user = User {
        user_id: new.user_id,
        email: new.email,
        display_name: new.display_name,
        name: None,
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
        version: 0,
    };
    // The user as it is stored, with its times and version.
    let user = user.create().return_new().send(&db).await?;
    Ok((StatusCode::CREATED, tagged(user)).into_response())
}

async fn find_user(State(db): State<Dynamo>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let user = User::get(id).send(&db).await?;
    Ok(tagged(user.ok_or(Refusal::not_found("user"))?).into_response())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rename {
    display_name: String,
}

/// One conditional write, and no read before it.
async fn rename_user(
    State(db): State<Dynamo>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(rename): Json<Rename>,
) -> Result<Response, Refusal> {
    let user = User::update(id)
        .set(|user| user.display_name(), rename.display_name)
        .expect_version(expected_version(&headers)?)
        .return_new()
        .send(&db)
        .await?;
    Ok(tagged(user).into_response())
}

/// Returns the user with its version as `ETag`.
fn tagged(user: User) -> impl IntoResponse {
    let tag = format!("\"{}\"", user.version);
    ([(header::ETAG, tag)], Json(user))
}

/// Returns the version in `If-Match`.
fn expected_version(headers: &HeaderMap) -> Result<u64, Refusal> {
    let tag = headers
        .get(header::IF_MATCH)
        .and_then(|tag| tag.to_str().ok());
    let version = tag.and_then(|tag| tag.trim_matches('"').parse().ok());
    version.ok_or(Refusal::new(
        StatusCode::PRECONDITION_REQUIRED,
        "send `If-Match` with the ETag of the user that you have read",
    ))
}

#[derive(Deserialize)]
struct PageOf {
    limit: Option<usize>,
    cursor: Option<String>,
}

/// `next` and `previous` of the answer are cursors to send back, or null.
async fn list_answers(
    State(db): State<Dynamo>,
    Path(id): Path<String>,
    Query(page): Query<PageOf>,
) -> Result<Json<Page<AnswerHistory>>, Refusal> {
    let limit = page.limit.unwrap_or(20).clamp(1, MAX_PAGE);
    let answers = exam::answers_page(&db, &UserId(id), limit, page.cursor).await?;
    Ok(Json(answers))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewAnswer {
    question_id: QuestionId,
    selected_index: u32,
    answered_at: Timestamp,
}

async fn record_answer(
    State(db): State<Dynamo>,
    Path(id): Path<String>,
    Json(new): Json<NewAnswer>,
) -> Result<(StatusCode, Json<AnswerHistory>), Refusal> {
    let (question, index) = (&new.question_id, new.selected_index);
    let stored = exam::record_answer(&db, &UserId(id), question, index, new.answered_at).await?;
    Ok((StatusCode::CREATED, Json(stored)))
}

/// A status, and a text that tells a client nothing of keys and tables.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, message }
    }

    fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match &error {
            error if error.is_not_found() => Self::not_found("item"),
            error if error.is_already_exists() || error.is_not_unique() => {
                Self::new(StatusCode::CONFLICT, "it exists already")
            }
            error if error.is_conflict() => Self::new(
                StatusCode::PRECONDITION_FAILED,
                "it was changed since you read it; read it again",
            ),
            error if error.is_cursor() => {
                Self::new(StatusCode::BAD_REQUEST, "the cursor is not of this list")
            }
            // An empty or too long part of a key, from the URL or the body.
            error if matches!(error.kind(), ErrorKind::Key(_)) => {
                Self::new(StatusCode::BAD_REQUEST, "an id is empty or too long")
            }
            error if error.is_throttled() => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "try again later")
            }
            error => {
                // The log has the key; the client does not.
                eprintln!("{error}");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong")
            }
        }
    }
}

impl From<ExamError> for Refusal {
    fn from(error: ExamError) -> Self {
        let status = match error {
            ExamError::Database(error) => return error.into(),
            ExamError::NoSuchQuestion(_) => StatusCode::NOT_FOUND,
            ExamError::NoSuchChoice { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            ExamError::AlreadyAnswered => StatusCode::CONFLICT,
            ExamError::Changed => StatusCode::PRECONDITION_FAILED,
            ExamError::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}
