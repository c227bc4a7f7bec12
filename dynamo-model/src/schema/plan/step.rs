//! The steps of a plan, and its obstacles.

use crate::schema::{Billing, Stream, TableClass, Throughput};
use core::fmt;

/// One step from the deployed table to the declaration; see [`Plan::steps`](super::Plan::steps).
///
/// ```
/// use dynamo_model::schema::plan::PlanStep;
///
/// let step = PlanStep::EnableTtl { attribute: "expires" };
/// assert_eq!(step.to_string(), "enable TTL by `expires`");
/// assert!(!step.needs_consent());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanStep {
    /// Creates the table, with everything that is declared.
    CreateTable,
    /// Turns on deletion protection.
    Protect,
    /// Turns on point-in-time recovery.
    EnableRecovery,
    /// Encrypts with KMS: with this key, or with the account's own for DynamoDB.
    Encrypt {
        /// The key.
        key: Option<&'static str>,
    },
    /// Changes how capacity is paid for.
    SetBilling {
        /// The declared billing.
        billing: Billing,
    },
    /// Sets or removes the maximum throughput on demand.
    SetOnDemandMaximum {
        /// The declared maximum.
        maximum: Option<Throughput>,
    },
    /// Raises the warm throughput.
    SetWarmThroughput {
        /// The declared throughput.
        throughput: Throughput,
    },
    /// Changes the table class. DynamoDB allows two changes in 30 days.
    SetTableClass {
        /// The declared class.
        class: TableClass,
    },
    /// Sets the declared tags. Other tags stay.
    SetTags,
    /// Removes an index, only with consent.
    RemoveIndex {
        /// The index.
        index: String,
        /// Whether it is declared differently and added again. If not, it is not declared.
        is_replaced: bool,
    },
    /// Writes the keys of a new index into the items that lack them.
    Backfill {
        /// The index.
        index: &'static str,
        /// The entities with items in it. Empty if the table declares no `items` enum.
        entities: Vec<&'static str>,
    },
    /// Adds an index.
    AddIndex {
        /// The index.
        index: &'static str,
    },
    /// Removes a vector index, by consent alone.
    RemoveVectorIndex {
        /// The index.
        index: String,
        /// Whether it is declared otherwise and added again. If not, it is not declared.
        is_replaced: bool,
    },
    /// Adds a vector index. DynamoDB fills it from the items that have its vector, and refuses
    /// searches until some time after it is ready.
    AddVectorIndex {
        /// The index.
        index: &'static str,
    },
    /// Disables the stream, only with consent: it is not declared, or has another view.
    DisableStream,
    /// Enables the stream.
    EnableStream {
        /// The images in its records.
        view: Stream,
    },
    /// Adds a replica in another region.
    AddReplica {
        /// The region.
        region: &'static str,
    },
    /// Disables TTL: it is not declared, or uses another attribute.
    DisableTtl {
        /// The attribute.
        attribute: String,
    },
    /// Enables TTL. Items with a time in the past expire then.
    EnableTtl {
        /// The attribute.
        attribute: &'static str,
    },
}

impl PlanStep {
    /// Returns whether it removes something, so that it runs only with consent.
    #[must_use]
    pub fn needs_consent(&self) -> bool {
        matches!(
            self,
            Self::RemoveIndex { .. } | Self::RemoveVectorIndex { .. } | Self::DisableStream
        )
    }
}

impl fmt::Display for PlanStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CreateTable => f.write_str("create the table"),
            Self::Protect => f.write_str("turn on deletion protection"),
            Self::EnableRecovery => f.write_str("turn on point-in-time recovery"),
            Self::Encrypt { key: None } => f.write_str("encrypt with the account's KMS key"),
            Self::Encrypt { key: Some(key) } => write!(f, "encrypt with KMS key `{key}`"),
            Self::SetBilling { billing } => match billing {
                Billing::OnDemand => f.write_str("bill on demand"),
                Billing::Provisioned { read, write } => {
                    write!(f, "provision {read} read and {write} write units")
                }
            },
            Self::SetOnDemandMaximum { maximum } => match maximum {
                None => f.write_str("take away the on-demand maximum"),
                Some(Throughput { read, write }) => {
                    write!(
                        f,
                        "set the on-demand maximum to {read} read and {write} write units"
                    )
                }
            },
            Self::SetWarmThroughput {
                throughput: Throughput { read, write },
            } => write!(
                f,
                "raise the warm throughput to {read} read and {write} write units"
            ),
            Self::SetTableClass { class } => write!(f, "set the table class to {}", class.as_str()),
            Self::SetTags => f.write_str("set the tags"),
            Self::RemoveIndex {
                index,
                is_replaced: true,
            } => write!(f, "remove index `{index}`, to replace it"),
            Self::RemoveIndex { index, .. } => {
                write!(f, "remove index `{index}`, which is not declared")
            }
            Self::Backfill { index, entities } => {
                write!(f, "backfill the keys of index `{index}` into the items of ")?;
                match entities.is_empty() {
                    true => f.write_str("the table"),
                    false => f.write_str(&entities.join(", ")),
                }
            }
            Self::RemoveVectorIndex {
                index,
                is_replaced: true,
            } => write!(f, "remove vector index `{index}`, to replace it"),
            Self::RemoveVectorIndex { index, .. } => {
                write!(f, "remove vector index `{index}`, which is not declared")
            }
            Self::AddVectorIndex { index } => write!(f, "add vector index `{index}`"),
            Self::AddIndex { index } => write!(f, "add index `{index}`"),
            Self::DisableStream => f.write_str("disable the stream"),
            Self::EnableStream { view } => write!(f, "enable the stream with {}", view.as_str()),
            Self::AddReplica { region } => write!(f, "add a replica in `{region}`"),
            Self::DisableTtl { attribute } => write!(f, "disable TTL by `{attribute}`"),
            Self::EnableTtl { attribute } => write!(f, "enable TTL by `{attribute}`"),
        }
    }
}

/// A difference that DynamoDB cannot change in place, and what to do instead; see
/// [`Plan::obstacles`](super::Plan::obstacles).
///
/// ```
/// use dynamo_model::schema::plan::Plan;
///
/// fn print(plan: &Plan<'_>) {
///     for obstacle in plan.obstacles() {
///         println!("{}; instead: {}", obstacle.difference, obstacle.instead);
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Obstacle {
    /// What is declared and what is deployed.
    pub difference: String,
    /// The alternative.
    pub instead: &'static str,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.difference, self.instead)
    }
}
