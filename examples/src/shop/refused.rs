//! Why the shop does not do what it is asked.

use super::{ChangeType, ProductId};
use dynamo_model::Error;
use std::fmt;

/// Why the shop does not do what it is asked.
#[derive(Debug)]
pub enum ShopError {
    /// There is no such product.
    NoSuchProduct(ProductId),
    /// `ErrInsufficientStock`: there would be less than nothing.
    InsufficientStock {
        /// What there is.
        stock: u32,
        /// What was to be added or, as here, taken.
        quantity: i32,
    },
    /// More than can be counted.
    TooMuchStock,
    /// What comes in is more than nothing, and what goes out less; an adjustment is not nothing.
    WrongQuantity(ChangeType),
    /// Somebody else was faster, every time.
    Busy,
    /// The call itself failed.
    Database(Error),
}

impl fmt::Display for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchProduct(ProductId(id)) => write!(f, "there is no product {id}"),
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
