//! What a `.msg` text says.

use std::fmt;

/// A type's fields and constants, with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// `package/Name`.
    pub type_name: String,
    /// What a message holds, in order.
    pub fields: Vec<Field>,
    /// What is only named.
    pub constants: Vec<Constant>,
    /// The text as it was written.
    pub text: String,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Of what one element of it is.
    pub base: Base,
    /// How many elements it has.
    pub shape: Shape,
    /// The type as it was written, with its brackets.
    pub(super) written: String,
}

impl Field {
    /// The type of an element as it was written: `byte` and `char` too; a message by its full name.
    pub fn element_type(&self) -> &str {
        match &self.base {
            Base::Message(name) => name,
            _ => self.written.split('[').next().unwrap_or_default(),
        }
    }
}

/// A name for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// The name of its type.
    pub type_name: String,
    /// Its value as it was written; a string keeps its `#`.
    pub value: String,
}

/// What an element is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A number or a truth value.
    Primitive(Primitive),
    /// `string`.
    Text,
    /// `time`.
    Time,
    /// `duration`.
    Duration,
    /// Another message, by its full name.
    Message(String),
}

/// How many elements a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One.
    Single,
    /// That many.
    Fixed(usize),
    /// As many as the message says.
    Variable,
}

/// Numbers and truth values; `byte` is `int8` and `char` is `uint8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Primitive {
    Bool,
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uint64,
    Float32,
    Float64,
}

impl Primitive {
    /// By its name in a `.msg` text.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Bool,
            "int8" | "byte" => Self::Int8,
            "uint8" | "char" => Self::Uint8,
            "int16" => Self::Int16,
            "uint16" => Self::Uint16,
            "int32" => Self::Int32,
            "uint32" => Self::Uint32,
            "int64" => Self::Int64,
            "uint64" => Self::Uint64,
            "float32" => Self::Float32,
            "float64" => Self::Float64,
            _ => return None,
        })
    }

    /// How many bytes it takes.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Int64 | Self::Uint64 | Self::Float64 => 8,
        }
    }

    /// Its name in a `.msg` text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Uint16 => "uint16",
            Self::Int32 => "int32",
            Self::Uint32 => "uint32",
            Self::Int64 => "int64",
            Self::Uint64 => "uint64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
