//! The Amazon States Language, read independently of the code that writes it: a validator of a
//! definition (<https://states-language.net/spec.html>), and an interpreter that runs one on an
//! engine.
#![allow(dead_code, unused_imports)]

mod run;
mod validate;

pub(crate) use run::{Failure, run};
pub(crate) use validate::problems;
