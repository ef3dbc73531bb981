//! Java's object serialisation, as far as it takes to read an object's fields and to know where it ends. No class is ever loaded.
//!
//! Grammar: "Java Object Serialization Specification", chapter 6.

use std::rc::Rc;

use super::{
    cursor::{Cursor, Span},
    error::{Problem, ReadError},
};

/// `STREAM_MAGIC` and `STREAM_VERSION`.
pub(super) const HEADER: [u8; 4] = [0xac, 0xed, 0x00, 0x05];
/// The first reference.
const BASE_HANDLE: i32 = 0x007e_0000;
/// How deep objects may be nested, and how long a chain of superclasses may be.
const MAX_DEPTH: usize = 64;
/// How many objects, texts and classes one stream may have, and how many fields. Flink's have some dozens.
const MAX_THINGS: usize = 100_000;

const SC_WRITE_METHOD: u8 = 0x01;
const SC_SERIALIZABLE: u8 = 0x02;
const SC_EXTERNALIZABLE: u8 = 0x04;
const SC_BLOCK_DATA: u8 = 0x08;

/// An object and all that it refers to. References stay references, so nothing is ever expanded twice.
#[derive(Debug)]
pub(super) struct Graph {
    items: Vec<Item>,
    root: Value,
}

#[derive(Debug)]
enum Item {
    Class(Class),
    Object(Object),
    Text(String),
    Enum(String),
    /// An array, or a class as a value: nothing that is looked at.
    Other,
}

/// A class. Classes refer to each other by index: a chain of owners could be dropped only by as many nested calls.
#[derive(Clone, Debug)]
struct Class {
    name: Rc<str>,
    flags: u8,
    fields: Rc<[(u8, Rc<str>)]>,
    parent: Option<usize>,
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    class: Rc<str>,
    fields: Vec<(Rc<str>, Value)>,
    /// What its class wrote besides the fields.
    annotation: Vec<Value>,
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// `null`.
    Null,
    /// A whole number, a truth value or a character.
    Number(i64),
    /// Bytes that a class wrote by itself.
    Block(Span),
    /// Anything with an identity.
    Item(usize),
    /// A number with a fraction: not looked at.
    Fraction,
}

impl Object {
    /// The class's full name.
    pub(super) fn class(&self) -> &str {
        &self.class
    }

    /// The field `name`; the superclass's if both have one.
    pub(super) fn field(&self, name: &str) -> Option<Value> {
        self.fields.iter().find(|(field, _)| **field == *name).map(|(_, value)| *value)
    }

    /// What its class wrote besides the fields.
    pub(super) fn annotation(&self) -> &[Value] {
        &self.annotation
    }
}

impl Graph {
    /// The object itself.
    pub(super) fn root(&self) -> Option<&Object> {
        self.object(self.root)
    }

