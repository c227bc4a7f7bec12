//! Projections: a part of each item, as a separate struct.

use super::bounds::ProjectedFrom;
use super::query::Query;
use super::selection::PartOf;
use crate::entity::Entity;
use crate::error::Error;
use crate::index::{IndexMarker, Primary};
use crate::wire::{self, Readable, StoredItem};
use serde::de::DeserializeOwned;

/// Some of the fields of an entity; derived with `#[derive(DynamoProjection)]`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoProjection, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// #[lsi1(name = "ByTitle", sk = "title", projection = include("pages"))]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("BOOK#<isbn>")]
/// #[lsi1(sk = "<title>", as = by_title)]
/// struct Book {
///     user_id: String,
///     isbn: String,
///     title: String,
///     pages: u32,
///     text: String,
/// }
///
/// /// The index does not carry `isbn`; it is read from the sort key, which it does carry.
/// #[derive(DynamoProjection, serde::Deserialize)]
/// #[projection(of = Book, from(lsi1))]
/// struct Spine {
///     isbn: String,
///     title: String,
///     pages: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let spines: Vec<Spine> = Book::by_title("u1").project().all(&db).await?;
/// let books: Vec<Book> = Book::by_title("u1").hydrate(&db).await?; // whole ones, from the table
/// # assert!(spines.is_empty() && books.is_empty());
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection",
    note = "write `#[derive(DynamoProjection)]` and `#[projection(of = …)]` on it"
)]
pub trait Projection {
    /// The entity of the fields.
    type Of: Entity;

    /// The attributes, in the order of the fields.
    const ATTRIBUTES: &'static [&'static str];
}

/// A query for a part of each item; made by [`Query::project`].
///
/// See [`Projection`] for an example.
pub type Projected<P, I = Primary> = Query<PartOf<P>, I>;

impl<E: Readable, I: IndexMarker> Query<E, I> {
    /// Reads only the fields of `P` of each item. A field that the index has only in a key is read
    /// from there.
    pub fn project<P: ProjectedFrom<E, I>>(self) -> Projected<P, I> {
        Query::of(self.state)
    }
}

/// A projection that can be read.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an item",
    label = "`{Self}` does not implement `serde::Deserialize`",
    note = "write `#[derive(serde::Deserialize)]` on `{Self}`"
)]
pub trait DecodablePart: Sized {
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<Self>, Error>;
}

#[diagnostic::do_not_recommend]
impl<P: Projection<Of: Readable> + DeserializeOwned> DecodablePart for P {
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<Self>, Error> {
        wire::decode_projection::<P, I>(item.context, item.item)
    }
}
