//! Typed access to live tables by names: the operations of the declarations, for tools that learn
//! entities, access patterns and values at run time.
//!
//! A [`Live`] is a list of entities. It reads access patterns ([`Live::read`], [`Live::explain`])
//! and items ([`Live::get`]), and writes documents ([`Live::store`], [`Live::update`],
//! [`Live::delete`]). Keys, requests, versions, unique values and index keys are made by the code
//! that an application runs.

mod argument;
mod call;
mod entity;
mod error;
mod item;
mod pattern;
mod reading;
mod time;
mod writing;

pub use argument::{Argument, Given};
pub use entity::{Documented, Store};
pub use error::{LiveError, LiveErrorKind};
pub use item::{KeyPlace, LiveItem, Relation};
pub use pattern::LivePattern;
pub use reading::{ItemPage, RawPage, ReadOptions};

use core::fmt;
use dynamo_model::schema::TableSchema;
use entity::{LiveEntity, Of};
use std::sync::Arc;

/// The entities of an application, for access by name.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
/// use dynamo_model_tools::live::{Argument, Live, ReadOptions, Store};
/// use serde_json::json;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let db = Dynamo::embedded()?;
/// App::create_table(&db).await?;
/// let live = Live::new("app").entity::<Order>();
/// for number in [7, 8, 9] {
///     let order = json!({ "user_id": "u1", "number": number });
///     live.store(&db, "Order", Store::Create, order).await?;
/// }
/// let arguments = ["user_id=u1", "number=8.."].map(Argument::parse);
/// let arguments = arguments.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let page = live.read(&db, &live.pattern("Order")?, &arguments, &ReadOptions::default()).await?;
/// let numbers: Vec<_> = page.items.iter().map(|item| item.text("number")).collect();
/// assert_eq!(numbers, ["8", "9"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Live {
    name: String,
    title: String,
    pub(crate) entities: Vec<Arc<dyn LiveEntity>>,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entities = self.entities.iter().map(|it| it.schema().entity);
        f.debug_struct("Live")
            .field("name", &self.name)
            .field("entities", &entities.collect::<Vec<_>>())
            .finish()
    }
}

impl Live {
    /// The entities of an application, none yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: String::new(),
            entities: Vec::new(),
        }
    }

    /// Sets the purpose of the application.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Adds an entity, once.
    #[must_use]
    pub fn entity<E: Documented>(mut self) -> Self {
        let name = E::SCHEMA.entity;
        if self.find(name).is_none() {
            self.entities.push(Arc::new(Of::<E>::new()));
        }
        self
    }

    /// The name of the application.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The purpose of the application.
    #[must_use]
    pub fn purpose(&self) -> &str {
        &self.title
    }

    /// The tables of the entities, each once.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static TableSchema> {
        let mut tables: Vec<&'static TableSchema> = Vec::new();
        for table in self.entities.iter().map(|it| it.table()) {
            if !tables.iter().any(|known| known.name == table.name) {
                tables.push(table);
            }
        }
        tables
    }

    /// Finds a table by its declared name.
    ///
    /// # Errors
    ///
    /// If no table has this name; the error lists the tables.
    pub fn table(&self, name: &str) -> Result<&'static TableSchema, LiveError> {
        let mut tables = self.tables().into_iter();
        tables.find(|table| table.name == name).ok_or_else(|| {
            let names: Vec<_> = self.tables().iter().map(|table| table.name).collect();
            let message = format!(
                "no table `{name}`; the tables are {}",
                pattern::listed(&names)
            );
            LiveError::usage(message)
        })
    }

    pub(crate) fn find(&self, entity: &str) -> Option<&Arc<dyn LiveEntity>> {
        let mut entities = self.entities.iter();
        entities.find(|it| it.schema().entity == entity)
    }

    pub(crate) fn named(&self, entity: &str) -> Result<&Arc<dyn LiveEntity>, LiveError> {
        self.find(entity).ok_or_else(|| {
            let names: Vec<_> = self.entities.iter().map(|it| it.schema().entity).collect();
            let message = format!(
                "no entity `{entity}`; the entities are {}",
                pattern::listed(&names)
            );
            LiveError::usage(message)
        })
    }
}
