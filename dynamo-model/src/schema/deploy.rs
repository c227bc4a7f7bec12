//! A declaration → the deployed table: creating, deleting, waiting, comparing.

use super::{
    Billing, Encryption, IndexId, IndexSchema, KeyAttribute, KeyType, Projection, Stream,
    TableSchema,
};
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind, Place};
use aws_sdk_dynamodb::error::{BuildError, ProvideErrorMetadata};
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType as SdkKeyType, LocalSecondaryIndex, PointInTimeRecoverySpecification,
    Projection as SdkProjection, ProjectionType, ProvisionedThroughput, ScalarAttributeType,
    SseSpecification, SseType, StreamSpecification, StreamViewType, TableDescription, TableStatus,
    TimeToLiveSpecification,
};
use std::time::Duration;

/// How long a table may take to become active, or to go, before we give up.
const PATIENCE: Duration = Duration::from_secs(300);

fn place(db: &Dynamo, table: &TableSchema, operation: &'static str) -> Place {
    Place {
        operation,
        entity: table.table,
        table: db.table_name(table),
        key: None,
    }
}

/// Creates the table with its indexes, waits until it is active, then sets what is set on its own.
pub(crate) async fn create(db: &Dynamo, table: &'static TableSchema) -> Result<(), Error> {
    let place = || place(db, table, "create table");
    let request = create_request(db, table)
        .map_err(|error| Error::new(place(), ErrorKind::Mismatch, Some(Box::new(error))))?;
    request
        .send()
        .await
        .map_err(|error| Error::sdk(place(), error))?;
    wait_until(db, table, "create table", |deployed| {
        deployed.and_then(TableDescription::table_status) == Some(&TableStatus::Active)
    })
    .await?;
    set_ttl(db, table).await?;
    set_recovery(db, table).await
}

fn create_request(
    db: &Dynamo,
    table: &TableSchema,
) -> Result<CreateTableFluentBuilder, BuildError> {
    let mut request = db
        .client()
        .create_table()
        .table_name(db.table_name(table))
        .set_key_schema(Some(key_schema(table.pk, table.sk)?))
        .set_attribute_definitions(Some(attribute_definitions(table)?))
        .deletion_protection_enabled(table.deletion_protection);
    request = match throughput(table)? {
        Some(throughput) => request
            .billing_mode(BillingMode::Provisioned)
            .provisioned_throughput(throughput),
        None => request.billing_mode(BillingMode::PayPerRequest),
    };
    for index in table.indexes {
        request = match index.id {
            IndexId::Gsi(_) => request.global_secondary_indexes(global(table, index)?),
            IndexId::Lsi(_) => request.local_secondary_indexes(local(index)?),
        };
    }
    if let Some(stream) = table.stream {
        let specification = StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(view(stream));
        request = request.stream_specification(specification.build()?);
    }
    if let Encryption::Kms(key) = table.encryption {
        let specification = SseSpecification::builder()
            .enabled(true)
            .sse_type(SseType::Kms)
            .set_kms_master_key_id(key.map(str::to_owned));
        request = request.sse_specification(specification.build());
    }
    Ok(request)
}

fn view(stream: Stream) -> StreamViewType {
    StreamViewType::from(stream.as_str())
}

fn throughput(table: &TableSchema) -> Result<Option<ProvisionedThroughput>, BuildError> {
    match table.billing {
        Billing::OnDemand => Ok(None),
        Billing::Provisioned { read, write } => ProvisionedThroughput::builder()
            .read_capacity_units(read.into())
            .write_capacity_units(write.into())
            .build()
            .map(Some),
    }
}

fn key_schema(
    pk: KeyAttribute,
    sk: Option<KeyAttribute>,
) -> Result<Vec<KeySchemaElement>, BuildError> {
    let element = |attribute: KeyAttribute, key_type| {
        KeySchemaElement::builder()
            .attribute_name(attribute.name)
            .key_type(key_type)
            .build()
    };
    let mut schema = vec![element(pk, SdkKeyType::Hash)?];
    if let Some(sk) = sk {
        schema.push(element(sk, SdkKeyType::Range)?);
    }
    Ok(schema)
}

/// Each key attribute once, whichever keys share it.
fn key_attributes(table: &TableSchema) -> Vec<KeyAttribute> {
    let own = [Some(table.pk), table.sk];
    let indexes = table
        .indexes
        .iter()
        .flat_map(|index| [Some(index.pk), index.sk]);
    let mut attributes: Vec<KeyAttribute> = Vec::new();
    for attribute in own.into_iter().chain(indexes).flatten() {
        if !attributes.contains(&attribute) {
            attributes.push(attribute);
        }
    }
    attributes
}

fn attribute_definitions(table: &TableSchema) -> Result<Vec<AttributeDefinition>, BuildError> {
    let definition = |attribute: KeyAttribute| {
        let scalar = match attribute.key_type {
            KeyType::S => ScalarAttributeType::S,
            KeyType::N => ScalarAttributeType::N,
            KeyType::B => ScalarAttributeType::B,
        };
        AttributeDefinition::builder()
            .attribute_name(attribute.name)
            .attribute_type(scalar)
            .build()
    };
    key_attributes(table).into_iter().map(definition).collect()
}

fn global(table: &TableSchema, index: &IndexSchema) -> Result<GlobalSecondaryIndex, BuildError> {
    GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.pk, index.sk)?))
        .projection(projection(index.projection))
        .set_provisioned_throughput(throughput(table)?)
        .build()
}

