//! Sample items by partition: each partition key once, beside it each item with its sort key and
//! its attributes, names above values. First the table, then each index with its items.

use super::colour;
use super::text::escaped;
use crate::Model;
use crate::{SampleItem, TableModel};
use dynamo_model::schema::Projection;
use serde_json::Value;

/// How many characters of a value are shown.
const LONG: usize = 44;

pub(super) fn of_table(model: &Model, table: &TableModel) -> String {
    if table.items.is_empty() {
        return String::new();
    }
    let schema = &table.schema;
    let whole = View {
        model,
        table,
        pk: vec![schema.pk.name],
        sk: schema.sk.into_iter().map(|sk| sk.name).collect(),
        carries: Projection::All,
    };
    let mut out = format!(
        "<h3 class=\"grid-title\">Items by partition</h3>\n{}",
        whole.grid()
    );
    for index in schema.indexes {
        let view = View {
            model,
            table,
            pk: index.partition_key().map(|key| key.name).collect(),
            sk: index.sort_key().map(|key| key.name).collect(),
            carries: index.projection,
        };
        let items = view.items().len();
        if items > 0 {
            out += &format!(
                "<details>\n<summary>{} <span class=\"dim\">{items} of {} items are in this \
                 index</span></summary>\n{}</details>\n",
                escaped(index.name),
                table.items.len(),
                view.grid()
            );
        }
    }
    out
}

/// The items as a table or an index has them.
struct View<'m> {
    model: &'m Model,
    table: &'m TableModel,
    /// The names of the key attributes.
    pk: Vec<&'static str>,
    sk: Vec<&'static str>,
    carries: Projection,
}

impl<'m> View<'m> {
    /// Returns the items in the order of the keys, without those that lack one.
    fn items(&self) -> Vec<(Vec<&'m str>, Vec<&'m str>, &'m SampleItem)> {
        let items = self.table.items.iter().filter_map(|item| {
            let values = |names: &[&str]| names.iter().map(|name| item.key(name)).collect();
            let (pk, sk): (Option<Vec<_>>, Option<Vec<_>>) = (values(&self.pk), values(&self.sk));
            Some((pk?, sk?, item))
        });
        let mut items: Vec<_> = items.collect();
        let first = |pk: &[&str]| items.iter().position(|(other, ..)| other == pk);
        let order: Vec<_> = items.iter().map(|(pk, ..)| first(pk)).collect();
        let mut numbered: Vec<_> = order.into_iter().zip(items.drain(..)).collect();
        numbered.sort_by(|(a, (_, sk_a, _)), (b, (_, sk_b, _))| (a, sk_a).cmp(&(b, sk_b)));
        numbered.into_iter().map(|(_, item)| item).collect()
    }

    fn grid(&self) -> String {
        let items = self.items();
        let mut rows = String::new();
        for partition in items.chunk_by(|(a, ..), (b, ..)| a == b) {
            for (i, (pk, sk, item)) in partition.iter().enumerate() {
                let pk = (i == 0).then(|| {
                    format!(
                        "<th scope=\"rowgroup\" rowspan=\"{}\">{}</th>",
                        partition.len(),
                        escaped(&pk.join(" / "))
                    )
                });
                let sk = (!sk.is_empty())
                    .then(|| format!("<td class=\"sk\">{}</td>", escaped(&sk.join(" / "))));
                rows += &format!(
                    "<tr class=\"c{}\">{}<td class=\"entity\">{}</td>{}<td \
                     class=\"attributes\">{}</td></tr>\n",
                    colour(
                        self.model,
                        self.table.schema.name,
                        item.entity.unwrap_or_default()
                    ),
                    pk.unwrap_or_default(),
                    escaped(item.entity.unwrap_or("(unique)")),
                    sk.unwrap_or_default(),
                    self.attributes(item),
                );
            }
        }
        let sk = (!self.sk.is_empty())
            .then(|| format!("<th scope=\"col\">{}</th>", escaped(&self.sk.join(" / "))));
        format!(
            "<div class=\"scroll\">\n<table class=\"grid\">\n<thead><tr><th scope=\"col\">{}</th>\
             <th scope=\"col\">entity</th>{}<th scope=\"col\">attributes</th></tr></thead>\n\
             <tbody>\n{rows}</tbody>\n</table>\n</div>\n",
            escaped(&self.pk.join(" / ")),
            sk.unwrap_or_default(),
        )
    }

    fn attributes(&self, item: &SampleItem) -> String {
        let table = &self.table.schema;
        let is_key = |name: &str| self.pk.contains(&name) || self.sk.contains(&name);
        let is_table_key =
            |name: &str| name == table.pk.name || table.sk.is_some_and(|sk| sk.name == name);
        let carried = |name: &str| match self.carries {
            Projection::All => true,
            Projection::KeysOnly => is_table_key(name),
            Projection::Include(names) => is_table_key(name) || names.contains(&name),
        };
        let shown = item
            .attributes
            .iter()
            .filter(|(name, _)| !is_key(name) && carried(name));
        let cells = shown.map(|(name, value)| {
            format!(
                "<span class=\"cell\"><i>{}</i>{}</span>",
                escaped(name),
                shown_value(value)
            )
        });
        cells.collect()
    }
}

/// Returns a value, cut if it is long, with the whole of it on hovering.
fn shown_value(value: &Value) -> String {
    let text = plain(value);
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!(
            "<span title=\"{}\">{}…</span>",
            escaped(&text),
            escaped(&text[..at])
        ),
        None => escaped(&text),
    }
}

/// Returns a value as people write it, without DynamoDB's types.
fn plain(value: &Value) -> String {
    let Some((letters, inner)) = value.as_object().and_then(|it| it.iter().next()) else {
        return value.to_string();
    };
    let list = |values: &Value| {
        let values = values.as_array().into_iter().flatten().map(plain);
        values.collect::<Vec<_>>().join(", ")
    };
    match (letters.as_str(), inner) {
        ("S" | "N" | "B", Value::String(text)) => text.clone(),
        ("NULL", _) => "null".into(),
        ("L", values) => format!("[{}]", list(values)),
        ("M", Value::Object(fields)) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", plain(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        (_, inner) => inner.to_string(),
    }
}
