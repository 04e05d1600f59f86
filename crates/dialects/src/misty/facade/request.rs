//! What a client asks on the socket: subscribe or unsubscribe, in any spelling that real clients use.

use std::time::Duration;

use latimer_core::Value;
use latimer_core::hub::{Condition, Operator};
use latimer_core::model::{Path, PathError};
use serde_json::{Map, Value as Json};

use crate::json::value_from_json;
use crate::misty::lenient::{self, LenientError, get_ci};
use crate::misty::wire::{EventType, UnknownEventType};

/// Longest `EventName`, in bytes.
const MAX_NAME: usize = 256;
/// Most conditions of one subscription.
const MAX_CONDITIONS: usize = 32;
/// Longest `DebounceMs`: a day.
const MAX_DEBOUNCE_MS: f64 = 86_400_000.0;

/// One message of a client.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// `Operation` `subscribe`.
    Subscribe(Subscribe),
    /// `Operation` `unsubscribe`.
    Unsubscribe {
        /// The name that was subscribed under.
        event_name: String,
    },
    /// An empty frame, which some clients send after each subscription.
    Nothing,
}

/// A subscription as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Subscribe {
    /// `Type`.
    pub event_type: EventType,
    /// `EventName`; the type's name if the client gave none.
    pub event_name: String,
    /// `DebounceMs`; `None` asks for the type's default.
    pub debounce: Option<Duration>,
    /// `ReturnProperty`; `None` asks for the whole message.
    pub return_property: Option<Path>,
    /// `EventConditions`, of which all must hold.
    pub conditions: Vec<Condition>,
}

/// A message that cannot be served; its client gets the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct RequestError {
    /// The name to answer under; empty if the message has none.
    pub event_name: String,
    /// What is wrong and what to do.
    pub problem: String,
}

/// Why a subscription cannot be served; clients show the texts as they are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum SubscribeError {
    /// No `Type`.
    #[error("Type is missing. It is one of {}.", known_types())]
    NoType,
    /// A `Type` that does not exist.
    #[error("{0}: {known}.", known = known_types())]
    UnknownType(UnknownEventType),
    /// A `DebounceMs` that is no duration, or too long.
    #[error("DebounceMs must be a number of milliseconds, 0 or more.")]
    InvalidDebounce,
    /// A `ReturnProperty` that is no path.
    #[error("ReturnProperty cannot be read: {0}.")]
    InvalidReturnProperty(PathError),
    /// A `ReturnProperty` of another type.
    #[error("ReturnProperty must be text, such as \"MentalState.Affect\".")]
    ReturnPropertyNotText,
    /// `EventConditions` of another type.
    #[error("EventConditions must be an array of {{Property, Inequality, Value}}.")]
    ConditionsNotAnArray,
    /// More `EventConditions` than are served.
    #[error("EventConditions has more than {MAX_CONDITIONS} conditions.")]
    TooManyConditions,
    /// A condition of another type.
    #[error("A condition must be an object {{Property, Inequality, Value}}.")]
    ConditionNotAnObject,
    /// A condition without its `Property`.
    #[error("A condition has no Property.")]
    NoProperty,
    /// A `Property` that is no path.
    #[error("Property cannot be read: {0}.")]
    InvalidProperty(PathError),
    /// An `Inequality` that does not exist.
    #[error("Inequality {sign:?} is unknown. Use =, !=, >, <, >=, <=, exists, empty or delta.")]
    UnknownInequality {
        /// How it begins.
        sign: String,
    },
}

fn known_types() -> String {
    EventType::ALL.iter().map(|event_type| event_type.as_str()).collect::<Vec<_>>().join(", ")
}

