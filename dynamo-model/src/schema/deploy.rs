//! Creates, deletes, waits for and compares deployed tables.

pub(super) mod change;
pub(super) mod settings;
pub(super) mod vector;

use super::create::{self, CreateIndex, CreateTable, KeySchema};
use super::{IndexSchema, KeyAttribute, Stream, TableClass, TableSchema, Throughput};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::transport::{self, Attempts};
use aws_sdk_dynamodb::error::{BuildError, ProvideErrorMetadata};
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType as SdkKeyType, LocalSecondaryIndex, OnDemandThroughput,
    PointInTimeRecoverySpecification, Projection as SdkProjection, ProjectionType,
    ProvisionedThroughput, ScalarAttributeType, SseSpecification, SseType, StreamSpecification,
    StreamViewType, TableDescription, TableStatus, Tag, TimeToLiveSpecification, WarmThroughput,
};
use core::pin::pin;
use std::time::Duration;

/// The timeout for a table to become active, or to be deleted.
const PATIENCE: Duration = Duration::from_secs(300);

pub(super) fn context(db: &Dynamo, table: &TableSchema, operation: &'static str) -> ErrorContext {
    ErrorContext {
        operation,
        entity: table.table,
        table: db.deployed_name(table),
        key: None,
    }
}

/// Creates the table with its indexes, waits until it is active, then applies the settings that
/// need separate requests.
pub(crate) async fn create(db: &Dynamo, table: &'static TableSchema) -> Result<(), Error> {
    let context = || context(db, table, "create table");
    let request = create_request(db, table)
        .map_err(|error| Error::new(context(), ErrorKind::Mismatch, Some(Box::new(error))))?;
    let mut attempts = Attempts::new(true);
    match transport::watched(&mut attempts, pin!(request.send())).await {
        Ok(_) => {}
        // An earlier attempt with a lost response created it. If another client did, the comparison
        // shows it.
        Err(error) if attempts.lost() && error.code() == Some("ResourceInUseException") => {}
        Err(error) => return Err(Error::sdk(context(), error).with_outcome(attempts.outcome())),
    }
    wait_until(db, table, "create table", PATIENCE, |deployed| {
        deployed.and_then(TableDescription::table_status) == Some(&TableStatus::Active)
    })
    .await?;
    if attempts.lost() {
        let deployed = deployed(db, table, "create table").await?;
        compare(table, &deployed).report(db, table, false)?;
    }
    set_ttl(db, table).await?;
    set_recovery(db, table).await?;
    match table.required {
        [] => Ok(()),
        // A deployment adds replicas after the table exists.
        _ => {
            let deployed = deployed(db, table, "verify table").await?;
            compare_all(db, table, &deployed)
                .await?
                .report(db, table, false)
        }
    }
}

fn create_request(
    db: &Dynamo,
    table: &TableSchema,
) -> Result<CreateTableFluentBuilder, BuildError> {
    let create = CreateTable::of(table);
    let definitions = create.attribute_definitions.iter().map(definition);
    let throughput = create.throughput.map(throughput).transpose()?;
    let mut request = db
        .client()
        .create_table()
        .table_name(db.table_name(table))
        .set_key_schema(Some(key_schema(&create.key_schema)?))
        .set_attribute_definitions(Some(definitions.collect::<Result<_, _>>()?))
        .billing_mode(match throughput {
            Some(_) => BillingMode::Provisioned,
            None => BillingMode::PayPerRequest,
        })
        .set_provisioned_throughput(throughput.clone())
        .deletion_protection_enabled(create.deletion_protection);
    if let Some(maximum) = table.on_demand_maximum {
        request = request.on_demand_throughput(on_demand(maximum));
    }
    if let Some(warm) = table.warm_throughput {
        request = request.warm_throughput(warm_throughput(warm));
    }
    if table.class != TableClass::Standard {
        request = request.table_class(table.class.as_str().into());
    }
    if !table.tags.is_empty() {
        request = request.set_tags(Some(tags(table)?));
    }
    for index in &create.global {
        request = request.global_secondary_indexes(global(index, throughput.clone())?);
    }
    for index in &create.local {
        request = request.local_secondary_indexes(local(index)?);
    }
    for index in &create.vectors {
        request = request.vector_indexes(vector::index(index)?);
    }
    if let Some(stream) = create.stream {
        let specification = StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(StreamViewType::from(stream));
        request = request.stream_specification(specification.build()?);
    }
    if let Some(key) = create.kms {
        let specification = SseSpecification::builder()
            .enabled(true)
            .sse_type(SseType::Kms)
            .set_kms_master_key_id(key.map(str::to_owned));
        request = request.sse_specification(specification.build());
    }
    Ok(request)
}

