//! Message types: their text, their MD5 sum, and how they lie on the wire.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How a message lies on the wire, with what identifies it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    type_name: String,
    md5: String,
    definition: String,
}

impl Layout {
    /// Of a publisher's type and `message_definition`.
    pub fn from_definition(type_name: &str, definition: &str) -> Result<Self, TypeError> {
        let _ = (type_name, definition);
        todo!()
    }

    /// `package/Name`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The MD5 sum as ROS computes it, in hexadecimal digits.
    pub fn md5(&self) -> &str {
        &self.md5
    }

    /// The text with those of all types that it needs, as publishers send it.
    pub fn definition(&self) -> &str {
        &self.definition
    }

    /// Whether it begins with a `std_msgs/Header`, whose `seq` the publisher fills.
    pub fn has_header(&self) -> bool {
        todo!()
    }

    /// The bytes of a message, without their length.
    pub fn encode<T: Serialize + ?Sized>(&self, message: &T) -> Result<Bytes, EncodeError> {
        let _ = message;
        todo!()
    }

    /// The message of such bytes.
    pub fn decode<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, DecodeError> {
        let _ = bytes;
        todo!()
    }
}

/// The types that are known, by name.
#[derive(Clone, Debug, Default)]
pub struct Catalog {}

impl Catalog {
    /// The common ones: `std_msgs`, `geometry_msgs`, `sensor_msgs`, `nav_msgs`, `rosgraph_msgs`, as far as they are used here.
    pub fn common() -> Self {
        todo!()
    }

    /// Adds a type, or replaces it.
    pub fn add(&mut self, type_name: &str, text: &str) -> Result<(), TypeError> {
        let _ = (type_name, text);
        todo!()
    }

    /// Adds all `.msg` files of a folder to a package; tells the names.
    pub fn add_folder(&mut self, package: &str, folder: &Path) -> Result<Vec<String>, TypeError> {
        let _ = (package, folder);
        todo!()
    }

    /// The layout of a type.
    pub fn layout(&self, type_name: &str) -> Result<Arc<Layout>, TypeError> {
        let _ = type_name;
        todo!()
    }
}

/// Why a type cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{type_name}: {problem}")]
pub struct TypeError {
    /// Which type, with the file and line if there are any.
    pub type_name: String,
    /// What is wrong, and what to do.
    pub problem: String,
}

/// Why a struct is no message of a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct EncodeError {
    /// Which field.
    pub path: String,
    /// What is wrong.
    pub problem: String,
}

/// Why bytes are no message of a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}, at byte {at}: {problem}")]
pub struct DecodeError {
    /// Which field.
    pub path: String,
    /// Where.
    pub at: usize,
    /// What is wrong.
    pub problem: String,
}
