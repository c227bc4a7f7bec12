//! The imports of an application: `use dynamo_model::prelude::*;`.
//!
//! It contains the derives, the traits with the methods that make operations, the operations that
//! are not methods of an entity, and the types in the signatures of an application. All other types
//! are in the crate's modules.
//!
//! ```
//! use dynamo_model::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(DynamoTable)]
//! #[table(name = "App", pk = "PK")]
//! struct App;
//!
//! #[derive(DynamoEntity, Serialize, Deserialize)]
//! #[dynamo(table = App)]
//! #[pk("USER#<id>")]
//! struct User {
//!     id: u32,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let db = Dynamo::embedded()?;
//! App::create_table(&db).await?;
//! User { id: 1 }.create().send(&db).await?;
//! Transaction::new()
//!     .add(User { id: 2 }.put())
//!     .add(User::key(1).must_exist())
//!     .send(&db)
//!     .await?;
//! let users = BatchGet::new([1, 2].map(User::key)).send(&db).await?;
//! assert!(users.iter().all(Option::is_some));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "client")]
pub use crate::Dynamo;
#[cfg(feature = "client")]
pub use crate::batch::{BatchGet, BatchWrite, IntoKey};
#[cfg(feature = "client")]
pub use crate::error::{Error, ErrorKind};
#[cfg(feature = "client")]
pub use crate::expr::Condition;
#[cfg(feature = "client")]
pub use crate::read::{Page, Query};
#[cfg(feature = "client")]
pub use crate::stream::{Change, StreamEvent};
#[cfg(feature = "client")]
pub use crate::transaction::{TransactGet, Transaction};
pub use crate::value::{Number, Rest, Value};
pub use crate::vector::Vector;
pub use crate::{
    DynamoEntity, DynamoItems, DynamoNested, DynamoProjection, DynamoTable, Entity, Items, Key,
    KeyError, KeyPart, Table,
};
