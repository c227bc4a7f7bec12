//! The attributes of a whole item, but for those that its entity does not decide about.

use super::name::Name;
use super::refused::Refused;
use super::write::{Nulls, Writer, note};
use crate::key::KeyRef;
use crate::schema::form::Form;
use crate::schema::undeclared::Undeclared;
use crate::schema::{AttributeSchema, EntitySchema, TableSchema, look};
use aws_sdk_dynamodb::types::AttributeValue;
use serde::ser::{self, Impossible, Serialize, Serializer};

/// The handling of an attribute that is not simply written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributeHandling {
    /// Another value replaces it.
    Replaced,
    /// It is put aside, to be looked at.
    Kept,
    /// It is written in a special form; with `null`, `None` is NULL.
    Formed { null: bool, form: Form },
    /// It is a `#[dynamo(rest)]` field: its entries are attributes of the item.
    Rest,
}

/// The attributes that are not simply written.
#[derive(Debug, Default)]
pub(crate) struct AttributeHandlings {
    of: Vec<(&'static str, AttributeHandling)>,
    /// A bit for each of them. Most attributes match none, and need no further lookup.
    looks: u128,
    nulls: Nulls,
    /// The names that entries of a flattened map or of a rest field cannot have, if the entity has
    /// either.
    undeclared: Option<Undeclared>,
}

impl AttributeHandlings {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            of: Vec::with_capacity(capacity),
            looks: 0,
            nulls: Nulls::Omitted,
            undeclared: None,
        }
    }

    /// Adds the stored forms of the declaration, and the handling of undeclared attributes.
    pub(crate) fn add_forms(&mut self, table: &'static TableSchema, entity: &'static EntitySchema) {
        self.undeclared = Undeclared::of(table, entity);
        if let Some(rest) = entity.rest {
            self.push(rest, AttributeHandling::Rest);
        }
        if entity.nulls {
            self.nulls = Nulls::Stored;
        }
        if !entity.has_forms {
            return;
        }
        for attribute in entity.attributes.iter().filter(|it| it.is_formed()) {
            let AttributeSchema { null, form, .. } = *attribute;
            self.push(attribute.name, AttributeHandling::Formed { null, form });
        }
    }

    /// Makes it with the forms only.
    pub(crate) fn forms(table: &'static TableSchema, entity: &'static EntitySchema) -> Self {
        let mut this = Self::default();
        this.add_forms(table, entity);
        this
    }

    /// Adds an attribute. If it was added before, the first one counts.
    pub(crate) fn push(&mut self, name: &'static str, handling: AttributeHandling) {
        self.looks |= look(name);
        self.of.push((name, handling));
    }

    /// Returns whether `None` is stored as NULL.
    fn keeps_null(&self, name: &str) -> bool {
        let null = |handling: &AttributeHandling| {
            matches!(handling, AttributeHandling::Formed { null: true, .. })
        };
        let mut own = self.of.iter().filter(|(own, _)| *own == name);
        self.nulls == Nulls::Stored || own.any(|(_, handling)| null(handling))
    }

    fn get(&self, name: &str) -> Option<(&'static str, AttributeHandling)> {
        if self.looks & look(name) == 0 {
            return None;
        }
        self.of.iter().find(|(own, _)| *own == name).copied()
    }
}

/// Writes an item.
#[derive(Debug)]
pub(crate) struct ItemWriter {
    pub(crate) writer: Writer,
    first: bool,
    handlings: AttributeHandlings,
    /// Attributes kept aside.
    pub(crate) kept: Vec<(&'static str, AttributeValue)>,
    /// The names so far, if one may be repeated.
    names: Option<Vec<String>>,
    /// Whether the entries of a rest field are written.
    in_rest: bool,
}

impl ItemWriter {
    /// Writes the attributes of `entity`.
    pub(crate) fn write<T: Serialize>(
        entity: &T,
        handlings: AttributeHandlings,
    ) -> Result<Self, Refused> {
        let mut this = Self {
            writer: Writer::default(),
            first: true,
            handlings,
            kept: Vec::new(),
            names: None,
            in_rest: false,
        };
        this.writer.nulls = this.handlings.nulls;
        this.writer.out.reserve(512);
        this.writer.out.push(b'{');
        entity.serialize(&mut this)?;
        Ok(this)
    }

    fn entry<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Refused> {
        if self.in_rest {
            // NULL is a value like any other.
            return self.attribute_in(name, value, true, Form::Plain);
        }
        match self.handlings.get(name) {
            None => self.attribute_in(name, value, false, Form::Plain),
            Some((_, AttributeHandling::Formed { null, form })) => {
                self.attribute_in(name, value, null, form)
            }
            Some((_, AttributeHandling::Replaced)) => Ok(()),
            Some((_, AttributeHandling::Rest)) => {
                self.in_rest = true;
                value.serialize(&mut *self)?;
                self.in_rest = false;
                Ok(())
            }
            Some((name, AttributeHandling::Kept)) => {
                let mut aside = Writer::default();
                let written = aside.value(value).and_then(|()| aside.into_attribute());
                let value = written.map_err(|refused| refused.within_name(name))?;
                // `None` is omitted, as in any other attribute.
                if !value.is_null() || self.handlings.keeps_null(name) {
                    self.kept.push((name, value));
                }
                Ok(())
            }
        }
    }

