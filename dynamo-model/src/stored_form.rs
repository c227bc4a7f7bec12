//! For generated code: what a condition can ask of the form in which a field is stored. Compiler messages name these
//! paths, so they are not in `__private`.

pub use crate::expr::encoded::Supports;
pub use crate::expr::encoded::question::{Beginning, Contents, Elements, Length, Order, Sum};
pub use crate::expr::types::{
    FixedWidth, InnerHasBeginning, InnerHasSize, InnerOrdered, StoredText,
};
