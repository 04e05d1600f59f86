//! What numbers of one key were lately.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::millis_from_timestamp;
use crate::journal::Samples as Kept;

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

impl From<&Kept> for Samples {
    fn from(kept: &Kept) -> Self {
        let Kept { key, robot, kind, part, times, columns } = kept;
        let numbers =
            |column: &VecDeque<f32>| column.iter().map(|it| it.is_finite().then_some(*it)).collect();
        Self {
            key: key.clone(),
            robot: robot.to_string(),
            kind: kind.to_string(),
            part: part.as_ref().map(ToString::to_string),
            at_ms: times.iter().copied().map(millis_from_timestamp).collect(),
            fields: columns.iter().map(|(path, column)| (path.clone(), numbers(column))).collect(),
        }
    }
}
