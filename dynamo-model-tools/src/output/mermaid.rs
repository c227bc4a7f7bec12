//! A diagram in mermaid: tables, the entities in them, and the indexes that lead to those.

use super::pascal;
use crate::Model;
use crate::{EntityModel, TableModel};
use core::fmt::Write;
use dynamo_model::schema::{AttributeRole, AttributeSchema};

impl Model {
    /// Returns an entity diagram in mermaid's language: each entity with its keys and attributes,
    /// and which field of it names another.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("PROFILE")]
    /// # struct User { user_id: String }
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("ORDER#<number:06>")]
    /// # struct Order { user_id: String, number: u32 }
    /// # #[derive(dynamo_model::DynamoItems)]
    /// # #[items(table = App)]
    /// # enum AppItem { User(User), Order(Order) }
    /// use dynamo_model_tools::Model;
    ///
    /// let diagram = Model::new("app").entity::<User>().entity::<Order>().mermaid();
    /// assert!(diagram.starts_with("erDiagram\n"));
    /// assert!(diagram.contains("User ||--o{ Order : user_id"));
    /// ```
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = "erDiagram\n".to_owned();
        let names = Names::of(self);
        for (table, entity) in self.entities() {
            // Writing to a string does not fail.
            let _ = write_entity(&mut out, &names, table, entity);
        }
        for relation in self.relations() {
            let (one, many) = (names.get(relation.one), names.get(relation.many));
            let _ = writeln!(out, "    {one} ||--o{{ {many} : {}", relation.field);
        }
        out
    }

    /// Returns the relations: the single field that is an entity's whole key is a field of another
    /// entity, of the same type.
    pub(super) fn relations(&self) -> Vec<Relation<'_>> {
        let mut relations = Vec::new();
        for one in self.entities() {
            let Some(id) = identifier(one.1).and_then(|id| attribute(one.1, id)) else {
                continue;
            };
            for many in self.entities() {
                let named = attribute(many.1, id.field);
                let names_it = named.is_some_and(|it| it.rust_type == id.rust_type);
                // The same key is the same thing again, and no reference to it.
                if names_it && identifier(many.1) != Some(id.field) {
                    relations.push(Relation {
                        one,
                        many,
                        field: id.field,
                    });
                }
            }
        }
        relations
    }
}

/// Returns a field that can name another entity.
fn attribute(entity: &EntityModel, field: &str) -> Option<&'static AttributeSchema> {
    let mut attributes = entity.schema.attributes.iter();
    let found = attributes.find(|it| it.field == field)?;
    matches!(found.role, AttributeRole::Data | AttributeRole::KeyOnly).then_some(found)
}

/// Many items of one entity name an item of another.
#[derive(Debug)]
pub(super) struct Relation<'m> {
    pub(super) one: (&'m TableModel, &'m EntityModel),
    pub(super) many: (&'m TableModel, &'m EntityModel),
    pub(super) field: &'static str,
}

/// Returns the single field that is an entity's whole key.
fn identifier(entity: &EntityModel) -> Option<&'static str> {
    let sk = entity.schema.sk.into_iter().flat_map(|sk| sk.parts);
    let mut parts = entity.schema.pk.parts.iter().chain(sk);
    let first = parts.next()?;
    (parts.next().is_none() && first.is_lossless()).then_some(first.field)
}

/// Entities of different modules may have one name.
struct Names<'m>(Vec<((&'m str, &'m str), String)>);

impl<'m> Names<'m> {
    fn of(model: &'m Model) -> Self {
        let all: Vec<_> = model.entities().collect();
        let names = all.iter().map(|(table, entity)| {
            let (table, name) = (table.schema.name, entity.schema.entity);
            let same = all
                .iter()
                .filter(|(_, other)| other.schema.entity == name)
                .count();
            let shown = if same > 1 {
                format!("{}_{name}", pascal(table))
            } else {
                name.to_owned()
            };
            ((table, name), shown)
        });
        Self(names.collect())
    }

    fn get(&self, (table, entity): (&TableModel, &EntityModel)) -> &str {
        let id = (table.schema.name, entity.schema.entity);
        let mut names = self.0.iter();
        names
            .find(|(known, _)| *known == id)
            .map_or("", |(_, name)| name)
    }
}

fn write_entity(
    out: &mut String,
    names: &Names<'_>,
    table: &TableModel,
    entity: &EntityModel,
) -> core::fmt::Result {
    let schema = &entity.schema;
    writeln!(out, "    {} {{", names.get((table, entity)))?;
    let mut key = |letters: &str, name: &str, mark: &str, text: &str| {
        writeln!(
            out,
            "        {letters} {} {mark} \"{}\"",
            word(name),
            quoted(text)
        )
    };
    let own = [
        ("partition_key", Some((table.schema.pk, schema.pk))),
        ("sort_key", table.schema.sk.zip(schema.sk)),
    ];
    for (name, half) in own {
        if let Some((attribute, template)) = half {
            let text = format!("{} = {template}", attribute.name);
            key(attribute.key_type.as_str(), name, "PK", &text)?;
        }
    }
    for index in schema.indexes {
        let Some(declared) = table.index_of(index) else {
            continue;
        };
        let sk = index.sk.map(|sk| format!(" + {sk}")).unwrap_or_default();
        let text = format!("{}{sk}", index.pk);
        key(declared.pk.key_type.as_str(), declared.name, "FK", &text)?;
    }
    for attribute in schema
        .attributes
        .iter()
        .filter(|it| it.role != AttributeRole::KeyOnly)
    {
        let kind = entity
            .attribute_type(attribute)
            .map_or("any", |it| it.as_str());
        writeln!(out, "        {kind} {}", word(attribute.name))?;
    }
    writeln!(out, "    }}")
}

/// Names in mermaid are letters, digits, `-` and `_`, and are neither its own marks nor begin with
/// a digit.
fn word(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let word: String = name.chars().map(plain).collect();
    let reserved = ["PK", "FK", "UK"]
        .iter()
        .any(|mark| mark.eq_ignore_ascii_case(&word));
    if reserved || word.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        format!("_{word}")
    } else {
        word
    }
}

/// Formats a text in double quotes, on one line.
fn quoted(text: &str) -> String {
    let plain = |c: char| match c {
        '"' => '\'',
        c if c.is_whitespace() || c.is_control() => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}
