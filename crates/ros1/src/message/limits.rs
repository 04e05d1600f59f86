//! How large a type may be: definitions come from publishers.

/// Bytes of a type's text, or of a definition with all that it needs.
pub(super) const TEXT: usize = 1 << 20;
/// Bytes of a name.
pub(super) const NAME: usize = 255;
/// Fields and constants of a type.
pub(super) const FIELDS: usize = 4096;
/// Types that a type needs, itself included.
pub(super) const TYPES: usize = 1024;
/// Types within types.
pub(super) const DEPTH: usize = 32;
/// Values in a message in which all that may be empty is.
pub(super) const WEIGHT: usize = 1 << 20;
/// Bytes of the length before a message or an array.
pub(crate) const LENGTH_PREFIX: usize = size_of::<u32>();
/// Bytes of a message that is written.
pub(super) const MESSAGE: usize = 256 << 20;
