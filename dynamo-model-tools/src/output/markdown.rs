//! A design document in Markdown: tables, indexes, entities with their keys and attributes, access
//! patterns.

use crate::Model;
use crate::{AttributeType, DeclaredPattern, EntityModel, TableModel};
use core::fmt::Write;
use dynamo_model::__tools;
use dynamo_model::schema::{
    AttributeRole, AttributeSchema, IndexId, Stream, TableClass, TableSchema, Throughput,
};

impl Model {
    /// Returns the design document: every table, index, entity, attribute and access pattern, with
    /// the doc comments.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// /// Who uses the app.
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::Model;
    ///
    /// let document = Model::new("app").entity::<User>().markdown();
    /// assert!(document.contains("Who uses the app."));
    /// assert!(document.contains("| `User::get(user_id)` | GetItem | the table | `PK = USER#<user_id>` |"));
    /// ```
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_markdown(&mut out);
        out
    }

    fn write_markdown(&self, out: &mut String) -> core::fmt::Result {
        writeln!(out, "# {}", plain(&self.name))?;
        if !self.title.is_empty() {
            writeln!(out, "\n{}.", sentence(&inline(&self.title)))?;
        }
        writeln!(out, "\n## Tables\n")?;
        writeln!(
            out,
            "| table | partition key | sort key | indexes | entities |"
        )?;
        writeln!(out, "| --- | --- | --- | --- | --- |")?;
        for TableModel {
            schema, entities, ..
        } in &self.tables
        {
            let sk = schema.sk.map_or_else(|| "–".into(), |sk| code(sk.name));
            let (name, pk) = (code(schema.name), code(schema.pk.name));
            let (indexes, entities) = (schema.indexes.len(), entities.len());
            writeln!(out, "| {name} | {pk} | {sk} | {indexes} | {entities} |")?;
        }
        for table in &self.tables {
            write_table(out, table)?;
        }
        self.write_patterns(out)
    }

    fn write_patterns(&self, out: &mut String) -> core::fmt::Result {
        if self.patterns.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n## Access patterns\n")?;
        writeln!(out, "| # | pattern | call | requests |")?;
        writeln!(out, "| --- | --- | --- | --- |")?;
        for pattern in &self.patterns {
            let mut requests: Vec<_> = pattern
                .requests
                .iter()
                .map(|it| code(&it.to_string()))
                .collect();
            let more = requests.len().saturating_sub(3);
            requests.truncate(3);
            if more > 0 {
                requests.push(format!("and {more} more"));
            }
            let (number, name) = (plain(&pattern.number), inline(&pattern.name));
            let (call, requests) = (code(&pattern.call), requests.join("<br>"));
            writeln!(out, "| {number} | {name} | {call} | {requests} |")?;
        }
        Ok(())
    }
}

fn write_table(out: &mut String, table: &TableModel) -> core::fmt::Result {
    let schema = &table.schema;
    writeln!(out, "\n## {}", plain(schema.name))?;
    write_doc(out, schema.doc)?;
    writeln!(out, "\n- key: {}", key(schema))?;
    writeln!(out, "- {}", settings(table).join("\n- "))?;
    if !schema.indexes.is_empty() {
        writeln!(out, "\n### Indexes\n")?;
        writeln!(
            out,
            "| index | kind | partition key | sort key | projection | entities |"
        )?;
        writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
        for index in schema.indexes {
            let kind = if matches!(index.id, IndexId::Gsi(_)) {
                "global"
            } else {
                "local"
            };
            let sk = index.sk.map_or_else(|| "–".into(), |sk| code(sk.name));
            let (projection, names) = __tools::projection(index.projection);
            let names: String = names
                .iter()
                .map(|name| format!(" {}", code(name)))
                .collect();
            let entities = table
                .entities_in(index)
                .map(|(entity, _)| entity.schema.entity);
            let entities = entities.collect::<Vec<_>>().join(", ");
            let (name, pk) = (code(index.name), code(index.pk.name));
            writeln!(
                out,
                "| {name} | {kind} | {pk} | {sk} | {projection}{names} | {entities} |"
            )?;
        }
    }
    write_vectors(out, table)?;
    for entity in &table.entities {
        write_entity(out, table, entity)?;
    }
    Ok(())
}

fn write_vectors(out: &mut String, table: &TableModel) -> core::fmt::Result {
    if table.schema.vectors.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### Vector indexes\n")?;
    writeln!(
        out,
        "| index | vectors | distance | hash | filters | projection | entities |"
    )?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- |")?;
    for index in table.schema.vectors {
        let hash = index.hash.map_or_else(|| "–".into(), |it| code(it.name));
        let filters: Vec<_> = index.filters.iter().map(|it| code(it.name)).collect();
        let filters = match filters.is_empty() {
            true => "–".to_owned(),
            false => filters.join(", "),
        };
        let (projection, names) = __tools::projection(index.projection);
        let names: String = names.iter().map(|it| format!(" {}", code(it))).collect();
        let is_in = |it: &&EntityModel| it.schema.vectors.iter().any(|own| own.id == index.id);
        let entities = table.entities.iter().filter(is_in);
        let entities: Vec<_> = entities.map(|it| it.schema.entity).collect();
        let (name, attribute, entities) =
            (code(index.name), code(index.attribute), entities.join(", "));
        let (dimensions, distance) = (index.dimensions, index.distance);
        writeln!(
            out,
            "| {name} | {attribute}, {dimensions} floats | {distance} | {hash} | {filters} | {projection}{names} | {entities} |"
        )?;
    }
    Ok(())
}

