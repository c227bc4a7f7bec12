//! Changes of a deployed table: one UpdateTable for one step of a plan.

use super::{
    context, definition, key_schema, on_demand, projection, tags, throughput, vector,
    warm_throughput,
};
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind};
use crate::schema::create::CreateTable;
use crate::schema::plan::PlanStep;
use crate::schema::{Billing, TableSchema};
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::update_table::builders::UpdateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    BillingMode, CreateGlobalSecondaryIndexAction, CreateReplicationGroupMemberAction,
    DeleteGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, OnDemandThroughput,
    ReplicationGroupUpdate, SseSpecification, SseType, StreamSpecification, StreamViewType,
    TimeToLiveSpecification, UpdateGlobalSecondaryIndexAction,
};

const OPERATION: &str = "update table";

/// Sends the UpdateTable of a step.
pub(crate) async fn update(
    db: &Dynamo,
    table: &'static TableSchema,
    step: &PlanStep,
) -> Result<(), Error> {
    let at = || context(db, table, OPERATION);
    let request = db.client().update_table().table_name(db.table_name(table));
    let request = match step {
        PlanStep::SetBilling { billing } => {
            let names = global_names(db, table).await?;
            set_billing(request, *billing, &names)
        }
        step => describe_step(request, table, step),
    };
    let request = request.map_err(|error| {
        let source = Some(Box::new(error) as _);
        Error::new(at(), ErrorKind::Mismatch, source)
    })?;
    let sent = request.send().await;
    sent.map(|_| ()).map_err(|error| Error::sdk(at(), error))
}

fn describe_step(
    request: UpdateTableFluentBuilder,
    table: &TableSchema,
    step: &PlanStep,
) -> Result<UpdateTableFluentBuilder, BuildError> {
    Ok(match step {
        PlanStep::Protect => request.deletion_protection_enabled(true),
        PlanStep::Encrypt { key } => request.sse_specification(
            SseSpecification::builder()
                .enabled(true)
                .sse_type(SseType::Kms)
                .set_kms_master_key_id(key.map(str::to_owned))
                .build(),
        ),
        PlanStep::SetOnDemandMaximum { maximum } => {
            // -1 takes a maximum away.
            let none = OnDemandThroughput::builder()
                .max_read_request_units(-1)
                .max_write_request_units(-1);
            request.on_demand_throughput(maximum.map_or_else(|| none.build(), on_demand))
        }
        PlanStep::SetWarmThroughput { throughput } => {
            request.warm_throughput(warm_throughput(*throughput))
        }
        PlanStep::SetTableClass { class } => request.table_class(class.as_str().into()),
        PlanStep::AddIndex { index } => add_index(request, table, index)?,
        PlanStep::AddVectorIndex { index } => vector::add(request, table, index)?,
        PlanStep::RemoveVectorIndex { index, .. } => vector::remove(request, index)?,
        PlanStep::RemoveIndex { index, .. } => {
            let delete = DeleteGlobalSecondaryIndexAction::builder().index_name(index);
            let update = GlobalSecondaryIndexUpdate::builder().delete(delete.build()?);
            request.global_secondary_index_updates(update.build())
        }
        PlanStep::DisableStream => {
            let stream = StreamSpecification::builder().stream_enabled(false);
            request.stream_specification(stream.build()?)
        }
        PlanStep::EnableStream { view } => {
            let stream = StreamSpecification::builder()
                .stream_enabled(true)
                .stream_view_type(StreamViewType::from(view.as_str()));
            request.stream_specification(stream.build()?)
        }
        PlanStep::AddReplica { region } => {
            let create = CreateReplicationGroupMemberAction::builder().region_name(*region);
            let update = ReplicationGroupUpdate::builder().create(create.build()?);
            request.replica_updates(update.build())
        }
        _ => request,
    })
}

/// Defines the key attributes of the new index only, because DynamoDB knows those of the others.
fn add_index(
    request: UpdateTableFluentBuilder,
    table: &TableSchema,
    index: &str,
) -> Result<UpdateTableFluentBuilder, BuildError> {
    let create = CreateTable::of(table);
    let Some(index) = create.global.iter().find(|it| it.name == index) else {
        return Ok(request);
    };
    let is_key = |name: &str| index.key_schema.iter().any(|(key, _)| *key == name);
    let definitions = create.attribute_definitions.iter();
    let definitions = definitions.filter(|it| is_key(it.name)).map(definition);
    let action = CreateGlobalSecondaryIndexAction::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(&index.key_schema)?))
        .projection(projection(index.projection, index.non_key_attributes))
        .set_provisioned_throughput(create.throughput.map(throughput).transpose()?);
    let update = GlobalSecondaryIndexUpdate::builder().create(action.build()?);
    Ok(request
        .set_attribute_definitions(Some(definitions.collect::<Result<_, _>>()?))
        .global_secondary_index_updates(update.build()))
}

/// Sets the billing mode. Provisioned units need those of each existing index, too.
fn set_billing(
    request: UpdateTableFluentBuilder,
    billing: Billing,
    indexes: &[String],
) -> Result<UpdateTableFluentBuilder, BuildError> {
    let Billing::Provisioned { read, write } = billing else {
        return Ok(request.billing_mode(BillingMode::PayPerRequest));
    };
    let units = throughput((read, write))?;
    let mut request = request
        .billing_mode(BillingMode::Provisioned)
        .provisioned_throughput(units.clone());
    for index in indexes {
        let action = UpdateGlobalSecondaryIndexAction::builder()
            .index_name(index)
            .provisioned_throughput(units.clone());
        let update = GlobalSecondaryIndexUpdate::builder().update(action.build()?);
        request = request.global_secondary_index_updates(update.build());
    }
    Ok(request)
}

async fn global_names(db: &Dynamo, table: &TableSchema) -> Result<Vec<String>, Error> {
    let deployed = super::describe(db, table).await?;
    let indexes = deployed.and_then(|it| it.global_secondary_indexes);
    let indexes = indexes.unwrap_or_default().into_iter();
    Ok(indexes.filter_map(|index| index.index_name).collect())
}

/// Sets the declared tags.
pub(crate) async fn set_tags(db: &Dynamo, table: &TableSchema) -> Result<(), Error> {
    let at = || context(db, table, "tag");
    let tags = tags(table)
        .map_err(|error| Error::new(at(), ErrorKind::Mismatch, Some(Box::new(error))))?;
    let deployed = super::describe(db, table).await?;
    let Some(arn) = deployed.and_then(|it| it.table_arn) else {
        return Err(Error::new(at(), ErrorKind::MissingTable, None));
    };
    let request = db.client().tag_resource().resource_arn(arn);
    let sent = request.set_tags(Some(tags)).send().await;
    sent.map(|_| ()).map_err(|error| Error::sdk(at(), error))
}

/// Disables TTL.
pub(crate) async fn disable_ttl(
    db: &Dynamo,
    table: &TableSchema,
    attribute: &str,
) -> Result<(), Error> {
    let at = || context(db, table, "disable TTL of");
    let specification = TimeToLiveSpecification::builder()
        .attribute_name(attribute)
        .enabled(false)
        .build()
        .map_err(|error| Error::new(at(), ErrorKind::Mismatch, Some(Box::new(error))))?;
    let request = db
        .client()
        .update_time_to_live()
        .table_name(db.table_name(table));
    let sent = request.time_to_live_specification(specification).send();
    let sent = sent.await;
    sent.map(|_| ()).map_err(|error| Error::sdk(at(), error))
}
