//! `/device/wifi_info` and its like: the network of a simulated chassis, which has no radio. What is set is kept.

use latimer_core::model::signal::Device;
use serde_json::{Value, json};

use super::holdings::{is_simulated, surroundings};
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::surroundings::Network;
use crate::axbot::rest::fields::{FieldError, Fields, needed};
use crate::axbot::rest::problem::Problem;

const WHAT: &str = "settings of its network";

/// What its routes go by; the first one until another is set.
const ROUTE_MODES: [&str; 4] = ["eth0_first", "wlan0_first", "usb0_first", "wlan0_usb0_auto_first"];

/// Bounds of a network's name and of its key, bytes, as the standards have them.
const MOST_SSID: usize = 32;
const LEAST_PSK: usize = 8;
const MOST_PSK: usize = 64;

/// What becomes of it.
const NO_RADIO: &str = "a simulated chassis has no radio, so it joins no network";

/// What was set, in the words of either mode.
pub(super) fn info(robot: &FacadeRobot) -> Result<Reply, Problem> {
    let Network { station, own, route_mode } = surroundings(robot, WHAT)?.network.clone();
    if own {
        return Ok(Reply::ok(&json!({"mode": "ap"})));
    }
    let mut info = json!({
        "wifi_mode": "station",
        "wpa_state": "disconnected",
        "route_mode": route_mode.unwrap_or(ROUTE_MODES[0]),
        "debug_message": format!("info: {NO_RADIO}."),
        "routes": [],
        "last_wifi_connect_result": {},
    });
    if let Some(ssid) = station {
        info["ssid"] = ssid.into();
    }
    if let Some(mac) = robot.record::<Device>().and_then(|it| it.mac_address) {
        info["wifi_mac"] = mac.into();
    }
    Ok(Reply::ok(&info))
}

/// The networks within reach: none.
pub(super) fn available(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    Ok(Reply::ok(&Vec::<Value>::new()))
}

/// A page to set it with.
pub(super) fn page(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    Ok(Reply::file("text/html; charset=utf-8", include_str!("wifi_setup.html").into()))
}

/// `setup_wifi`: joins a network, or has one of its own.
pub(super) fn set_up(robot: &FacadeRobot, fields: &Fields) -> Result<Value, Problem> {
    let network = &mut surroundings(robot, WHAT)?.network;
    let own = match needed("mode", fields.text("mode")?)?.as_str() {
        "ap" => true,
        "station" => false,
        _ => return Err(FieldError::new("mode", "is neither ap nor station").into()),
    };
    let route_mode = fields.text("route_mode")?.map(|word| route("route_mode", &word)).transpose()?;
    let station = if own { None } else { Some(station(fields)?) };
    *network = Network { station, own, route_mode: route_mode.or(network.route_mode) };
    Ok(json!({"message": format!("kept; {NO_RADIO}")}))
}

/// `set_route_mode`
pub(super) fn set_route(robot: &FacadeRobot, fields: &Fields) -> Result<Value, Problem> {
    let network = &mut surroundings(robot, WHAT)?.network;
    network.route_mode = Some(route("mode", &needed("mode", fields.text("mode")?)?)?);
    Ok(json!({"message": "kept; a simulated chassis has no routes of its own"}))
}

fn route(field: &'static str, word: &str) -> Result<&'static str, FieldError> {
    let known = ROUTE_MODES.into_iter().find(|known| *known == word);
    known.ok_or_else(|| FieldError::new(field, format!("is none of {}", ROUTE_MODES.join(", "))))
}

/// The network to be joined. Its key must be one and is not kept.
fn station(fields: &Fields) -> Result<String, FieldError> {
    let ssid = needed("ssid", fields.text("ssid")?)?;
    if ssid.is_empty() || ssid.len() > MOST_SSID {
        return Err(FieldError::new(
            "ssid",
            format!("has {} bytes; 1 to {MOST_SSID} are a name", ssid.len()),
        ));
    }
    let psk = needed("psk", fields.text("psk")?)?;
    if !(LEAST_PSK..=MOST_PSK).contains(&psk.len()) {
        let why = format!("has {} bytes; {LEAST_PSK} to {MOST_PSK} are a key", psk.len());
        return Err(FieldError::new("psk", why));
    }
    Ok(ssid)
}