impl Request {
    /// Reads one text frame.
    pub fn parse(text: &str) -> Result<Self, RequestError> {
        let nameless = |problem: String| RequestError { event_name: String::new(), problem };
        let message = match lenient::read(text) {
            Ok(Some(Json::Object(message))) => message,
            Ok(None) => return Ok(Self::Nothing),
            Ok(Some(_)) => {
                return Err(nameless(
                    "The message is no JSON object. Send {\"Operation\":\"subscribe\",…}.".into(),
                ));
            }
            Err(error) => return Err(nameless(format!("The message cannot be read: {}.", reported(&error)))),
        };
        let event_name = text_of(&message, "EventName").unwrap_or_default();
        let problem = |problem: String| RequestError { event_name: shown(&event_name), problem };
        if event_name.len() > MAX_NAME {
            return Err(problem(format!("EventName is longer than {MAX_NAME} bytes.")));
        }
        let operation = text_of(&message, "Operation").unwrap_or_default();
        match operation.to_ascii_lowercase().as_str() {
            "subscribe" => subscribe(&message, event_name.clone())
                .map(Self::Subscribe)
                .map_err(|error| problem(error.to_string())),
            "unsubscribe" => Ok(Self::Unsubscribe { event_name }),
            "" => Err(problem("Operation is missing. Send \"subscribe\" or \"unsubscribe\".".into())),
            _ => Err(problem(format!(
                "Operation {:?} is unknown. Send \"subscribe\" or \"unsubscribe\".",
                shown(&operation)
            ))),
        }
    }
}

fn reported(error: &LenientError) -> String {
    error.to_string().trim_end_matches('.').to_owned()
}

fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

fn subscribe(message: &Map<String, Json>, event_name: String) -> Result<Subscribe, SubscribeError> {
    let type_name = text_of(message, "Type").filter(|name| !name.trim().is_empty());
    let type_name = type_name.ok_or(SubscribeError::NoType)?;
    let event_type: EventType = type_name.parse().map_err(SubscribeError::UnknownType)?;
    let blank = event_name.trim().is_empty();
    Ok(Subscribe {
        event_type,
        event_name: if blank { event_type.as_str().to_owned() } else { event_name },
        debounce: debounce(message)?,
        return_property: return_property(message)?,
        conditions: conditions(message)?,
    })
}