fn write_entity(out: &mut String, table: &TableModel, entity: &EntityModel) -> core::fmt::Result {
    let schema = &entity.schema;
    writeln!(out, "\n### {}", schema.entity)?;
    write_doc(out, schema.doc)?;
    writeln!(out, "\n| key attribute | value |\n| --- | --- |")?;
    let own = [
        Some((table.schema.pk, schema.pk)),
        table.schema.sk.zip(schema.sk),
    ];
    let indexes = schema.indexes.iter().flat_map(|index| {
        let (pk, sk) = table.schema.key(Some(index.id));
        [Some((pk, index.pk)), sk.zip(index.sk)]
    });
    let mut written = Vec::new();
    for (attribute, template) in own.into_iter().chain(indexes).flatten() {
        if !written.contains(&attribute.name) {
            written.push(attribute.name);
            writeln!(
                out,
                "| {} | {} |",
                code(attribute.name),
                code(template.text)
            )?;
        }
    }
    if let (Some(name), Some(value)) = (table.schema.entity_type, schema.entity_type) {
        let others = schema.other_types.iter();
        let others: String = others
            .map(|other| format!(", also reads {}", code(other)))
            .collect();
        writeln!(out, "| {} | {}{others} |", code(name), code(value))?;
    }
    if !schema.shares_key_with.is_empty() {
        let names = schema.shares_key_with.iter();
        let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
        writeln!(out, "\nShares its key with {}.", names.join(", "))?;
    }
    for unique in schema.uniques {
        let table = unique
            .table
            .map(|table| format!(", reserved in `{}`", table.name));
        let table = table.unwrap_or_default();
        writeln!(out, "\nUnique: {}{table}.", code(unique.constraint))?;
    }
    writeln!(
        out,
        "\n| attribute | type | required | description |\n| --- | --- | --- | --- |"
    )?;
    for attribute in schema.attributes {
        let (name, doc) = (code(attribute.name), describe(attribute));
        let required = if attribute.required { "yes" } else { "" };
        writeln!(
            out,
            "| {name} | {} | {required} | {doc} |",
            type_of(entity, attribute)
        )?;
    }
    for constant in schema.constants {
        let (kind, value) = constant.value.typed();
        let kind = AttributeType::of_letters(kind).map_or(kind, AttributeType::word);
        let (name, value) = (code(constant.name), code(&value));
        writeln!(out, "| {name} | {} | | Always {value}. |", kind)?;
    }
    writeln!(
        out,
        "\n| call | operation | where | key |\n| --- | --- | --- | --- |"
    )?;
    for pattern in table.declared_patterns(entity) {
        write_declared(out, &pattern)?;
    }
    Ok(())
}

fn write_declared(out: &mut String, pattern: &DeclaredPattern) -> core::fmt::Result {
    let place = pattern.index.map_or_else(|| "the table".into(), code);
    let sparse = if pattern.sparse { ", sparse" } else { "" };
    let when = pattern.when.as_ref();
    let when = when.map_or_else(String::new, |when| format!(", when {}", code(when)));
    let (call, condition) = (code(&pattern.call), code(&pattern.condition));
    writeln!(
        out,
        "| {call} | {} | {place}{sparse}{when} | {condition} |",
        pattern.operation
    )
}

/// Returns DynamoDB's type in words, with the field's type if it is more precise.
fn type_of(entity: &EntityModel, attribute: &AttributeSchema) -> String {
    if attribute.role == AttributeRole::KeyOnly {
        return "in the key".into();
    }
    match entity.attribute_type(attribute) {
        Some(known) => known.word().into(),
        None => code(attribute.rust_type),
    }
}

fn describe(attribute: &AttributeSchema) -> String {
    let role = match attribute.role {
        AttributeRole::Version => "Version of the optimistic lock.",
        AttributeRole::CreatedAt => "When the item was created.",
        AttributeRole::UpdatedAt => "When the item was last written.",
        AttributeRole::Ttl => "When the item expires, in seconds since 1970.",
        _ => "",
    };
    let sensitive = if attribute.sensitive {
        "Sensitive."
    } else {
        ""
    };
    let immutable = if attribute.immutable {
        "Set at creation only."
    } else {
        ""
    };
    let texts = [
        cell(attribute.doc),
        role.into(),
        immutable.into(),
        sensitive.into(),
    ];
    let texts: Vec<_> = texts
        .into_iter()
        .filter(|text: &String| !text.is_empty())
        .collect();
    texts.join(" ")
}

