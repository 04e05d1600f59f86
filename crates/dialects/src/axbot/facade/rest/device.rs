//! What the robot is.

use jiff::tz::TimeZone;
use latimer_core::model::signal::{Device, Footprint};
use latimer_core::model::{Kind, Signal};
use serde_json::{Map, Value, json};

use super::abilities;
use super::reply::Reply;
use crate::axbot::NAME;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::messages::Context;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;

/// The version of the API that the gateway speaks, for robots that are no chassis.
const API_VERSION: &str = "2.14.0";

/// `GET /device/info`
pub(super) fn info(robot: &FacadeRobot) -> Value {
    let mut info = brief(robot);
    if let Some(footprint) = robot.record::<Footprint>() {
        info.insert("robot".into(), shape(&footprint));
    } else {
        info.entry("robot").or_insert_with(|| json!({}));
    }
    info.insert("caps".into(), abilities::of(robot).caps());
    if let Some(time) = time(robot) {
        info.insert("time".into(), time.into());
    }
    Value::Object(info)
}

/// `GET /device/info/brief`
pub(super) fn brief(robot: &FacadeRobot) -> Map<String, Value> {
    let last = robot.last(Kind::Device);
    // What a chassis says of itself holds.
    let sent =
        last.as_ref().and_then(|update| update.native.as_ref()).filter(|native| native.dialect == NAME);
    if let Some(Value::Object(mut sent)) =
        sent.and_then(|native| serde_json::from_slice(&native.payload).ok())
    {
        sent.remove("topic");
        return sent;
    }
    let chassis = robot.hub.family(&robot.robot) == Some(NAME);
    let signal = last.map(|update| update.signal.clone());
    let mut brief = signal.as_ref().and_then(as_its_topic).unwrap_or_default();
    // A robot without a serial number is distinguished by its name in this gateway.
    let mut about = match brief.remove("device") {
        Some(Value::Object(about)) => about,
        _ => Map::new(),
    };
    for key in ["sn", "name"] {
        about.entry(key).or_insert_with(|| robot.robot.as_str().into());
    }
    if let Some(Signal::Device(Device { hardware: Some(hardware), .. })) = &signal {
        about.insert("hardware".into(), hardware.as_str().into());
    }
    brief.insert("device".into(), about.into());
    if !chassis && let Some(firmware) = brief.remove("axbot_version") {
        brief.entry("baseboard").or_insert_with(|| json!({"firmware_version": firmware}));
    }
    brief.entry("axbot_version").or_insert_with(|| API_VERSION.into());
    brief
}

/// What a robot is, as `/device_info_brief` tells it.
fn as_its_topic(device: &Signal) -> Option<Map<String, Value>> {
    let message = Message::of(Topic::DeviceInfoBrief, device, &Context::default())?;
    let mut info: Map<String, Value> = serde_json::from_slice(&message.write()).ok()?;
    info.remove("topic");
    Some(info)
}

/// `GET /device/status`: the same in the words of older apps.
pub(super) fn status(robot: &FacadeRobot) -> Map<String, Value> {
    let mut status = brief(robot);
    let of_device = |status: &Map<String, Value>, key: &str| status.get("device")?.get(key).cloned();
    let sn = of_device(&status, "sn");
    let nickname = of_device(&status, "nickname").or_else(|| of_device(&status, "name"));
    let version = status.get("axbot_version").cloned();
    for (key, value) in [("sn", sn), ("nickname", nickname), ("version", version)] {
        if let Some(value) = value {
            status.insert(key.into(), value);
        }
    }
    status
}

/// `GET /device/sensors`: those whose topics are published.
pub(super) fn sensors(robot: &FacadeRobot) -> Reply {
    let cameras: Vec<Value> = abilities::cameras(robot)
        .into_iter()
        .map(|(topic, _)| {
            let name = topic.as_str().split('/').nth(2).unwrap_or_default();
            json!({"name": name, "image_topic": topic.as_str()})
        })
        .collect();
    let scanners = if abilities::scans(robot) {
        json!([{"name": "lidar", "scan_topic": Topic::ScanMatchedPoints2.as_str()}])
    } else {
        json!([])
    };
    Reply::ok(&json!({"rgb_cameras": cameras, "laser_scanners": scanners, "depth_cameras": []}))
}

/// The outline: y is ahead there, x is ahead here.
pub(super) fn outline(footprint: &Footprint) -> Vec<[f64; 2]> {
    footprint.polygon_m.iter().map(|[x_m, y_m]| [-y_m, *x_m]).collect()
}

fn shape(footprint: &Footprint) -> Value {
    let Footprint { polygon_m, width_m } = footprint;
    let mut shape = of([("footprint", json!(outline(footprint))), ("width", json!(width_m))]);
    if let Some(radius_m) = inscribed_radius_m(polygon_m) {
        shape.insert("inscribed_radius".into(), json!(radius_m));
    }
    Value::Object(shape)
}

/// The distance from the middle to the nearest side.
fn inscribed_radius_m(polygon_m: &[[f64; 2]]) -> Option<f64> {
    let next = polygon_m.iter().cycle().skip(1);
    let sides = polygon_m.iter().zip(next).map(|([ax, ay], [bx, by])| {
        let (dx, dy) = (bx - ax, by - ay);
        let length2 = dx * dx + dy * dy;
        let along = if length2 > 0.0 { (-(ax * dx + ay * dy) / length2).clamp(0.0, 1.0) } else { 0.0 };
        (ax + along * dx).hypot(ay + along * dy)
    });
    sides.min_by(f64::total_cmp).map(|radius_m| (radius_m * 1e4).round() / 1e4)
}

/// The gateway's clock in the robots' way of writing.
fn time(robot: &FacadeRobot) -> Option<String> {
    let seconds = robot.hub.clock().now().as_nanos() / 1_000_000_000;
    let at = jiff::Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::UTC);
    Some(at.strftime("%Y/%m/%d %H:%M:%S").to_string())
}

fn of<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inscribed_circle_touches_the_nearest_side() {
        let outline = [[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]];
        assert_eq!(inscribed_radius_m(&outline), Some(0.2));
        assert_eq!(inscribed_radius_m(&[]), None);
        let reported = shape(&Footprint { polygon_m: outline.to_vec(), width_m: 0.4 });
        assert_eq!(reported["footprint"][0], json!([-0.2, 0.3]));
    }
}
