//! Vectors of floats, and searches for the items whose vectors are closest to one.
//!
//! A table declares an index with `#[vector1(…)]`, an entity has a field of type [`Vector`] in it,
//! and the derive writes the function that searches:
//!
//! ```
//! use dynamo_model::prelude::*;
//! use dynamo_model::vector::Scored;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(DynamoTable)]
//! #[table(name = "Shop", pk = "PK")]
//! #[vector1(
//!     name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine,
//!     hash = "tenant", filters("category"),
//! )]
//! struct Shop;
//!
//! #[derive(DynamoEntity, Serialize, Deserialize)]
//! #[dynamo(table = Shop)]
//! #[pk("PRODUCT#<id>")]
//! #[vector1(field = meaning, hash = tenant, filters(category), as = similar_to)]
//! struct Product {
//!     id: u32,
//!     tenant: String,
//!     category: String,
//!     meaning: Vector<3>,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let db = Dynamo::embedded()?;
//! Shop::create_table(&db).await?;
//! for (id, meaning) in [(1, [1.0, 0.0, 0.0]), (2, [0.0, 1.0, 0.0])] {
//!     let (tenant, category) = ("acme".to_owned(), "shoes".to_owned());
//!     let meaning = Vector::try_from(meaning)?;
//!     Product { id, tenant, category, meaning }.create().send(&db).await?;
//! }
//! let wanted = Vector::try_from([0.9, 0.1, 0.0])?;
//! let found: Vec<Scored<Product>> = Product::similar_to("acme", &wanted)
//!     .filter(|product| product.category().eq("shoes"))
//!     .top_k(2)
//!     .all(&db)
//!     .await?;
//! assert_eq!(found[0].item.id, 1);
//! assert!(found[0].is_closer_than(&found[1]));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "client")]
mod filter;
mod scored;
mod value;

#[cfg(feature = "client")]
pub use crate::op::{ProjectedSearch, VectorSearch};
#[cfg(feature = "client")]
pub use filter::{InlineFilter, SearchFilter};
pub use scored::Scored;
pub use value::{Vector, VectorError, VectorField};
