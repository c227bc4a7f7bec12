//! The Amazon States Language, read by itself and not by the code that writes it: whether a definition keeps its rules
//! (<https://states-language.net/spec.html>), and an interpreter that runs one on an engine.
#![allow(dead_code, unused_imports)]

mod run;
mod validate;

pub(crate) use run::{Failure, run};
pub(crate) use validate::problems;
