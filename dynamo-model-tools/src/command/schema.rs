//! What an application gives to its command: its declarations, and what no declaration says.

use super::{BoxError, Failure};
use crate::{Application, Capacity, Deployment, Model, Policy};
use core::fmt;
use dynamo_model::__tools;
use dynamo_model::Dynamo;
use dynamo_model::migrate::Migratable;
use dynamo_model::schema::plan::Plan;
use std::pin::Pin;

type Made<T> = Pin<Box<dyn Future<Output = T>>>;
type MakeModel = Box<dyn Fn() -> Made<Result<Model, BoxError>>>;
type MakeClient = Box<dyn Fn() -> Made<aws_sdk_dynamodb::Client>>;
type Fill = Box<dyn Fn(Dynamo) -> Made<Result<(), BoxError>>>;
type AddBackfill = fn(Plan<'static>) -> Plan<'static>;

/// The schemas that a command serves: one, made from a [`Model`] or a [`Schema`], or several.
///
/// ```
/// use dynamo_model_tools::{Model, Schema, Tools};
///
/// let tools = Tools::from(Model::new("app"));
/// let several: Tools = ["shop", "forum"].map(|name| Schema::new(Model::new(name))).into_iter().collect();
/// # let _ = (tools, several);
/// ```
#[derive(Debug)]
pub struct Tools {
    pub(super) schemas: Vec<Schema>,
}

/// The declarations of an application, and what its command needs besides.
///
/// ```no_run
/// use dynamo_model_tools::{Deployment, Model, Policy, Schema};
/// use std::process::ExitCode;
///
/// # fn model() -> Model { Model::new("app") }
/// # async fn client() -> aws_sdk_dynamodb::Client { unimplemented!() }
/// fn main() -> ExitCode {
///     let schema = Schema::new(model())
///         .client(client)
///         .deployment(Deployment::new().customer_key())
///         .policy("service", Policy::new().all_entities());
///     dynamo_model_tools::run(schema)
/// }
/// ```
pub struct Schema {
    pub(super) name: String,
    model: MakeModel,
    pub(super) client: Option<MakeClient>,
    samples: Option<Fill>,
    pub(super) deployment: Deployment,
    pub(super) application: Option<Application>,
    pub(super) policies: Vec<(String, Policy)>,
    pub(super) capacity: Option<Capacity>,
    pub(super) backfills: Vec<(&'static str, AddBackfill)>,
}

impl Schema {
    /// A schema with the name of its model.
    #[must_use]
    pub fn new(model: Model) -> Self {
        let name = model.name.clone();
        Self::made_by(name, move || {
            let model = model.clone();
            async move { Ok(model) }
        })
    }

    /// A schema whose model is made when a command needs it, such as one with the requests of
    /// access patterns.
    pub fn made_by<F>(name: impl Into<String>, model: impl Fn() -> F + 'static) -> Self
    where
        F: Future<Output = Result<Model, BoxError>> + 'static,
    {
        Self {
            name: name.into(),
            model: Box::new(move || Box::pin(model())),
            client: None,
            samples: None,
            deployment: Deployment::default(),
            application: None,
            policies: Vec::new(),
            capacity: None,
            backfills: Vec::new(),
        }
    }

    /// Makes the client for AWS, as you configure it. Commands use it if no option says where the
    /// tables are.
    #[must_use]
    pub fn client<F>(mut self, client: impl Fn() -> F + 'static) -> Self
    where
        F: Future<Output = aws_sdk_dynamodb::Client> + 'static,
    {
        self.client = Some(Box::new(move || Box::pin(client())));
        self
    }

    /// Creates the tables and writes sample items, for `--memory`. Without it, `--memory` has empty
    /// tables.
    #[must_use]
    pub fn samples<F>(mut self, fill: impl Fn(Dynamo) -> F + 'static) -> Self
    where
        F: Future<Output = Result<(), BoxError>> + 'static,
    {
        self.samples = Some(Box::new(move |db| Box::pin(fill(db))));
        self
    }

    /// How the application is deployed, for templates.
    #[must_use]
    pub fn deployment(mut self, deployment: Deployment) -> Self {
        self.deployment = deployment;
        self
    }

    /// The functions and state machines of the application, for templates.
    #[must_use]
    pub fn application(mut self, application: Application) -> Self {
        self.application = Some(application);
        self
    }

    /// Adds a policy: `output policy --name service`.
    #[must_use]
    pub fn policy(mut self, name: impl Into<String>, policy: Policy) -> Self {
        self.policies.push((name.into(), policy));
        self
    }

    /// How busy the application is, for `output capacity`.
    #[must_use]
    pub fn capacity(mut self, capacity: Capacity) -> Self {
        self.capacity = Some(capacity);
        self
    }

    /// Lets `apply` write the keys of a new index into the items of this entity; see
    /// [`Plan::backfill`].
    #[must_use]
    pub fn backfill<E: Migratable + 'static>(mut self) -> Self {
        self.backfills.push((E::SCHEMA.entity, Plan::backfill::<E>));
        self
    }

    /// Makes the model.
    pub(super) async fn model(&self) -> Result<Model, Failure> {
        Ok((self.model)().await?)
    }

    /// Creates the tables in an empty engine, with sample items where the application has some.
    pub(super) async fn fill(&self, db: &Dynamo) -> Result<(), Failure> {
        if let Some(samples) = &self.samples {
            return Ok(samples(db.clone()).await?);
        }
        for table in self.model().await?.tables {
            __tools::plan(db, leaked(table.schema))
                .await?
                .apply(db)
                .await?;
        }
        Ok(())
    }
}

/// A declaration for the rest of the process, as a plan needs it. A command does this once a table.
pub(super) fn leaked(
    schema: dynamo_model::schema::TableSchema,
) -> &'static dynamo_model::schema::TableSchema {
    Box::leak(Box::new(schema))
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl From<Schema> for Tools {
    fn from(schema: Schema) -> Self {
        Self {
            schemas: vec![schema],
        }
    }
}

impl From<Model> for Tools {
    fn from(model: Model) -> Self {
        Schema::new(model).into()
    }
}

impl FromIterator<Schema> for Tools {
    fn from_iter<I: IntoIterator<Item = Schema>>(schemas: I) -> Self {
        Self {
            schemas: schemas.into_iter().collect(),
        }
    }
}
