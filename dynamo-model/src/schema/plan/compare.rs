//! Compares the deployed table with its declaration, and returns the steps between them.

use super::step::{Obstacle, PlanStep};
use crate::db::Dynamo;
use crate::error::Error;
use crate::schema::deploy::{self, settings};
use crate::schema::{IndexId, IndexSchema, TableSchema};
use aws_sdk_dynamodb::types::{StreamViewType, TableDescription};

const ANOTHER_TABLE: &str = "DynamoDB cannot change the key of a table: declare a table of another \
                             name, write to both, copy the items with a migration, then read from \
                             the new one";
const ANOTHER_INDEX: &str = "DynamoDB makes local indexes with the table only: declare a global \
                             index instead, or a table of another name, write to both, and copy \
                             the items with a migration";

const STRONG: &str = "DynamoDB adds them to an empty table alone, both at once: deploy a table of \
                      another name with CloudFormation or Terraform, write to both, and copy the \
                      items with a migration";

/// The deployed table; empty if it does not exist.
pub(super) struct Deployed(Option<Description>);

struct Description {
    table: TableDescription,
    /// `None` if the engine does not report it.
    ttl: Option<Option<String>>,
    recovers: Option<bool>,
    lacks_tags: bool,
}

impl Deployed {
    pub(super) async fn describe(db: &Dynamo, table: &TableSchema) -> Result<Self, Error> {
        let Some(deployed) = deploy::describe(db, table).await? else {
            return Ok(Self(None));
        };
        let tags = settings::tags(db, table, &deployed).await?;
        Ok(Self(Some(Description {
            table: deployed,
            lacks_tags: tags.is_some(),
            ttl: settings::ttl(db, table).await?,
            recovers: settings::recovers(db, table).await?,
        })))
    }
}

/// Returns the steps in an order in which they can run, and the obstacles.
pub(super) fn steps(table: &TableSchema, deployed: &Deployed) -> (Vec<PlanStep>, Vec<Obstacle>) {
    let Some(deployed) = &deployed.0 else {
        return (vec![PlanStep::CreateTable], Vec::new());
    };
    let mut steps = Vec::new();
    protections(table, deployed, &mut steps);
    indexes(table, &deployed.table, &mut steps);
    stream(table, &deployed.table, &mut steps);
    ttl(table, deployed, &mut steps);
    let mut obstacles = obstacles(table, &deployed.table);
    let missing = settings::missing_replicas(table, &deployed.table);
    if table.multi_region_strong && !missing.is_empty() {
        obstacles.push(Obstacle {
            difference: deploy::different(
                "replicas with strong consistency",
                &missing.join(", "),
                "none",
            ),
            instead: STRONG,
        });
    } else {
        let missing = missing.into_iter();
        steps.extend(missing.map(|region| PlanStep::AddReplica { region }));
    }
    (steps, obstacles)
}

/// Adds the steps of protections first, then those of billing, so that a new index has units.
fn protections(table: &TableSchema, deployed: &Description, steps: &mut Vec<PlanStep>) {
    let is_protected = deployed.table.deletion_protection_enabled();
    if table.deletion_protection && is_protected == Some(false) {
        steps.push(PlanStep::Protect);
    }
    if table.point_in_time_recovery && deployed.recovers == Some(false) {
        steps.push(PlanStep::EnableRecovery);
    }
    if let Some(key) = settings::encryption_to_set(table, &deployed.table) {
        steps.push(PlanStep::Encrypt { key });
    }
    if settings::is_billed_otherwise(table.billing, &deployed.table) {
        let billing = table.billing;
        steps.push(PlanStep::SetBilling { billing });
    }
    if settings::maximum(table, &deployed.table).is_some() {
        let maximum = table.on_demand_maximum;
        steps.push(PlanStep::SetOnDemandMaximum { maximum });
    }
    let warm = settings::warm(table, &deployed.table).and(table.warm_throughput);
    steps.extend(warm.map(|throughput| PlanStep::SetWarmThroughput { throughput }));
    if settings::class(table, &deployed.table).is_some() {
        let class = table.class;
        steps.push(PlanStep::SetTableClass { class });
    }
    if deployed.lacks_tags {
        steps.push(PlanStep::SetTags);
    }
}

