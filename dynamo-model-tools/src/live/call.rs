//! The typed call that reads the same as an access pattern with arguments.

use super::argument::{Argument, Given};
use super::{LiveError, LivePattern, ReadOptions};
use dynamo_model::key::kind::Name;
use dynamo_model::schema::{Form, PartSchema};

/// Whether a sensitive field stands in the key.
pub(crate) fn is_sensitive(pattern: &LivePattern) -> bool {
    let attributes = pattern.schema().attributes;
    let sensitive = |field| {
        attributes
            .iter()
            .any(|it| it.sensitive && it.field == field)
    };
    pattern.parts().any(|(part, _)| sensitive(part.field))
}

impl LivePattern {
    /// Returns the typed call that reads the same, as Rust.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", sk = "SK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("ORDER#<number:06>")]
    /// # struct Order { user_id: String, number: u32 }
    /// use dynamo_model_tools::live::{Argument, Live, ReadOptions};
    ///
    /// let pattern = Live::new("app").entity::<Order>().pattern("Order")?;
    /// let arguments = [Argument::parse("user_id=u1")?, Argument::parse("number=7..")?];
    /// let options = ReadOptions { descending: true, ..ReadOptions::default() };
    /// assert_eq!(
    ///     pattern.rust_call(&arguments, &options)?,
    ///     "Order::query(\"u1\")\n    .number_in(7..)\n    .descending()\n    .page(&db)\n    .await?",
    /// );
    /// # Ok::<(), dynamo_model_tools::live::LiveError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an argument is missing, unknown or of another form.
    pub fn rust_call(
        &self,
        arguments: &[Argument],
        options: &ReadOptions,
    ) -> Result<String, LiveError> {
        self.parse(arguments)?;
        let given = |field: &str| {
            let mut arguments = arguments.iter();
            arguments.find(|it| it.field == field).map(|it| &it.given)
        };
        let entity = self.schema().entity;
        if self.is_get {
            let fields = self.fields().into_iter();
            let values = fields.filter_map(|field| self.literal(field, given(field)?));
            let values: Vec<_> = values.collect();
            return Ok(format!(
                "{entity}::get({})\n    .send(&db)\n    .await?",
                values.join(", ")
            ));
        }
        let (pk, sk) = self.templates();
        let mut taken: Vec<&str> = Vec::new();
        let (mut values, mut is_across) = (Vec::new(), false);
        for part in pk.parts {
            if taken.contains(&part.field) {
                continue;
            }
            taken.push(part.field);
            match given(part.field) {
                None => is_across = true,
                Some(Given::Range { .. }) if is_bucket(part) => {
                    is_across = true;
                    values.extend(self.range(part, given(part.field)));
                }
                Some(value) if is_part_of_time(part, value) => {
                    is_across = true;
                    values.extend(self.range(part, given(part.field)));
                }
                value => values.extend(value.and_then(|it| self.literal(part.field, it))),
            }
        }
        let method = match (self.method, is_across) {
            (method, false) => method.to_owned(),
            ("query", true) => "across".to_owned(),
            (method, true) => format!("{method}_across"),
        };
        let mut call = format!("{entity}::{method}({})", values.join(", "));
        let parts = sk.map_or(&[][..], |sk| sk.parts);
        for part in parts {
            let Some(value) = given(part.field) else {
                break;
            };
            // The range of the buckets is that of the sort key.
            if is_across && taken.contains(&part.field) {
                break;
            }
            let field = part.field;
            match value {
                Given::Begins(text) => call += &format!("\n    .{field}_prefix({text:?})"),
                value => match self.range(part, Some(value)) {
                    Some(range) => call += &format!("\n    .{field}_in({range})"),
                    None => {
                        let value = self.literal(field, value).unwrap_or_default();
                        call += &format!("\n    .{field}({value})");
                    }
                },
            }
        }
        if options.descending {
            call += "\n    .descending()";
        }
        if let Some(limit) = options.limit {
            call += &format!("\n    .limit({limit})");
        }
        Ok(call + "\n    .page(&db)\n    .await?")
    }

    /// A range, also of a part of a time; `None` for a whole value.
    fn range(&self, part: &PartSchema, given: Option<&Given>) -> Option<String> {
        match given? {
            Given::Range {
                from,
                to,
                inclusive,
            } => {
                let one = |text: &String| self.value(part, text);
                let from = from.as_ref().map(one).unwrap_or_default();
                let to = to.as_ref().map(one).unwrap_or_default();
                Some(format!("{from}..{}{to}", if *inclusive { "=" } else { "" }))
            }
            Given::Is(text) => {
                let (from, to) = bounds(part, text)?;
                Some(format!(
                    "{}..{}",
                    self.value(part, &from),
                    self.value(part, &to)
                ))
            }
            Given::Begins(_) => None,
        }
    }

    fn literal(&self, field: &str, given: &Given) -> Option<String> {
        let (part, _) = self.parts().find(|(part, _)| part.field == field)?;
        match given {
            Given::Is(text) => Some(self.value(part, text)),
            Given::Begins(_) | Given::Range { .. } => None,
        }
    }

    /// A value of the type of its field, as Rust.
    fn value(&self, part: &PartSchema, text: &str) -> String {
        let attributes = self.schema().attributes.iter();
        let mut own = attributes.filter(|it| it.field == part.field);
        let rust_type = own.next().map_or("", |it| it.rust_type);
        let inner = rust_type
            .strip_prefix("Option<")
            .and_then(|it| it.strip_suffix('>'));
        let rust_type = inner.unwrap_or(rust_type);
        match part.kind {
            Name::Text => format!("{text:?}"),
            Name::Integer | Name::Boolean => text.to_owned(),
            Name::Enum => format!("{rust_type}::{}", camel(text)),
            Name::Time => {
                let from = bounds(part, text).map_or_else(|| text.to_owned(), |(from, _)| from);
                format!("{from:?}.parse::<{rust_type}>()?")
            }
            _ => format!("{text:?}.parse::<{rust_type}>()?"),
        }
    }
}

fn is_bucket(part: &PartSchema) -> bool {
    matches!(part.spec.form, Form::Format(_))
}

fn is_part_of_time(part: &PartSchema, given: &Given) -> bool {
    match given {
        Given::Is(text) => is_bucket(part) && bounds(part, text).is_some(),
        _ => false,
    }
}

/// The first value of a part of a time or date, and the first one past it, in their plain form.
fn bounds(part: &PartSchema, text: &str) -> Option<(String, String)> {
    let (from, to) = match part.kind {
        Name::Time => super::time::time(text)?,
        Name::Date => super::time::date(text)?,
        _ => return None,
    };
    Some((from.to_string(), to?.to_string()))
}

/// `FE` → `Fe`, `in_progress` → `InProgress`, as variants are usually named.
fn camel(text: &str) -> String {
    let words = text.split(['_', '-', ' ']);
    let is_upper = !text.chars().any(char::is_lowercase);
    let words = words.map(|word| {
        let mut chars = word.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        let rest = match is_upper {
            true => chars.as_str().to_lowercase(),
            false => chars.as_str().to_owned(),
        };
        first.collect::<String>() + &rest
    });
    words.collect()
}
