//! The elements of a list, the entries of a map, and the one entry of an enum's variant.

use super::read::{Kind, Reader, Value};
use super::rest::{Rest, check_constant};
use super::scan::{Broken, OPEN_S, PlainText};
use crate::schema::EntitySchema;
use crate::schema::undeclared::Undeclared;
use crate::wire::map_key::MapKey;
use crate::wire::path::Segment;
use crate::wire::reason::Reason;
use aws_sdk_dynamodb::types::AttributeValue;
use core::cell::OnceCell;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;

/// A list or set, after its bracket.
pub(super) struct Elements<'a, 'de> {
    reader: &'a mut Reader<'de>,
    /// The element type of a set.
    of_set: Option<Kind>,
    first: bool,
    ended: bool,
    /// How many were read.
    read: usize,
}

impl<'a, 'de> Elements<'a, 'de> {
    pub(super) fn new(reader: &'a mut Reader<'de>, of_set: Option<Kind>) -> Result<Self, Reason> {
        reader.scan.expect(b'[')?;
        Ok(Self {
            reader,
            of_set,
            first: true,
            ended: false,
            read: 0,
        })
    }

    fn more(&mut self) -> Result<bool, Reason> {
        self.ended = self.ended || !self.reader.scan.more(b']', &mut self.first)?;
        Ok(!self.ended)
    }

    /// Skips the rest: a tuple may be shorter than the list.
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
        match seed.deserialize(value) {
            Ok(element) => {
                self.read += 1;
                Ok(Some(element))
            }
            Err(reason) => Err(reason.within(Segment::Index(self.read))),
        }
    }
}

/// A map, after its brace.
pub(super) struct Entries<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
    ended: bool,
    /// Where the last name was looked for.
    before: usize,
}

impl<'a, 'de> Entries<'a, 'de> {
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Result<Self, Reason> {
        reader.scan.expect(b'{')?;
        Ok(Self {
            reader,
            first: true,
            ended: false,
            before: 0,
        })
    }

    /// Puts a reason into the entry that was read last.
    #[cold]
    fn within(&self, reason: Reason) -> Reason {
        let name = self.reader.name_at(self.before);
        reason.within(Segment::Name(name))
    }

    /// Returns the next name; its value must be read before the next call.
    #[inline(always)]
    fn name(&mut self) -> Result<Option<Cow<'de, str>>, Broken> {
        if self.ended {
            return Ok(None);
        }
        self.before = self.reader.scan.at();
        let name = self.reader.name(&mut self.first)?;
        self.ended = name.is_none();
        Ok(name)
    }

    #[inline]
    fn key<S: DeserializeSeed<'de>>(
        &self,
        name: Cow<'de, str>,
        seed: S,
    ) -> Result<S::Value, Reason> {
        let key = seed.deserialize(MapKey(name));
        key.map_err(|reason| self.within(reason))
    }

    #[inline]
    fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Reason> {
        let value = seed.deserialize(Value::new(self.reader));
        value.map_err(|reason| self.within(reason))
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
            Some(name) => self.key(name, seed).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Reason> {
        self.value(seed)
    }
}

/// Reads `{"Card":{"M":…}}`: one entry and no more.
pub(super) fn read_variant<'de, V: Visitor<'de>>(
    reader: &mut Reader<'de>,
    visitor: V,
) -> Result<V::Value, Reason> {
    reader.scan.expect(b'{')?;
    let (before, at) = (reader.scan.clone(), reader.scan.at());
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
    let mut known = false;
    let variant = Variant {
        reader,
        name,
        known: &mut known,
    };
    match visitor.visit_enum(variant) {
        Ok(value) => {
            reader.scan.expect(b'}')?;
            Ok(value)
        }
        Err(reason) if known => Err(reason.within(Segment::Name(reader.name_at(at)))),
        Err(reason) => Err(reason),
    }
}

struct Variant<'a, 'de> {
    reader: &'a mut Reader<'de>,
    name: Cow<'de, str>,
    /// Whether the variant exists, so that an error is in its content.
    known: &'a mut bool,
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
        *self.known = true;
        Ok((variant, Value::new(self.reader)))
    }
}

/// The attributes of an item; attributes restored from its keys come last, and replace stored ones.
pub(crate) struct Fields<'a, 'de> {
    entries: Entries<'a, 'de>,
    /// The attribute with the entity type, and the expected entity.
    entity_type: Option<(&'static str, &'static EntitySchema)>,
    keys: &'a mut KeyPositions,
    restored: Restored<'a, 'de>,
    undeclared: Option<Undeclared>,
    /// Whether serde sees every attribute: none is restored or undeclared.
    all: bool,
    rest: Rest<'de>,
}

/// The checks on an item while it is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Expectations {
    /// The attribute with the entity type, and the expected entity.
    pub(crate) entity_type: Option<(&'static str, &'static EntitySchema)>,
    /// The handling of undeclared attributes and constants.
    pub(crate) undeclared: Option<Undeclared>,
}

/// The key attributes of the table, and the positions of their values in the JSON of an item:
/// recorded on the way, so that the comparison of the key does not search for them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeyPositions {
    pub(crate) pk: KeyPosition,
    /// Without a sort key, its name is one that no attribute has.
    pub(crate) sk: KeyPosition,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeyPosition {
    pub(crate) name: &'static str,
    /// The position of its value; 0 until it is known.
    pub(crate) at: usize,
    /// The value, if it is a text without escapes.
    pub(crate) text: Option<PlainText>,
}

