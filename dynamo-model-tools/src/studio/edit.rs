//! Writes of the page.

use super::Shared;
use super::api::Reply;
use crate::live::{LiveError, LiveItem, Store};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The JSON text of each field, because a number of JavaScript has 53 bits; `None` removes the
/// field.
type Fields = BTreeMap<String, Option<String>>;

#[derive(Debug, Deserialize)]
pub(super) struct Create {
    entity: String,
    fields: Fields,
}

pub(super) async fn create(State(shared): State<Arc<Shared>>, Json(body): Json<Create>) -> Reply {
    shared.allows_writes()?;
    let document = Value::Object(values(body.fields)?);
    let (live, db) = (&shared.live, &shared.db);
    let key = live
        .store(db, &body.entity, Store::Create, document)
        .await?;
    let table = live.named(&body.entity)?.table();
    Ok(Json(json!({ "id": shared.id_of(table, &key) })))
}

#[derive(Debug, Deserialize)]
pub(super) struct Update {
    id: String,
    fingerprint: String,
    changes: Fields,
}

pub(super) async fn update(State(shared): State<Arc<Shared>>, Json(body): Json<Update>) -> Reply {
    let item = shared.opened(&body.id, &body.fingerprint).await?;
    shared
        .live
        .update(&shared.db, &item, values(body.changes)?)
        .await?;
    Ok(Json(json!({ "id": body.id })))
}

#[derive(Debug, Deserialize)]
pub(super) struct Delete {
    id: String,
    fingerprint: String,
}

pub(super) async fn delete(State(shared): State<Arc<Shared>>, Json(body): Json<Delete>) -> Reply {
    let item = shared.opened(&body.id, &body.fingerprint).await?;
    shared.live.delete(&shared.db, &item).await?;
    Ok(Json(json!({})))
}

impl Shared {
    fn allows_writes(&self) -> Result<(), LiveError> {
        match self.write {
            true => Ok(()),
            false => Err(LiveError::usage(
                "the studio only reads; start it with `--write`",
            )),
        }
    }

    /// Reads the item that the page has opened.
    async fn opened(&self, id: &str, fingerprint: &str) -> Result<LiveItem, LiveError> {
        self.allows_writes()?;
        let (table, key) = self.key(id)?;
        let fingerprint = u64::from_str_radix(fingerprint, 16)
            .map_err(|_| LiveError::usage("the page is out of date; reload it"))?;
        self.live
            .read_again(&self.db, table, key, fingerprint)
            .await
    }
}

fn values(fields: Fields) -> Result<Map<String, Value>, LiveError> {
    let fields = fields.into_iter().map(|(name, text)| {
        let text = text.unwrap_or_else(|| "null".to_owned());
        let value = serde_json::from_str(&text)
            .map_err(|error| LiveError::usage(format!("`{name}` is not JSON: {error}")))?;
        Ok((name, value))
    });
    fields.collect()
}
