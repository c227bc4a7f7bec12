//! The JSON interface of the page.

use super::view::{key_json, key_of_json, schema};
use super::{Shared, edit, overview};
use crate::live::{Argument, Given, LiveError, LiveErrorKind, ReadOptions};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use dynamo_model::by_name::Attributes;
use dynamo_model::key::KeyValue;
use dynamo_model::schema::{IndexSchema, TableSchema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

pub(super) type Reply = Result<Json<Value>, Refused>;

/// The items of one page of a partition or table.
const PAGE: i32 = 200;

/// The routes, each under `base`.
pub(super) fn routes(base: &str, shared: Arc<Shared>) -> Router {
    let path = |name: &str| format!("{base}/api/{name}");
    Router::new()
        .route(&path("schema"), get(declarations))
        .route(&path("read"), post(read))
        .route(&path("explain"), post(explain))
        .route(&path("scan"), post(scan))
        .route(&path("partition"), post(partition))
        .route(&path("item"), post(item))
        .route(&path("overview"), post(overview::overview))
        .route(&path("create"), post(edit::create))
        .route(&path("update"), post(edit::update))
        .route(&path("delete"), post(edit::delete))
        .with_state(shared)
}

async fn declarations(State(shared): State<Arc<Shared>>) -> Json<Value> {
    Json(schema(&shared))
}

/// An error, as the page shows it.
#[derive(Debug)]
pub(super) struct Refused(LiveError);

impl From<LiveError> for Refused {
    fn from(error: LiveError) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, kind) = match self.0.kind() {
            LiveErrorKind::Usage => (StatusCode::BAD_REQUEST, "usage"),
            LiveErrorKind::Conflict => (StatusCode::CONFLICT, "conflict"),
            LiveErrorKind::NotFound => (StatusCode::NOT_FOUND, "notFound"),
            LiveErrorKind::Call => (StatusCode::BAD_GATEWAY, "call"),
        };
        (
            status,
            Json(json!({ "kind": kind, "message": self.0.chain() })),
        )
            .into_response()
    }
}