    /// Writes an attribute of the entity, which may be absent.
    fn attribute_in<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
        null: bool,
        form: Form,
    ) -> Result<(), Refused> {
        let (mark, first) = (self.writer.mark(), self.first);
        self.writer.name(name, &mut self.first);
        let written = self.writer.value_in(form, value);
        written.map_err(|refused| refused.within_name(name))?;
        if self.writer.is_absent(null) {
            self.writer.take_back(mark);
            self.first = first;
        }
        Ok(())
    }

    /// Returns whether a name was repeated, so that the item cannot be sent unchanged.
    pub(crate) fn has_twice(&self) -> bool {
        self.writer.twice
    }

    /// Writes one more attribute.
    pub(crate) fn attribute(&mut self, name: &str, value: &AttributeValue) -> Result<(), Refused> {
        self.writer.name(name, &mut self.first);
        self.writer.attribute(value)
    }

    /// Writes a key attribute of valid length.
    pub(crate) fn key(&mut self, name: &str, value: KeyRef<'_>) {
        self.writer.name(name, &mut self.first);
        self.writer.key(value);
    }

    /// Returns the JSON, and the size of the item as DynamoDB counts it.
    pub(crate) fn finish(mut self) -> (Vec<u8>, usize) {
        self.writer.out.push(b'}');
        (self.writer.out, self.writer.size)
    }
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) $ok:ty;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$ok, Refused> {
            Err(Refused::no_item())
        }
    )*};
}

type No = Impossible<(), Refused>;

/// An item is a struct with names, or, where something is flattened in it, a map.
impl<'a> Serializer for &'a mut ItemWriter {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = MapWriter<'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant = No;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapWriter<'a>, Refused> {
        self.names = Some(Vec::new());
        Ok(MapWriter {
            item: self,
            name: String::new(),
        })
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Refused> {
        Err(Refused::no_item())
    }

    refused! {
        serialize_bool(bool) ();
        serialize_i8(i8) ();
        serialize_i16(i16) ();
        serialize_i32(i32) ();
        serialize_i64(i64) ();
        serialize_u8(u8) ();
        serialize_u16(u16) ();
        serialize_u32(u32) ();
        serialize_u64(u64) ();
        serialize_f32(f32) ();
        serialize_f64(f64) ();
        serialize_char(char) ();
        serialize_str(&str) ();
        serialize_bytes(&[u8]) ();
        serialize_none() ();
        serialize_unit() ();
        serialize_unit_struct(&'static str) ();
        serialize_unit_variant(&'static str, u32, &'static str) ();
        serialize_seq(Option<usize>) No;
        serialize_tuple(usize) No;
        serialize_tuple_struct(&'static str, usize) No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) No;
    }
}

impl ser::SerializeStruct for &mut ItemWriter {
    type Ok = ();
    type Error = Refused;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        self.entry(name, value)
    }

    fn end(self) -> Result<(), Refused> {
        Ok(())
    }
}

/// Writes an item that is a map.
pub(crate) struct MapWriter<'a> {
    item: &'a mut ItemWriter,
    name: String,
}

impl ser::SerializeMap for MapWriter<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        let name = &mut self.name;
        key.serialize(Name(&mut |text| {
            name.clear();
            name.push_str(text);
            Ok(())
        }))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.entry(value, false)
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), Refused> {
        self.serialize_key(key)?;
        // serde's derive names a field by a `str`, which is unsized; the keys of maps are sized.
        let may_be_field = size_of::<&K>() > size_of::<&()>();
        self.entry(value, may_be_field)
    }

    fn end(self) -> Result<(), Refused> {
        Ok(())
    }
}

impl MapWriter<'_> {
    fn entry<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        may_be_field: bool,
    ) -> Result<(), Refused> {
        let known = match &mut self.item.names {
            Some(names) => note(names, &self.name),
            None => false,
        };
        self.item.writer.twice |= known;
        if let Some(undeclared) = &self.item.handlings.undeclared {
            let refusal = undeclared.refusal(&self.name, may_be_field && !known);
            let refusal = refusal.or_else(|| known.then(|| TWICE.to_owned()));
            if let Some(reason) = refusal {
                return Err(Refused::new(reason).within_name(&self.name));
            }
        }
        self.item.entry(&self.name, value)
    }
}

const TWICE: &str = "two flattened maps or structs contain it; rename one of the entries";
