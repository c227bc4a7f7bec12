//! For generated code: the conditions that the stored form of a field supports. Compiler messages
//! name these paths, so they are not in `__private`.

pub use crate::expr::encoded::Supports;
pub use crate::expr::encoded::question::{Beginning, Contents, Elements, Length, Order, Sum};
pub use crate::expr::types::{
    FixedWidth, InnerHasBeginning, InnerHasSize, InnerOrdered, StoredText,
};