pub(super) fn on_demand(maximum: Throughput) -> OnDemandThroughput {
    OnDemandThroughput::builder()
        .max_read_request_units(maximum.read.into())
        .max_write_request_units(maximum.write.into())
        .build()
}

pub(super) fn warm_throughput(warm: Throughput) -> WarmThroughput {
    WarmThroughput::builder()
        .read_units_per_second(warm.read.into())
        .write_units_per_second(warm.write.into())
        .build()
}

pub(super) fn tags(table: &TableSchema) -> Result<Vec<Tag>, BuildError> {
    let tags = table.tags.iter();
    let tags = tags.map(|(name, value)| Tag::builder().key(*name).value(*value).build());
    tags.collect()
}

fn throughput((read, write): (u32, u32)) -> Result<ProvisionedThroughput, BuildError> {
    ProvisionedThroughput::builder()
        .read_capacity_units(read.into())
        .write_capacity_units(write.into())
        .build()
}

fn key_schema(schema: &KeySchema) -> Result<Vec<KeySchemaElement>, BuildError> {
    let element = |(name, key_type): &(&'static str, &'static str)| {
        KeySchemaElement::builder()
            .attribute_name(*name)
            .key_type(SdkKeyType::from(*key_type))
            .build()
    };
    schema.iter().map(element).collect()
}

fn definition(attribute: &KeyAttribute) -> Result<AttributeDefinition, BuildError> {
    AttributeDefinition::builder()
        .attribute_name(attribute.name)
        .attribute_type(ScalarAttributeType::from(attribute.key_type.as_str()))
        .build()
}

fn global(
    index: &CreateIndex,
    throughput: Option<ProvisionedThroughput>,
) -> Result<GlobalSecondaryIndex, BuildError> {
    GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(&index.key_schema)?))
        .projection(projection(index.projection, index.non_key_attributes))
        .set_provisioned_throughput(throughput)
        .build()
}

fn local(index: &CreateIndex) -> Result<LocalSecondaryIndex, BuildError> {
    LocalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(&index.key_schema)?))
        .projection(projection(index.projection, index.non_key_attributes))
        .build()
}

fn projection(kind: &str, names: &[&str]) -> SdkProjection {
    let names = names
        .iter()
        .map(|name| (*name).to_owned())
        .collect::<Vec<_>>();
    SdkProjection::builder()
        .projection_type(ProjectionType::from(kind))
        .set_non_key_attributes((!names.is_empty()).then_some(names))
        .build()
}

/// Polls the table with growing intervals until it has the wanted status.
pub(super) async fn wait_until(
    db: &Dynamo,
    table: &TableSchema,
    operation: &'static str,
    patience: Duration,
    is_so: impl Fn(Option<&TableDescription>) -> bool,
) -> Result<(), Error> {
    let deadline = tokio::time::Instant::now() + patience;
    let mut pause = Duration::from_millis(20);
    loop {
        let deployed = describe(db, table).await?;
        if is_so(deployed.as_ref()) {
            return Ok(());
        }
        if tokio::time::Instant::now() >= deadline {
            let status = deployed.and_then(|deployed| deployed.table_status);
            let status = status.map_or_else(|| "missing".into(), |it| it.as_str().to_owned());
            let kind = ErrorKind::NotReady { status };
            return Err(Error::new(context(db, table, operation), kind, None));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(5));
    }
}

/// Returns the deployed table, or `None` if it does not exist.
pub(super) async fn describe(
    db: &Dynamo,
    table: &TableSchema,
) -> Result<Option<TableDescription>, Error> {
    let response = db
        .client()
        .describe_table()
        .table_name(db.table_name(table))
        .send()
        .await;
    match response {
        Ok(output) => Ok(output.table),
        Err(error) => {
            let error = Error::sdk(context(db, table, "describe table"), error);
            if error.is_missing_table() {
                Ok(None)
            } else {
                Err(error)
            }
        }
    }
}

pub(super) async fn set_ttl(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    let Some(ttl) = table.ttl else { return Ok(()) };
    let context = || context(db, table, "set TTL of");
    let specification = TimeToLiveSpecification::builder()
        .attribute_name(ttl)
        .enabled(true)
        .build()
        .map_err(|error| Error::new(context(), ErrorKind::Mismatch, Some(Box::new(error))))?;
    let request = db
        .client()
        .update_time_to_live()
        .table_name(db.table_name(table));
    let response = request
        .time_to_live_specification(specification)
        .send()
        .await;
    response
        .map(|_| ())
        .map_err(|error| Error::sdk(context(), error))
}