impl KeyPosition {
    pub(crate) const fn of(name: &'static str) -> Self {
        let (at, text) = (0, None);
        Self { name, at, text }
    }

    /// Records the next value.
    #[inline]
    fn note(&mut self, reader: &mut Reader<'_>) {
        self.at = reader.scan.at();
        self.text = reader.scan.plain_text(OPEN_S);
        reader.seen = self.text;
    }
}

/// Attributes that are not in the JSON of an item.
#[derive(Debug)]
pub(crate) struct Restored<'a, 'de> {
    pub(crate) attributes: &'a [(&'static str, AttributeValue)],
    /// The JSON of a map with them, until it is their turn.
    pub(crate) reader: Option<&'a mut Reader<'de>>,
}

impl Restored<'_, '_> {
    fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(own, _)| *own == name)
    }
}

impl<'a, 'de> Fields<'a, 'de> {
    pub(crate) fn new(
        reader: &'a mut Reader<'de>,
        Expectations {
            entity_type,
            undeclared,
        }: Expectations,
        keys: &'a mut KeyPositions,
        restored: Restored<'a, 'de>,
        rest: &'de OnceCell<String>,
    ) -> Result<Self, Reason> {
        Ok(Self {
            entries: Entries::new(reader)?,
            entity_type,
            keys,
            all: restored.reader.is_none() && undeclared.is_none(),
            restored,
            rest: Rest::of(undeclared, rest),
            undeclared,
        })
    }

    /// Checks the entity type, which may also be a field. An item of another entity is not read
    /// further.
    fn check_type(&mut self, expected: &EntitySchema) -> Result<(), Reason> {
        let reader = &mut *self.entries.reader;
        reader.seen = reader.scan.plain_text(OPEN_S);
        let is_own = match reader.seen {
            Some(seen) => reader
                .scan
                .text(seen)
                .is_some_and(|text| expected.has_type_bytes(text)),
            None => {
                let before = reader.scan.clone();
                let is_own = reader.open()? == Kind::S && expected.has_type(&reader.string()?);
                reader.scan = before;
                is_own
            }
        };
        if !is_own {
            return Err(Reason::other("an item of another entity"));
        }
        self.entity_type = None;
        Ok(())
    }

    /// Returns the next name in the JSON for serde.
    #[inline]
    fn stored(&mut self) -> Result<Option<Cow<'de, str>>, Reason> {
        while let Some(name) = self.entries.name()? {
            if name == self.keys.pk.name {
                self.keys.pk.note(self.entries.reader);
            } else if name == self.keys.sk.name {
                self.keys.sk.note(self.entries.reader);
            } else if let Some((own, expected)) = self.entity_type
                && own == name
            {
                self.check_type(expected)?;
            }
            if self.all {
                return Ok(Some(name));
            }
            if let Some(name) = self.handed_out(name)? {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Skips an attribute that is restored, or that serde must not see.
    #[inline(never)]
    fn handed_out(&mut self, name: Cow<'de, str>) -> Result<Option<Cow<'de, str>>, Reason> {
        let reader = &mut *self.entries.reader;
        if self.restored.reader.is_some() && self.restored.has(&name) {
            reader.scan.skip()?;
            return Ok(None);
        }
        let Some(undeclared) = self.undeclared else {
            return Ok(Some(name));
        };
        if let Some(constant) = undeclared.constant(&name) {
            check_constant(reader, constant)?;
            return Ok(None);
        }
        if undeclared.is_declared(&name) {
            return Ok(Some(name));
        }
        if undeclared.is_reserved(&name) {
            reader.scan.skip()?;
            return Ok(None);
        }
        match self.rest.field {
            Some(_) => {
                self.rest.push(&name, reader.raw()?);
                Ok(None)
            }
            None => Ok(Some(name)),
        }
    }

    /// Continues with restored attributes, then with undeclared ones.
    #[inline(never)]
    fn after_stored(&mut self) -> Result<Option<Cow<'de, str>>, Reason> {
        if let Some(name) = self.first_restored()? {
            return Ok(Some(name));
        }
        let Some((field, map)) = self.rest.begin() else {
            return Ok(None);
        };
        *self.entries.reader = Reader::new(map);
        Ok(Some(Cow::Borrowed(field)))
    }

    /// Puts a reason into the attribute that was read last. The rest field has only a Rust name.
    #[cold]
    fn within(&self, reason: Reason) -> Reason {
        if self.rest.begun {
            reason
        } else {
            self.entries.within(reason)
        }
    }

    /// Continues with restored attributes.
    fn first_restored(&mut self) -> Result<Option<Cow<'de, str>>, Reason> {
        if self.entity_type.is_some_and(|(_, entity)| !entity.untyped) {
            return Err(Reason::other("an item without an entity type"));
        }
        let Some(reader) = self.restored.reader.take() else {
            return Ok(None);
        };
        self.all = true;
        self.entries = Entries::new(reader)?;
        Ok(self.entries.name()?)
    }
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Reason;

    // A struct calls it in one place.
    #[inline(always)]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Reason> {
        let name = match self.stored()? {
            Some(name) => Some(name),
            None => self.after_stored()?,
        };
        match name {
            Some(name) => self.entries.key(name, seed).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Reason> {
        let value = seed.deserialize(Value::new(self.entries.reader));
        value.map_err(|reason| self.within(reason))
    }
}
