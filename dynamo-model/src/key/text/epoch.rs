//! Times as numbers since 1970: text of one width, or the number that a key of type N is.

use super::inline::Inline;
use crate::error::KeyErrorKind;
use crate::key::part::PartValue;
use crate::key::template::{EpochUnit, Form, PartSchema};

impl EpochUnit {
    /// Returns the number of units in a second.
    const fn per_second(self) -> u32 {
        10_u32.pow(self.fraction_digits() as u32)
    }

    const fn nanos(self) -> u32 {
        1_000_000_000 / self.per_second()
    }

    /// Returns the units from 1970 to a time, rounded towards the past.
    fn number(self, seconds: i64, nanos: u32) -> i128 {
        i128::from(seconds) * i128::from(self.per_second()) + i128::from(nanos / self.nanos())
    }

    /// Returns the time this many units after 1970.
    fn time(self, number: i128) -> Option<PartValue<'static>> {
        let per_second = i128::from(self.per_second());
        let rest = u32::try_from(number.rem_euclid(per_second)).ok()?;
        Some(PartValue::Time {
            seconds: i64::try_from(number.div_euclid(per_second)).ok()?,
            nanos: rest * self.nanos(),
        })
    }

    pub(super) fn decode(self, digits: u128) -> Option<PartValue<'static>> {
        self.time(i128::try_from(digits).ok()?)
    }
}

impl Inline {
    pub(super) fn set_epoch(
        &mut self,
        unit: EpochUnit,
        seconds: i64,
        nanos: u32,
    ) -> Result<(), KeyErrorKind> {
        let past = 10_u64.pow(unit.width() as u32);
        match u64::try_from(unit.number(seconds, nanos)) {
            Ok(number) if number < past => {
                self.set_number(number, unit.width());
                Ok(())
            }
            _ => Err(KeyErrorKind::EpochOutOfRange),
        }
    }
}

impl PartSchema {
    /// Returns the value in a key of type N: a time is a whole number there.
    pub(crate) fn to_number<'v>(self, value: PartValue<'v>) -> PartValue<'v> {
        match (self.spec.form, value) {
            (Form::Epoch(unit), PartValue::Time { seconds, nanos }) => {
                let number = unit.number(seconds, nanos);
                PartValue::Integer {
                    negative: number < 0,
                    magnitude: number.unsigned_abs(),
                }
            }
            _ => value,
        }
    }

    /// Inverts [`Self::to_number`].
    pub(crate) fn of_number<'v>(&self, value: PartValue<'v>) -> Option<PartValue<'v>> {
        match (self.spec.form, value) {
            (
                Form::Epoch(unit),
                PartValue::Integer {
                    negative,
                    magnitude,
                },
            ) => {
                let magnitude = i128::try_from(magnitude).ok()?;
                unit.time(if negative { -magnitude } else { magnitude })
            }
            _ => Some(value),
        }
    }
}
