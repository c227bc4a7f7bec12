//! The declarations of an application, gathered at run time into one value.
//!
//! A [`Model`] contains tables, entities, key templates, attributes and access patterns, with the
//! doc comments of each, and serializes completely. Everything in [`output`](super::output) is made
//! from it.

mod attribute_type;
mod error;
#[cfg(feature = "client")]
mod explained;
mod json;
mod pattern;
mod request;
mod sample;

pub use attribute_type::AttributeType;
pub use error::ModelError;
pub use pattern::{AccessPattern, DeclaredPattern};
pub use request::{Request, Target};
pub use sample::SampleItem;

use dynamo_model::bounds::IndexedBy;
use dynamo_model::index::Primary;
use dynamo_model::key::KeyRef;
use dynamo_model::schema::{
    AttributeSchema, EntityIndex, EntitySchema, IndexSchema, TableSchema, UniqueSchema,
};
use dynamo_model::{Entity, Items, Table};

/// Which entity a key belongs to.
type Recognize = fn(KeyRef<'_>, Option<KeyRef<'_>>) -> Option<&'static str>;

/// Every declaration of an application, as one serializable value.
///
/// ```
/// use dynamo_model_tools::{Deployment, Model};
/// use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", point_in_time_recovery)]
/// struct App;
///
/// /// Who uses the app.
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// struct User {
///     user_id: String,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
/// }
///
/// let model = Model::new("app").items::<AppItem>();
/// let template = model.cloud_formation(&Deployment::default());
/// assert_eq!(template["Resources"]["App"]["Properties"]["TableName"], "App");
///
/// assert_eq!(model.tables[0].entities[0].schema.doc, "Who uses the app.");
/// # let _ = AppItem::User(User { user_id: String::new() });
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Model {
    /// The name of the application.
    pub name: String,
    /// Its purpose, in a line.
    pub title: String,
    /// Its tables, in the order in which they were added.
    pub tables: Vec<TableModel>,
    /// The access patterns that were added to those that the declarations make.
    pub patterns: Vec<AccessPattern>,
}

/// A table, the entities in it, and sample items.
///
/// ```
/// use dynamo_model_tools::Model;
/// # use dynamo_model::{DynamoEntity, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// # #[derive(DynamoEntity)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # struct User { user_id: String }
///
/// let model = Model::new("app").entity::<User>();
/// assert_eq!(model.tables[0].schema.name, "App");
/// assert!(model.tables[0].items.is_empty());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TableModel {
    /// The declaration, as data.
    pub schema: TableSchema,
    /// The kinds of items in it.
    pub entities: Vec<EntityModel>,
    /// Sample items.
    pub items: Vec<SampleItem>,
    recognize: Vec<Recognize>,
}

/// One kind of item.
///
/// ```
/// use dynamo_model_tools::{AttributeType, Model};
/// # use dynamo_model::{DynamoEntity, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// # #[derive(DynamoEntity)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # struct User { user_id: String, logins: u32 }
///
/// let model = Model::new("app").entity::<User>();
/// let user = model.find_entity("User").unwrap();
/// assert_eq!(user.attribute_type(&user.schema.attributes[1]), Some(AttributeType::N));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EntityModel {
    /// The declaration, as data.
    pub schema: EntitySchema,
    /// The types of attributes that the declaration does not determine, from samples.
    sampled: Vec<(&'static str, AttributeType)>,
}

impl Model {
    /// Makes a model without tables.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: String::new(),
            tables: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// Sets the purpose of the application.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Adds every entity of a table.
    #[must_use]
    pub fn items<I: Items>(mut self) -> Self {
        let table = self.table_mut(<I::Table as Table>::SCHEMA);
        table
            .recognize
            .push(|pk, sk| I::entity_of(pk, sk).ok().map(|it| it.entity));
        for schema in I::ENTITIES {
            table.add(**schema);
        }
        self.add_reservations(I::ENTITIES.iter().flat_map(|it| it.uniques));
        self
    }

