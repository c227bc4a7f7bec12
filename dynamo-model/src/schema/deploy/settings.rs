//! The settings of a deployed table, compared with its declaration: encryption, billing,
//! protection, TTL, recovery.
//!
//! An operation that the engine does not know, or a setting that it does not describe, is not
//! compared.

use super::{Comparison, context, is_unknown_operation};
use crate::db::Dynamo;
use crate::error::Error;
use crate::schema::{Billing, Encryption, TableSchema};
use aws_sdk_dynamodb::types::{
    BillingMode, MultiRegionConsistency, PointInTimeRecoveryStatus, SseStatus, SseType,
    TableDescription, TimeToLiveStatus,
};
use std::collections::BTreeSet;

pub(super) async fn compare(
    db: &Dynamo,
    table: &TableSchema,
    deployed: &TableDescription,
    out: &mut Comparison,
) -> Result<(), Error> {
    if !keeps_no_keys(deployed) {
        encryption(table.encryption, deployed, out);
    }
    billing(table.billing, deployed, out);
    for (what, declared, deployed) in [
        maximum(table, deployed),
        warm(table, deployed),
        class(table, deployed),
        tags(db, table, deployed).await?,
    ]
    .into_iter()
    .flatten()
    {
        out.same(what, &declared, &deployed);
    }
    if let Some(is_protected) = deployed.deletion_protection_enabled() {
        protection(
            "deletion protection",
            table.deletion_protection,
            is_protected,
            out,
        );
    }
    if let Some(ttl) = ttl(db, table).await? {
        let ttl = ttl.as_deref().unwrap_or("none");
        out.same("TTL", table.ttl.unwrap_or("none"), ttl);
    }
    if let Some(recovers) = recovers(db, table).await? {
        protection(
            "point-in-time recovery",
            table.point_in_time_recovery,
            recovers,
            out,
        );
    }
    Ok(())
}

/// Returns whether the engine is DynamoDB Local, which accepts a key but never describes it. Its
/// tables have a special region.
fn keeps_no_keys(deployed: &TableDescription) -> bool {
    let arn = deployed.table_arn().unwrap_or_default();
    deployed.sse_description().is_none() && arn.starts_with("arn:aws:dynamodb:ddblocal:")
}

/// Compares the replicas in other regions. A local engine has no regions; the account in its ARNs
/// is `000000000000`.
pub(super) fn replicas(table: &TableSchema, deployed: &TableDescription, out: &mut Comparison) {
    let found = deployed.multi_region_consistency();
    let Some(deployed) = deployed_replicas(deployed) else {
        return;
    };
    let consistency = |is_strong| if is_strong { "strong" } else { "eventual" };
    let is_strong = found == Some(&MultiRegionConsistency::Strong);
    let declared = consistency(table.multi_region_strong);
    out.same(
        "consistency between regions",
        declared,
        consistency(is_strong),
    );
    let declared: BTreeSet<_> = table.replicas.iter().copied().collect();
    let shown = |regions: &BTreeSet<&str>| match regions.is_empty() {
        true => "none".to_owned(),
        false => Vec::from_iter(regions.iter().copied()).join(", "),
    };
    let (declared_shown, deployed_shown) = (shown(&declared), shown(&deployed));
    match declared.is_subset(&deployed) {
        false => out.same("replicas", &declared_shown, &deployed_shown),
        true if declared != deployed => out.more("replicas", &declared_shown, deployed_shown),
        true => {}
    }
}

/// Returns the other regions of the table; `None` on an engine without regions.
fn deployed_replicas(deployed: &TableDescription) -> Option<BTreeSet<&str>> {
    let arn = deployed.table_arn().unwrap_or_default();
    let mut parts = arn.split(':').skip(3);
    let (own, account) = (parts.next(), parts.next());
    let regions = deployed.replicas().iter().filter_map(|it| it.region_name());
    let regions = regions.filter(|it| Some(*it) != own).collect();
    (account != Some("000000000000")).then_some(regions)
}

/// The declared regions that do not have the table.
pub(in crate::schema) fn missing_replicas(
    table: &TableSchema,
    deployed: &TableDescription,
) -> Vec<&'static str> {
    let Some(deployed) = deployed_replicas(deployed) else {
        return Vec::new();
    };
    let declared = table.replicas.iter().copied();
    declared.filter(|it| !deployed.contains(it)).collect()
}

/// The KMS key that the table must be given, if it is not as declared.
pub(in crate::schema) fn encryption_to_set(
    table: &TableSchema,
    deployed: &TableDescription,
) -> Option<Option<&'static str>> {
    let Encryption::Kms(key) = table.encryption else {
        return None;
    };
    let mut out = Comparison::default();
    if !keeps_no_keys(deployed) {
        encryption(table.encryption, deployed, &mut out);
    }
    (!out.differences.is_empty()).then_some(key)
}

