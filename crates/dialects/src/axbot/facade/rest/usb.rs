//! `/device/usb_devices`: a simulated chassis has none; a list that was saved is kept.

use serde_json::Value;

use super::call::Call;
use super::holdings::{is_simulated, surroundings};
use super::reply::{Reply, done};
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::fields::{FieldError, Fields, ITEMS, needed};
use crate::axbot::rest::problem::Problem;

const WHAT: &str = "requests for its USB devices";

/// Most devices of a list that is saved; what the body may hold bounds the rest.
const MOST: usize = 256;

/// Those that there are.
pub(super) fn list(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    Ok(Reply::ok(&Vec::<Value>::new()))
}

/// Those that were there when they were saved.
pub(super) fn saved(robot: &FacadeRobot) -> Result<Reply, Problem> {
    Ok(Reply::ok(&surroundings(robot, WHAT)?.usb))
}

/// Saves a list.
pub(super) fn save(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    let mut all = surroundings(robot, WHAT)?;
    let items = call.fields.value(ITEMS).and_then(Value::as_array).cloned().unwrap_or_default();
    if items.len() > MOST {
        return Err(Problem::Bad(format!("{} devices are too many; {MOST} can be saved", items.len())));
    }
    if let Some(place) = items.iter().position(|item| !item.is_object()) {
        return Err(Problem::Bad(format!("device {place} of the list is no JSON object")));
    }
    all.usb = items;
    Ok(Reply::ok(&done()))
}

/// Forgets the list.
pub(super) fn forget(robot: &FacadeRobot) -> Result<Reply, Problem> {
    surroundings(robot, WHAT)?.usb.clear();
    Ok(Reply::deleted())
}

/// `reset_usb_devices`: of none, none can be named.
pub(super) fn reset(robot: &FacadeRobot, fields: &Fields) -> Result<Value, Problem> {
    is_simulated(robot, WHAT)?;
    let named = needed("devices_to_reset", fields.texts("devices_to_reset")?)?;
    match named.first() {
        None => Ok(done()),
        Some(name) => {
            let name: String = name.chars().take(80).collect();
            let why = format!("names {name:?}; {} has no USB devices", robot.robot);
            Err(FieldError::new("devices_to_reset", why).into())
        }
    }
}
