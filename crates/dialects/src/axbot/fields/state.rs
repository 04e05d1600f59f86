//! The robot about itself: who drives, battery, what is wrong, how far it went, what it is.

use latimer_core::model::Kind;

use super::{message, metres};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message};

pub(super) const WHEEL_STATE: Message = message(
    Topic::WheelState,
    &[Kind::Control],
    "Who drives, and the emergency stop.",
    &[
        FieldPair::words(
            "control_mode",
            Kind::Control,
            "mode",
            &[("auto", "auto"), ("manual", "manual"), ("remote", "remote")],
        ),
        FieldPair::same("emergency_stop_pressed", Kind::Control, "emergency_stop"),
        FieldPair::same("wheels_released", Kind::Control, "wheels_released"),
    ],
);

pub(super) const SENSOR_MANAGER_STATE: Message = message(
    Topic::SensorManagerState,
    &[Kind::Control],
    "Whether sensors are switched on; read together with `/wheel_state`.",
    &[FieldPair::words(
        "power_state",
        Kind::Control,
        "power",
        &[("awake", "awake"), ("awakening", "awakening"), ("sleeping", "sleeping")],
    )],
);

pub(super) const ALERTS: Message = message(
    Topic::Alerts,
    &[Kind::Alerts],
    "Everything that is wrong now; what of it keeps the robot from driving is told as a hazard too.",
    &[
        FieldPair::same("alerts[].code", Kind::Alerts, "active.code")
            .note("thousands tell the component; hundreds from 500 on are warnings"),
        FieldPair::words(
            "alerts[].level",
            Kind::Alerts,
            "active.severity",
            &[("warning", "warning"), ("error", "error")],
        ),
        FieldPair::same("alerts[].msg", Kind::Alerts, "active.message"),
    ],
);

pub(super) const TRAVELLED_DISTANCE: Message = message(
    Topic::TravelledDistance,
    &[Kind::Odometer],
    "How far the robot went.",
    &[
        FieldPair::same("start_time", Kind::Odometer, "trip_start")
            .note("whole seconds since 1970; nanoseconds in the model"),
        FieldPair::number("duration", "s", Kind::Odometer, "trip_s", 1.0),
        metres("distance", Kind::Odometer, "trip_m"),
        metres("accumulated_distance", Kind::Odometer, "total_m"),
    ],
);

pub(super) const MOTION_METRICS: Message = message(
    Topic::MotionMetrics,
    &[Kind::Velocity],
    "How fast the robot goes; the part is `measured`.",
    &[
        FieldPair::number("linear_velocity", "m/s", Kind::Velocity, "linear_mps", 1.0),
        FieldPair::own("linear_acc", "the forward acceleration, not written"),
        FieldPair::number("angular_velocity", "rad/s", Kind::Velocity, "angular_radps", 1.0),
    ],
);

pub(super) const ACTION: Message = message(
    Topic::Action,
    &[Kind::Task],
    "What became of a calibration; the kind of the task is `maintenance`.",
    &[
        FieldPair::time("timestamp").note("seconds since 1970"),
        FieldPair::own("email", "who asked; not written"),
        FieldPair::own("username", "who asked; not written"),
        FieldPair::own("deviceName", "the robot's serial number; not written"),
        FieldPair::same("action", Kind::Task, "id").note("`recalibrate_imu` or `calibrate_gyro_scale`"),
        FieldPair::same("message", Kind::Task, "reason").note("begins with `error: ` if it failed"),
    ],
);

const INERTIAL: &str = "what the sensor itself measures; not written";

pub(super) const IMU_STATE: Message = message(
    Topic::ImuState,
    &[Kind::Task],
    "How a calibration of the inertial sensor stands; the task is `recalibrate_imu`, its kind `maintenance`.",
    &[
        FieldPair::words(
            "calibrate_state",
            Kind::Task,
            "state",
            &[("1", "progress"), ("2", "succeeded"), ("3", "failed")],
        )
        .note("0 if there was none"),
        FieldPair::own("calibrate_fail_reason", "1 if it failed, because it was shaken"),
        FieldPair::own("temperature", INERTIAL),
        FieldPair::own("angular_velocity_standard_deviation_10s[]", INERTIAL),
        FieldPair::own("angular_velocity_avg_10s[]", INERTIAL),
        FieldPair::own("linear_acc_standard_deviation_10s[]", INERTIAL),
        FieldPair::own("gyro_calibrating", INERTIAL),
        FieldPair::own("gyro_bias[]", INERTIAL),
        FieldPair::own("gyro_bias_target[]", INERTIAL),
    ],
);

const COMPONENT: &str = "a part of the device; not written";

pub(super) const DEVICE_INFO_BRIEF: Message = message(
    Topic::DeviceInfoBrief,
    &[Kind::Device],
    "What the robot is.",
    &[
        FieldPair::own("rosversion", "version of ROS; not written"),
        FieldPair::own("rosdistro", "name of that version; not written"),
        FieldPair::same("axbot_version", Kind::Device, "firmware"),
        FieldPair::same("device.model", Kind::Device, "model"),
        FieldPair::same("device.sn", Kind::Device, "serial").note("not in the specification's sample"),
        FieldPair::same("device.name", Kind::Device, "name").note("not in the specification's sample"),
        FieldPair::own("baseboard.**", COMPONENT),
        FieldPair::own("wheel_control.**", COMPONENT),
        FieldPair::own("lidar.**", COMPONENT),
        FieldPair::own("bottom_sensor_pack.**", COMPONENT),
        FieldPair::own("depth_camera.**", COMPONENT),
        FieldPair::own("remote_params.**", "parameters from far away; not written"),
    ],
);
