//! A layout: what two sides must agree on to exchange a message.

use std::sync::Arc;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::{DecodeError, EncodeError, TranscodeError, TypeError};
use super::specification::Specification;
use super::structure::{Kind, Structure};
use super::value::Value;
use super::{decode, definition, encode, likeness, limits, parse, resolve};

/// How a message lies on the wire, with what identifies it.
#[derive(Clone, Debug)]
pub struct Layout {
    type_name: String,
    md5: String,
    sum_text: String,
    definition: Arc<str>,
    root: Arc<Structure>,
}

/// Layouts are the same if their type and MD5 sum are; the definition may have other comments.
impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.type_name == other.type_name && self.md5 == other.md5
    }
}

impl Layout {
    /// Of a publisher's type and `message_definition`.
    pub fn from_definition(type_name: &str, definition: &str) -> Result<Self, TypeError> {
        parse::split_name(type_name)?;
        let types = definition::split(type_name, definition)?;
        let layout = Self::resolved(type_name, |name| types.get(name).cloned())?;
        // As the publisher sent it, so that it is passed on without a change.
        Ok(Self { definition: definition.into(), ..layout })
    }

    /// Of a type whose specification, and those of its needs, are found by name.
    pub(super) fn resolved(
        type_name: &str,
        find: impl Fn(&str) -> Option<Arc<Specification>>,
    ) -> Result<Self, TypeError> {
        let found = resolve::resolve(type_name, find)?;
        Ok(Self {
            type_name: type_name.to_owned(),
            md5: found.md5,
            sum_text: found.sum_text,
            definition: definition::joined(&found.types).into(),
            root: found.root,
        })
    }

    /// `package/Name`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The MD5 sum as ROS computes it, in hexadecimal digits.
    pub fn md5(&self) -> &str {
        &self.md5
    }

    /// What the MD5 sum is made of.
    pub(super) fn sum_text(&self) -> &str {
        &self.sum_text
    }

    /// The text with those of all types that it needs, as publishers send it.
    pub fn definition(&self) -> &str {
        &self.definition
    }

    /// The same, shared.
    pub fn shared_definition(&self) -> Arc<str> {
        self.definition.clone()
    }

    /// Its fields, and theirs.
    pub fn structure(&self) -> &Structure {
        &self.root
    }

    /// Whether it begins with a `std_msgs/Header`, whose `seq` the publisher fills.
    pub fn has_header(&self) -> bool {
        self.root.members.first().is_some_and(|first| {
            let is_header =
                matches!(&first.kind, Kind::Message(inner) if inner.type_name == "std_msgs/Header");
            first.name == "header" && is_header
        })
    }

    /// Whether messages of this type can be read as those of another: it is the same type by its name or its MD5 sum, another package's copy
    /// of it, or has the same fields, each of a type that the other's can hold.
    pub fn stands_for(&self, asked: &Self) -> bool {
        likeness::stands_for(self, asked)
    }

    /// The bytes of a message, without their length.
    ///
    /// Fields are found by name; one that `message` lacks is zero or empty, one that the layout lacks is left out.
    pub fn encode<T: Serialize + ?Sized>(&self, message: &T) -> Result<Bytes, EncodeError> {
        Ok(self.encode_frame(message)?.slice(limits::LENGTH_PREFIX..))
    }

    /// The bytes of a message behind their length, four bytes, as TCPROS sends them.
    ///
    /// They are one buffer because a length that is handed to the kernel on its own makes it copy all that follows to odd addresses,
    /// which takes a third more time.
    pub(crate) fn encode_frame<T: Serialize + ?Sized>(&self, message: &T) -> Result<Bytes, EncodeError> {
        self.encode_within(message, limits::MESSAGE)
    }

    fn encode_within<T: Serialize + ?Sized>(&self, message: &T, limit: usize) -> Result<Bytes, EncodeError> {
        encode::frame(&self.root, message, limit).map_err(|fault| EncodeError::new(&self.type_name, fault))
    }

    /// The message of such bytes.
    pub fn decode<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, DecodeError> {
        self.decode_borrowed(bytes)
    }

    /// The message of such bytes, which may borrow texts and bytes from them.
    pub fn decode_borrowed<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T, DecodeError> {
        decode::message(&self.root, bytes).map_err(|fault| DecodeError::new(&self.type_name, fault))
    }

    /// The message in which every number is zero and all else empty.
    pub fn zero(&self) -> Value {
        Value::zero(&self.root)
    }

    /// Tells a message in another layout, field by field by name.
    ///
    /// The other layout may be anybody's, with a million bytes in each element: what comes of it is held to a multiple of `bytes`.
    pub fn transcode(&self, bytes: &[u8], other: &Self) -> Result<Bytes, TranscodeError> {
        Ok(self.transcode_frame(bytes, other)?.slice(limits::LENGTH_PREFIX..))
    }

    /// [`Layout::transcode`] of a message's bytes into a frame.
    pub(crate) fn transcode_frame(&self, bytes: &[u8], other: &Self) -> Result<Bytes, TranscodeError> {
        let value: Value = self.decode(bytes)?;
        let limit = bytes.len().saturating_mul(16).saturating_add(other.root.size).saturating_add(65_536);
        Ok(other.encode_within(&value, limit.min(limits::MESSAGE))?)
    }
}
