//! The programs' text.

mod by_hand;
mod facade;
mod modyne;
mod ours;

use by_hand::SERDE;
use facade::FACADE;
use modyne::MODYNE;
use ours::{OURS, OURS_WITH_ITEMS};

/// How many entities a program has.
pub const ENTITIES: usize = 50;

/// A library, as text: the beginning of the program, and the text of each entity, in which `@` is
/// its number.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    /// The name of the program.
    pub name: &'static str,
    head: &'static str,
    /// The derive's name, before serde's.
    derive: &'static str,
    /// More attributes of the struct.
    attributes: &'static str,
    /// After the struct.
    after: &'static str,
    /// A function that puts, gets, queries and updates.
    usage: &'static str,
    /// After all entities.
    tail: fn() -> String,
}

/// The compiled libraries. The first is the baseline.
pub const LIBRARIES: [Library; 5] = [SERDE, OURS, OURS_WITH_ITEMS, MODYNE, FACADE];

/// Returns the name of a program.
pub(super) fn program(library: &str, used: bool) -> String {
    format!("{library}-{}", if used { "used" } else { "declared" })
}

impl Library {
    /// Returns the program.
    pub(super) fn text(&self, used: bool) -> String {
        let mut text = format!(
            "#![allow(dead_code, unused_imports)]\n{COMMON}{}",
            self.head
        );
        for number in 0..ENTITIES {
            let mut entity = STRUCT
                .replace("DERIVE", self.derive)
                .replace("ATTRIBUTES\n", self.attributes);
            entity.push_str(self.after);
            if used {
                entity.push_str(self.usage);
            }
            text.push_str(&entity.replace('@', &format!("{number:02}")));
        }
        text + &(self.tail)()
    }
}

const COMMON: &str = "\
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
type Failure = Box<dyn std::error::Error>;
";

/// Eight attributes; a primary key of three, and an index.
const STRUCT: &str = r#"
#[derive(DERIVE Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
ATTRIBUTES
pub struct Entity@ {
    pub tenant: String,
    pub id: String,
    pub at: Timestamp,
    pub state: String,
    pub total: u64,
    pub quantity: u32,
    pub active: bool,
    pub note: Option<String>,
}
"#;
