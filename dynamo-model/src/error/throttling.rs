//! Why DynamoDB throttled a request: on what, for which kind of access, and by which limit.

use core::fmt;

/// One reason why DynamoDB throttled a request; see
/// [`Error::throttling`](crate::Error::throttling).
///
/// DynamoDB names a reason by resource, operation and limit:
/// `IndexWriteKeyRangeThroughputExceeded`. A reason that a later DynamoDB adds has its
/// [`code`](Self::code), and `None` for what is not known.
///
/// ```
/// use dynamo_model::Error;
///
/// fn report(error: &Error) {
///     for reason in error.throttling() {
///         eprintln!("{reason}: {:?} {:?}", reason.index(), reason.limit());
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrottlingReason {
    code: String,
    resource: Option<String>,
}

/// What was throttled: see [`ThrottlingReason::target`].
///
/// ```
/// use dynamo_model::throttling::ThrottledTarget;
///
/// assert_ne!(ThrottledTarget::Table, ThrottledTarget::Index);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThrottledTarget {
    /// The table.
    Table,
    /// A global secondary index. A write to the table is throttled with it.
    Index,
}

/// Which kind of access was throttled: see [`ThrottlingReason::access`].
///
/// ```
/// use dynamo_model::throttling::ThrottledAccess;
///
/// assert_ne!(ThrottledAccess::Read, ThrottledAccess::Write);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThrottledAccess {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// Which limit was exceeded: see [`ThrottlingReason::limit`].
///
/// ```
/// use dynamo_model::throttling::ThrottlingLimit;
///
/// assert_ne!(ThrottlingLimit::HotPartition, ThrottlingLimit::Provisioned);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThrottlingLimit {
    /// What one partition can do (`KeyRangeThroughputExceeded`): too many accesses to the same
    /// partition key.
    HotPartition,
    /// The provisioned capacity of the table or index.
    Provisioned,
    /// The maximum on-demand throughput that is set for the table or index.
    OnDemandMaximum,
    /// The account's quota for one table or index in on-demand mode.
    Account,
}

impl ThrottlingReason {
    #[cold]
    pub(crate) fn new(code: String, resource: Option<String>) -> Self {
        Self { code, resource }
    }

    /// Returns DynamoDB's name of the reason, such as `TableReadProvisionedThroughputExceeded`.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Returns the ARN of the table or index.
    #[must_use]
    pub fn resource(&self) -> Option<&str> {
        self.resource.as_deref()
    }

    /// Whether the table or an index was throttled.
    #[must_use]
    pub fn target(&self) -> Option<ThrottledTarget> {
        self.parts().0
    }

    /// Whether reads or writes were throttled.
    #[must_use]
    pub fn access(&self) -> Option<ThrottledAccess> {
        self.parts().1
    }

