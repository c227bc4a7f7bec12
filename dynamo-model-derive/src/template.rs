//! The grammar of key templates: `USER#<user_id>`, `<<` for a literal `<`, `<field:spec>`.

use crate::suggest;

/// A parsed template: literal text, then placeholders, each with the literal text after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) text: String,
    pub(crate) head: String,
    pub(crate) parts: Vec<Placeholder>,
    /// `(tenant, region)`: each part is an attribute of the item, and not a piece of one text.
    pub(crate) native: bool,
}

#[derive(Debug, Clone, Eq)]
pub(crate) struct Placeholder {
    pub(crate) field: String,
    pub(crate) spec: Spec,
    pub(crate) after: String,
    /// The position of its `<` in the template.
    pub(crate) at: usize,
}

/// Ignores the position.
impl PartialEq for Placeholder {
    fn eq(&self, other: &Self) -> bool {
        (&self.field, &self.spec, &self.after) == (&other.field, &other.spec, &other.after)
    }
}

/// A mistake in a template, and the byte at which it begins.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// The spec after the colon: words joined by `+`, at most one of them a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) form: Form,
    pub(crate) transform: Option<Transform>,
    pub(crate) raw: bool,
    /// An optional field without a value is an empty part.
    pub(crate) or_empty: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Padded(u8),
    Precision(Precision),
    Epoch(EpochUnit),
    Format(Vec<TimePiece>),
    Shard(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transform {
    Lower,
    Upper,
    Descending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    Seconds,
    Millis,
    Micros,
    Nanos,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EpochUnit {
    Seconds,
    Millis,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TimePiece {
    Literal(String),
    Year,
    Month,
    Day,
    DayOfYear,
    Hour,
    Minute,
    Second,
    Fraction(u8),
}

/// The widest padding: the digits of a `u128`.
const MAX_PADDING: u8 = 39;
/// The longest text of a time format. The runtime stores it without an allocation.
const MAX_FORMAT: usize = 40;
const MAX_SHARDS: u32 = 1_000;

impl Template {
    /// Returns whether the template is one placeholder and nothing else.
    pub(crate) fn is_bare(&self) -> bool {
        self.head.is_empty() && self.parts.len() == 1 && self.parts[0].after.is_empty()
    }

    /// Returns the key of these fields: each is an attribute of its own.
    pub(crate) fn of_attributes(fields: &[String]) -> Self {
        let mut text = String::from("(");
        let mut parts = Vec::new();
        for field in fields {
            if !parts.is_empty() {
                text.push_str(", ");
            }
            parts.push(Placeholder {
                field: field.clone(),
                spec: Spec::PLAIN,
                after: String::new(),
                at: text.len(),
            });
            text.push_str(field);
        }
        text.push(')');
        Self {
            text,
            head: String::new(),
            parts,
            native: true,
        }
    }

    /// Parses a template. Each error names the fix. `max_bytes` is DynamoDB's limit.
    pub(crate) fn parse(text: &str, max_bytes: usize) -> Result<Self, Vec<Mistake>> {
        let mut errors = Vec::new();
        if text.is_empty() {
            let message =
                "the key is empty; write a literal, a placeholder or both, as in `USER#<user_id>`";
            return Err(vec![Mistake {
                at: 0,
                message: message.into(),
            }]);
        }
        let mut head = String::new();
        let mut parts: Vec<Placeholder> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            let literal = parts.last_mut().map_or(&mut head, |part| &mut part.after);
            literal.push_str(&rest[..at]);
            let begin = text.len() - rest.len() + at;
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('<') {
                literal.push('<');
                rest = after;
                continue;
            }
            let Some(end) = rest.find('>') else {
                let message = format!(
                    "the `<` before `{rest}` is never closed; write `<{}>`, or `<<` for a literal \
                     `<`",
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                        .unwrap_or(rest)
                );
                errors.push(Mistake { at: begin, message });
                return Err(errors);
            };
            match Placeholder::parse(&rest[..end], begin) {
                Ok(part) => parts.push(part),
                Err(message) => errors.push(Mistake { at: begin, message }),
            }
            rest = &rest[end + 1..];
        }
        parts
            .last_mut()
            .map_or(&mut head, |part| &mut part.after)
            .push_str(rest);
        let template = Self {
            text: text.into(),
            head,
            parts,
            native: false,
        };
        template.check_delimiters(&mut errors);
        template.check_length(max_bytes, &mut errors);
        if errors.is_empty() {
            Ok(template)
        } else {
            Err(errors)
        }
    }

    /// The text after a placeholder ends its value. So it must not be empty, and must not be part
    /// of ordinary values.
    fn check_delimiters(&self, errors: &mut Vec<Mistake>) {
        let placeholders = self.parts.len();
        for (i, part) in self.parts.iter().enumerate() {
            let last = i + 1 == placeholders;
            let field = &part.field;
            let message = match part.after.chars().next() {
                None if last || part.spec.is_fixed_width() => continue,
                None if part.spec.or_empty => format!(
                    "`<{field}>` may be empty, so a delimiter must follow it; write one before \
                     `<{next}>`, as in `#<{next}>`",
                    next = self.parts[i + 1].field
                ),
                None => format!(
                    "`<{field}>` and `<{next}>` have no delimiter between them, so the key could \
                     not be parsed; write `<{field}>#<{next}>`, or give `<{field}>` a fixed width, \
                     as in `<{field}:04>`",
                    next = self.parts[i + 1].field
                ),
                Some(_) if part.spec.is_fixed_width() => continue,
                Some(first) if first.is_ascii() && !first.is_ascii_alphanumeric() => continue,
                Some(first) => format!(
                    "`<{field}>` is followed by `{first}`, which its values may contain; put a \
                     delimiter between, as in `<{field}>#{first}`"
                ),
            };
            errors.push(Mistake {
                at: part.at,
                message,
            });
        }
    }

    fn check_length(&self, max_bytes: usize, errors: &mut Vec<Mistake>) {
        let literal: usize = self.head.len()
            + self
                .parts
                .iter()
                .map(|part| part.after.len() + 1)
                .sum::<usize>();
        if literal > max_bytes {
            let message = format!(
                "the literal text alone makes the key {literal} bytes long, and DynamoDB allows \
                 {max_bytes}; shorten the text"
            );
            errors.push(Mistake { at: 0, message });
        }
    }
}

impl Placeholder {
    fn parse(text: &str, at: usize) -> Result<Self, String> {
        let (field, spec) = text
            .split_once(':')
            .map_or((text, None), |(f, s)| (f, Some(s)));
        let field = field.strip_prefix("r#").unwrap_or(field);
        // A time format may have spaces. Text without a name is not meant as a placeholder.
        let loose = |spec: &str| !spec.contains('%') && spec.contains(char::is_whitespace);
        if is_ident(field.trim()) && (field.trim() != field || spec.is_some_and(loose)) {
            let tight: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            return Err(format!("a placeholder has no spaces; write `<{tight}>`"));
        }
        if field.is_empty() {
            return Err(
                "a placeholder names a field, as in `<user_id>`; for a literal `<` write `<<`"
                    .into(),
            );
        }
        if syn::parse_str::<proc_macro2::Ident>(&format!("r#{field}")).is_err() && !is_ident(field)
        {
            return Err(format!(
                "`<{field}>` is not a field name; for a literal `<` write `<<`"
            ));
        }
        let spec = spec.map_or(Ok(Spec::PLAIN), |spec| Spec::parse(spec, field))?;
        Ok(Self {
            field: field.into(),
            spec,
            after: String::new(),
            at,
        })
    }
}

fn is_ident(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
}

impl Spec {
    const VALID: &str = "`020` (padding), `s`, `ms`, `us`, `ns`, `epoch_s`, `epoch_ms`, `%Y-%m-%d` \
                         (time), `shard(10)`, `lower`, `upper`, `raw`, `desc`, `or_empty`, several \
                         with `+` between them";
    pub(crate) const PLAIN: Self = Self {
        form: Form::Plain,
        transform: None,
        raw: false,
        or_empty: false,
    };
    const WORDS: [&str; 11] = [
        "s", "ms", "us", "ns", "epoch_s", "epoch_ms", "lower", "upper", "raw", "desc", "or_empty",
    ];

    /// Returns whether the field cannot be read back from the key's text.
    pub(crate) fn is_lossy(&self) -> bool {
        matches!(self.form, Form::Format(_) | Form::Shard(_))
    }

    fn changes_case(&self) -> bool {
        matches!(self.transform, Some(Transform::Lower | Transform::Upper))
    }

    /// Returns how much of the value the text keeps. A field that is twice in a key is read from
    /// the more detailed place.
    pub(crate) fn fidelity(&self) -> u8 {
        match &self.form {
            Form::Format(_) | Form::Shard(_) => 0,
            _ if self.changes_case() => 1,
            Form::Precision(precision) => 2 + *precision as u8,
            Form::Epoch(unit) => 2 + *unit as u8,
            Form::Plain | Form::Padded(_) => u8::MAX,
        }
    }

    /// Returns why a field that is stored only in this key would be lost or changed.
    pub(crate) fn loses_value(&self) -> bool {
        self.is_lossy() || self.changes_case()
    }

    fn is_fixed_width(&self) -> bool {
        !self.or_empty
            && matches!(
                self.form,
                Form::Padded(_) | Form::Precision(_) | Form::Epoch(_) | Form::Format(_)
            )
    }

    fn parse(text: &str, field: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err(format!(
                "`<{field}:>` has no spec after the colon; write `<{field}>`, or one of {}",
                Self::VALID
            ));
        }
        let mut spec = Self::PLAIN;
        // A time format may contain a `+`.
        if text.contains('%') {
            refuse_after_format(text, field)?;
            spec.form = Form::Format(parse_format(text, field)?);
            return Ok(spec);
        }
        let mut words: Vec<&str> = Vec::new();
        for word in text.split('+') {
            if words.contains(&word) {
                return Err(format!(
                    "`{word}` stands twice in `<{field}:{text}>`; write it once"
                ));
            }
            spec.add(word, &words, text, field)?;
            words.push(word);
        }
        spec.check_together(&words, field)?;
        Ok(spec)
    }

    /// Adds one word to a spec.
    fn add(&mut self, word: &str, before: &[&str], text: &str, field: &str) -> Result<(), String> {
        let transform = match word {
            "lower" => Some(Transform::Lower),
            "upper" => Some(Transform::Upper),
            "desc" => Some(Transform::Descending),
            _ => None,
        };
        if let (Some(_), Some(_)) = (transform, self.transform) {
            let other = before.last().copied().unwrap_or_default();
            return Err(clash(other, word, text, field));
        }
        if transform.is_some() {
            self.transform = transform;
        } else if word == "raw" {
            self.raw = true;
        } else if word == "or_empty" {
            self.or_empty = true;
        } else {
            let form = Form::parse(word, text, field)?;
            if self.form != Form::Plain {
                let other = before.iter().find(|word| Form::parse(word, "", "").is_ok());
                return Err(clash(other.copied().unwrap_or_default(), word, text, field));
            }
            self.form = form;
        }
        Ok(())
    }

    /// `lower` and `upper` need text, and `desc` needs a fixed width.
    fn check_together(&self, words: &[&str], field: &str) -> Result<(), String> {
        let is_form = |word: &&&str| Form::parse(word, "", "").is_ok();
        let form = words.iter().find(is_form);
        let refused = match (self.transform, self.raw, form) {
            (Some(Transform::Descending), true, _) => Some(("desc", "raw")),
            (Some(Transform::Descending), false, Some(form)) if form.starts_with("shard") => {
                Some((*form, "desc"))
            }
            (Some(Transform::Lower), _, Some(form)) => Some((*form, "lower")),
            (Some(Transform::Upper), _, Some(form)) => Some((*form, "upper")),
            (_, true, Some(form)) => Some((*form, "raw")),
            (_, _, Some(form)) if self.or_empty && form.starts_with("shard") => {
                Some((*form, "or_empty"))
            }
            _ => None,
        };
        match refused {
            Some((one, other)) => Err(clash(one, other, &words.join("+"), field)),
            None => Ok(()),
        }
    }
}

/// Reports two words that exclude each other. The fix keeps the first.
fn clash(one: &str, other: &str, text: &str, field: &str) -> String {
    format!(
        "`{one}` and `{other}` in `<{field}:{text}>` exclude each other; write `<{field}:{one}>` \
         or `<{field}:{other}>`"
    )
}

/// Reports `%Y+desc`: a bucket takes no other spec.
fn refuse_after_format(text: &str, field: &str) -> Result<(), String> {
    let after = text
        .rsplit_once('+')
        .filter(|(_, word)| ["lower", "upper", "raw", "desc", "or_empty"].contains(word));
    match after {
        Some((format, word)) => Err(format!(
            "`{word}` does not go with the time format in `<{field}:{text}>`; write \
             `<{field}:{format}>`, or `<{field}:ms+desc>` for times in descending order"
        )),
        None => Ok(()),
    }
}

impl Form {
    fn parse(word: &str, text: &str, field: &str) -> Result<Self, String> {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return parse_padding(word, field);
        }
        if let Some(count) = word.strip_prefix("shard") {
            return parse_shard(count, field);
        }
        Ok(match word {
            "s" => Form::Precision(Precision::Seconds),
            "ms" => Form::Precision(Precision::Millis),
            "us" => Form::Precision(Precision::Micros),
            "ns" => Form::Precision(Precision::Nanos),
            "epoch_s" => Form::Epoch(EpochUnit::Seconds),
            "epoch_ms" => Form::Epoch(EpochUnit::Millis),
            _ => {
                let near = suggest::nearest(word, Spec::WORDS).map(|near| {
                    let right: Vec<_> = text
                        .split('+')
                        .map(|it| if it == word { near } else { it })
                        .collect();
                    format!("did you mean `<{field}:{}>`? ", right.join("+"))
                });
                return Err(format!(
                    "`{word}` in `<{field}:{text}>` is not a spec; {}valid: {}",
                    near.unwrap_or_default(),
                    Spec::VALID
                ));
            }
        })
    }
}