fn local(index: &IndexSchema) -> Result<LocalSecondaryIndex, BuildError> {
    LocalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.pk, index.sk)?))
        .projection(projection(index.projection))
        .build()
}

fn projection(projection: Projection) -> SdkProjection {
    let builder = SdkProjection::builder();
    match projection {
        Projection::All => builder.projection_type(ProjectionType::All),
        Projection::KeysOnly => builder.projection_type(ProjectionType::KeysOnly),
        Projection::Include(names) => {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            builder
                .projection_type(ProjectionType::Include)
                .set_non_key_attributes(Some(names))
        }
    }
    .build()
}

/// Looks at the table, less and less often, until it is as it should be.
async fn wait_until(
    db: &Dynamo,
    table: &TableSchema,
    operation: &'static str,
    is_so: impl Fn(Option<&TableDescription>) -> bool,
) -> Result<(), Error> {
    let deadline = tokio::time::Instant::now() + PATIENCE;
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
            return Err(Error::new(place(db, table, operation), kind, None));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(5));
    }
}

/// The deployed table, or `None` where there is none.
async fn describe(db: &Dynamo, table: &TableSchema) -> Result<Option<TableDescription>, Error> {
    let response = db
        .client()
        .describe_table()
        .table_name(db.table_name(table))
        .send()
        .await;
    match response {
        Ok(output) => Ok(output.table),
        Err(error) => {
            let error = Error::sdk(place(db, table, "describe table"), error);
            if error.is_missing_table() {
                Ok(None)
            } else {
                Err(error)
            }
        }
    }
}

async fn set_ttl(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    let Some(ttl) = table.ttl else { return Ok(()) };
    let place = || place(db, table, "set TTL of");
    let specification = TimeToLiveSpecification::builder()
        .attribute_name(ttl)
        .enabled(true)
        .build()
        .map_err(|error| Error::new(place(), ErrorKind::Mismatch, Some(Box::new(error))))?;
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
        .map_err(|error| Error::sdk(place(), error))
}

/// Continuous backups, where the engine has them: a local one may not.
async fn set_recovery(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    if !table.point_in_time_recovery {
        return Ok(());
    }
    let place = || place(db, table, "set recovery of");
    let specification = PointInTimeRecoverySpecification::builder()
        .point_in_time_recovery_enabled(true)
        .build()
        .map_err(|error| Error::new(place(), ErrorKind::Mismatch, Some(Box::new(error))))?;
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
        Err(error) => Err(Error::sdk(place(), error)),
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

/// Deletes the table and waits until it is gone; one that is not there is gone.
pub(crate) async fn delete(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    let response = db
        .client()
        .delete_table()
        .table_name(db.table_name(table))
        .send()
        .await;
    if let Err(error) = response {
        let error = Error::sdk(place(db, table, "delete table"), error);
        return if error.is_missing_table() {
            Ok(())
        } else {
            Err(error)
        };
    }
    wait_until(db, table, "delete table", |deployed| deployed.is_none()).await
}

/// Compares the deployed table with the declaration; the error lists every difference.
pub(crate) async fn verify(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    let Some(deployed) = describe(db, table).await? else {
        return Err(Error::new(
            place(db, table, "verify table"),
            ErrorKind::MissingTable,
            None,
        ));
    };
    let differences = differences(table, &deployed);
    if differences.is_empty() {
        return Ok(());
    }
    let source = differences.join("\n").into();
    Err(Error::new(
        place(db, table, "verify table"),
        ErrorKind::Mismatch,
        Some(source),
    ))
}

/// What a key looks like, on either side: `PK (S) + SK (S)`.
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

fn differences(table: &TableSchema, deployed: &TableDescription) -> Vec<String> {
    let definitions = deployed.attribute_definitions();
    let mut found = Vec::new();
    let mut compare = |what: &str, declared: String, deployed: String| {
        if declared != deployed {
            found.push(format!("{what}: declared {declared}, deployed {deployed}"));
        }
    };
    compare(
        "key",
        declared_key(table.pk, table.sk),
        deployed_key(deployed.key_schema(), definitions),
    );
    let stream = deployed
        .stream_specification()
        .and_then(|stream| stream.stream_view_type());
    compare(
        "stream",
        table.stream.map_or("none", Stream::as_str).into(),
        stream.map_or("none", StreamViewType::as_str).into(),
    );
    let mut indexes: Vec<(String, String)> = Vec::new();
    for index in deployed.global_secondary_indexes() {
        let key = deployed_key(index.key_schema(), definitions);
        let shown = shown_index(key, index.projection());
        indexes.push((index.index_name().unwrap_or_default().to_owned(), shown));
    }
    for index in deployed.local_secondary_indexes() {
        let key = deployed_key(index.key_schema(), definitions);
        let shown = shown_index(key, index.projection());
        indexes.push((index.index_name().unwrap_or_default().to_owned(), shown));
    }
    for index in table.indexes {
        let declared = shown_index(
            declared_key(index.pk, index.sk),
            Some(&projection(index.projection)),
        );
        let deployed = indexes.iter().position(|(name, _)| name == index.name);
        let deployed = deployed.map(|at| indexes.remove(at).1);
        compare(
            &format!("index {}", index.name),
            declared,
            deployed.unwrap_or_else(|| "none".into()),
        );
    }
    for (name, shown) in indexes {
        compare(&format!("index {name}"), "none".into(), shown);
    }
    found
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
