//! The entities as a chart: a box each, with its keys, and a line to each entity that names it.

use super::colour;
use super::text::{escaped, id};
use crate::Model;
use crate::output::mermaid::Relation;
use crate::{EntityModel, TableModel};
use core::fmt::Write;

const COLUMNS: usize = 3;
const WIDTH: usize = 340;
const GAP: usize = 52;
const LINE: usize = 19;
const HEAD: usize = 52;
/// How many characters of a template fit on a line.
const FITS: usize = 28;
/// How many characters of an attribute's or index's name fit before it.
const LABEL_FITS: usize = 14;

/// Where an entity's box is.
struct Box<'m> {
    table: &'m TableModel,
    entity: &'m EntityModel,
    x: usize,
    y: usize,
    height: usize,
    lines: Vec<(String, String)>,
}

pub(super) fn svg(model: &Model) -> String {
    let boxes = layout(model);
    let columns = boxes.len().clamp(1, COLUMNS);
    // A curve within the last column goes around its right side.
    let width = columns * (WIDTH + GAP) + 2;
    let height = boxes.iter().map(|it| it.y + it.height).max().unwrap_or(0) + 2;
    let mut out = format!(
        "<svg class=\"chart\" viewBox=\"-1 -1 {width} {height}\" width=\"{width}\" role=\"img\" \
         aria-label=\"The entities and which of them name which\">\n"
    );
    // Writing to a string does not fail.
    for (i, relation) in model.relations().iter().enumerate() {
        let _ = write_line(&mut out, &boxes, relation, i);
    }
    for it in &boxes {
        let _ = write_box(&mut out, model, it);
    }
    out + "</svg>\n"
}

/// Puts each box into the shortest column.
fn layout(model: &Model) -> Vec<Box<'_>> {
    let mut heights = [0; COLUMNS];
    let boxes = model.entities().map(|(table, entity)| {
        let lines = lines(table, entity);
        let height = HEAD + lines.len() * LINE + 10;
        let shortest = (0..COLUMNS)
            .min_by_key(|column| heights[*column])
            .unwrap_or(0);
        let (x, y) = (shortest * (WIDTH + GAP), heights[shortest]);
        heights[shortest] += height + 28;
        Box {
            table,
            entity,
            x,
            y,
            height,
            lines,
        }
    });
    boxes.collect()
}

/// Returns the keys, one a line: name and template.
fn lines(table: &TableModel, entity: &EntityModel) -> Vec<(String, String)> {
    let schema = &entity.schema;
    let mut lines = vec![(table.schema.pk.name.to_owned(), schema.pk.text.to_owned())];
    if let Some((attribute, sk)) = table.schema.sk.zip(schema.sk) {
        lines.push((attribute.name.to_owned(), sk.text.to_owned()));
    }
    for index in schema.indexes {
        let Some(declared) = table.index_of(index) else {
            continue;
        };
        let sk = index.sk.map(|sk| format!(" + {sk}")).unwrap_or_default();
        lines.push((declared.name.to_owned(), format!("{}{sk}", index.pk)));
    }
    lines
}

fn write_box(out: &mut String, model: &Model, it: &Box<'_>) -> core::fmt::Result {
    let Box {
        table,
        entity,
        x,
        y,
        height,
        lines,
    } = it;
    let (name, table) = (entity.schema.entity, table.schema.name);
    let colour = colour(model, table, name);
    let link = id("entity", &format!("{table}-{name}"));
    writeln!(out, "<a href=\"#{link}\" class=\"c{colour}\">")?;
    writeln!(
        out,
        "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>"
    )?;
    writeln!(
        out,
        "<rect class=\"stripe\" x=\"{x}\" y=\"{y}\" width=\"6\" height=\"{height}\" rx=\"3\"/>"
    )?;
    let (left, top) = (x + 18, y + 24);
    writeln!(
        out,
        "<text class=\"name\" x=\"{left}\" y=\"{top}\">{}</text>",
        escaped(name)
    )?;
    writeln!(
        out,
        "<text class=\"of\" x=\"{left}\" y=\"{}\">{}</text>",
        top + 16,
        escaped(table)
    )?;
    for (i, (what, template)) in lines.iter().enumerate() {
        let y = y + HEAD + 14 + i * LINE;
        let label = cut(what, LABEL_FITS);
        let shown = cut(template, FITS);
        writeln!(
            out,
            "<text class=\"key\" x=\"{left}\" y=\"{y}\">{}</text>",
            escaped(&label)
        )?;
        writeln!(
            out,
            "<text class=\"template\" x=\"{}\" y=\"{y}\">{}<title>{}</title></text>",
            left + 112,
            escaped(&shown),
            escaped(&format!("{what}: {template}")),
        )?;
    }
    writeln!(out, "</a>")
}

/// Writes a curve from one box to the other, behind the boxes between them.
fn write_line(
    out: &mut String,
    boxes: &[Box<'_>],
    relation: &Relation<'_>,
    number: usize,
) -> core::fmt::Result {
    let find = |(table, entity): (&TableModel, &EntityModel)| {
        let mut boxes = boxes.iter();
        boxes.find(|it| {
            it.table.schema.name == table.schema.name
                && it.entity.schema.entity == entity.schema.entity
        })
    };
    let (Some(one), Some(many)) = (find(relation.one), find(relation.many)) else {
        return Ok(());
    };
    // Each line has its own height, so that lines behind a box can be distinguished on its other
    // side.
    let at = |it: &Box<'_>| it.y + 12 + number * 9 % (it.height - 20);
    let (from, to) = (at(one), at(many));
    let (start, end, bend) = match one.x.cmp(&many.x) {
        core::cmp::Ordering::Less => (one.x + WIDTH, many.x, GAP / 2),
        core::cmp::Ordering::Equal => (one.x + WIDTH, many.x + WIDTH, GAP),
        core::cmp::Ordering::Greater => (one.x, many.x + WIDTH, GAP / 2),
    };
    let (first, second) = match one.x.cmp(&many.x) {
        core::cmp::Ordering::Less => (start + bend, end - bend),
        core::cmp::Ordering::Equal => (start + bend, end + bend),
        core::cmp::Ordering::Greater => (start - bend, end + bend),
    };
    let (field, a, b) = (
        escaped(relation.field),
        escaped(relation.one.1.schema.entity),
        escaped(relation.many.1.schema.entity),
    );
    writeln!(
        out,
        "<path class=\"line\" d=\"M{start} {from} C{first} {from} {second} {to} {end} {to}\">\
         <title>{field}: one {a}, many {b}</title></path>\
         <circle class=\"end\" cx=\"{end}\" cy=\"{to}\" r=\"3.5\"/>"
    )
}

fn cut(text: &str, fits: usize) -> String {
    match text.char_indices().nth(fits) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
