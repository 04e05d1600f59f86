//! Message types: their text, their MD5 sum, and how they lie on the wire.
//!
//! ```text
//!  .msg text ──parse──▶ Specification ──┐
//!                                       ├──resolve──▶ Layout ◀──encode, decode──▶ any struct of serde, or Value
//!  definition ──split──▶ Specifications ┘             (MD5, definition, tree)
//! ```

mod catalog;
mod common;
mod decode;
mod definition;
mod encode;
mod error;
mod fault;
mod json;
mod layout;
mod likeness;
mod limits;
mod md5;
mod number;
mod parse;
mod resolve;
#[cfg(test)]
pub(crate) mod samples;
mod service;
mod specification;
mod structure;
mod value;

pub use catalog::Catalog;
pub use error::{DecodeError, EncodeError, TranscodeError, TypeError};
pub use json::to_json;
pub use layout::Layout;
pub(crate) use limits::LENGTH_PREFIX;
pub use service::ServiceType;
pub use specification::{Base, Constant, Field, Primitive, Shape, Specification};
pub use structure::{Kind, Member, Structure};
pub use value::Value;

/// Whether a text can name a type: `package/Name`.
pub(crate) fn check_name(type_name: &str) -> Result<(), TypeError> {
    parse::split_name(type_name).map(drop)
}