fn parse_padding(text: &str, field: &str) -> Result<Form, String> {
    let digits = &text[..text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
    if digits.len() < text.len() {
        return Err(format!(
            "`{text}` in `<{field}:{text}>` is not a padding, which is a number of digits; write \
             `<{field}:{digits}>`"
        ));
    }
    let width: u8 = text.parse().unwrap_or(0);
    if !text.starts_with('0') || text.len() < 2 {
        return Err(format!(
            "a padding begins with 0; write `<{field}:0{text}>` for {text} digits"
        ));
    }
    if width == 0 || width > MAX_PADDING {
        return Err(format!(
            "the padding `{text}` in `<{field}:{text}>` is not from 01 to {MAX_PADDING}; 20 digits \
             hold any `u64`, as in `<{field}:020>`"
        ));
    }
    Ok(Form::Padded(width))
}

fn parse_shard(text: &str, field: &str) -> Result<Form, String> {
    let count = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    match count.and_then(|count| count.parse::<u32>().ok()) {
        Some(count @ 1..=MAX_SHARDS) => Ok(Form::Shard(count)),
        _ => Err(format!(
            "`shard{text}` in `<{field}:shard{text}>` is not a number of shards from 1 to \
             {MAX_SHARDS}; write `<{field}:shard(10)>`"
        )),
    }
}

fn parse_format(text: &str, field: &str) -> Result<Vec<TimePiece>, String> {
    let mut pieces: Vec<TimePiece> = Vec::new();
    let literal = |pieces: &mut Vec<TimePiece>, text: &str| match pieces.last_mut() {
        Some(TimePiece::Literal(known)) => known.push_str(text),
        _ => pieces.push(TimePiece::Literal(text.into())),
    };
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let Some(directive) = rest.strip_prefix('%') else {
            literal(&mut pieces, &rest[..character.len_utf8()]);
            rest = &rest[character.len_utf8()..];
            continue;
        };
        let mut found = None;
        for (name, expansion) in DIRECTIVES {
            if let Some(after) = directive.strip_prefix(name) {
                pieces.extend(expansion());
                found = Some(after);
                break;
            }
        }
        rest = match (found, directive.strip_prefix('%')) {
            (Some(after), _) => after,
            (None, Some(after)) => {
                literal(&mut pieces, "%");
                after
            }
            (None, None) => {
                let unknown: String = directive.chars().take(1).collect();
                return Err(format!(
                    "`%{unknown}` in `<{field}:{text}>` is not a time directive; valid: `%Y` `%m` \
                     `%d` `%j` `%H` `%M` `%S` `%3f` `%6f` `%9f` `%F` `%T` `%%`"
                ));
            }
        };
    }
    check_format(&pieces, text, field)?;
    Ok(pieces)
}