/// Whether the billing mode is not as declared. Units may differ, as auto scaling changes them.
pub(in crate::schema) fn is_billed_otherwise(
    declared: Billing,
    deployed: &TableDescription,
) -> bool {
    let mut out = Comparison::default();
    billing(declared, deployed, &mut out);
    !out.differences.is_empty()
}

/// What is compared, as it is declared and as it is deployed, where the two differ.
type Difference = (&'static str, String, String);

fn shown_units(units: Option<(i64, i64)>) -> String {
    units.map_or_else(
        || "none".to_owned(),
        |(read, write)| format!("{read} read and {write} write units"),
    )
}

/// A maximum that is deployed and not declared refuses requests, so it is a difference.
pub(in crate::schema) fn maximum(
    table: &TableSchema,
    deployed: &TableDescription,
) -> Option<Difference> {
    let unit = |units: Option<i64>| units.filter(|units| *units > 0);
    let found = deployed.on_demand_throughput().and_then(|it| {
        let units = (
            unit(it.max_read_request_units()),
            unit(it.max_write_request_units()),
        );
        (units != (None, None)).then_some((units.0.unwrap_or(-1), units.1.unwrap_or(-1)))
    });
    let declared = table.on_demand_maximum;
    let declared = declared.map(|it| (i64::from(it.read), i64::from(it.write)));
    let shown = (shown_units(declared), shown_units(found));
    (declared != found).then_some(("on-demand maximum", shown.0, shown.1))
}

/// It grows with the load, so more than is declared is not a difference. Some engines do not know
/// it.
pub(in crate::schema) fn warm(
    table: &TableSchema,
    deployed: &TableDescription,
) -> Option<Difference> {
    let declared = table.warm_throughput?;
    let declared = (i64::from(declared.read), i64::from(declared.write));
    let found = deployed.warm_throughput()?;
    let unit = |units: Option<i64>| units.unwrap_or_default();
    let found = (
        unit(found.read_units_per_second()),
        unit(found.write_units_per_second()),
    );
    let shown = (shown_units(Some(declared)), shown_units(Some(found)));
    let is_less = found.0 < declared.0 || found.1 < declared.1;
    is_less.then_some(("warm throughput", shown.0, shown.1))
}

pub(in crate::schema) fn class(
    table: &TableSchema,
    deployed: &TableDescription,
) -> Option<Difference> {
    let found = deployed.table_class_summary();
    let found = found.and_then(|it| it.table_class());
    let found = found.map_or("STANDARD", |it| it.as_str());
    let declared = table.class.as_str();
    (declared != found).then(|| ("table class", declared.to_owned(), found.to_owned()))
}

/// Other tags than the declared ones belong to others.
pub(in crate::schema) async fn tags(
    db: &Dynamo,
    table: &TableSchema,
    deployed: &TableDescription,
) -> Result<Option<Difference>, Error> {
    let (Some(arn), false) = (deployed.table_arn(), table.tags.is_empty()) else {
        return Ok(None);
    };
    let mut found = std::collections::BTreeMap::new();
    let mut next = None;
    loop {
        let request = db.client().list_tags_of_resource().resource_arn(arn);
        let page = match request.set_next_token(next).send().await {
            Ok(page) => page,
            Err(error) if is_unknown_operation(&error) => return Ok(None),
            Err(error) => return Err(Error::sdk(context(db, table, "list tags of"), error)),
        };
        let tags = page.tags.unwrap_or_default().into_iter();
        found.extend(tags.map(|tag| (tag.key, tag.value)));
        next = page.next_token;
        if next.is_none() {
            break;
        }
    }
    let shown = |name: &str, value: Option<&str>| format!("{name}={}", value.unwrap_or("none"));
    let missing = table.tags.iter().filter_map(|(name, value)| {
        let found = found.get(*name).map(String::as_str);
        (found != Some(*value)).then(|| (shown(name, Some(value)), shown(name, found)))
    });
    let (declared, deployed): (Vec<_>, Vec<_>) = missing.unzip();
    let is_missing = !declared.is_empty();
    Ok(is_missing.then(|| ("tags", declared.join(", "), deployed.join(", "))))
}

/// Compares protection. More protection than declared is not a difference.
fn protection(what: &str, declared: bool, deployed: bool, out: &mut Comparison) {
    match (declared, deployed) {
        (true, false) => out.same(what, "on", "off"),
        (false, true) => out.more(what, "off", "on"),
        _ => {}
    }
}

fn encryption(declared: Encryption, deployed: &TableDescription, out: &mut Comparison) {
    const OF_AWS: &str = "a key of AWS";
    let description = deployed.sse_description();
    let is_on = description.is_some_and(|it| {
        let status = it.status();
        it.sse_type() == Some(&SseType::Kms)
            && !matches!(status, Some(SseStatus::Disabled | SseStatus::Disabling))
    });
    let key = description.and_then(|it| it.kms_master_key_arn());
    let shown_deployed = match (is_on, key) {
        (false, _) => OF_AWS.to_owned(),
        (true, None) => "KMS".to_owned(),
        (true, Some(key)) => format!("KMS, {key}"),
    };
    match declared {
        Encryption::AwsOwned if is_on => out.more("encryption", OF_AWS, shown_deployed),
        Encryption::AwsOwned => {}
        Encryption::Kms(None) if is_on => {}
        Encryption::Kms(None) => out.same("encryption", "KMS", &shown_deployed),
        Encryption::Kms(Some(own)) => {
            let is_own = is_on && key.is_none_or(|key| may_be_key(own, key));
            if !is_own {
                out.same("encryption", &format!("KMS, {own}"), &shown_deployed);
            }
        }
    }
}

/// Returns whether a declared key, by its id, ARN or alias, may be the one with this ARN. Only KMS
/// knows the key of an alias.
fn may_be_key(declared: &str, arn: &str) -> bool {
    let is_alias = declared.starts_with("alias/") || declared.contains(":alias/");
    is_alias || declared == arn || arn.ends_with(&format!(":key/{declared}"))
}

fn billing(declared: Billing, deployed: &TableDescription, out: &mut Comparison) {
    let mode = deployed.billing_mode_summary();
    // A table that was always provisioned has no summary.
    let on_demand = mode.and_then(|it| it.billing_mode()) == Some(&BillingMode::PayPerRequest);
    let units = deployed.provisioned_throughput();
    let unit = |units: Option<i64>| units.unwrap_or_default();
    let shown = match on_demand {
        true => shown_billing(None),
        false => shown_billing(Some((
            unit(units.and_then(|it| it.read_capacity_units())),
            unit(units.and_then(|it| it.write_capacity_units())),
        ))),
    };
    match declared {
        Billing::OnDemand => out.same("billing", &shown_billing(None), &shown),
        Billing::Provisioned { read, write } => {
            let own = shown_billing(Some((read.into(), write.into())));
            match (on_demand, own == shown) {
                (true, _) => out.same("billing", &own, &shown),
                // Auto scaling changes the units.
                (false, false) => out.more("billing", &own, shown),
                (false, true) => {}
            }
        }
    }
}

fn shown_billing(units: Option<(i64, i64)>) -> String {
    match units {
        None => "on demand".to_owned(),
        Some((read, write)) => format!("provisioned, {read} read and {write} write units"),
    }
}

/// Returns the TTL attribute of the deployed table; `None` if the engine does not describe it.
pub(in crate::schema) async fn ttl(
    db: &Dynamo,
    table: &TableSchema,
) -> Result<Option<Option<String>>, Error> {
    let request = db.client().describe_time_to_live();
    let described = request.table_name(db.table_name(table)).send().await;
    match described {
        Ok(output) => {
            let ttl = output.time_to_live_description.filter(|it| {
                let status = it.time_to_live_status();
                matches!(
                    status,
                    Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling)
                )
            });
            Ok(Some(ttl.and_then(|it| it.attribute_name)))
        }
        Err(error) if is_unknown_operation(&error) => Ok(None),
        Err(error) => Err(Error::sdk(context(db, table, "describe TTL of"), error)),
    }
}

/// Returns whether the deployed table has continuous backups; `None` if the engine does not
/// describe it.
pub(in crate::schema) async fn recovers(
    db: &Dynamo,
    table: &TableSchema,
) -> Result<Option<bool>, Error> {
    let request = db.client().describe_continuous_backups();
    let described = request.table_name(db.table_name(table)).send().await;
    match described {
        Ok(output) => {
            let backups = output.continuous_backups_description();
            let recovery = backups.and_then(|it| it.point_in_time_recovery_description());
            let status = recovery.and_then(|it| it.point_in_time_recovery_status());
            Ok(Some(status == Some(&PointInTimeRecoveryStatus::Enabled)))
        }
        Err(error) if is_unknown_operation(&error) => Ok(None),
        Err(error) => Err(Error::sdk(context(db, table, "describe backups of"), error)),
    }
}
