//! The elements of a list, the entries of a map, and the one entry of an enum's variant.

use super::read::{Kind, Reader, Value};
use super::scan::Broken;
use crate::wire::map_key::MapKey;
use crate::wire::reason::Reason;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;

/// A list or set, whose bracket was read.
pub(super) struct Elements<'a, 'de> {
    reader: &'a mut Reader<'de>,
    /// Of a set, what its elements are.
    of_set: Option<Kind>,
    first: bool,
    ended: bool,
}

impl<'a, 'de> Elements<'a, 'de> {
    pub(super) fn new(reader: &'a mut Reader<'de>, of_set: Option<Kind>) -> Result<Self, Reason> {
        reader.scan.expect(b'[')?;
        Ok(Self {
            reader,
            of_set,
            first: true,
            ended: false,
        })
    }

    fn more(&mut self) -> Result<bool, Reason> {
        self.ended = self.ended || !self.reader.scan.more(b']', &mut self.first)?;
        Ok(!self.ended)
    }

    /// A tuple may be shorter than the list.
    pub(super) fn skip_rest(mut self) -> Result<(), Reason> {
        while self.more()? {
            self.reader.scan.value()?;
        }
        Ok(())
    }
}

impl<'de> SeqAccess<'de> for &mut Elements<'_, 'de> {
    type Error = Reason;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Reason> {
        if !self.more()? {
            return Ok(None);
        }
        let value = match self.of_set {
            Some(kind) => Value::element(self.reader, kind),
            None => Value::new(self.reader),
        };
        seed.deserialize(value).map(Some)
    }
}

/// A map, whose brace was read.
pub(super) struct Entries<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
    ended: bool,
}

impl<'a, 'de> Entries<'a, 'de> {
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Result<Self, Reason> {
        reader.scan.expect(b'{')?;
        Ok(Self {
            reader,
            first: true,
            ended: false,
        })
    }

    /// The next name; its value must be read before the one after it is asked for.
    #[inline(always)]
    fn name(&mut self) -> Result<Option<Cow<'de, str>>, Broken> {
        if self.ended {
            return Ok(None);
        }
        let name = self.reader.name(&mut self.first)?;
        self.ended = name.is_none();
        Ok(name)
    }

    pub(super) fn skip_rest(mut self) -> Result<(), Reason> {
        while self.name()?.is_some() {
            self.reader.scan.value()?;
        }
        Ok(())
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Reason;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Reason> {
        match self.name()? {
            Some(name) => seed.deserialize(MapKey(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Reason> {
        seed.deserialize(Value::new(self.reader))
    }
}

/// `{"Card":{"M":…}}`: one entry and no more.
pub(super) fn read_variant<'de, V: Visitor<'de>>(
    reader: &mut Reader<'de>,
    visitor: V,
) -> Result<V::Value, Reason> {
    reader.scan.expect(b'{')?;
    let before = reader.scan.clone();
    let (mut entries, mut first) = (0, true);
    while reader.scan.name(&mut first)?.is_some() {
        reader.scan.value()?;
        entries += 1;
    }
    if entries != 1 {
        return Err(Reason::variants(entries));
    }
    reader.scan = before;
    let name = reader.name(&mut true)?.unwrap_or_default();
    let value = visitor.visit_enum(Variant { reader, name })?;
    reader.scan.expect(b'}')?;
    Ok(value)
}

struct Variant<'a, 'de> {
    reader: &'a mut Reader<'de>,
    name: Cow<'de, str>,
}

impl<'a, 'de> EnumAccess<'de> for Variant<'a, 'de> {
    type Error = Reason;
    type Variant = Value<'a, 'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), Reason> {
        let name = IntoDeserializer::<Reason>::into_deserializer(self.name);
        let variant = seed.deserialize(name)?;
        Ok((variant, Value::new(self.reader)))
    }
}

/// The attributes of an item; what is restored from its keys comes last, and takes the place of what is stored.
pub(crate) struct Fields<'a, 'de> {
    entries: Entries<'a, 'de>,
    /// The attribute that says which entity it is, and what it must say.
    entity_type: Option<(&'static str, &'static str)>,
    restored: Vec<(&'static str, AttributeValue)>,
    /// The value that belongs to the name that was given last, where it is not in the JSON.
    pending: Option<AttributeValue>,
}

impl<'a, 'de> Fields<'a, 'de> {
    pub(crate) fn new(
        reader: &'a mut Reader<'de>,
        entity_type: Option<(&'static str, &'static str)>,
        restored: Vec<(&'static str, AttributeValue)>,
    ) -> Result<Self, Reason> {
        Ok(Self {
            entries: Entries::new(reader)?,
            entity_type,
            restored,
            pending: None,
        })
    }

    /// Looks at the entity type, which may be a field as well. An item of another entity is not read further.
    fn check_type(&mut self, expected: &str) -> Result<(), Broken> {
        let reader = &mut *self.entries.reader;
        let before = reader.scan.clone();
        let is_own = reader.scan.accept_all(b"{\"S\":") && reader.string()? == expected;
        reader.scan = before;
        if !is_own {
            return Err(reader.scan.broken());
        }
        self.entity_type = None;
        Ok(())
    }

    /// The next name in the JSON that is not restored. Of what cannot be read it is enough to know that: the way over
    /// a map says why.
    fn stored(&mut self) -> Result<Option<Cow<'de, str>>, Broken> {
        while let Some(name) = self.entries.name()? {
            if let Some((own, expected)) = self.entity_type
                && own == name
            {
                self.check_type(expected)?;
            }
            if self.restored.is_empty() || !self.restored.iter().any(|(own, _)| *own == name) {
                return Ok(Some(name));
            }
            self.entries.reader.scan.skip()?;
        }
        Ok(None)
    }
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Reason;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Reason> {
        if let Some(name) = self.stored()? {
            return seed.deserialize(MapKey(name)).map(Some);
        }
        if self.entity_type.is_some() {
            return Err(Reason::Other("an item without an entity type".into()));
        }
        let Some((name, value)) = self.restored.pop() else {
            return Ok(None);
        };
        self.pending = Some(value);
        seed.deserialize(MapKey(Cow::Borrowed(name))).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Reason> {
        match self.pending.take() {
            Some(value) => seed.deserialize(crate::wire::read::Value(value)),
            None => seed.deserialize(Value::new(self.entries.reader)),
        }
    }
}