type Expansion = fn() -> Vec<TimePiece>;

const DIRECTIVES: [(&str, Expansion); 12] = [
    ("Y", || vec![TimePiece::Year]),
    ("m", || vec![TimePiece::Month]),
    ("d", || vec![TimePiece::Day]),
    ("j", || vec![TimePiece::DayOfYear]),
    ("H", || vec![TimePiece::Hour]),
    ("M", || vec![TimePiece::Minute]),
    ("S", || vec![TimePiece::Second]),
    ("3f", || vec![TimePiece::Fraction(3)]),
    ("6f", || vec![TimePiece::Fraction(6)]),
    ("9f", || vec![TimePiece::Fraction(9)]),
    ("F", || {
        separated(&[TimePiece::Year, TimePiece::Month, TimePiece::Day], "-")
    }),
    ("T", || {
        separated(
            &[TimePiece::Hour, TimePiece::Minute, TimePiece::Second],
            ":",
        )
    }),
];

fn separated(pieces: &[TimePiece], separator: &str) -> Vec<TimePiece> {
    let mut all = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            all.push(TimePiece::Literal(separator.into()));
        }
        all.push(piece.clone());
    }
    all
}

fn check_format(pieces: &[TimePiece], text: &str, field: &str) -> Result<(), String> {
    let width: usize = pieces.iter().map(TimePiece::width).sum();
    if !text.is_ascii() {
        return Err(format!(
            "the time format in `<{field}:{text}>` is not ASCII; move other text out of the \
             placeholder"
        ));
    }
    if pieces
        .iter()
        .all(|piece| matches!(piece, TimePiece::Literal(_)))
    {
        return Err(format!(
            "the time format in `<{field}:{text}>` has no directive; write `<{field}:%Y-%m-%d>`"
        ));
    }
    if width > MAX_FORMAT {
        return Err(format!(
            "the time format in `<{field}:{text}>` makes {width} characters, more than \
             {MAX_FORMAT}; move literal text out of the placeholder"
        ));
    }
    Ok(())
}

