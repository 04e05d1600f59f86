//! What clients send on the socket: topics to hear, and messages to the robot.
//!
//! | text | is |
//! |---|---|
//! | `{"enable_topic": …}`, `{"disable_topic": …}` | [`Request::Topics`], one name or a list |
//! | `{"topic": "/twist", …}` | [`Request::Twist`] |
//! | `{"topic": "/get_device_info_brief"}`, `/get_device_info` | a question |
//! | `{"topic": "/follow_target_state", …}` | [`Request::Follow`] |
//! | `{"topic": "/external_rgb_data/front", …}` | [`Request::Picture`] |
//! | `{"topic": "/set_output_pins", …}`, `/modify_output_pins` | [`Request::SetPins`], [`Request::ModifyPins`] |

mod body;
mod picture;
mod suggestion;

use latimer_core::model::signal::CompressedImage;
use serde_json::{Map, Value};

pub(super) use suggestion::nearest_topic;

use super::super::topic::Topic;
use crate::axbot::calls::Follow;
use crate::lenient_json;

/// Longest request, bytes.
pub const MAX_BYTES: usize = 4 << 20;
/// Longest request that is no picture, bytes.
const MAX_SMALL_BYTES: usize = 64 << 10;
/// Most topics of one list.
const MAX_NAMES: usize = 200;
/// Longest name of a topic, letters.
const MAX_NAME: usize = 200;

/// Which of the robot's cameras another one stands in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Camera {
    /// The one that looks ahead.
    Front,
    /// The one that looks back.
    Back,
}

impl Camera {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Front, Self::Back];

    /// The model's name of the part.
    pub const fn part(self) -> &'static str {
        match self {
            Self::Front => "camera_front",
            Self::Back => "camera_back",
        }
    }

    /// The topic on which pictures for it are sent.
    pub const fn data_topic(self) -> &'static str {
        match self {
            Self::Front => "/external_rgb_data/front",
            Self::Back => "/external_rgb_data/back",
        }
    }

    fn of_topic(topic: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|camera| camera.data_topic() == topic)
    }
}

/// What a client sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// White space alone, which some send to keep a connection.
    Nothing,
    /// Topics to hear and topics to hear no more, as the client calls them.
    Topics {
        /// To hear.
        enable: Vec<String>,
        /// To hear no more.
        disable: Vec<String>,
    },
    /// Drive at a speed.
    Twist {
        /// Forward.
        linear_mps: f64,
        /// Counter-clockwise.
        angular_radps: f64,
    },
    /// What the robot is, in brief.
    DeviceInfoBrief,
    /// What the robot is.
    DeviceInfo,
    /// Where the one to follow is.
    Follow(Follow),
    /// A picture of somebody else's camera.
    Picture {
        /// Which camera it stands in for.
        camera: Camera,
        /// The picture.
        image: CompressedImage,
    },
    /// How all outputs shall be, board by board.
    SetPins(Vec<Vec<bool>>),
    /// Outputs to switch, numbered over all boards.
    ModifyPins {
        /// Switch on.
        enable: Vec<u32>,
        /// Switch off.
        disable: Vec<u32>,
    },
}

/// A request that cannot be read: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RequestError(pub String);

impl RequestError {
    /// Whether it is about a message on a topic.
    pub(super) fn is_of(&self, topic: &str) -> bool {
        self.0.strip_prefix(topic).is_some_and(|rest| rest.starts_with([':', ' ']))
    }
}

impl Request {
    /// Reads what a client sent.
    pub fn parse(text: &str) -> Result<Self, RequestError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() {
            return Ok(Self::Nothing);
        }
        if text.len() > MAX_BYTES {
            return fail(format!("{} bytes are too many, the limit is {MAX_BYTES}", text.len()));
        }
        if text.len() > MAX_SMALL_BYTES {
            return picture::read_long(text);
        }
        let value = lenient_json::read(text).map_err(|error| {
            RequestError(format!(
                "this is not JSON: {error}; send one object, such as {{\"enable_topic\": \"/tracked_pose\"}}"
            ))
        })?;
        let Value::Object(fields) = value else {
            let what = suggestion::kind_of(&value);
            return fail(format!(
                "this is {what}; send one object, such as {{\"enable_topic\": \"/tracked_pose\"}}"
            ));
        };
        Self::of_fields(&fields)
    }

    fn of_fields(fields: &Map<String, Value>) -> Result<Self, RequestError> {
        let lists = ["enable_topic", "disable_topic"].map(|key| fields.get(key).map(|names| (key, names)));
        match (lists, fields.get("topic")) {
            ([None, None], Some(Value::String(topic))) => Self::of_topic(topic, fields),
            ([None, None], Some(other)) => {
                fail(format!("topic is {}; write a name such as \"/twist\"", suggestion::kind_of(other)))
            }
            ([None, None], None) => fail(suggestion::no_key(fields)),
            (_, Some(_)) => {
                fail("this names a topic to send on and topics to hear; send them one after the other".into())
            }
            ([enable, disable], None) => {
                let of =
                    |list: Option<(&str, &Value)>| list.map_or(Ok(Vec::new()), |(key, it)| names(key, it));
                Ok(Self::Topics { enable: of(enable)?, disable: of(disable)? })
            }
        }
    }

    fn of_topic(topic: &str, fields: &Map<String, Value>) -> Result<Self, RequestError> {
        match topic {
            "/twist" => body::twist(fields),
            "/get_device_info_brief" => Ok(Self::DeviceInfoBrief),
            "/get_device_info" => Ok(Self::DeviceInfo),
            "/follow_target_state" => body::follow(fields),
            "/set_output_pins" => body::set_pins(fields),
            "/modify_output_pins" => body::modify_pins(fields),
            _ => match Camera::of_topic(topic) {
                Some(camera) => picture::read(camera, fields),
                None => fail(suggestion::unknown_message(topic)),
            },
        }
    }
}

fn fail<T>(problem: String) -> Result<T, RequestError> {
    Err(RequestError(problem))
}

/// One name or a list of them.
fn names(key: &str, value: &Value) -> Result<Vec<String>, RequestError> {
    let one = |place: String, value: &Value| match value {
        Value::String(name) if name.is_empty() => fail(format!("{place} is empty; write a topic's name")),
        Value::String(name) if name.chars().count() > MAX_NAME => {
            fail(format!("{place} is longer than {MAX_NAME} letters, as no topic's name is"))
        }
        Value::String(name) => Ok(name.clone()),
        other => {
            fail(format!("{place} is {}; write a name such as \"/tracked_pose\"", suggestion::kind_of(other)))
        }
    };
    match value {
        Value::Array(names) if names.len() > MAX_NAMES => fail(format!(
            "{key} has {} names, the limit is {MAX_NAMES}; there are {} topics",
            names.len(),
            Topic::ALL.len()
        )),
        Value::Array(names) => {
            names.iter().enumerate().map(|(i, name)| one(format!("{key}[{i}]"), name)).collect()
        }
        name => Ok(vec![one(key.to_owned(), name)?]),
    }
}

#[cfg(test)]
mod tests;