    /// Returns which limit was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<ThrottlingLimit> {
        Some(match self.parts().2 {
            "KeyRangeThroughputExceeded" => ThrottlingLimit::HotPartition,
            "ProvisionedThroughputExceeded" => ThrottlingLimit::Provisioned,
            "MaxOnDemandThroughputExceeded" => ThrottlingLimit::OnDemandMaximum,
            "AccountLimitExceeded" => ThrottlingLimit::Account,
            _ => return None,
        })
    }

    /// Returns whether too many accesses went to one partition. More capacity does not help; other
    /// keys do.
    #[must_use]
    pub fn is_hot_partition(&self) -> bool {
        self.limit() == Some(ThrottlingLimit::HotPartition)
    }

    /// Returns the deployed name of the table.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        // `arn:aws:dynamodb:<region>:<account>:table/<table>/index/<index>`
        let (_, name) = self.resource()?.split_once(":table/")?;
        name.split('/').next()
    }

    /// Returns the name of the index, if an index was throttled.
    #[must_use]
    pub fn index(&self) -> Option<&str> {
        let (_, name) = self.resource()?.split_once("/index/")?;
        name.split('/').next()
    }

    /// Returns resource, access and limit.
    fn parts(&self) -> (Option<ThrottledTarget>, Option<ThrottledAccess>, &str) {
        let rest = self.code.as_str();
        let (target, rest) = match (rest.strip_prefix("Table"), rest.strip_prefix("Index")) {
            (Some(rest), _) => (Some(ThrottledTarget::Table), rest),
            (_, Some(rest)) => (Some(ThrottledTarget::Index), rest),
            _ => (None, rest),
        };
        match (rest.strip_prefix("Read"), rest.strip_prefix("Write")) {
            (Some(limit), _) => (target, Some(ThrottledAccess::Read), limit),
            (_, Some(limit)) => (target, Some(ThrottledAccess::Write), limit),
            _ => (target, None, rest),
        }
    }

    /// Says for an error of this table what was throttled, by what, and what to do.
    pub(super) fn describe(&self, f: &mut fmt::Formatter<'_>, table: &str) -> fmt::Result {
        match (self.target(), self.index()) {
            (Some(ThrottledTarget::Index), Some(index)) => {
                write!(f, "index `{index}` of table `{table}` took no more ")?;
            }
            (Some(ThrottledTarget::Index), None) => {
                write!(f, "an index of table `{table}` took no more ")?;
            }
            _ => write!(f, "table `{table}` took no more ")?,
        }
        f.write_str(match self.access() {
            Some(ThrottledAccess::Read) => "reads",
            Some(ThrottledAccess::Write) => "writes",
            None => "requests",
        })?;
        f.write_str(match self.limit() {
            Some(ThrottlingLimit::HotPartition) => {
                ": one of its partitions is hot; spread the items over more partition keys, as \
                 with `shard(n)`"
            }
            Some(ThrottlingLimit::Provisioned) => {
                ": its provisioned capacity is used up; try later, or give it more capacity"
            }
            Some(ThrottlingLimit::OnDemandMaximum) => {
                ": its maximum on-demand throughput is reached; try later, or raise the maximum"
            }
            Some(ThrottlingLimit::Account) => {
                ": the account's quota for one table is used up; try later, or ask AWS for a \
                 higher quota"
            }
            None => "; try later, or give it more capacity",
        })
    }
}

/// The code.
impl fmt::Display for ThrottlingReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_sixteen_codes_has_its_parts() {
        let targets = [
            ("Table", ThrottledTarget::Table),
            ("Index", ThrottledTarget::Index),
        ];
        let accesses = [
            ("Read", ThrottledAccess::Read),
            ("Write", ThrottledAccess::Write),
        ];
        let limits = [
            ("KeyRangeThroughputExceeded", ThrottlingLimit::HotPartition),
            (
                "ProvisionedThroughputExceeded",
                ThrottlingLimit::Provisioned,
            ),
            (
                "MaxOnDemandThroughputExceeded",
                ThrottlingLimit::OnDemandMaximum,
            ),
            ("AccountLimitExceeded", ThrottlingLimit::Account),
        ];
        for (target, its_target) in targets {
            for (access, its_access) in accesses {
                for (limit, its_limit) in limits {
                    let reason = ThrottlingReason::new(format!("{target}{access}{limit}"), None);
                    assert_eq!(reason.target(), Some(its_target), "{reason}");
                    assert_eq!(reason.access(), Some(its_access), "{reason}");
                    assert_eq!(reason.limit(), Some(its_limit), "{reason}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_code_keeps_what_is_known_of_it() {
        let reason = ThrottlingReason::new("IndexReadMoonPhase".into(), None);
        assert_eq!(reason.target(), Some(ThrottledTarget::Index));
        assert_eq!(reason.access(), Some(ThrottledAccess::Read));
        assert_eq!(reason.limit(), None);
        let reason = ThrottlingReason::new("Other".into(), None);
        assert_eq!((reason.target(), reason.access()), (None, None));
        assert_eq!(reason.code(), "Other");
    }

    #[test]
    fn the_arn_names_table_and_index() {
        let arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/App/index/GSI1";
        let reason = ThrottlingReason::new(String::new(), Some(arn.into()));
        assert_eq!(
            (reason.table(), reason.index()),
            (Some("App"), Some("GSI1"))
        );
        let arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/App";
        let reason = ThrottlingReason::new(String::new(), Some(arn.into()));
        assert_eq!((reason.table(), reason.index()), (Some("App"), None));
    }
}
