//! A bank: accounts with a version and a unique address, and notes on each.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable, Debug)]
#[table(name = "Bank", pk = "PK", sk = "SK", entity_type = "type", items = BankItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct Bank;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Bank, entity_type = "ACCOUNT")]
#[pk("ACCOUNT#<id:06>")]
#[sk("ACCOUNT")]
#[unique("ADDRESS#<address>")]
pub struct Account {
    pub id: u32,
    pub address: String,
    pub balance: i64,
    pub notes_written: u64,
    #[dynamo(version)]
    pub version: u64,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Bank, entity_type = "NOTE")]
#[pk("ACCOUNT#<account:06>")]
#[sk("NOTE#<number:03>")]
#[gsi1(pk = "COLOUR#<colour>", sk = "<account:06>#<number:03>", as = by_colour)]
pub struct Note {
    pub account: u32,
    pub number: u32,
    pub colour: u32,
    pub count: u64,
    pub text: String,
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(DynamoItems, Debug)]
#[items(table = Bank)]
pub enum BankItem {
    Account(Account),
    Note(Note),
}
