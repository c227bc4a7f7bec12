//! Reasons why the shop refuses a request.

use super::{ChangeType, ProductId};
use dynamo_model::Error;
use std::fmt;

/// Reasons why the shop refuses a request.
#[derive(Debug)]
pub enum ShopError {
    /// The product does not exist.
    NoSuchProduct(ProductId),
    /// `ErrInsufficientStock`: the stock would be negative.
    InsufficientStock {
        /// The stock.
        stock: u32,
        /// The quantity to add or, here, to remove.
        quantity: i32,
    },
    /// More than can be counted.
    TooMuchStock,
    /// An incoming quantity is positive, an outgoing one negative; an adjustment is not 0.
    WrongQuantity(ChangeType),
    /// Another client was faster, in every attempt.
    Busy,
    /// The call itself failed.
    Database(Error),
}

impl fmt::Display for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchProduct(ProductId(id)) => write!(f, "product {id} does not exist"),
            Self::InsufficientStock { stock, quantity } => {
                write!(f, "the stock is {stock}; it cannot change by {quantity}")
            }
            Self::TooMuchStock => write!(f, "the stock would be too large to count"),
            Self::WrongQuantity(ChangeType::In) => write!(f, "what comes in is at least 1"),
            Self::WrongQuantity(ChangeType::Out) => write!(f, "what goes out is at most -1"),
            Self::WrongQuantity(ChangeType::Adjust) => write!(f, "an adjustment is not 0"),
            Self::Busy => write!(f, "too many changes at a time; try again"),
            Self::Database(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ShopError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Database(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Error> for ShopError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}
