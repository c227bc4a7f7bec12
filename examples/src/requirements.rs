//! The requirements of the documents: the tables of the pages under `requirements/`, as data.

use std::fmt;

/// The first line of every table.
pub const HEADER: &str =
    "| id | section | document | requirement | state | declared in | proved by |";
const COLUMNS: usize = 7;

/// A requirement of a document, and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The letter of the document and a number, as `E-1`.
    pub id: String,
    /// The heading of the document's section.
    pub section: String,
    /// The document's words. `…` stands for omitted words.
    pub quote: String,
    /// The requirement in plain English.
    pub text: String,
    /// Its state.
    pub state: State,
    /// Files of the repository, or items in them, as `examples/src/exam/mod.rs::User`.
    pub declared_in: Vec<String>,
    /// Tests, as `examples/tests/logic/exam.rs::areas`, access patterns, as `pattern 3.2`, and
    /// programs that must not compile.
    pub proved_by: Vec<String>,
}

/// The state of a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is done as the document has it.
    Implemented,
    /// It is done in another way on purpose, with the reason.
    Different(String),
}

/// How many requirements there are, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Totals {
    pub implemented: usize,
    pub different: usize,
}

impl Totals {
    /// Adds the requirements of a page.
    pub fn add(&mut self, requirements: &[Requirement]) {
        for requirement in requirements {
            match requirement.state {
                State::Implemented => self.implemented += 1,
                State::Different(_) => self.different += 1,
            }
        }
    }

    /// Returns the number of all requirements.
    #[must_use]
    pub fn all(&self) -> usize {
        self.implemented + self.different
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            implemented,
            different,
        } = self;
        let all = self.all();
        write!(
            f,
            "{all} requirements: {implemented} implemented, {different} deliberately different"
        )
    }
}

/// Reads all tables of a page. Fails on the first row that differs from the form in
/// `requirements/README.md`.
pub fn parse(page: &str) -> Result<Vec<Requirement>, String> {
    let mut requirements = Vec::new();
    let mut lines = page.lines().filter(|line| line.starts_with('|'));
    let mut in_table = false;
    while let Some(line) = lines.next() {
        if line == HEADER {
            // The line under it.
            in_table = lines.next().is_some_and(|line| line.starts_with("| ---"));
        } else if in_table {
            requirements.push(row(line).map_err(|why| format!("{why}, in: {line}"))?);
        } else {
            return Err(format!("a table begins with `{HEADER}`, not with: {line}"));
        }
    }
    Ok(requirements)
}

fn row(line: &str) -> Result<Requirement, String> {
    let cells = cells(line);
    let [id, section, quote, text, state, declared_in, proved_by] =
        <[String; COLUMNS]>::try_from(cells)
            .map_err(|cells| format!("a row has {COLUMNS} columns, and not {}", cells.len()))?;
    let empty = [&id, &section, &quote, &text, &declared_in, &proved_by];
    if empty.iter().any(|cell| cell.is_empty()) {
        return Err("no column is empty".into());
    }
    let state = match state.split_once(':') {
        None if state == "implemented" => State::Implemented,
        Some(("different", why)) if !why.trim().is_empty() => State::Different(why.trim().into()),
        _ => return Err("the state is `implemented`, or `different: ` and the reason".into()),
    };
    let (declared_in, proved_by) = (references(&declared_in), references(&proved_by));
    if declared_in.is_empty() {
        return Err("a declaration is a path in backticks".into());
    }
    if proved_by.is_empty() && state == State::Implemented {
        return Err("a proof is a test or a pattern in backticks".into());
    }
    Ok(Requirement {
        id,
        section,
        quote,
        text,
        state,
        declared_in,
        proved_by,
    })
}

/// Returns the cells of a row; `\|` is a `|` within one.
fn cells(line: &str) -> Vec<String> {
    const PIPE: &str = "\u{0}";
    let line = line.trim().replace("\\|", PIPE);
    let line = line.strip_prefix('|').unwrap_or(&line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|')
        .map(|cell| cell.trim().replace(PIPE, "|"))
        .collect()
}

/// Returns the texts in backticks.
fn references(cell: &str) -> Vec<String> {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{HEADER, State, Totals, parse};

    fn page(rows: &str) -> String {
        format!("# A page\n\n{HEADER}\n| --- | --- | --- | --- | --- | --- | --- |\n{rows}\n")
    }

    const ROW: &str =
        "| E-1 | 目的 | (A \\| B) | Text. | implemented | `a.rs` | `b.rs::c`, `pattern 1` |";

    #[test]
    fn a_row_is_a_requirement() {
        let found = parse(&page(ROW)).unwrap();
        let found = &found[0];
        assert_eq!(
            (found.id.as_str(), found.quote.as_str()),
            ("E-1", "(A | B)")
        );
        assert_eq!(found.state, State::Implemented);
        assert_eq!(found.proved_by, ["b.rs::c", "pattern 1"]);
    }

    #[test]
    fn a_difference_has_a_reason() {
        let different = ROW.replace("implemented", "different: DynamoDB refuses it");
        let found = parse(&page(&different)).unwrap();
        assert_eq!(
            found[0].state,
            State::Different("DynamoDB refuses it".into())
        );
        for wrong in ["different", "different: ", "done", ""] {
            let row = ROW.replace("implemented", wrong);
            assert!(parse(&page(&row)).unwrap_err().contains("the state is"));
        }
    }

    #[test]
    fn a_cell_that_is_empty_or_missing_is_an_error() {
        let wrong = ROW.replace("目的", "");
        assert!(parse(&page(&wrong)).unwrap_err().contains("empty"));
        let wrong = ROW.replace("| 目的 ", "");
        assert!(parse(&page(&wrong)).unwrap_err().contains("7 columns"));
        let wrong = ROW.replace('`', "");
        assert!(parse(&page(&wrong)).unwrap_err().contains("backticks"));
    }

    #[test]
    fn a_table_without_the_header_is_an_error() {
        assert!(parse(ROW).unwrap_err().contains("a table begins with"));
    }

    #[test]
    fn totals_count_by_state() {
        let different = ROW.replace("implemented", "different: why");
        let mut totals = Totals::default();
        totals.add(&parse(&page(&format!("{ROW}\n{ROW}\n{different}"))).unwrap());
        assert_eq!(
            totals.to_string(),
            "3 requirements: 2 implemented, 1 deliberately different"
        );
    }
}
