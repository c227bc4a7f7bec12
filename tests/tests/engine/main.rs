//! The embedded engine: its files, its threads, its pages, and its own failures.
#![allow(clippy::unwrap_used, missing_docs)]

mod files;
mod pages;
mod threads;
mod tokens;

use dynamo_model::{DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable, Debug)]
#[table(name = "Notes", pk = "PK", sk = "SK", stream = new_and_old_images)]
pub struct Notes;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Notes)]
#[pk("USER#<user>")]
#[sk("NOTE#<number:06>")]
pub struct Note {
    pub user: String,
    pub number: u32,
    pub text: String,
}

fn note(number: u32, text: &str) -> Note {
    Note {
        user: "u1".into(),
        number,
        text: text.into(),
    }
}

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
