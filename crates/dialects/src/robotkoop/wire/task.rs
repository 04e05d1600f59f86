//! `/dialogue/task` and `/robots/task`: what is asked for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::lenient;

/// `/dialogue/task`: a task for a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// What to do: `bring`, `clean`, `memorize`, or anything else.
    pub kind: String,
    /// With what, e.g. `object`, `from`, `to`; any of them may be null.
    pub parameter: Map<String, Value>,
}

/// `/robots/task`: what a robot asks of the dialogue system, by its `type`.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Say something.
    Tts(Tts),
    /// Somebody was seen.
    PersonDetected(PersonDetected),
    /// Any other type, with its parameter as it came.
    Other(String, Map<String, Value>),
}

/// `tts`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tts {
    /// What to say.
    #[serde(deserialize_with = "lenient::text")]
    pub text: Option<String>,
    /// In which language, RFC 3066, e.g. `en_US`.
    #[serde(deserialize_with = "lenient::text")]
    pub lang: Option<String>,
}

/// `person_detected`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PersonDetected {
    /// The robot's own name for whom it saw.
    #[serde(deserialize_with = "lenient::text")]
    pub id: Option<String>,
    /// The name of the person if familiar, else `unknown`.
    #[serde(deserialize_with = "lenient::text")]
    pub name: Option<String>,
}

impl Request {
    /// The `type`.
    pub fn type_word(&self) -> &str {
        match self {
            Self::Tts(_) => "tts",
            Self::PersonDetected(_) => "person_detected",
            Self::Other(word, _) => word,
        }
    }
}
