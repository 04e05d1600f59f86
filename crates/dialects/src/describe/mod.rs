//! A message is one description: a struct with `#[derive(Message)]`.
//!
//! ```text
//!                        ┌ Object     reads and writes the JSON object, lenient and exact
//! #[derive(Message)] ───▶┤ Described  fields with form, unit, words and counterpart: rows, schemas, samples
//!                        └ Translate  decodes the model's record from it and encodes it
//! ```
//!
//! | file | |
//! |---|---|
//! | [`codec`] | how a value on the wire and a value of the model stand for each other |
//! | `unit` | the units of the wire |
//! | `may_lack` | fields of a record of which nothing may be known |
//! | `lenient` | values in more than one spelling |
//! | `object` | JSON objects whose keys may be missing |
//! | `rows` | a description as a list of paths |
//! | `check` | samples of a description, and the test that all of it holds |

mod call;
#[cfg(test)]
pub(crate) mod check;
pub mod codec;
pub(crate) mod lenient;
mod may_lack;
mod object;
mod rows;
mod unit;

use latimer_core::model::Kind;
use latimer_core::{PartName, Signal, Stamp, Timestamp};
pub(crate) use latimer_message_derive::{Call, Message, describe};

pub use call::Call;
pub use may_lack::MayLack;
pub(crate) use object::{Object, deserialize, present, serialize, value, whole};
pub(crate) use rows::rows;
pub use unit::Unit;

use codec::CodecInfo;

/// Keys that the specification does not name, in the order in which they came.
pub type Extra = serde_json::Map<String, serde_json::Value>;

/// What stands in a place on the wire.
#[derive(Clone, Copy, Debug)]
pub enum WireType {
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// A text.
    Text,
    /// A number, or a text where there is none.
    NumberOrText,
    /// Fields.
    Object(&'static [Field]),
    /// A point or the like: at least and at most so many numbers.
    Numbers(usize, usize),
    /// Bytes, Base64 in JSON: so many, or 0 for any number.
    Bytes(usize),
    /// A sequence.
    List(&'static WireType),
    /// Anything.
    Any,
}

/// Something that has a form on the wire.
pub trait HasWireType {
    /// Its form.
    const WIRE_TYPE: WireType;
}

macro_rules! formed {
    ($($type:ty => $form:ident;)*) => {
        $(impl HasWireType for $type {
            const WIRE_TYPE: WireType = WireType::$form;
        })*
    };
}

formed! {
    f64 => Number;
    f32 => Number;
    i64 => Integer;
    i32 => Integer;
    i16 => Integer;
    u8 => Integer;
    u16 => Integer;
    u32 => Integer;
    bool => Boolean;
    String => Text;
    serde_json::Value => Any;
    Extra => Any;
}

impl<const N: usize> HasWireType for [u8; N] {
    const WIRE_TYPE: WireType = WireType::Bytes(N);
}

impl HasWireType for bytes::Bytes {
    const WIRE_TYPE: WireType = WireType::Bytes(0);
}

impl<T: HasWireType> HasWireType for Vec<T> {
    const WIRE_TYPE: WireType = WireType::List(&T::WIRE_TYPE);
}

impl<T: Described> HasWireType for T {
    const WIRE_TYPE: WireType = WireType::Object(T::FIELDS);
}

/// The form of a place inside of a message.
pub(crate) const fn form_of<M, T: HasWireType>(_: fn(&M) -> &T) -> WireType {
    T::WIRE_TYPE
}

/// A message, or an object inside of messages, that describes its fields.
pub trait Described {
    /// Its fields, in the order in which they are written.
    const FIELDS: &'static [Field];
}

/// So many fields there are in all.
pub(crate) const fn count(parts: &[&[Field]]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < parts.len() {
        count += parts[i].len();
        i += 1;
    }
    count
}

/// The fields one after the other.
pub(crate) const fn joined<const N: usize>(parts: &[&[Field]]) -> [Field; N] {
    let mut joined = [Field::inside("", &[]); N];
    let (mut count, mut i) = (0, 0);
    while i < parts.len() {
        let mut j = 0;
        while j < parts[i].len() {
            joined[count] = parts[i][j];
            count += 1;
            j += 1;
        }
        i += 1;
    }
    joined
}

/// One field of a message.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it tells.
    pub summary: &'static str,
    /// What stands in it.
    pub form: WireType,
    /// What it is in the model.
    pub meaning: Meaning,
    /// The kind of signal that it belongs to, if it is another than that of its message.
    pub kind: Option<Kind>,
    /// Another kind whose field it is under the same path.
    pub also: Option<Kind>,
    /// The part that it is about, or the parts that its items are about; none if the message tells that.
    pub parts: &'static [&'static str],
    /// What else to know.
    pub note: Option<&'static str>,
    /// Whether it is written as `null` when it is missing.
    pub nullable: bool,
    /// Whether it is always written.
    pub always: bool,
    /// Whether a message without it tells nothing.
    pub required: bool,
    /// Versions of the dialect that do not show it, a bit for each.
    pub hidden: u32,
    /// How its values stand for those of the model.
    pub codec: fn() -> CodecInfo,
}

