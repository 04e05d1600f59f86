//! The bodies of messages to the robot.

use latimer_core::model::FollowState;
use serde_json::{Map, Value};

use super::{Request, RequestError, fail, suggestion};
use crate::axbot::calls::Follow;

/// No chassis is faster, metres a second.
const MAX_LINEAR_MPS: f64 = 10.0;
/// No chassis turns faster, radians a second.
const MAX_ANGULAR_RADPS: f64 = 20.0;
/// No map is larger, metres from its origin.
const MAX_METRES: f64 = 100_000.0;
/// More turns are a mistake, radians.
const MAX_RADIANS: f64 = 1_000.0;
/// Most boards.
const MAX_BOARDS: usize = 32;
/// Most outputs of a board.
const MAX_COLUMNS: usize = 64;
/// Highest number of an output.
const MAX_PIN: u32 = 1_023;
/// Most outputs to be switched at once.
const MAX_SWITCHED: usize = 256;

type Fields = Map<String, Value>;

/// `/twist`.
pub(super) fn twist(fields: &Fields) -> Result<Request, RequestError> {
    let speed = |name: &str, limit: f64, unit: &str| {
        let Some(value) = fields.get(name) else {
            let expected = ["topic", "linear_velocity", "angular_velocity"];
            return fail(suggestion::missing("/twist", fields, name, &expected));
        };
        number(&format!("/twist: {name}"), value, limit, unit)
    };
    Ok(Request::Twist {
        linear_mps: speed("linear_velocity", MAX_LINEAR_MPS, "metres a second")?,
        angular_radps: speed("angular_velocity", MAX_ANGULAR_RADPS, "radians a second")?,
    })
}

fn number(place: &str, value: &Value, limit: f64, unit: &str) -> Result<f64, RequestError> {
    match value.as_f64() {
        Some(number) if number.abs() <= limit => Ok(number),
        Some(number) => fail(format!("{place} is {number:?}; write {unit} from -{limit} to {limit}")),
        None => fail(format!("{place} is {}; write {unit} as a number", suggestion::kind_of(value))),
    }
}

/// `/follow_target_state`.
pub(super) fn follow(fields: &Fields) -> Result<Request, RequestError> {
    let topic = "/follow_target_state";
    let states = "follow_pose, pause or fail";
    match fields.get("follow_state") {
        Some(Value::String(state)) => match state.as_str() {
            "follow_pose" => target(fields).map(Request::Follow),
            "pause" => Ok(Request::Follow(Follow::of(FollowState::Pause))),
            "fail" => Ok(Request::Follow(Follow::of(FollowState::Fail))),
            other => fail(format!("{topic}: follow_state is {:?}; write {states}", suggestion::cut(other))),
        },
        Some(other) => {
            fail(format!("{topic}: follow_state is {}; write {states}", suggestion::kind_of(other)))
        }
        None => {
            let problem = suggestion::missing(topic, fields, "follow_state", &["topic", "target_pose"]);
            fail(format!("{problem}; write {states}"))
        }
    }
}

fn target(fields: &Fields) -> Result<Follow, RequestError> {
    let topic = "/follow_target_state";
    let pose = match fields.get("target_pose") {
        Some(Value::Object(pose)) => pose,
        Some(other) => {
            let what = suggestion::kind_of(other);
            return fail(format!("{topic}: target_pose is {what}; write {{\"pos\": [x, y], \"ori\": yaw}}"));
        }
        None => {
            let problem = suggestion::missing(topic, fields, "target_pose", &["topic", "follow_state"]);
            return fail(format!("{problem}, which follow_pose needs"));
        }
    };
    let position_m = match pose.get("pos") {
        None | Some(Value::Null) => None,
        Some(Value::Array(pos)) => match pos.as_slice() {
            [x, y] => {
                let of = |axis: &str, value: &Value| {
                    number(&format!("{topic}: target_pose.pos {axis}"), value, MAX_METRES, "metres")
                };
                Some([of("x", x)?, of("y", y)?])
            }
            other => {
                let count = other.len();
                return fail(format!("{topic}: target_pose.pos has {count} numbers; write [x, y]"));
            }
        },
        Some(other) => {
            let what = suggestion::kind_of(other);
            return fail(format!("{topic}: target_pose.pos is {what}; write [x, y] in metres"));
        }
    };
    let yaw_rad = match pose.get("ori") {
        None | Some(Value::Null) => None,
        Some(ori) => Some(number(&format!("{topic}: target_pose.ori"), ori, MAX_RADIANS, "radians")?),
    };
    if position_m.is_none() && yaw_rad.is_none() {
        return fail(format!("{topic}: target_pose has neither pos nor ori; write one of them or both"));
    }
    let [x_m, y_m] = position_m.map_or([None; 2], |position| position.map(Some));
    Ok(Follow { state: FollowState::Pose, x_m, y_m, yaw_rad })
}

