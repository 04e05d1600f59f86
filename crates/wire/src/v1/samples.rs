//! What numbers of one key were lately.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A sample a second of the numbers of one key, in columns.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Samples {
    /// `robot/kind[/part]`.
    pub key: String,
    /// Which robot.
    pub robot: String,
    /// Which kind.
    pub kind: String,
    /// Which part; `null` for a kind without parts.
    #[schema(required)]
    pub part: Option<String>,
    /// When the gateway received each, milliseconds since the Unix epoch, oldest first.
    pub at_ms: Vec<i64>,
    /// The numbers of a record's fields, by dotted path, each as long as `at_ms`. `null` where none was given; all are
    /// `null` where the link to the robot was lost. A truth value is 1 or 0.
    pub fields: BTreeMap<String, Vec<Option<f32>>>,
}