#[derive(Debug, Deserialize)]
struct Read {
    pattern: String,
    arguments: Vec<OneArgument>,
    #[serde(default)]
    descending: bool,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// A field with a value, a beginning, or a range.
#[derive(Debug, Deserialize)]
struct OneArgument {
    field: String,
    is: Option<String>,
    begins: Option<String>,
    from: Option<String>,
    to: Option<String>,
    #[serde(default)]
    inclusive: bool,
}

impl OneArgument {
    fn into_argument(self) -> Argument {
        let given = match (self.is, self.begins) {
            (Some(text), _) => Given::Is(text),
            (None, Some(text)) => Given::Begins(text),
            (None, None) => Given::Range {
                from: self.from,
                to: self.to,
                inclusive: self.inclusive,
            },
        };
        let field = self.field;
        Argument { field, given }
    }
}

impl Read {
    fn parts(self, shared: &Shared) -> Result<(String, Vec<Argument>, ReadOptions), LiveError> {
        let arguments = self.arguments.into_iter().map(OneArgument::into_argument);
        let cursor = self
            .cursor
            .map(|cursor| shared.reveal(&cursor))
            .transpose()?;
        let options = ReadOptions {
            descending: self.descending,
            limit: self.limit,
            cursor,
        };
        Ok((self.pattern, arguments.collect(), options))
    }
}

async fn read(State(shared): State<Arc<Shared>>, Json(body): Json<Read>) -> Reply {
    let (name, arguments, options) = body.parts(&shared)?;
    let pattern = shared.live.pattern(&name)?;
    let started = Instant::now();
    let page = shared
        .live
        .read(&shared.db, &pattern, &arguments, &options)
        .await?;
    let handle = |cursor: Option<String>| cursor.map(|it| shared.handle(pattern.table(), it));
    let explain = shared
        .live
        .explain(&shared.db, &pattern, &arguments, &options)?;
    Ok(Json(json!({
        "items": page.items.iter().map(|item| shared.row(item)).collect::<Vec<_>>(),
        "next": handle(page.next),
        "previous": handle(page.previous),
        "scanned": page.scanned,
        "capacity": page.consumed_capacity,
        "explain": explain,
        "call": pattern.rust_call(&arguments, &options)?,
        "milliseconds": started.elapsed().as_secs_f64() * 1_000.0,
    })))
}

async fn explain(State(shared): State<Arc<Shared>>, Json(body): Json<Read>) -> Reply {
    let (name, arguments, options) = body.parts(&shared)?;
    let pattern = shared.live.pattern(&name)?;
    Ok(Json(json!({
        "explain": shared.live.explain(&shared.db, &pattern, &arguments, &options)?,
        "call": pattern.rust_call(&arguments, &options)?,
    })))
}

#[derive(Debug, Deserialize)]
struct Scan {
    table: String,
    index: Option<String>,
    /// The handle of the key to continue after.
    start: Option<String>,
}

async fn scan(State(shared): State<Arc<Shared>>, Json(body): Json<Scan>) -> Reply {
    let table = shared.live.table(&body.table)?;
    let index = index_of(table, body.index.as_deref())?;
    let start = start(&shared, body.start.as_deref())?;
    let page = shared
        .live
        .scan(&shared.db, (table, index), (Some(PAGE), start))
        .await?;
    raw_page(&shared, table, page)
}

#[derive(Debug, Deserialize)]
struct Partition {
    /// The handle of the table, the index and the partition key.
    partition: String,
    start: Option<String>,
}

async fn partition(State(shared): State<Arc<Shared>>, Json(body): Json<Partition>) -> Reply {
    let text = shared.reveal(&body.partition)?;
    let (name, index, pk): (String, Option<String>, Value) = parsed(&text)?;
    let table = shared.live.table(&name)?;
    let index = index_of(table, index.as_deref())?;
    let pk = key_of_json(&pk).ok_or_else(|| unknown("partition"))?;
    let start = start(&shared, body.start.as_deref())?;
    let page = shared
        .live
        .partition(&shared.db, (table, index), pk, (PAGE, start))
        .await?;
    raw_page(&shared, table, page)
}

fn raw_page(shared: &Shared, table: &'static TableSchema, page: crate::live::RawPage) -> Reply {
    let last = page
        .last
        .map(|key| serde_json::to_string(&key).unwrap_or_default());
    Ok(Json(json!({
        "items": page.items.iter().map(|item| shared.row(item)).collect::<Vec<_>>(),
        "next": last.map(|it| shared.handle(table, it)),
        "capacity": page.consumed_capacity,
    })))
}

#[derive(Debug, Deserialize)]
struct One {
    id: String,
}

async fn item(State(shared): State<Arc<Shared>>, Json(body): Json<One>) -> Reply {
    let (table, key) = shared.key(&body.id)?;
    let item = shared.live.item_at(&shared.db, table, key).await?;
    Ok(Json(shared.item(&item)))
}

impl Shared {
    /// The table and the key of an item.
    pub(super) fn key(
        &self,
        id: &str,
    ) -> Result<(&'static TableSchema, (KeyValue, Option<KeyValue>)), LiveError> {
        let (name, pk, sk): (String, Value, Option<Value>) = parsed(&self.reveal(id)?)?;
        let pk = key_of_json(&pk).ok_or_else(|| unknown("item"))?;
        let sk = sk.map(|sk| key_of_json(&sk).ok_or_else(|| unknown("item")));
        Ok((self.live.table(&name)?, (pk, sk.transpose()?)))
    }

    /// The name of an item by its key.
    pub(super) fn id_of(&self, table: &TableSchema, key: &(KeyValue, Option<KeyValue>)) -> String {
        let (pk, sk) = key;
        let key = json!([table.name, key_json(pk), sk.as_ref().map(key_json)]);
        self.handle(table, key.to_string())
    }
}

fn start(shared: &Shared, handle: Option<&str>) -> Result<Option<Attributes>, LiveError> {
    let text = handle.map(|handle| shared.reveal(handle)).transpose()?;
    text.map(|text| parsed(&text)).transpose()
}

fn index_of(
    table: &'static TableSchema,
    name: Option<&str>,
) -> Result<Option<&'static IndexSchema>, LiveError> {
    let Some(name) = name else {
        return Ok(None);
    };
    let index = table.indexes.iter().find(|index| index.name == name);
    let there = || LiveError::usage(format!("the table `{}` has no index `{name}`", table.name));
    index.map(Some).ok_or_else(there)
}

fn parsed<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, LiveError> {
    serde_json::from_str(text).map_err(|_| unknown("key"))
}

fn unknown(what: &str) -> LiveError {
    LiveError::usage(format!("the request names no {what}; reload the page"))
}