/// Sets continuous backups, if the engine has them: a local one may not.
pub(super) async fn set_recovery(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    if !table.point_in_time_recovery {
        return Ok(());
    }
    let context = || context(db, table, "set recovery of");
    let specification = PointInTimeRecoverySpecification::builder()
        .point_in_time_recovery_enabled(true)
        .build()
        .map_err(|error| Error::new(context(), ErrorKind::Mismatch, Some(Box::new(error))))?;
    let request = db
        .client()
        .update_continuous_backups()
        .table_name(db.table_name(table));
    match request
        .point_in_time_recovery_specification(specification)
        .send()
        .await
    {
        Ok(_) => Ok(()),
        Err(error) if is_unknown_operation(&error) => Ok(()),
        Err(error) => Err(Error::sdk(context(), error)),
    }
}

fn is_unknown_operation(error: &impl ProvideErrorMetadata) -> bool {
    matches!(
        error.code(),
        Some("UnknownOperationException" | "InvalidAction")
    )
}

pub(crate) async fn exists(db: &Dynamo, table: &TableSchema) -> Result<bool, Error> {
    describe(db, table).await.map(|table| table.is_some())
}

/// Deletes the table and waits until it is deleted; a missing one counts as deleted.
pub(crate) async fn delete(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    let response = db
        .client()
        .delete_table()
        .table_name(db.table_name(table))
        .send()
        .await;
    if let Err(error) = response {
        let error = Error::sdk(context(db, table, "delete table"), error);
        return if error.is_missing_table() {
            Ok(())
        } else {
            Err(error)
        };
    }
    wait_until(db, table, "delete table", PATIENCE, |deployed| {
        deployed.is_none()
    })
    .await
}

/// Describes the deployed table. Fails if it does not exist.
async fn deployed(
    db: &Dynamo,
    table: &TableSchema,
    operation: &'static str,
) -> Result<TableDescription, Error> {
    let missing = || Error::new(context(db, table, operation), ErrorKind::MissingTable, None);
    describe(db, table).await?.ok_or_else(missing)
}

/// Compares the deployed table with the declaration; the error lists every difference. Undeclared
/// settings are a difference only if `exactly`; otherwise a `tracing` event names them.
pub(crate) async fn verify(db: &Dynamo, table: &TableSchema, exactly: bool) -> Result<(), Error> {
    let deployed = deployed(db, table, "verify table").await?;
    let mut comparison = compare_all(db, table, &deployed).await?;
    settings::replicas(table, &deployed, &mut comparison);
    comparison.report(db, table, exactly)
}

/// Compares everything except the replicas.
async fn compare_all(
    db: &Dynamo,
    table: &TableSchema,
    deployed: &TableDescription,
) -> Result<Comparison, Error> {
    let mut comparison = compare(table, deployed);
    settings::compare(db, table, deployed, &mut comparison).await?;
    Ok(comparison)
}

/// Formats a key, declared or deployed: `PK (S) + SK (S)`.
fn shown_key(pk: &str, sk: Option<&str>) -> String {
    sk.map_or_else(|| pk.to_owned(), |sk| format!("{pk} + {sk}"))
}

fn declared_key(pk: KeyAttribute, sk: Option<KeyAttribute>) -> String {
    shown_key(&pk.to_string(), sk.map(|sk| sk.to_string()).as_deref())
}

