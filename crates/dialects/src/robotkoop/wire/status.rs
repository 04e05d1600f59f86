//! `/robots/status` and `/dialogue/status`: the types of reports and what each carries.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::lenient;

/// What a report says, by its `type`.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The task was received.
    Confirm,
    /// The task lacks something.
    MissingInfo(MissingInfo),
    /// The task is not known; spelt as the specification spells it.
    Unkown,
    /// The task goes on.
    Progress(Progress),
    /// The task is over.
    Success(Success),
    /// A person has to choose.
    Assistance(Assistance),
    /// Something is where it does not belong.
    AnomalyDetected(AnomalyDetected),
    /// Any other type, with its parameter as it came.
    Other(String, Map<String, Value>),
}

/// `missing_info`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MissingInfo {
    /// Lists all parameters missing from the original task message; older robots send one as a plain text.
    #[serde(deserialize_with = "lenient::texts")]
    pub missing_parameters: Vec<String>,
}

/// `progress`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// List of performed actions. Clients read the first only, and fall over if there is none.
    #[serde(deserialize_with = "lenient::list")]
    pub performed_actions: Vec<PerformedAction>,
}

/// A performed action.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PerformedAction {
    /// Key for the action performed by the robot.
    #[serde(deserialize_with = "lenient::text")]
    pub action: Option<String>,
    /// Target object related to the action; null for certain actions.
    #[serde(deserialize_with = "lenient::text")]
    pub target: Option<String>,
}

/// `success`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Success {
    /// False if the task was aborted or could not be finished.
    #[serde(deserialize_with = "lenient::flag")]
    pub success: Option<bool>,
}

/// `assistance`, and `alternatives` of older robots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assistance {
    /// Object for which the alternatives were found.
    #[serde(deserialize_with = "lenient::text")]
    pub object: Option<String>,
    /// `no_location` or `not_available`.
    #[serde(rename = "type", deserialize_with = "lenient::text")]
    pub kind: Option<String>,
    /// Alternative objects and where they are.
    #[serde(alias = "AlternativeObject", deserialize_with = "lenient::list")]
    pub alternatives: Vec<AnyAlternative>,
}

/// An alternative; older robots send its name alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnyAlternative {
    /// As specified.
    Object(AlternativeObject),
    /// Its name.
    Name(String),
}

/// An alternative and where it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AlternativeObject {
    /// Which object.
    #[serde(deserialize_with = "lenient::text")]
    pub alternative_object: Option<String>,
    /// Where it is.
    #[serde(deserialize_with = "lenient::text")]
    pub location: Option<String>,
    /// Where it is by the robot's database.
    #[serde(deserialize_with = "lenient::text")]
    pub db_location: Option<String>,
}

/// `anomaly_detected`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnomalyDetected {
    /// Location where the anomaly was found; `place` of older robots.
    #[serde(alias = "place", deserialize_with = "lenient::text")]
    pub location: Option<String>,
    /// List of anomalous objects; the one `anomaly` of older robots.
    #[serde(alias = "anomaly", deserialize_with = "lenient::texts")]
    pub objects: Vec<String>,
}

impl Status {
    /// The `type`.
    pub fn type_word(&self) -> &str {
        match self {
            Self::Confirm => "confirm",
            Self::MissingInfo(_) => "missing_info",
            Self::Unkown => "unkown",
            Self::Progress(_) => "progress",
            Self::Success(_) => "success",
            Self::Assistance(_) => "assistance",
            Self::AnomalyDetected(_) => "anomaly_detected",
            Self::Other(word, _) => word,
        }
    }
}
