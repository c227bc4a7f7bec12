//! Names of the indexes, as types: the `I` of [`Key<E, I>`](crate::Key) and
//! [`IndexedBy<I>`](crate::bounds::IndexedBy).
//!
//! ```
//! use dynamo_model::index::{Gsi2, IndexMarker, Primary};
//! use dynamo_model::schema::IndexId;
//!
//! assert_eq!(Gsi2::ID, Some(IndexId::Gsi(2)));
//! assert_eq!(Primary::ID, None);
//! ```

use crate::schema::IndexId;

/// The table's own key, or one of its indexes.
pub trait IndexMarker: sealed::Sealed {
    /// Which index; `None` for the table itself.
    const ID: Option<IndexId>;
}

mod sealed {
    pub trait Sealed {}
}

/// The table itself.
#[derive(Debug, Clone, Copy)]
pub struct Primary;

impl sealed::Sealed for Primary {}
impl IndexMarker for Primary {
    const ID: Option<IndexId> = None;
}

macro_rules! markers {
    ($($kind:ident: $($name:ident = $number:literal),*;)*) => {$($(
        #[doc = concat!("`#[", stringify!($name), "(…)]`, in lower case.")]
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl IndexMarker for $name {
            const ID: Option<IndexId> = Some(IndexId::$kind($number));
        }
    )*)*};
}

markers! {
    Gsi: Gsi1 = 1, Gsi2 = 2, Gsi3 = 3, Gsi4 = 4, Gsi5 = 5, Gsi6 = 6, Gsi7 = 7, Gsi8 = 8, Gsi9 = 9,
        Gsi10 = 10, Gsi11 = 11, Gsi12 = 12, Gsi13 = 13, Gsi14 = 14, Gsi15 = 15, Gsi16 = 16,
        Gsi17 = 17, Gsi18 = 18, Gsi19 = 19, Gsi20 = 20;
    Lsi: Lsi1 = 1, Lsi2 = 2, Lsi3 = 3, Lsi4 = 4, Lsi5 = 5;
    Vector: Vector1 = 1, Vector2 = 2, Vector3 = 3, Vector4 = 4, Vector5 = 5;
}
