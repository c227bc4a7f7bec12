//! IAM policies: no more than a service needs, or no more than a user's own items.

mod identity;
mod leading_keys;
mod statements;

pub use identity::Identity;

use super::encryption;
use crate::TableModel;
use crate::{Model, ModelError, Request};
use dynamo_model::__tools::CreateTable;
use serde_json::{Value, json};
use statements::Statements;
use std::collections::BTreeSet;

/// The permissions of a policy.
///
/// ```
/// use dynamo_model_tools::{Identity, Model, Policy};
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// #[gsi1(name = "GSI1", pk = "GSI1PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// #[gsi1(pk = "COUPON#<coupon>", as = by_coupon)]
/// struct Order {
///     user_id: String,
///     number: u32,
///     coupon: String,
/// }
///
/// let model = Model::new("app").entity::<Order>();
/// let own = Policy::new()
///     .account("ap-northeast-1", "123456789012")
///     .reads(["Order"])
///     .isolated_by("user_id", Identity::cognito_identity());
/// let policy = model.policy(own)?;
///
/// let statement = &policy.document["Statement"][0];
/// assert_eq!(statement["Resource"], "arn:aws:dynamodb:ap-northeast-1:123456789012:table/App");
/// let keys = &statement["Condition"]["ForAllValues:StringEquals"]["dynamodb:LeadingKeys"];
/// assert_eq!(keys[0], "USER#${cognito-identity.amazonaws.com:sub}");
///
/// // Whoever may query the index reads the orders of everybody.
/// assert_eq!(
///     policy.refused[0].to_string(),
///     "`Order` in the index `GSI1`: its partition key `COUPON#<coupon>` does not name `user_id`, so \
///      it does not distinguish the caller's items from those of others",
/// );
/// # Ok::<(), dynamo_model_tools::ModelError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Policy {
    region: Option<String>,
    account: Option<String>,
    table_prefix: String,
    patterns: Vec<String>,
    requests: Vec<Request>,
    all_patterns: bool,
    reads: Vec<String>,
    writes: Vec<String>,
    scans: Vec<String>,
    searches: Vec<String>,
    migrations: Vec<String>,
    all_entities: bool,
    isolation: Vec<(String, Identity)>,
    customer_key: bool,
}

impl Policy {
    /// Creates a policy without permissions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the location of the tables. The default is any region of any account.
    #[must_use]
    pub fn account(mut self, region: impl Into<String>, account: impl Into<String>) -> Self {
        self.region = Some(region.into());
        self.account = Some(account.into());
        self
    }

    /// Sets the prefix of each table's declared name.
    #[must_use]
    pub fn table_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.table_prefix = prefix.into();
        self
    }

    /// Allows the requests of these access patterns, by their numbers.
    #[must_use]
    pub fn patterns<N: Into<String>>(mut self, numbers: impl IntoIterator<Item = N>) -> Self {
        self.patterns.extend(numbers.into_iter().map(Into::into));
        self
    }

    /// Allows the requests of all access patterns.
    #[must_use]
    pub fn all_patterns(mut self) -> Self {
        self.all_patterns = true;
        self
    }

    /// Allows these requests, for example those of a function that is not an access pattern.
    #[must_use]
    pub fn requests(mut self, requests: impl IntoIterator<Item = Request>) -> Self {
        self.requests.extend(requests);
        self
    }

    /// Allows getting and querying these entities, in the table and in their indexes.
    #[must_use]
    pub fn reads<N: Into<String>>(mut self, entities: impl IntoIterator<Item = N>) -> Self {
        self.reads.extend(entities.into_iter().map(Into::into));
        self
    }

    /// Allows writing these entities, in transactions too.
    #[must_use]
    pub fn writes<N: Into<String>>(mut self, entities: impl IntoIterator<Item = N>) -> Self {
        self.writes.extend(entities.into_iter().map(Into::into));
        self
    }

    /// Allows reading and writing every entity of the model: for an application with more functions
    /// than its list of access patterns. It does not allow scans.
    #[must_use]
    pub fn all_entities(mut self) -> Self {
        self.all_entities = true;
        self
    }

    /// Searching the vector indexes of these entities. No other permission includes it, because
    /// DynamoDB cannot limit a search to the items of a caller.
    #[must_use]
    pub fn searches<N: Into<String>>(mut self, entities: impl IntoIterator<Item = N>) -> Self {
        self.searches.extend(entities.into_iter().map(Into::into));
        self
    }

    /// Allows scanning the tables of these entities.
    #[must_use]
    pub fn scans<N: Into<String>>(mut self, entities: impl IntoIterator<Item = N>) -> Self {
        self.scans.extend(entities.into_iter().map(Into::into));
        self
    }

    /// Allows a `Migration` of these entities: it scans the table, replaces items, and stores a
    /// checkpoint in the table. Use it for a separate role.
    #[must_use]
    pub fn migrates<N: Into<String>>(mut self, entities: impl IntoIterator<Item = N>) -> Self {
        self.migrations.extend(entities.into_iter().map(Into::into));
        self
    }

    /// Allows only items whose partition key names the caller in this field. If it is called more
    /// than once, a partition key must name one of the fields.
    #[must_use]
    pub fn isolated_by(mut self, field: impl Into<String>, identity: Identity) -> Self {
        self.isolation.push((field.into(), identity));
        self
    }

    /// Allows to use the key that [`Deployment::customer_key`](super::Deployment::customer_key)
    /// makes for the tables; without it KMS refuses every call. Keys that a table declares by their
    /// ARN are allowed without this.
    #[must_use]
    pub fn customer_key(mut self) -> Self {
        self.customer_key = true;
        self
    }

    fn arn(&self, table: &str, index: Option<&str>) -> String {
        let place = |of: &Option<String>| of.clone().unwrap_or_else(|| "*".into());
        let (region, account) = (place(&self.region), place(&self.account));
        let index = index
            .map(|index| format!("/index/{index}"))
            .unwrap_or_default();
        format!(
            "arn:aws:dynamodb:{region}:{account}:table/{}{table}{index}",
            self.table_prefix
        )
    }
}

