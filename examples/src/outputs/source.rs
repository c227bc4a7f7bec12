//! The model of a schema, filled from the embedded engine: sample items, and the requests of the
//! access patterns.

use super::Settings;
use crate::{Recorder, Result, Schema};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::Dynamo;
use dynamo_model::schema::TableSchema;
use dynamo_model_tools::{AccessPattern, Model, Request};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many partitions of a table are shown, and how many items of each.
const PARTITIONS: usize = 6;
const ITEMS: usize = 5;

/// 2026-02-05T12:00:00Z: the same in every run.
const NOW: Timestamp = Timestamp::constant(1_770_292_800, 0);

type Item = BTreeMap<String, Value>;

impl Schema {
    /// Returns its model, with samples and requests.
    pub async fn model(&self, settings: &Settings) -> Result<Model> {
        let recorder = Recorder::default();
        let db = recorder.record(&Dynamo::embedded()?);
        let db = db.with_clock(|| NOW.into());
        (self.load)(&db, &mut |_| ()).await?;
        let mut model = (settings.model)().title(self.title);
        let first: BTreeSet<String> = self.sample_keys()?;
        let mut known = BTreeSet::new();
        for table in model
            .tables
            .iter()
            .map(|table| table.schema)
            .collect::<Vec<_>>()
        {
            let items = scan(&db, &table).await?;
            uuids_in(&json!(items), &mut known);
            for item in chosen(&table, items, &first) {
                model = model.sample_item(table.name, item)?;
            }
        }
        for pattern in (self.patterns)() {
            let recorded = pattern.record(&db, &recorder).await;
            let mut new = HashMap::new();
            let listed = AccessPattern::new(pattern.number, pattern.name)
                .call(pattern.call_line())
                .items(recorded.found?.items);
            let sent = recorded.sent.into_iter();
            let sent = sent.map(|request| steady(request, &known, &mut new));
            model = model.pattern(sent.fold(listed, AccessPattern::request));
        }
        Ok(model)
    }

    /// Returns the keys of the document's own items: `table/pk + sk`.
    fn sample_keys(&self) -> Result<BTreeSet<String>> {
        let samples = (self.samples)()?;
        let keys = samples.iter().filter_map(|sample| {
            let key = &sample.keys.first()?.key;
            Some(format!("{}/{key}", sample.table.name))
        });
        Ok(keys.collect())
    }
}

async fn scan(db: &Dynamo, table: &TableSchema) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut start = None;
    loop {
        let scan = db.client().scan().table_name(db.table_name(table));
        let page = scan.set_exclusive_start_key(start).send().await?;
        let page_items = page.items.unwrap_or_default().into_iter();
        items.extend(page_items.map(|item| {
            item.iter()
                .map(|(name, value)| (name.clone(), typed(value)))
                .collect::<Item>()
        }));
        start = page.last_evaluated_key;
        if start.is_none() {
            return Ok(items);
        }
    }
}

/// Returns the document's items first, with their neighbours in the partition, then other
/// partitions.
fn chosen(table: &TableSchema, items: Vec<Item>, first: &BTreeSet<String>) -> Vec<Item> {
    let key = |item: &Item, name: &str| match &item[name] {
        Value::Object(value) => {
            let text = value.values().next().and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    let mut partitions: BTreeMap<String, Partition> = BTreeMap::new();
    for item in items {
        let pk = key(&item, table.pk.name);
        let sk = table.sk.map(|sk| key(&item, sk.name));
        let sort_key = sk.as_ref().map(|sk| format!(" + {sk}"));
        let name = format!("{}/{pk}{}", table.name, sort_key.unwrap_or_default());
        let later = !first.contains(&name);
        let partition = partitions.entry(pk).or_default();
        partition.insert((later, sk.unwrap_or_default()), item);
    }
    let mut partitions: Vec<_> = partitions.into_values().collect();
    let is_first = |items: &Partition| items.keys().any(|(later, _)| !later);
    partitions.sort_by_key(|items| !is_first(items));
    let documents = partitions.iter().filter(|items| is_first(items)).count();
    let shown = partitions.into_iter().take(documents.max(PARTITIONS));
    let shown = shown.flat_map(|items| {
        let mut items: Vec<_> = items.into_iter().take(ITEMS).collect();
        items.sort_by(|((_, a), _), ((_, b), _)| a.cmp(b));
        items.into_iter().map(|(_, item)| item)
    });
    shown.collect()
}

/// Whether an item is one of the others, its sort key, the item.
type Partition = BTreeMap<(bool, String), Item>;

fn typed(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number }),
        AttributeValue::Bool(value) => json!({ "BOOL": value }),
        AttributeValue::Null(_) => json!({ "NULL": true }),
        AttributeValue::B(bytes) => json!({ "B": base64(bytes) }),
        AttributeValue::L(values) => json!({ "L": values.iter().map(typed).collect::<Vec<_>>() }),
        AttributeValue::M(fields) => {
            let fields = fields.iter().map(|(name, value)| (name, typed(value)));
            json!({ "M": fields.collect::<BTreeMap<_, _>>() })
        }
        AttributeValue::Ss(texts) => json!({ "SS": texts }),
        AttributeValue::Ns(numbers) => json!({ "NS": numbers }),
        AttributeValue::Bs(all) => json!({ "BS": all.iter().map(base64).collect::<Vec<_>>() }),
        _ => Value::Null,
    }
}

/// None of the six stores bytes; a number shows their length.
fn base64(bytes: &Blob) -> String {
    format!("{} bytes", bytes.as_ref().len())
}

/// Makes a request equal in every run: without its token, with random ids in the order in which
/// they appear.
fn steady(
    request: Request,
    known: &BTreeSet<String>,
    new: &mut HashMap<String, String>,
) -> Request {
    let mut body = request.body;
    if let Some(body) = body.as_object_mut() {
        body.remove("ClientRequestToken");
    }
    replace_uuids(&mut body, known, new);
    Request::new(request.operation, body)
}

fn replace_uuids(value: &mut Value, known: &BTreeSet<String>, new: &mut HashMap<String, String>) {
    match value {
        Value::String(text) => {
            let found: Vec<_> = uuids(text).map(str::to_owned).collect();
            for uuid in found.into_iter().filter(|uuid| !known.contains(uuid)) {
                let next = new.len() + 1;
                let steady = new
                    .entry(uuid.clone())
                    .or_insert_with(|| format!("00000000-0000-4000-8000-{next:012}"));
                *text = text.replace(&uuid, steady);
            }
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|it| replace_uuids(it, known, new)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|it| replace_uuids(it, known, new)),
        _ => {}
    }
}

fn uuids_in(value: &Value, known: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => known.extend(uuids(text).map(str::to_owned)),
        Value::Array(values) => values.iter().for_each(|it| uuids_in(it, known)),
        Value::Object(fields) => fields.values().for_each(|it| uuids_in(it, known)),
        _ => {}
    }
}

/// Returns the random ones in a text.
fn uuids(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| !c.is_ascii_hexdigit() && c != '-');
    pieces.filter(|piece| {
        piece.len() == 36 && piece.as_bytes()[14] == b'4' && piece.matches('-').count() == 4
    })
}