fn indexes(table: &TableSchema, deployed: &TableDescription, steps: &mut Vec<PlanStep>) {
    let existing = deploy::shown_global(deployed);
    let mut missing = Vec::new();
    for index in global(table) {
        let found = existing.iter().find(|(name, _)| name == index.name);
        match found {
            Some((_, shown)) if *shown == deploy::declared_index(index) => continue,
            Some((name, _)) => steps.push(PlanStep::RemoveIndex {
                index: name.clone(),
                is_replaced: true,
            }),
            None => {}
        }
        missing.push(index);
    }
    for (name, _) in existing {
        if global(table).all(|index| index.name != name) {
            steps.push(PlanStep::RemoveIndex {
                index: name,
                is_replaced: false,
            });
        }
    }
    for index in missing {
        steps.extend(backfill(table, index));
        steps.push(PlanStep::AddIndex { index: index.name });
    }
}

fn global(table: &TableSchema) -> impl Iterator<Item = &'static IndexSchema> + use<> {
    let indexes = table.indexes.iter();
    indexes.filter(|index| matches!(index.id, IndexId::Gsi(_)))
}

/// Returns the step that gives items the keys of an index. Without an items enum, the entities
/// are unknown. Items have the attributes of a native key already.
fn backfill(table: &TableSchema, index: &IndexSchema) -> Option<PlanStep> {
    if index.native {
        return None;
    }
    let is_in = |entity: &&&crate::schema::EntitySchema| {
        !entity.former && entity.indexes.iter().any(|own| own.id == index.id)
    };
    let entities: Vec<_> = table
        .items
        .iter()
        .filter(is_in)
        .map(|it| it.entity)
        .collect();
    (table.items.is_empty() || !entities.is_empty()).then_some(PlanStep::Backfill {
        index: index.name,
        entities,
    })
}

fn stream(table: &TableSchema, deployed: &TableDescription, steps: &mut Vec<PlanStep>) {
    let specification = deployed.stream_specification();
    let specification = specification.filter(|it| it.stream_enabled());
    let view = specification.and_then(|it| it.stream_view_type());
    let view = view.map(StreamViewType::as_str);
    let declared = table.stream.map(crate::schema::Stream::as_str);
    if view == declared {
        return;
    }
    if view.is_some() {
        steps.push(PlanStep::DisableStream);
    }
    steps.extend(table.stream.map(|view| PlanStep::EnableStream { view }));
}

fn ttl(table: &TableSchema, deployed: &Description, steps: &mut Vec<PlanStep>) {
    let Some(deployed) = &deployed.ttl else {
        return;
    };
    if deployed.as_deref() == table.ttl {
        return;
    }
    if let Some(attribute) = deployed.clone() {
        steps.push(PlanStep::DisableTtl { attribute });
    }
    let attribute = table.ttl;
    steps.extend(attribute.map(|attribute| PlanStep::EnableTtl { attribute }));
}

fn obstacles(table: &TableSchema, deployed: &TableDescription) -> Vec<Obstacle> {
    let mut obstacles = Vec::new();
    let mut compare = |what: &str, declared: &str, deployed: &str, instead| {
        if declared != deployed {
            let difference = deploy::different(what, declared, deployed);
            obstacles.push(Obstacle {
                difference,
                instead,
            });
        }
    };
    let (declared, own) = deploy::shown_keys(table, deployed);
    compare("key", &declared, &own, ANOTHER_TABLE);
    let existing = deploy::shown_local(deployed);
    for index in table.indexes {
        if let IndexId::Lsi(_) = index.id {
            let found = existing.iter().find(|(name, _)| name == index.name);
            let found = found.map_or("none", |(_, shown)| shown.as_str());
            let title = format!("local index {}", index.name);
            compare(&title, &deploy::declared_index(index), found, ANOTHER_INDEX);
        }
    }
    obstacles
}