/// A policy, and the requests that it could not include.
///
/// ```
/// use dynamo_model_tools::{Model, Policy};
///
/// let policy = Model::new("app").policy(Policy::new())?;
/// assert_eq!(policy.document["Version"], "2012-10-17");
/// assert!(policy.refused.is_empty() && policy.notes.is_empty());
/// # Ok::<(), dynamo_model_tools::ModelError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PolicyDocument {
    /// The policy.
    pub document: Value,
    /// The requested permissions that it does not include, because they would reach items of
    /// others.
    pub refused: Vec<Refusal>,
    /// The permissions that it includes beyond the request.
    pub notes: Vec<String>,
}

/// Something that a policy cannot isolate, and why.
///
/// Shown in the example of [`Policy`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The entity.
    pub entity: String,
    /// `in the table`, ``in the index `GSI1` ``, `to be written`
    pub place: String,
    /// Why.
    pub reason: String,
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "`{}` {}: {}", self.entity, self.place, self.reason)
    }
}

impl Model {
    /// Returns an IAM policy for exactly the chosen permissions.
    ///
    /// With [`isolated_by`](Policy::isolated_by), permissions that could reach the items of others
    /// are omitted, and listed in [`refused`](PolicyDocument::refused) with the reason.
    pub fn policy(&self, mut policy: Policy) -> Result<PolicyDocument, ModelError> {
        if policy.all_entities {
            let names = self.entities().map(|(_, entity)| entity.schema.entity);
            let names: Vec<_> = names.map(str::to_owned).collect();
            policy.reads.clone_from(&names);
            policy.writes = names;
        }
        let mut statements = Statements::default();
        self.allow_patterns(&policy, &mut statements)?;
        let (mut refused, mut notes) = (Vec::new(), Vec::new());
        if policy.isolation.is_empty() {
            self.allow_entities(&policy, &mut statements)?;
        } else {
            self.isolate(&policy, &mut statements, &mut refused, &mut notes)?;
        }
        let tables = statements.tables();
        let mut statements = statements.finish(&policy);
        statements.extend(self.allow_keys(&policy, &tables));
        let document = json!({ "Version": "2012-10-17", "Statement": statements });
        Ok(PolicyDocument {
            document,
            refused,
            notes,
        })
    }

    /// The keys of the tables that are used.
    fn allow_keys(&self, policy: &Policy, tables: &BTreeSet<String>) -> Vec<Value> {
        let any = |of: &Option<String>| of.clone().unwrap_or_else(|| "*".into());
        let (region, account) = (any(&policy.region), any(&policy.account));
        let used = self.tables.iter();
        let used = used.filter(|table| tables.contains(table.schema.name));
        let keys: BTreeSet<_> = used
            .filter_map(|table| CreateTable::of(&table.schema).kms)
            .filter(|key| key.is_some() || policy.customer_key)
            .collect();
        let alias = encryption::alias(self);
        let statement = |(i, key): (usize, Option<&str>)| {
            let key = match key {
                Some(arn) => encryption::Key::Arn(arn),
                None => encryption::Key::Alias {
                    account: &account,
                    alias: &alias,
                },
            };
            encryption::role_statement(&format!("TableKey{}", i + 1), &region, key)
        };
        keys.into_iter().enumerate().map(statement).collect()
    }

    fn allow_patterns(&self, policy: &Policy, out: &mut Statements) -> Result<(), ModelError> {
        let names_requests =
            policy.all_patterns || !policy.patterns.is_empty() || !policy.requests.is_empty();
        if !policy.isolation.is_empty() && names_requests {
            let message = "isolation applies to entities, not to access patterns; choose them with \
                           `Policy::reads` and `Policy::writes`";
            return Err(ModelError::new(message));
        }
        let known = |number: &&String| !self.patterns.iter().any(|it| it.number == **number);
        if let Some(unknown) = policy.patterns.iter().find(known) {
            let message = format!("no access pattern `{unknown}`; add it with `Model::pattern`");
            return Err(ModelError::new(message));
        }
        let chosen = self.patterns.iter();
        let chosen =
            chosen.filter(|it| policy.all_patterns || policy.patterns.contains(&it.number));
        let requests = chosen.flat_map(|it| &it.requests);
        for target in requests.chain(&policy.requests).flat_map(Request::targets) {
            let table = self.tables.iter().find(|it| it.schema.name == target.table);
            let scans = table.filter(|it| target.action == "Scan" && !may_scan(it));
            if let Some(table) = scans {
                return Err(ModelError::new(no_scan(table, "an access pattern")));
            }
            out.allow(&target.table, target.index.as_deref(), &target.action);
        }
        Ok(())
    }
}

/// Returns whether any entity of a table can be scanned.
fn may_scan(table: &TableModel) -> bool {
    let mut entities = table.entities.iter();
    !table.schema.no_scan || entities.any(|entity| entity.schema.scannable.is_some())
}

/// Returns why a policy does not allow a scan.
fn no_scan(table: &TableModel, what: &str) -> String {
    format!(
        "{what} scans table `{}`, which is declared with `no_scan`; declare the entity `scannable`, with the reason, or use \
         `Policy::migrates` for a migration",
        table.schema.name
    )
}
