//! The meaning of a failed condition.

use super::immutable::{self, Immutable};
use super::own_type::OwnType;
use super::prepared::PreparedWrite;
use crate::error::{Error, ErrorKind};
use crate::expr::number::{Bound, Misfit};
use crate::expr::{Condition, Path, RawPath, Step, Term};
use crate::schema::{Constant, TableSchema};
use crate::transport::CallError;
use crate::wire::Item;
use crate::wire::values_eq;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;

/// The conditions of a write besides the user's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    pub(crate) presence: Presence,
    /// Attributes that must be as they were when the item was read.
    pub(crate) unchanged: Vec<Unchanged>,
    /// Sums that must fit the fields they are stored in.
    pub(crate) bounds: Vec<Bound>,
    /// Optional attributes that may be absent, but not NULL.
    pub(crate) not_null: Vec<RawPath>,
    /// Sets that must not be stored under an old name.
    pub(crate) not_renamed: Vec<RawPath>,
    /// Constants of the entity: an item that has another value is not replaced.
    pub(crate) constants: &'static [Constant],
    /// Immutable fields: an item that has another value is not replaced.
    pub(crate) immutable: Vec<Immutable>,
    /// The unique constraint, where the item is one's own.
    pub(crate) unique: Option<&'static str>,
    /// Whether the user has a condition too.
    pub(crate) has_condition: bool,
    /// The type that the item must have, where the entity's writes check it. Set by
    /// [`PreparedWrite::guarded`].
    pub(crate) own_type: Option<OwnType>,
}

/// Whether the item must be there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Presence {
    #[default]
    Any,
    Absent,
    Present,
}

/// An attribute that must not have changed.
#[derive(Clone)]
pub(crate) struct Unchanged {
    pub(crate) attribute: String,
    /// `None`: absent, or null.
    pub(crate) value: Option<AttributeValue>,
    pub(crate) hidden: bool,
    /// Whether 0 is as good as absent.
    pub(crate) counts: bool,
}

/// Hides the value, which may be sensitive.
impl fmt::Debug for Unchanged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unchanged").field(&self.attribute).finish()
    }
}

impl Unchanged {
    /// The version that an item was read with. `None` means that it was never counted: another
    /// program may have stored it without a version, or with 0.
    pub(crate) fn version(attribute: &str, version: Option<AttributeValue>) -> Self {
        Self {
            attribute: attribute.to_owned(),
            value: version,
            hidden: false,
            counts: true,
        }
    }

    pub(super) fn condition(&self) -> Condition {
        let path = RawPath::from(Step::Key(self.attribute.clone()));
        let path = match self.hidden {
            true => path.then(Step::Hidden),
            false => path,
        };
        match &self.value {
            Some(value) => Condition::equal(path, value.clone()),
            None => {
                let null = Condition::is_null(path.clone());
                let absent = Condition::term(Term::NotExists(path.clone())) | null;
                if self.counts {
                    absent | Condition::equal(path, zero())
                } else {
                    absent
                }
            }
        }
    }

    pub(super) fn holds(&self, item: &Item) -> bool {
        match (item.get(&self.attribute), &self.value) {
            (None | Some(AttributeValue::Null(_)), None) => true,
            (Some(stored), Some(value)) => values_eq(stored, value),
            (Some(stored), None) => self.counts && values_eq(stored, &zero()),
            _ => false,
        }
    }
}

fn differs(constant: &Constant, item: &Item) -> bool {
    let stored = item.get(constant.name);
    stored.is_some_and(|stored| !values_eq(stored, &constant.attribute()))
}

fn zero() -> AttributeValue {
    AttributeValue::N("0".into())
}

impl Guard {
    pub(crate) fn presence(presence: Presence) -> Self {
        Self {
            presence,
            ..Self::default()
        }
    }

    pub(crate) fn condition(&self, schema: &TableSchema) -> Option<Condition> {
        let pk = Path::<String>::attribute(schema.pk.name);
        let presence = match self.presence {
            Presence::Any => None,
            Presence::Absent => Some(pk.not_exists()),
            Presence::Present => Some(pk.exists()),
        };
        let own_type = self
            .own_type
            .and_then(|own| own.condition(schema, self.presence));
        // Nearly every write has one of these at most, and a chain of all would move each condition
        // many times.
        let mut all = presence;
        let mut require = |condition: Condition| {
            all = Some(match all.take() {
                Some(others) => others & condition,
                None => condition,
            });
        };
        if let Some(own_type) = own_type {
            require(own_type);
        }
        for unchanged in &self.unchanged {
            require(unchanged.condition());
        }
        for constant in self.constants {
            let path = RawPath::from(Step::Name(constant.name));
            let absent = Condition::term(Term::NotExists(path.clone()));
            require(absent | Condition::equal(path, constant.attribute()));
        }
        if let Some(immutable) = immutable::condition(schema, &self.immutable) {
            require(immutable);
        }
        for path in &self.not_null {
            require(!Condition::is_null(path.clone()));
        }
        for old in self.not_renamed.iter().flat_map(RawPath::old_paths) {
            require(Condition::term(Term::NotExists(old)));
        }
        for bound in &self.bounds {
            require(bound.condition());
        }
        all
    }

