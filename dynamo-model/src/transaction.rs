//! Transactions: up to 100 reads or writes that happen together, or not at all.

pub use crate::op::{
    Check, FixedSize, ReadingTogether, TransactGet, TransactKeys, Transaction, TransactionWrite,
    WrittenItems,
};
