//! Where something can be reached.

use latimer_dialects::Endpoint as ModelEndpoint;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An address, and a line to paste into a terminal that shows what is there.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Endpoint {
    /// Which robot is served; any if `null`.
    #[schema(required)]
    pub robot: Option<String>,
    /// In which dialect.
    pub dialect: String,
    /// The address.
    pub url: String,
    /// A line to paste.
    pub try_line: String,
}

impl From<&ModelEndpoint> for Endpoint {
    fn from(endpoint: &ModelEndpoint) -> Self {
        let ModelEndpoint { robot, dialect, url, try_line } = endpoint;
        Self {
            robot: robot.as_ref().map(ToString::to_string),
            dialect: (*dialect).to_owned(),
            url: url.clone(),
            try_line: try_line.clone(),
        }
    }
}
