//! `/robot-params` and `/system/settings`: how fast the robot drives at most.

use latimer_core::Author;
use latimer_core::model::Kind;
use latimer_core::model::signal::{DriveLimits, Footprint, SpeedLimits};
use serde_json::{Map, Value, json};

use super::call::Call;
use super::device::outline;
use super::dispatch::dispatch;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::params::{Names, changed, json_from_limits, limits_from_fields, overlaid, schema};
use crate::axbot::rest::place::Settings;
use crate::axbot::rest::problem::Problem;
use crate::axbot::{NAME, calls};
use crate::describe::Call as _;

/// `GET /robot-params`
pub(super) fn get(robot: &FacadeRobot) -> Reply {
    Reply::ok(&values(robot, &limits(robot).present, Names::Params))
}

/// `GET /robot-params/default`
pub(super) fn default(robot: &FacadeRobot) -> Reply {
    Reply::ok(&json_from_limits(&limits(robot).default, Names::Params))
}

/// `POST /robot-params`, answered with what holds then.
pub(super) async fn set(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    let known = limits(robot);
    let given = limits_from_fields(&call.fields, Names::Params, &known.greatest)?;
    let present = give(robot, &call.author, given, &known).await?;
    Ok(Reply::ok(&values(robot, &present, Names::Params)))
}

/// `GET /system/settings/…`
pub(super) fn settings(robot: &FacadeRobot, which: Settings) -> Reply {
    let known = limits(robot);
    Reply::ok(&match which {
        Settings::Schema => json!({"ax": schema(&known)}),
        Settings::Default => Value::Object(json_from_limits(&known.default, Names::Settings)),
        Settings::User => Value::Object(json_from_limits(&changed(&known), Names::Settings)),
        Settings::Effective => Value::Object(values(robot, &known.present, Names::Settings)),
    })
}

/// `PATCH /system/settings/user`, and `POST` of it, which also sets back what is not given; answered with what is set then.
pub(super) async fn set_user(robot: &FacadeRobot, call: &Call, replace: bool) -> Result<Reply, Problem> {
    let known = limits(robot);
    let given = limits_from_fields(&call.fields, Names::Settings, &known.greatest)?;
    let given = if replace { overlaid(&given, &known.default) } else { given };
    let present = give(robot, &call.author, given, &known).await?;
    let user = changed(&DriveLimits { present, ..known });
    Ok(Reply::ok(&json_from_limits(&user, Names::Settings)))
}

/// Has the robot keep limits; the limits that it then has.
async fn give(
    robot: &FacadeRobot,
    author: &Author,
    given: SpeedLimits,
    known: &DriveLimits,
) -> Result<SpeedLimits, Problem> {
    let present = overlaid(&given, &known.present);
    if given != SpeedLimits::NONE {
        let limits = calls::DriveLimits::from(given).command();
        dispatch(robot, author, limits.map_err(|error| Problem::Bad(error.to_string()))?).await?;
    }
    Ok(present)
}

/// The limits that the robot published.
fn limits(robot: &FacadeRobot) -> DriveLimits {
    let none = SpeedLimits::NONE;
    robot.record().unwrap_or(DriveLimits { present: none.clone(), default: none.clone(), greatest: none })
}

/// Limits and the outline; other values of a chassis' `/robot-params` stay as they were received.
fn values(robot: &FacadeRobot, present: &SpeedLimits, names: Names) -> Map<String, Value> {
    let last = robot.last(Kind::DriveLimits).filter(|_| names == Names::Params);
    let native = last.as_ref().and_then(|update| update.native.as_ref()).filter(|it| it.dialect == NAME);
    let mut values = match native.map(|native| serde_json::from_slice(&native.payload)) {
        Some(Ok(Value::Object(received))) => received,
        _ => Map::new(),
    };
    values.extend(json_from_limits(present, names));
    if let Some(footprint) = robot.record::<Footprint>() {
        values.entry(names.footprint()).or_insert_with(|| json!(outline(&footprint)));
    }
    values
}
