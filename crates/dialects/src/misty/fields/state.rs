//! The robot about itself: battery, place, mapping.

use latimer_core::model::Kind;

use super::message;
use super::pose::{AGAIN, FRAMES, NO_TOLERANCE, POLAR, TREE, with_location};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message, WordPair};

const CHARGE: &str = "a ratio in spite of its name; `null` while unknown; above 1 it is read as percent";
const TEMPERATURE: &str = "the specification names no unit; taken as °C";
const CHARGING: &str = "read where `state` is missing";

const BATTERY_STATES: &[WordPair] = &[
    ("Charging", "charging"),
    ("Discharging", "discharging"),
    ("Charged", "full"),
    ("Fault", "fault"),
    ("Unknown", "unknown"),
    ("NotCharging", "not_charging"),
];

const BITS: &str = "the sum of the bits whose names `statusList` lists; read where that is missing";
const FLAGS: &str = "`state`, `has_pose` and `streaming` are made from these";

pub(super) const SLAM_STATUS: Message = message(
    EventType::SlamStatus,
    "What mapping and localisation are doing. The message has no time.",
    &[
        FieldPair::same("slamStatus.runMode", Kind::Localization, "mode"),
        FieldPair::same("slamStatus.sensorStatus", Kind::Localization, "sensor"),
        FieldPair::own("slamStatus.status", BITS),
        FieldPair::same("slamStatus.statusList[]", Kind::Localization, "flags").note(FLAGS),
    ],
);

const AS_SAMPLE: &str = "written as the specification's sample shows it, not read";
const NEVER_LISTED: &str = "written as an empty list, not read";
const PRESSED: &str = "bumpers that are pressed: written from contacts, not read";

pub(super) const SELF_STATE: Message = message(
    EventType::SelfState,
    "Battery, place, mapping and state of the robot in one message, by a timer.",
    with_location!(
        "location",
        Kind::Pose,
        "",
        [
            FieldPair::reserved("acceleration.**", AS_SAMPLE),
            FieldPair::number("battery.chargePercent", "ratio", Kind::Battery, "charge_ratio", 1.0)
                .note(CHARGE),
            FieldPair::time("battery.created"),
            FieldPair::number("battery.current", "A", Kind::Battery, "current_a", 1.0)
                .note("negative while discharging"),
            FieldPair::own("battery.expiry", "until when the reading is good: written, not read"),
            FieldPair::number("battery.healthPercent", "ratio", Kind::Battery, "health_ratio", 1.0)
                .note(CHARGE),
            FieldPair::own("battery.isCharging", CHARGING),
            FieldPair::own("battery.sensorId", "always `charge`"),
            FieldPair::own("battery.sensorName", "always `/Sensors/RTC/BatteryCharge`"),
            FieldPair::words("battery.state", Kind::Battery, "state", BATTERY_STATES),
            FieldPair::number("battery.temperature", "°C", Kind::Battery, "temperature_c", 1.0)
                .note(TEMPERATURE),
            FieldPair::same("battery.trained", Kind::Battery, "gauge_trained"),
            FieldPair::number("battery.voltage", "V", Kind::Battery, "voltage_v", 1.0),
            FieldPair::reserved("bumpedState.disengagedSensorIds", NEVER_LISTED),
            FieldPair::reserved("bumpedState.disengagedSensorNames", NEVER_LISTED),
            FieldPair::reserved("bumpedState.disengagedSensors", NEVER_LISTED),
            FieldPair::reserved("bumpedState.engagedSensorIds", PRESSED),
            FieldPair::reserved("bumpedState.engagedSensorNames", PRESSED),
            FieldPair::reserved("bumpedState.engagedSensors", PRESSED),
            FieldPair::same("cameraStatus.isTakingPicture", Kind::Status, "taking_picture"),
            FieldPair::words(
                "cameraStatus.onboardCameraStatus",
                Kind::Status,
                "camera",
                &[("Off", "off"), ("Ready", "ready"), ("Streaming", "streaming"), ("Error", "error")],
            ),
            FieldPair::reserved("currentGoal.**", AS_SAMPLE),
            FieldPair::same("localIPAddress", Kind::Status, "ip_address"),
            FieldPair::time("location.pose.created"),
            FieldPair::reserved("mentalState.**", AS_SAMPLE),
            FieldPair::reserved("occupancyGridCell.**", AS_SAMPLE),
            FieldPair::reserved("occupancyGridCellMeters", AS_SAMPLE),
            FieldPair::words(
                "robotRunState.currentState",
                Kind::Status,
                "run_state",
                &[("Loading", "loading"), ("Running", "running"), ("Updating", "updating")],
            ),
            FieldPair::reserved("serialMessages", "the last lines from the serial port: written, not read"),
            FieldPair::same("slamStatus.runMode", Kind::Localization, "mode"),
            FieldPair::same("slamStatus.sensorStatus", Kind::Localization, "sensor"),
            FieldPair::own("slamStatus.status", BITS),
            FieldPair::same("slamStatus.statusList[]", Kind::Localization, "flags").note(FLAGS),
            FieldPair::reserved("touchedState.disengagedSensors", NEVER_LISTED),
            FieldPair::reserved(
                "touchedState.engagedSensors",
                "touch sensors that are touched: written from contacts, not read",
            ),
        ]
    ),
);