fn deployed_key(schema: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> String {
    let half = |key_type: &SdkKeyType| {
        let element = schema
            .iter()
            .find(|element| element.key_type() == key_type)?;
        let name = element.attribute_name();
        let definition = definitions
            .iter()
            .find(|definition| definition.attribute_name() == name);
        Some(format!(
            "{name} ({})",
            definition.map_or("?", |it| it.attribute_type().as_str())
        ))
    };
    let pk = half(&SdkKeyType::Hash).unwrap_or_default();
    shown_key(&pk, half(&SdkKeyType::Range).as_deref())
}

/// How a deployed table differs from its declaration.
#[derive(Default)]
pub(super) struct Comparison {
    /// One difference on each line.
    differences: Vec<String>,
    /// Deployed settings beyond the declaration: another program may use an index, and more
    /// protection is harmless.
    undeclared: Vec<Undeclared>,
}

struct Undeclared {
    what: String,
    declared: String,
    deployed: String,
}

impl Comparison {
    /// Compares two texts that must be equal.
    fn same(&mut self, what: &str, declared: &str, deployed: &str) {
        if declared != deployed {
            self.differences.push(different(what, declared, deployed));
        }
    }

    /// Adds a deployed setting beyond the declaration.
    fn more(&mut self, what: impl Into<String>, declared: &str, deployed: impl Into<String>) {
        self.undeclared.push(Undeclared {
            what: what.into(),
            declared: declared.to_owned(),
            deployed: deployed.into(),
        });
    }

    fn report(self, db: &Dynamo, table: &TableSchema, exactly: bool) -> Result<(), Error> {
        let mut differences = self.differences;
        for Undeclared {
            what,
            declared,
            deployed,
        } in &self.undeclared
        {
            if exactly {
                differences.push(different(what, declared, deployed));
            } else {
                let table = &*db.deployed_name(table);
                tracing::info!(table, what, "deployed and not declared: {deployed}");
            }
        }
        if differences.is_empty() {
            return Ok(());
        }
        let source = differences.join("\n").into();
        let context = context(db, table, "verify table");
        Err(Error::new(context, ErrorKind::Mismatch, Some(source)))
    }
}

pub(super) fn different(what: &str, declared: &str, deployed: &str) -> String {
    format!("{what}: declared {declared}, deployed {deployed}")
}

fn compare(table: &TableSchema, deployed: &TableDescription) -> Comparison {
    let mut out = Comparison::default();
    let (declared, own) = shown_keys(table, deployed);
    out.same("key", &declared, &own);
    let stream = deployed
        .stream_specification()
        .and_then(|stream| stream.stream_view_type());
    out.same(
        "stream",
        table.stream.map_or("none", Stream::as_str),
        stream.map_or("none", StreamViewType::as_str),
    );
    let mut indexes = shown_global(deployed);
    indexes.extend(shown_local(deployed));
    for index in table.indexes {
        let deployed = indexes.iter().position(|(name, _)| *name == index.name);
        let deployed = deployed.map(|at| indexes.remove(at).1);
        out.same(
            &index_title(index.name),
            &declared_index(index),
            deployed.as_deref().unwrap_or("none"),
        );
    }
    for (name, deployed) in indexes {
        out.more(index_title(&name), "none", deployed);
    }
    vector::compare(table, deployed, &mut out);
    out
}

fn index_title(name: &str) -> String {
    format!("index {name}")
}

/// Returns the declared key of the table, and the deployed one.
pub(super) fn shown_keys(table: &TableSchema, deployed: &TableDescription) -> (String, String) {
    let definitions = deployed.attribute_definitions();
    let own = deployed_key(deployed.key_schema(), definitions);
    (declared_key(table.pk, table.sk), own)
}

/// Returns the declared key and projection of an index.
pub(super) fn declared_index(index: &IndexSchema) -> String {
    let (kind, names) = create::projection(index.projection);
    let key = declared_key(index.pk, index.sk);
    shown_index(key, Some(&projection(kind, names)))
}

/// Returns the deployed global indexes: name, key and projection.
pub(super) fn shown_global(deployed: &TableDescription) -> Vec<(String, String)> {
    let definitions = deployed.attribute_definitions();
    let indexes = deployed.global_secondary_indexes().iter();
    let shown = indexes.map(|index| {
        let key = deployed_key(index.key_schema(), definitions);
        let name = index.index_name().unwrap_or_default().to_owned();
        (name, shown_index(key, index.projection()))
    });
    shown.collect()
}

/// Returns the deployed local indexes: name, key and projection.
pub(super) fn shown_local(deployed: &TableDescription) -> Vec<(String, String)> {
    let definitions = deployed.attribute_definitions();
    let indexes = deployed.local_secondary_indexes().iter();
    let shown = indexes.map(|index| {
        let key = deployed_key(index.key_schema(), definitions);
        let name = index.index_name().unwrap_or_default().to_owned();
        (name, shown_index(key, index.projection()))
    });
    shown.collect()
}

fn shown_index(key: String, projection: Option<&SdkProjection>) -> String {
    let Some(projection) = projection else {
        return key;
    };
    let kind = projection
        .projection_type()
        .map_or("ALL", ProjectionType::as_str);
    let mut names = projection.non_key_attributes().to_vec();
    names.sort();
    if names.is_empty() {
        format!("{key}, {kind}")
    } else {
        format!("{key}, {kind} {}", names.join(" "))
    }
}
