//! `GET /device/info`: what the robot is, and what it can do; no I/O.

use latimer_core::model::signal::{Device, Footprint};
use serde_json::Value as Json;

use crate::axbot::messages::Context;
use crate::axbot::messages::device::DeviceInfoBrief;
use crate::describe::Translate as _;
use crate::describe::lenient::Lenient as _;

/// Who makes them.
const MAKER: &str = "AutoXing";

/// Most corners read of an outline.
const MOST_CORNERS: usize = 1_000;

/// Farthest corner believed, metres.
const MAX_CORNER_M: f64 = 100.0;

/// What the session goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Caps {
    /// Topics may be enabled several at a time.
    pub(super) topic_lists: bool,
    /// Maps are published as addresses to be fetched.
    pub(super) cached_topics: bool,
    /// From wheel to wheel.
    pub(super) wheel_gap_m: Option<f64>,
}

/// What the session goes by; a robot that does not tell can do little.
pub(super) fn caps_from_json(info: &Json) -> Caps {
    let can = |name: &str| info.pointer(&format!("/caps/{name}")).and_then(Json::as_bool).unwrap_or(false);
    let gap = info.pointer("/robot/wheel_distance").and_then(Json::as_f64);
    Caps {
        topic_lists: can("supportsEnableTopicList"),
        cached_topics: can("supportsCachedTopics"),
        wheel_gap_m: gap.filter(|gap| *gap > 0.0),
    }
}

/// What it is, in the model's words.
pub(super) fn device_from_json(info: &Json) -> Device {
    let text = |path: &str| {
        let found = info.pointer(path).and_then(Json::as_str).map(str::trim);
        found.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    Device {
        maker: Some(MAKER.into()),
        model: text("/device/model"),
        serial: text("/device/sn"),
        name: text("/device/name").or_else(|| text("/device/nickname")),
        firmware: text("/axbot_version"),
        hardware: text("/device/hardware"),
        ros_version: text("/rosversion"),
        ros_distribution: text("/rosdistro"),
        // The rest is decoded as a message of the topic.
        ..below_from_json(info)
    }
}

/// The parts and options of a robot that it tells of.
fn below_from_json(info: &Json) -> Device {
    let read = DeviceInfoBrief::read(info)
        .ok()
        .flatten()
        .and_then(|message| message.decode(&Context::default()).ok());
    read.unwrap_or(Device::UNKNOWN)
}

/// Its outline; on this wire y is ahead and x to the right.
pub(super) fn footprint_from_json(info: &Json) -> Option<Footprint> {
    let corners = info.pointer("/robot/footprint")?.as_array()?;
    let corner = |corner: &Json| {
        let [right, ahead] = corner.as_array()?.as_slice() else { return None };
        let (right_m, ahead_m) = (right.as_f64()?, ahead.as_f64()?);
        (right_m.abs().max(ahead_m.abs()) <= MAX_CORNER_M).then_some([ahead_m, -right_m])
    };
    let polygon_m: Vec<[f64; 2]> = corners.iter().take(MOST_CORNERS).map(corner).collect::<Option<_>>()?;
    if polygon_m.len() < 3 {
        return None;
    }
    let left = polygon_m.iter().map(|[_, y_m]| *y_m);
    let across = left.clone().fold(f64::MIN, f64::max) - left.fold(f64::MAX, f64::min);
    let reported = info.pointer("/robot/width").and_then(Json::as_f64).filter(|width| *width > 0.0);
    Some(Footprint { polygon_m, width_m: reported.unwrap_or(across) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_core::model::signal::DevicePart;
    use serde_json::json;

    #[test]
    fn reads_what_robots_tell() {
        let info = json!({
            "rosversion": "1.15.11",
            "axbot_version": "2.9.0-pi64",
            "device": {"model": "hygeia", "sn": "71822048000350z", "name": " ", "nickname": "Hy"},
            "robot": {"footprint": [[0.24, -0.2], [0.24, 0.3], [-0.24, 0.3]], "wheel_distance": 0.36},
            "caps": {"supportsEnableTopicList": true, "supportsCachedTopics": "yes"},
            "wheel_control": {"device_type": "amps", "firmware_version": "amps_20211103"},
            "depth_camera": {"firmware_version": ""},
            "remote_params": {"tags": ["RGB_external"]},
        });
        let device = device_from_json(&info);
        assert_eq!(
            (device.model.as_deref(), device.serial.as_deref()),
            (Some("hygeia"), Some("71822048000350z"))
        );
        assert_eq!((device.name.as_deref(), device.firmware.as_deref()), (Some("Hy"), Some("2.9.0-pi64")));
        let part = |name: &str, kind: Option<&str>, firmware: &str| DevicePart {
            name: name.to_owned(),
            model: None,
            kind: kind.map(str::to_owned),
            firmware: Some(firmware.to_owned()),
        };
        let parts = [part("wheel_control", Some("amps"), "amps_20211103"), part("depth_camera", None, "")];
        assert_eq!((device.ros_version.as_deref(), device.parts.as_slice()), (Some("1.15.11"), &parts[..]));
        assert_eq!(device.options, Some(vec!["RGB_external".to_owned()]));
        let caps = caps_from_json(&info);
        assert_eq!(caps, Caps { topic_lists: true, cached_topics: false, wheel_gap_m: Some(0.36) });
        let footprint = footprint_from_json(&info).unwrap();
        assert_eq!(footprint.polygon_m[0], [-0.2, -0.24]);
        assert_eq!(footprint.width_m, 0.48);
    }

    #[test]
    fn what_is_no_info_tells_nothing() {
        for info in
            [json!(null), json!([]), json!({"robot": {"footprint": [[1], "x"]}, "device": 3, "caps": []})]
        {
            assert_eq!(caps_from_json(&info), Caps::default());
            assert_eq!(footprint_from_json(&info), None);
            assert_eq!(device_from_json(&info).model, None);
        }
    }
}