    /// Adds one entity, and its table where it is new.
    #[must_use]
    pub fn entity<E: IndexedBy<Primary>>(mut self) -> Self {
        let table = self.table_mut(<E::Table as Table>::SCHEMA);
        table.recognize.push(|pk, sk| {
            let is_one = <E as IndexedBy<Primary>>::parse(pk, sk).is_ok();
            is_one.then_some(<E as Entity>::SCHEMA.entity)
        });
        table.add(E::SCHEMA);
        self.add_reservations(E::SCHEMA.uniques.iter());
        self
    }

    /// Adds the tables that reserve unique values.
    fn add_reservations<'u>(&mut self, uniques: impl Iterator<Item = &'u UniqueSchema>) {
        for table in uniques.filter_map(|unique| unique.table) {
            self.table_mut(*table);
        }
    }

    /// Adds an access pattern to those that the declarations make.
    #[must_use]
    pub fn pattern(mut self, pattern: AccessPattern) -> Self {
        self.patterns.push(pattern);
        self
    }

    /// Returns a table by its declared name.
    #[must_use]
    pub fn find_table(&self, name: &str) -> Option<&TableModel> {
        self.tables.iter().find(|table| table.schema.name == name)
    }

    /// Returns an entity by the name of its Rust type.
    #[must_use]
    pub fn find_entity(&self, name: &str) -> Option<&EntityModel> {
        let mut entities = self.tables.iter().flat_map(|table| &table.entities);
        entities.find(|entity| entity.schema.entity == name)
    }

    /// Returns each entity with its table.
    pub fn entities(&self) -> impl Iterator<Item = (&TableModel, &EntityModel)> {
        let each = |table| move |entity| (table, entity);
        self.tables
            .iter()
            .flat_map(move |table: &TableModel| table.entities.iter().map(each(table)))
    }

    fn table_mut(&mut self, schema: TableSchema) -> &mut TableModel {
        let known = self
            .tables
            .iter()
            .position(|table| table.schema.name == schema.name);
        let at = known.unwrap_or_else(|| {
            self.tables.push(TableModel {
                schema,
                entities: Vec::new(),
                items: Vec::new(),
                recognize: Vec::new(),
            });
            self.tables.len() - 1
        });
        &mut self.tables[at]
    }
}

impl TableModel {
    fn add(&mut self, schema: EntitySchema) {
        let known = self
            .entities
            .iter()
            .any(|it| it.schema.entity == schema.entity);
        if !known {
            let sampled = Vec::new();
            self.entities.push(EntityModel { schema, sampled });
        }
    }

    /// Returns the entity of a key; `None` for unique items.
    #[must_use]
    pub fn entity_of(&self, pk: KeyRef<'_>, sk: Option<KeyRef<'_>>) -> Option<&EntityModel> {
        let name = self
            .recognize
            .iter()
            .find_map(|recognize| recognize(pk, sk))?;
        self.entities
            .iter()
            .find(|entity| entity.schema.entity == name)
    }

    /// Returns the declared index behind an entity's key in it.
    #[must_use]
    pub fn index_of(&self, index: &EntityIndex) -> Option<&IndexSchema> {
        self.schema.index(index.id)
    }

    /// Returns the entities of an index.
    pub fn entities_in<'m>(
        &'m self,
        index: &IndexSchema,
    ) -> impl Iterator<Item = (&'m EntityModel, &'static EntityIndex)> + use<'m> {
        let id = index.id;
        self.entities.iter().filter_map(move |entity| {
            let index = entity.schema.indexes.iter().find(|it| it.id == id)?;
            Some((entity, index))
        })
    }
}

impl EntityModel {
    /// Returns the stored type of an attribute: by its key, by the field's type, or as in the
    /// samples.
    #[must_use]
    pub fn attribute_type(&self, attribute: &AttributeSchema) -> Option<AttributeType> {
        let declared = AttributeType::declared(&self.schema, attribute);
        declared.or_else(|| {
            let mut sampled = self.sampled.iter();
            sampled
                .find(|(field, _)| *field == attribute.field)
                .map(|(_, found)| *found)
        })
    }
}