    /// The value as an object.
    pub(super) fn object(&self, value: Value) -> Option<&Object> {
        match value {
            Value::Item(index) => match self.items.get(index) {
                Some(Item::Object(object)) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value as the name of an enum's constant.
    pub(super) fn constant(&self, value: Value) -> Option<&str> {
        match value {
            Value::Item(index) => match self.items.get(index) {
                Some(Item::Enum(constant)) => Some(constant),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Reads a stream header and one object.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Graph, ReadError> {
    let offset = cursor.at();
    if cursor.take(HEADER.len(), "a Java object")? != HEADER {
        return Err(cursor.unexpected(offset, "a Java object (AC ED 00 05)", "other bytes"));
    }
    let mut reader = Reader { items: Vec::new(), fields: 0 };
    let root = reader.content(cursor, 0)?;
    Ok(Graph { items: reader.items, root })
}

struct Reader {
    items: Vec<Item>,
    fields: usize,
}

impl Reader {
    fn count(&self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        if self.items.len().max(self.fields) >= MAX_THINGS {
            return Err(cursor.fail(Problem::TooMany { limit: MAX_THINGS }));
        }
        cursor.item()
    }

    fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    fn set(&mut self, index: usize, item: Item) {
        if let Some(place) = self.items.get_mut(index) {
            *place = item;
        }
    }

    fn content(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, ReadError> {
        let depth = deeper(cursor, depth)?;
        self.count(cursor)?;
        let offset = cursor.at();
        match cursor.u8("a Java value")? {
            0x70 => Ok(Value::Null),
            0x71 => self.reference(cursor).map(Value::Item),
            0x72 => self.class(cursor, depth).map(Value::Item),
            0x73 => self.object(cursor, depth),
            0x74 => {
                let text = cursor.utf("a Java string")?;
                Ok(Value::Item(self.add(Item::Text(text))))
            }
            0x75 => self.array(cursor, depth),
            0x76 => {
                self.class_desc(cursor, depth)?;
                Ok(Value::Item(self.add(Item::Other)))
            }
            0x77 => {
                let len = usize::from(cursor.u8("the length of a block")?);
                block(cursor, len)
            }
            0x7a => {
                let len = cursor.count32("the length of a block")? as usize;
                block(cursor, len)
            }
            0x7c => {
                let len = usize::try_from(cursor.count64("the length of a Java string")?).unwrap_or(usize::MAX);
                cursor.take(len, "a Java string")?;
                Ok(Value::Item(self.add(Item::Other)))
            }
            0x7e => {
                self.class_desc(cursor, depth)?;
                let index = self.add(Item::Other);
                let constant = self.content(cursor, depth)?;
                if let Some(text) = self.text(constant).map(str::to_owned) {
                    self.set(index, Item::Enum(text));
                }
                Ok(Value::Item(index))
            }
            other => Err(cursor.unexpected(offset, "a Java value", format!("the type 0x{other:02X}"))),
        }
    }

    fn reference(&self, cursor: &mut Cursor<'_>) -> Result<usize, ReadError> {
        let offset = cursor.at();
        let handle = cursor.i32("a reference")?;
        handle
            .checked_sub(BASE_HANDLE)
            .and_then(|index| usize::try_from(index).ok())
            .filter(|index| *index < self.items.len())
            .ok_or_else(|| cursor.unexpected(offset, "a reference to what came before", format!("0x{handle:08X}")))
    }

    fn text(&self, value: Value) -> Option<&str> {
        match value {
            Value::Item(index) => match self.items.get(index) {
                Some(Item::Text(text)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// The index of a class description, new or by reference; `None` for `null`.
    fn class_desc(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Option<usize>, ReadError> {
        let offset = cursor.at();
        match cursor.u8("a class description")? {
            0x70 => Ok(None),
            0x71 => self.reference(cursor).map(Some),
            0x72 => self.class(cursor, depth).map(Some),
            other => Err(cursor.unexpected(offset, "a class description", format!("the type 0x{other:02X}"))),
        }
    }

    /// A class that must be there, with its index.
    fn required_class(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<(usize, Class), ReadError> {
        let offset = cursor.at();
        let index = self.class_desc(cursor, depth)?;
        index
            .and_then(|index| Some((index, self.class_at(index)?.clone())))
            .ok_or_else(|| cursor.unexpected(offset, "a class description", "null, or a reference to something else"))
    }

    fn class_at(&self, index: usize) -> Option<&Class> {
        match self.items.get(index) {
            Some(Item::Class(class)) => Some(class),
            _ => None,
        }
    }

    fn class(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<usize, ReadError> {
        let depth = deeper(cursor, depth)?;
        self.count(cursor)?;
        let name = Rc::from(cursor.utf("the name of a class")?);
        cursor.i64("a serialVersionUID")?;
        // The reference is given out before the fields are read, which may refer to it.
        let index = self.add(Item::Other);
        let flags = cursor.u8("the flags of a class")?;
        let offset = cursor.at();
        let count = usize::from(cursor.u16("the number of fields")?);
        cursor.fits(offset, count, 3, "the list of fields")?;
        let mut fields: Vec<(u8, Rc<str>)> = Vec::new();
        for _ in 0..count {
            let kind = cursor.u8("the type of a field")?;
            let field = cursor.utf("the name of a field")?;
            if matches!(kind, b'L' | b'[') {
                self.content(cursor, depth)?;
            }
            fields.push((kind, Rc::from(field)));
        }
        self.annotation(cursor, depth)?;
        let parent = self.class_desc(cursor, depth)?;
        self.set(index, Item::Class(Class { name, flags, fields: Rc::from(fields), parent }));
        Ok(index)
    }

    /// Contents up to the end mark.
    fn annotation(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Vec<Value>, ReadError> {
        let mut values = Vec::new();
        while cursor.rest().first() != Some(&0x78) {
            values.push(self.content(cursor, depth)?);
        }
        cursor.u8("an end mark")?;
        Ok(values)
    }

    fn object(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, ReadError> {
        let offset = cursor.at();
        let (class_index, class) = self.required_class(cursor, depth)?;
        let index = self.add(Item::Other);
        let mut fields = Vec::new();
        let mut annotation = Vec::new();
        if class.flags & SC_EXTERNALIZABLE != 0 {
            if class.flags & SC_BLOCK_DATA == 0 {
                return Err(cursor.unexpected(offset, "a Java object with marks", "one that only its own class can read"));
            }
            annotation = self.annotation(cursor, depth)?;
        } else {
            for class in self.lineage(cursor, class_index)? {
                if class.flags & SC_SERIALIZABLE == 0 {
                    continue;
                }
                self.fields += class.fields.len();
                self.count(cursor)?;
                for (kind, name) in class.fields.iter() {
                    fields.push((Rc::clone(name), self.value(cursor, *kind, depth)?));
                }
                if class.flags & SC_WRITE_METHOD != 0 {
                    annotation.extend(self.annotation(cursor, depth)?);
                }
            }
        }
        self.set(index, Item::Object(Object { class: class.name, fields, annotation }));
        Ok(Value::Item(index))
    }

    /// The class and its superclasses, the topmost first: the order in which their fields are written. A hostile chain may be a circle.
    fn lineage(&self, cursor: &Cursor<'_>, class: usize) -> Result<Vec<Class>, ReadError> {
        let mut lineage = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next.and_then(|index| self.class_at(index)) {
            if lineage.len() >= MAX_DEPTH {
                return Err(cursor.fail(Problem::TooDeep { what: "superclasses", limit: MAX_DEPTH }));
            }
            next = class.parent;
            lineage.push(class.clone());
        }
        lineage.reverse();
        Ok(lineage)
    }

    fn value(&mut self, cursor: &mut Cursor<'_>, kind: u8, depth: usize) -> Result<Value, ReadError> {
        const WHAT: &str = "the value of a field";
        cursor.item()?;
        Ok(match kind {
            b'B' | b'Z' => Value::Number(i64::from(cursor.i8(WHAT)?)),
            b'C' => Value::Number(i64::from(cursor.u16(WHAT)?)),
            b'S' => Value::Number(i64::from(cursor.i16(WHAT)?)),
            b'I' => Value::Number(i64::from(cursor.i32(WHAT)?)),
            b'J' => Value::Number(cursor.i64(WHAT)?),
            b'F' => cursor.take(4, WHAT).map(|_| Value::Fraction)?,
            b'D' => cursor.take(8, WHAT).map(|_| Value::Fraction)?,
            b'L' | b'[' => self.content(cursor, depth)?,
            other => return Err(cursor.unexpected(cursor.at(), "a field type", format!("0x{other:02X}"))),
        })
    }

    fn array(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, ReadError> {
        let (_, class) = self.required_class(cursor, depth)?;
        let index = self.add(Item::Other);
        let kind = class.name.as_bytes().get(1).copied().unwrap_or_default();
        let count = cursor.length(1, "an array")?;
        for _ in 0..count {
            self.value(cursor, kind, depth)?;
        }
        Ok(Value::Item(index))
    }
}

fn block(cursor: &mut Cursor<'_>, len: usize) -> Result<Value, ReadError> {
    let start = cursor.at();
    cursor.take(len, "a block")?;
    Ok(Value::Block(Span { start, len }))
}

fn deeper(cursor: &Cursor<'_>, depth: usize) -> Result<usize, ReadError> {
    if depth >= MAX_DEPTH {
        return Err(cursor.fail(Problem::TooDeep { what: "Java objects", limit: MAX_DEPTH }));
    }
    Ok(depth + 1)
}