/// `/set_output_pins`.
pub(super) fn set_pins(fields: &Fields) -> Result<Request, RequestError> {
    let topic = "/set_output_pins";
    let how = "write a list of 0 and 1 for each board";
    let boards = match fields.get("outputs") {
        Some(Value::Array(boards)) if boards.len() <= MAX_BOARDS => boards,
        Some(Value::Array(boards)) => {
            return fail(format!("{topic}: outputs has {} boards, the limit is {MAX_BOARDS}", boards.len()));
        }
        Some(other) => return fail(format!("{topic}: outputs is {}; {how}", suggestion::kind_of(other))),
        None => return fail(format!("{}; {how}", suggestion::missing(topic, fields, "outputs", &["topic"]))),
    };
    let mut outputs = Vec::with_capacity(boards.len());
    for (board, row) in boards.iter().enumerate() {
        let place = format!("{topic}: outputs[{board}]");
        let Value::Array(row) = row else {
            return fail(format!("{place} is {}; {how}", suggestion::kind_of(row)));
        };
        if row.len() > MAX_COLUMNS {
            return fail(format!("{place} has {} outputs, the limit is {MAX_COLUMNS}", row.len()));
        }
        let pin = |(column, value): (usize, &Value)| match value {
            Value::Bool(on) => Ok(*on),
            _ => match value.as_u64() {
                Some(0) => Ok(false),
                Some(1) => Ok(true),
                _ => fail(format!("{place}[{column}] is neither 0 nor 1")),
            },
        };
        outputs.push(row.iter().enumerate().map(pin).collect::<Result<_, _>>()?);
    }
    Ok(Request::SetPins(outputs))
}

/// `/modify_output_pins`.
pub(super) fn modify_pins(fields: &Fields) -> Result<Request, RequestError> {
    let topic = "/modify_output_pins";
    let list = |name: &str| match fields.get(name) {
        None => Ok(Vec::new()),
        Some(Value::Array(pins)) if pins.len() <= MAX_SWITCHED => pins
            .iter()
            .enumerate()
            .map(|(i, pin)| pin_number(&format!("{topic}: {name}[{i}]"), pin))
            .collect(),
        Some(Value::Array(pins)) => {
            fail(format!("{topic}: {name} has {} outputs, the limit is {MAX_SWITCHED}", pins.len()))
        }
        Some(other) => fail(format!(
            "{topic}: {name} is {}; write a list of numbers of outputs",
            suggestion::kind_of(other)
        )),
    };
    let (enable, disable) = (list("enable")?, list("disable")?);
    if enable.is_empty() && disable.is_empty() {
        return fail(format!("{topic} switches nothing; write lists of outputs as enable and disable"));
    }
    if let Some(both) = enable.iter().find(|pin| disable.contains(pin)) {
        return fail(format!("{topic}: output {both} is to be on and off; write it into one of the lists"));
    }
    Ok(Request::ModifyPins { enable, disable })
}

fn pin_number(place: &str, value: &Value) -> Result<u32, RequestError> {
    let pin = value.as_u64().and_then(|pin| u32::try_from(pin).ok()).filter(|pin| *pin <= MAX_PIN);
    match pin {
        Some(pin) => Ok(pin),
        None => fail(format!("{place} is no number of an output; write whole numbers from 0 to {MAX_PIN}")),
    }
}
