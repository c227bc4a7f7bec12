//! A value as an enum with a variant for each DynamoDB type.

use super::read::{Kind, Value};
use crate::wire::reason::Reason;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor};

/// A value of which the type was read.
pub(super) struct Typed<'a, 'de> {
    pub(super) value: Value<'a, 'de>,
    pub(super) kind: Kind,
}

impl<'de> EnumAccess<'de> for Typed<'_, 'de> {
    type Error = Reason;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Reason> {
        let name = IntoDeserializer::<Reason>::into_deserializer(self.kind.name());
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Typed<'_, 'de> {
    type Error = Reason;

    fn unit_variant(self) -> Result<(), Reason> {
        VariantAccess::unit_variant(self.value)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Reason> {
        match self.kind {
            Kind::Null => seed.deserialize(self.value.null()?.into_deserializer()),
            _ => seed.deserialize(self.value),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Reason> {
        self.value.tuple_variant(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Reason> {
        self.value.struct_variant(names, visitor)
    }
}
