//! Errors of fields, and texts that must not be empty.

/// A field that cannot be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}; {advice}")]
pub struct InvalidField {
    /// The field's name.
    pub field: &'static str,
    /// What is wrong, e.g. `is -1`.
    pub problem: String,
    /// What to do.
    pub advice: &'static str,
}

impl InvalidField {
    /// Which field, what is wrong, what to do.
    pub(super) fn new(field: &'static str, problem: impl Into<String>, advice: &'static str) -> Self {
        Self { field, problem: problem.into(), advice }
    }
}

/// A text with more than blanks.
pub(super) fn not_blank(field: &'static str, given: String) -> Result<String, InvalidField> {
    if given.trim().is_empty() {
        return Err(InvalidField::new(field, "is empty", "write a name"));
    }
    Ok(given)
}