impl TimePiece {
    /// Returns whether texts of this format sort as times do: from the year down, without a gap.
    pub(crate) fn sort(pieces: &[TimePiece]) -> bool {
        let mut reached = 0;
        for piece in pieces {
            let (before, after) = match piece {
                TimePiece::Literal(_) => continue,
                TimePiece::Year => (0, 1),
                TimePiece::Month => (1, 2),
                TimePiece::Day => (2, 3),
                TimePiece::DayOfYear => (1, 3),
                TimePiece::Hour => (3, 4),
                TimePiece::Minute => (4, 5),
                TimePiece::Second => (5, 6),
                TimePiece::Fraction(_) => (6, 7),
            };
            if before != reached {
                return false;
            }
            reached = after;
        }
        reached > 0
    }

    /// Returns whether the pieces, in any order, identify a bucket: from the year down, without a
    /// gap.
    pub(crate) fn name_a_time<'p>(pieces: impl Iterator<Item = &'p TimePiece>) -> bool {
        let mut pieces: Vec<_> = pieces.cloned().collect();
        pieces.sort_by_key(|piece| match piece {
            TimePiece::Literal(_) | TimePiece::Year => 0,
            TimePiece::Month | TimePiece::DayOfYear => 1,
            TimePiece::Day => 2,
            TimePiece::Hour => 3,
            TimePiece::Minute => 4,
            TimePiece::Second => 5,
            TimePiece::Fraction(_) => 6,
        });
        Self::sort(&pieces)
    }

    fn width(&self) -> usize {
        match self {
            TimePiece::Literal(text) => text.len(),
            TimePiece::Year => 4,
            TimePiece::DayOfYear => 3,
            TimePiece::Fraction(digits) => usize::from(*digits),
            _ => 2,
        }
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
