//! The topics' fields beside the model's, as data.

use crate::table::Message;

/// Every topic that tells something of the model.
pub const MESSAGES: &[Message] = &[];