impl Field {
    /// An object of which only what is inside means something.
    pub(crate) const fn inside(name: &'static str, fields: &'static [Self]) -> Self {
        Self {
            name,
            summary: "",
            form: WireType::Object(fields),
            meaning: Meaning::Value(&[Target { index: None, path: "" }]),
            kind: None,
            also: None,
            parts: &[],
            note: None,
            nullable: false,
            always: true,
            required: false,
            hidden: 0,
            codec: CodecInfo::default,
        }
    }
}

/// What a field is in the model.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// Values of the record.
    Value(&'static [Target]),
    /// When it happened.
    Time,
    /// Which part of the robot is meant.
    Part,
    /// Which kind of signal is meant.
    Kind,
    /// Computed from the record: encoded, not decoded.
    Computed,
    /// The model has nothing for it.
    Own,
    /// The specification has no use for it yet.
    Reserved,
}

/// A field of the record.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Which item of a list it is; none if it is all of the field.
    pub index: Option<usize>,
    /// Its path, through lists as through records.
    pub path: &'static str,
}

/// A message lacks something without which it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} is missing or not understood")]
pub struct Incomplete {
    /// The field.
    pub field: &'static str,
}

/// A field without which a message says nothing.
pub(crate) fn need<T>(value: Option<T>, field: &'static str) -> Result<T, Incomplete> {
    value.ok_or(Incomplete { field })
}

/// What becomes of a record in the end.
pub(crate) trait Finished {
    /// Whether it is complete.
    fn finished(self) -> Result<(), Incomplete>;
}

impl Finished for () {
    fn finished(self) -> Result<(), Incomplete> {
        Ok(())
    }
}

impl Finished for Result<(), Incomplete> {
    fn finished(self) -> Result<(), Incomplete> {
        self
    }
}

/// What encoding needs beside a record, and decoding beside a message.
pub trait Context {
    /// When it happened, or arrived.
    fn at(&self) -> Timestamp;

    /// Which part of the robot it is about.
    fn part(&self) -> Option<&PartName> {
        None
    }
}

/// A moment, for messages that need no more.
#[derive(Clone, Copy, Debug)]
pub struct At(pub Timestamp);

impl Context for At {
    fn at(&self) -> Timestamp {
        self.0
    }
}

/// A message that stands for one record of the model.
pub trait Translate: Sized {
    /// The record.
    type Record;
    /// What else encoding and decoding need.
    type Context;

    /// The record that it tells.
    fn decode(&self, context: &Self::Context) -> Result<Self::Record, Incomplete>;

    /// The message that tells a record; `None` if the dialect has no words for this one.
    fn encode(record: &Self::Record, context: &Self::Context) -> Option<Self>;

    /// When it happened, if it tells.
    fn at(&self, _: &Self::Context) -> Option<Timestamp> {
        None
    }

    /// Which part of the robot it is about, if it tells.
    fn part(&self, _: &Self::Context) -> Option<PartName> {
        None
    }

    /// What was received with it: by the robot's clock if it tells a time, else at the moment of the context.
    fn received(&self, context: &Self::Context) -> Result<Received, Incomplete>
    where
        Self::Record: Into<Signal>,
        Self::Context: Context,
    {
        let stamp = self.at(context).map_or(Stamp::gateway(context.at()), Stamp::robot);
        Ok(Received { part: self.part(context), stamp, signal: self.decode(context)?.into() })
    }
}

/// One signal that a message holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// Which part it is about.
    pub part: Option<PartName>,
    /// When it happened.
    pub stamp: Stamp,
    /// What it tells.
    pub signal: Signal,
}

impl Received {
    pub(crate) fn new(part: Option<PartName>, stamp: Stamp, signal: impl Into<Signal>) -> Self {
        Self { part, stamp, signal: signal.into() }
    }

    pub(crate) fn of(part: &str, stamp: Stamp, signal: impl Into<Signal>) -> Self {
        Self::new(Some(PartName::of(part)), stamp, signal)
    }
}