/// Text, or a number that stands where text belongs.
fn text_of(message: &Map<String, Json>, key: &str) -> Option<String> {
    match get_ci(message, key)? {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn debounce(message: &Map<String, Json>) -> Result<Option<Duration>, SubscribeError> {
    let ms = match get_ci(message, "DebounceMs") {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(value) => value_from_json(value).as_f64(),
    };
    match ms {
        Some(ms) if (0.0..=MAX_DEBOUNCE_MS).contains(&ms) => Ok(Some(Duration::from_secs_f64(ms / 1000.0))),
        _ => Err(SubscribeError::InvalidDebounce),
    }
}

fn return_property(message: &Map<String, Json>) -> Result<Option<Path>, SubscribeError> {
    match get_ci(message, "ReturnProperty") {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(path)) if path.trim().is_empty() => Ok(None),
        Some(Json::String(path)) => path.parse().map(Some).map_err(SubscribeError::InvalidReturnProperty),
        Some(_) => Err(SubscribeError::ReturnPropertyNotText),
    }
}

/// An array, or one object as in the documentation of 2018.
fn conditions(message: &Map<String, Json>) -> Result<Vec<Condition>, SubscribeError> {
    let items: &[Json] = match get_ci(message, "EventConditions") {
        None | Some(Json::Null) => &[],
        Some(Json::Array(items)) => items,
        Some(one @ Json::Object(_)) => std::slice::from_ref(one),
        Some(_) => return Err(SubscribeError::ConditionsNotAnArray),
    };
    if items.len() > MAX_CONDITIONS {
        return Err(SubscribeError::TooManyConditions);
    }
    items.iter().filter(|item| !item.is_null()).map(condition).collect()
}

fn condition(item: &Json) -> Result<Condition, SubscribeError> {
    let Json::Object(item) = item else {
        return Err(SubscribeError::ConditionNotAnObject);
    };
    let property = text_of(item, "Property").ok_or(SubscribeError::NoProperty)?;
    let path = property.parse().map_err(SubscribeError::InvalidProperty)?;
    // A property alone asks whether it is there.
    let sign = text_of(item, "Inequality").filter(|sign| !sign.trim().is_empty());
    let operator = match &sign {
        None => Operator::Exists,
        Some(sign) => Operator::from_sign(sign)
            .ok_or_else(|| SubscribeError::UnknownInequality { sign: shown(sign) })?,
    };
    Ok(Condition { path, operator, value: get_ci(item, "Value").map_or(Value::Null, value_from_json) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscribe(text: &str) -> Subscribe {
        match Request::parse(text) {
            Ok(Request::Subscribe(subscribe)) => subscribe,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn reads_what_the_official_python_sdk_sends() {
        let got = subscribe(
            "{'Operation': 'subscribe', 'Type': 'TimeOfFlight', 'DebounceMs': 0, 'EventName': '1234', 'Message': '', \
             'EventConditions': [{'Property': 'SensorPosition', 'Inequality': '=', 'Value': 'Center'}, \
             {'Property': 'DistanceInMeters', 'Inequality': '<=', 'Value': 0.15}]}",
        );
        assert_eq!(got.event_type, EventType::TimeOfFlight);
        assert_eq!(got.debounce, Some(Duration::ZERO));
        assert_eq!(got.conditions[1].operator, Operator::LessOrEqual);
        assert_eq!(got.conditions[1].value, Value::Float(0.15));
    }

    #[test]
    fn reads_every_spelling_of_the_same_subscription() {
        let plain = subscribe(r#"{"Operation":"subscribe","Type":"IMU","EventName":"a"}"#);
        for text in [
            r#"{"$id":"1","Operation":"subscribe","Type":"IMU","DebounceMs":null,"EventName":"a","Message":"","ReturnProperty":null}"#,
            r#"{"operation":"SUBSCRIBE","type":"imu","eventname":"a","returnProperty":"","eventConditions":[],}"#,
        ] {
            assert_eq!(subscribe(text), plain, "{text}");
        }
        assert_eq!(subscribe(r#"{"Operation":"subscribe","Type":"IMU"}"#).event_name, "IMU");
        let old = subscribe(
            r#"{"Operation":"subscribe","Type":"TimeOfFlight","DebounceMS":"100","EventName":"a",
                "EventConditions":{"Property":"SensorName","Inequality":"==","Value":"toF_Left"}}"#,
        );
        assert_eq!((old.debounce, old.conditions.len()), (Some(Duration::from_millis(100)), 1));
        let there = subscribe(
            r#"{"Operation":"subscribe","Type":"IMU","EventConditions":[{"Property":"yaw","Value":"0"}]}"#,
        );
        assert_eq!(there.conditions[0].operator, Operator::Exists);
    }

    #[test]
    fn says_what_is_wrong_and_under_which_name() {
        let cases = [
            (r#"{"Operation":"subscribe","Type":"Nonsense","EventName":"n"}"#, "n", "TimeOfFlight"),
            (r#"{"Operation":"subscribe","EventName":"n"}"#, "n", "Type is missing"),
            (r#"{"Operation":"dance","EventName":"n"}"#, "n", "subscribe"),
            (r#"{"Type":"IMU"}"#, "", "Operation is missing"),
            (r#"{"Operation":"subscribe","Type":"IMU","DebounceMs":-1}"#, "", "DebounceMs"),
            (
                r#"{"Operation":"subscribe","Type":"IMU","EventConditions":[{"Property":"a","Inequality":"~"}]}"#,
                "",
                "Inequality",
            ),
            (r#"{"Operation":"subscribe","Type":"IMU","ReturnProperty":"a..b"}"#, "", "ReturnProperty"),
            ("[1,2]", "", "object"),
            ("hello", "", "cannot be read"),
        ];
        for (text, name, words) in cases {
            let error = Request::parse(text).unwrap_err();
            assert_eq!(error.event_name, name, "{text}");
            assert!(error.problem.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn empty_frames_are_nothing() {
        assert_eq!(Request::parse(""), Ok(Request::Nothing));
        assert_eq!(Request::parse(" \n"), Ok(Request::Nothing));
    }
}