    /// True if a check requires an existing value.
    pub(crate) fn expects_an_item(&self) -> bool {
        self.unchanged.iter().any(|it| it.value.is_some())
    }

    /// Returns why the condition failed, as far as the stored item shows it.
    pub(crate) fn kind(&self, item: Option<&Item>) -> ErrorKind {
        if let Some(constraint) = self.unique {
            return ErrorKind::NotUnique { constraint };
        }
        let Some(item) = item else {
            return match self.presence {
                // It is absent, so it is something else that does not hold.
                Presence::Absent if self.has_condition => ErrorKind::ConditionFailed,
                Presence::Absent => ErrorKind::AlreadyExists,
                Presence::Present => ErrorKind::NotFound,
                Presence::Any if self.expects_an_item() => ErrorKind::NotFound,
                Presence::Any => self.misfit(None).unwrap_or(ErrorKind::ConditionFailed),
            };
        };
        if self.presence == Presence::Absent {
            return ErrorKind::AlreadyExists;
        }
        if let Some(other) = self.own_type.and_then(|own| own.other(item)) {
            return other;
        }
        let mut not_null = self.not_null.iter();
        let null = not_null.find(|path| path.find(item).is_some_and(AttributeValue::is_null));
        if let Some(path) = null {
            let attribute = path.to_string();
            return ErrorKind::StoredNull { attribute };
        }
        let renamed = self.not_renamed.iter().find_map(|path| {
            let mut old = path.old_paths();
            Some((path, old.find(|old| old.find(item).is_some())?))
        });
        if let Some((path, old_path)) = renamed {
            return ErrorKind::OldName {
                attribute: path.to_string(),
                old_name: old_path.to_string(),
            };
        }
        if let Some(constant) = self.constants.iter().find(|it| differs(it, item)) {
            return ErrorKind::OtherConstant {
                attribute: constant.name,
                declared: constant.value,
            };
        }
        if let Some(mismatch) = self.immutable.iter().find_map(|it| it.mismatch(item)) {
            return mismatch;
        }
        match self.unchanged.iter().find(|it| !it.holds(item)) {
            Some(changed) => ErrorKind::Conflict {
                attribute: changed.attribute.clone(),
            },
            None => self
                .misfit(Some(item))
                .unwrap_or(ErrorKind::ConditionFailed),
        }
    }

    /// The first sum that does not fit.
    fn misfit(&self, item: Option<&Item>) -> Option<ErrorKind> {
        let mut misfits = self
            .bounds
            .iter()
            .filter_map(|it| Some((it, it.misfit(item)?)));
        let (bound, misfit) = misfits.next()?;
        let attribute = bound.attribute();
        Some(match misfit {
            Misfit::OutOfRange(stored) => ErrorKind::OutOfRange {
                attribute,
                range: bound.range(),
                stored: stored.map(Into::into),
            },
            Misfit::NotANumber => ErrorKind::NotANumber { attribute },
        })
    }
}

impl PreparedWrite {
    /// Returns the error of a single write.
    #[cold]
    pub(super) fn failed(&self, error: CallError) -> Error {
        if let Some(item) = &error.condition {
            return self.refused(item.clone(), error.into_source());
        }
        let absent_parent = self.absent_parent(error.message());
        let error = error.at(self.context.clone());
        match absent_parent {
            Some(kind) => error.with_kind(kind),
            None => error,
        }
    }

    /// Returns the kind of a `ValidationException` on a path within a map or list that the item
    /// does not have. DynamoDB does not name the path.
    #[cold]
    pub(super) fn absent_parent(&self, message: Option<&str>) -> Option<ErrorKind> {
        let is_path = message.is_some_and(|it| it.contains("invalid for update"));
        if !is_path || self.inner_paths.is_empty() {
            return None;
        }
        let paths: Vec<_> = self.inner_paths.iter().map(ToString::to_string).collect();
        let attribute = paths.join("` or `");
        Some(ErrorKind::AbsentParent { attribute })
    }

    /// The error of a condition that failed on an item.
    #[cold]
    pub(super) fn refused(&self, item: Option<Item>, source: crate::error::Source) -> Error {
        // Some engines return an empty item for a missing one.
        let item = item.filter(|item| !item.is_empty());
        let kind = self.guard.kind(item.as_ref());
        let holder = self.guard.own_type.zip(item.as_ref());
        let holder = holder.and_then(|(own, item)| own.holder(item));
        Error::new(self.context.clone(), kind, Some(source))
            .with_item(item)
            .with_holder(holder)
    }
}