fn key(schema: &TableSchema) -> String {
    let sk = schema
        .sk
        .map(|sk| format!(", sort key {} ({})", code(sk.name), sk.key_type.as_str()));
    let (pk, letter) = (code(schema.pk.name), schema.pk.key_type.as_str());
    format!("partition key {pk} ({letter}){}", sk.unwrap_or_default())
}

/// Returns the settings of the table, a phrase each.
pub(super) fn settings(table: &TableModel) -> Vec<String> {
    let schema = &table.schema;
    let mut out = vec![match schema.billing.provisioned() {
        None => "billing: on demand".into(),
        Some(Throughput { read, write }) => {
            format!("billing: provisioned, {read} read and {write} write units a second")
        }
    }];
    out.push(match schema.encryption.kms() {
        None => "encryption: a key of AWS".into(),
        Some(None) => "encryption: KMS".into(),
        Some(Some(key)) => format!("encryption: KMS, key {}", code(key)),
    });
    let recovery = if schema.point_in_time_recovery {
        "on"
    } else {
        "off"
    };
    out.push(format!("point-in-time recovery: {recovery}"));
    out.extend(schema.ttl.map(|ttl| format!("TTL: {}", code(ttl))));
    out.extend(
        schema
            .stream
            .map(|stream| format!("stream: {}", Stream::as_str(stream))),
    );
    if let Some(Throughput { read, write }) = schema.on_demand_maximum {
        out.push(format!(
            "maximum on demand: {read} read and {write} write units a second"
        ));
    }
    if let Some(Throughput { read, write }) = schema.warm_throughput {
        out.push(format!(
            "warm throughput: {read} read and {write} write units a second"
        ));
    }
    if schema.class == TableClass::InfrequentAccess {
        out.push("table class: infrequent access".into());
    }
    if !schema.tags.is_empty() {
        let tags = schema.tags.iter();
        let tags: Vec<_> = tags
            .map(|(name, value)| code(&format!("{name}={value}")))
            .collect();
        out.push(format!("tags: {}", tags.join(", ")));
    }
    if !schema.replicas.is_empty() {
        let regions: Vec<_> = schema.replicas.iter().map(|it| code(it)).collect();
        out.push(format!("replicas: {}", regions.join(", ")));
    }
    if schema.multi_region_strong {
        out.push("consistency between regions: strong".into());
    }
    if schema.deletion_protection {
        out.push("protected against deletion".into());
    }
    out.extend(scans(table));
    if !schema.required.is_empty() {
        out.push(format!("required: {}", schema.required.join(", ")));
    }
    out
}

/// Returns the entities that may be scanned, if some may not.
fn scans(table: &TableModel) -> Option<String> {
    let entities = table.entities.iter().map(|it| &it.schema);
    let scannable = entities.filter_map(|it| Some(format!("`{}` ({})", it.entity, it.scannable?)));
    let scannable: Vec<_> = scannable.collect();
    table.schema.no_scan.then(|| match scannable.is_empty() {
        true => "scans: none".to_owned(),
        false => format!("scans: none but of {}", scannable.join(", ")),
    })
}

fn write_doc(out: &mut String, doc: &str) -> core::fmt::Result {
    if doc.is_empty() {
        Ok(())
    } else {
        writeln!(out, "\n{doc}")
    }
}

/// Returns a text with a capital first letter and without a final period.
fn sentence(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// Escapes Markdown for one cell of a table.
fn cell(text: &str) -> String {
    let (mut out, mut escapes) = (String::with_capacity(text.len()), false);
    for c in words(text).chars() {
        if c == '|' && !escapes {
            out.push('\\');
        }
        escapes = c == '\\' && !escapes;
        out.push(c);
    }
    out
}

/// Returns text on one line.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a title on one line: text, and code in backticks.
fn inline(text: &str) -> String {
    let text = words(text);
    let last = text.matches('`').count();
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        1 if at < last => code(piece),
        // Without a second one, a backtick is text.
        1 => format!("\\`{}", escaped(piece)),
        _ => escaped(piece),
    });
    pieces.collect()
}

/// Escapes a name as plain text on one line, without HTML, code, link or emphasis.
fn plain(text: &str) -> String {
    escaped(&words(text))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '[' | ']' | '|' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Formats code in a cell. Code with backticks needs longer fences.
fn code(text: &str) -> String {
    let text = words(text);
    // In a cell, a backslash before `|` is an escape, also in code, where it cannot be escaped
    // itself.
    if text.contains("\\|") {
        let entity = |c: char| match c {
            c if c.is_alphanumeric() || c == ' ' => c.to_string(),
            c => format!("&#{};", u32::from(c)),
        };
        let text: String = text.chars().map(entity).collect();
        return format!("<code>{text}</code>");
    }
    let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let text = text.replace('|', "\\|");
    match ticks {
        _ if text.is_empty() => text,
        0 => format!("`{text}`"),
        ticks => {
            let around = "`".repeat(ticks + 1);
            format!("{around} {text} {around}")
        }
    }
}
