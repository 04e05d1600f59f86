//! What can be wrong with types and messages.

use std::path::Path;

use super::fault::Fault;

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
    /// Which field, or the type if it is the whole message.
    pub path: String,
    /// What is wrong.
    pub problem: String,
}

/// Why bytes are no message of a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}, at byte {at}: {problem}")]
pub struct DecodeError {
    /// Which field, or the type if it is the whole message.
    pub path: String,
    /// Where.
    pub at: usize,
    /// What is wrong.
    pub problem: String,
}

/// Why a message cannot be converted to another layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranscodeError {
    /// It is none of its own layout.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The other layout has no place for what it says.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl TypeError {
    pub(super) fn new(type_name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { type_name: type_name.into(), problem: problem.into() }
    }

    /// With the file in place of the type's name; the line stays.
    pub(super) fn in_file(self, type_name: &str, path: &Path) -> Self {
        let line = self.type_name.strip_prefix(type_name).unwrap_or_default();
        Self { type_name: format!("{}{line}", path.display()), problem: self.problem }
    }
}

impl EncodeError {
    pub(super) fn new(type_name: &str, fault: Fault) -> Self {
        let (path, _, problem) = fault.into_parts(type_name);
        Self { path, problem }
    }
}

impl DecodeError {
    pub(super) fn new(type_name: &str, fault: Fault) -> Self {
        let (path, at, problem) = fault.into_parts(type_name);
        Self { path, at, problem }
    }
}
