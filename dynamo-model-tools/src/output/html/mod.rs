//! A standalone page: the entities as a chart, the tables with their keys, sample items by
//! partition, and each access pattern with its requests. One file without external resources.

mod chart;
mod grid;
mod patterns;
mod tables;
mod text;

use crate::Model;
use text::escaped;

impl Model {
    /// Returns the design document as a page: one file without external resources.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::Model;
    ///
    /// let page = Model::new("app").entity::<User>().html();
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// assert!(page.contains("USER#<b>&lt;user_id&gt;</b>"));
    /// ```
    #[must_use]
    pub fn html(&self) -> String {
        let (name, title) = (escaped(&self.name), escaped(&self.title));
        let title_line = if title.is_empty() {
            String::new()
        } else {
            format!("<p>{title}</p>")
        };
        let sections: String = self
            .tables
            .iter()
            .map(|table| tables::section(self, table))
            .collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             <header>\n<h1>{name}</h1>\n{title_line}\n{}</header>\n{}<main>\n\
             <section id=\"entities\">\n<h2>Entities</h2>\n{}</section>\n{sections}{}</main>\n</body>\n</html>\n",
            include_str!("style.css"),
            counts(self),
            navigation(self),
            chart::svg(self),
            patterns::section(self),
        )
    }
}

fn counts(model: &Model) -> String {
    let entities = model.entities().count();
    let indexes: usize = model
        .tables
        .iter()
        .map(|table| table.schema.indexes.len())
        .sum();
    let count = |number: usize, one: &str, many: &str| {
        let what = if number == 1 { one } else { many };
        format!("<li><strong>{number}</strong> {what}</li>\n")
    };
    format!(
        "<ul class=\"counts\">\n{}{}{}{}</ul>\n",
        count(model.tables.len(), "table", "tables"),
        count(entities, "entity", "entities"),
        count(indexes, "index", "indexes"),
        count(model.patterns.len(), "access pattern", "access patterns"),
    )
}

fn navigation(model: &Model) -> String {
    let tables = model.tables.iter().map(|table| {
        let name = table.schema.name;
        format!(
            "<a href=\"#{}\">{}</a>\n",
            text::id("table", name),
            escaped(name)
        )
    });
    let patterns = if model.patterns.is_empty() {
        ""
    } else {
        "<a href=\"#patterns\">Access patterns</a>\n"
    };
    format!(
        "<nav>\n<a href=\"#entities\">Entities</a>\n{}{patterns}</nav>\n",
        tables.collect::<String>()
    )
}

/// Returns the colour of an entity, by its place in the model.
fn colour(model: &Model, table: &str, entity: &str) -> usize {
    const COLOURS: usize = 12;
    let mut entities = model.entities();
    let place = entities.position(|(of, it)| of.schema.name == table && it.schema.entity == entity);
    place.unwrap_or_default() % COLOURS
}
