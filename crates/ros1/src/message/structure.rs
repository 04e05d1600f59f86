//! How a type lies on the wire: a tree in which each type is one node, however often it is used.

use std::fmt;
use std::sync::Arc;

pub(super) use super::specification::Primitive;

/// A type: its fields one after the other.
#[derive(Debug)]
pub struct Structure {
    /// `package/Name`, or `time` or `duration`.
    pub type_name: String,
    /// Its fields in order.
    pub members: Vec<Member>,
    /// Bytes of it if all that may be empty is; all of them are zero then.
    pub(super) size: usize,
    /// Whether it always has that size.
    pub(super) is_fixed: bool,
    /// Values in it if all that may be empty is.
    pub(super) weight: usize,
}

/// A field.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// What a field holds.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A number or a truth value.
    Primitive(Primitive),
    /// A string.
    Text,
    /// `uint8[]` and `char[]`.
    Bytes,
    /// `uint8[N]` and `char[N]`.
    FixedBytes(usize),
    /// As many elements as the message says.
    Variable(Box<Kind>),
    /// That many elements.
    Fixed(usize, Box<Kind>),
    /// A message within, or a `time` or `duration` with its `secs` and `nsecs`.
    Message(Arc<Structure>),
}

impl Structure {
    pub(super) fn new(type_name: impl Into<String>, members: Vec<Member>) -> Self {
        let sum = |measure: fn(&Kind) -> usize| {
            members.iter().map(|member| measure(&member.kind)).fold(0, usize::saturating_add)
        };
        Self {
            type_name: type_name.into(),
            size: sum(Kind::size),
            is_fixed: members.iter().all(|member| member.kind.is_fixed()),
            weight: sum(Kind::weight).saturating_add(1),
            members,
        }
    }

    /// `secs` and `nsecs`, as `time` and `duration` have them.
    pub(super) fn moment(type_name: &str, secs: Primitive) -> Self {
        let member = |name: &str| Member { name: name.to_owned(), kind: Kind::Primitive(secs) };
        Self::new(type_name, vec![member("secs"), member("nsecs")])
    }

    /// The place of a field.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.members.iter().position(|member| member.name == name)
    }
}

impl Kind {
    /// Bytes of it if all that may be empty is.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Primitive(primitive) => primitive.size(),
            Self::Text | Self::Bytes | Self::Variable(_) => 4,
            Self::FixedBytes(count) => *count,
            Self::Fixed(count, element) => count.saturating_mul(element.size()),
            Self::Message(structure) => structure.size,
        }
    }

    /// Whether it always has that size.
    pub(super) fn is_fixed(&self) -> bool {
        match self {
            Self::Primitive(_) | Self::FixedBytes(_) => true,
            Self::Text | Self::Bytes | Self::Variable(_) => false,
            Self::Fixed(_, element) => element.is_fixed(),
            Self::Message(structure) => structure.is_fixed,
        }
    }

    /// Values in it if all that may be empty is; bytes count too, as they are to be held.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Primitive(_) | Self::Text | Self::Bytes | Self::Variable(_) => 1,
            Self::FixedBytes(count) => count.saturating_add(1),
            Self::Fixed(count, element) => count.saturating_mul(element.weight()).saturating_add(1),
            Self::Message(structure) => structure.weight,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Primitive(primitive) => primitive.fmt(out),
            Self::Text => out.write_str("string"),
            Self::Bytes => out.write_str("uint8[]"),
            Self::FixedBytes(count) => write!(out, "uint8[{count}]"),
            Self::Variable(element) => write!(out, "{element}[]"),
            Self::Fixed(count, element) => write!(out, "{element}[{count}]"),
            Self::Message(structure) => out.write_str(&structure.type_name),
        }
    }
}
