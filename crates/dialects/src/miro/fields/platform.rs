//! The synchronous streams of the platform.

use latimer_core::model::Kind;

use super::{FLAGS, USEC, message};
use crate::miro::topic::Topic;
use crate::table::{FieldPair, Message};

/// Names of sensors in the order of the wire.
const CORNERS: &str =
    "front left, front right, rear left, rear right, each a part; 0..255, as bytes in Base64";

pub(super) const SENSORS: Message = message(
    Topic::Sensors,
    &[
        Kind::Battery,
        Kind::Temperature,
        Kind::Imu,
        Kind::Velocity,
        Kind::Joint,
        Kind::Pins,
        Kind::Range,
        Kind::Light,
        Kind::Contact,
        Kind::Cliff,
    ],
    "What the platform senses, 50 times a second.",
    &[
        FieldPair::time("header.stamp"),
        FieldPair::own("header.seq", "numbered by who publishes"),
        FieldPair::own("header.frame_id", "`base_link`; of the fields `head`, `body`, `odom`, `sonar`"),
        FLAGS,
        USEC,
        FieldPair::same("battery_voltage", Kind::Battery, "voltage_v"),
        FieldPair::same("temperature.temperature", Kind::Temperature, "temperature_c"),
        FieldPair::same("accel_head.linear_acceleration.x", Kind::Imu, "linear_acceleration.x_mps2")
            .of_part("head"),
        FieldPair::same("accel_head.linear_acceleration.y", Kind::Imu, "linear_acceleration.y_mps2")
            .of_part("head"),
        FieldPair::same("accel_head.linear_acceleration.z", Kind::Imu, "linear_acceleration.z_mps2")
            .of_part("head"),
        FieldPair::same("accel_body.linear_acceleration.x", Kind::Imu, "linear_acceleration.x_mps2")
            .of_part("body"),
        FieldPair::same("accel_body.linear_acceleration.y", Kind::Imu, "linear_acceleration.y_mps2")
            .of_part("body"),
        FieldPair::same("accel_body.linear_acceleration.z", Kind::Imu, "linear_acceleration.z_mps2")
            .of_part("body"),
        FieldPair::number("odometry.twist.twist.linear.x", "mm/s", Kind::Velocity, "linear_mps", 1_000.0)
            .of_part("measured")
            .note("summed to a pose here"),
        FieldPair::same("odometry.twist.twist.angular.z", Kind::Velocity, "angular_radps")
            .of_part("measured"),
        FieldPair::part("joint_state.name[0]", &[("tilt", "tilt")]).of_part("tilt"),
        FieldPair::part("joint_state.name[1]", &[("lift", "lift")]).of_part("lift"),
        FieldPair::part("joint_state.name[2]", &[("yaw", "yaw")]).of_part("yaw"),
        FieldPair::part("joint_state.name[3]", &[("pitch", "pitch")]).of_part("pitch"),
        FieldPair::same("joint_state.position[0]", Kind::Joint, "position_rad").of_part("tilt"),
        FieldPair::same("joint_state.position[1]", Kind::Joint, "position_rad").of_part("lift"),
        FieldPair::same("joint_state.position[2]", Kind::Joint, "position_rad").of_part("yaw"),
        FieldPair::same("joint_state.position[3]", Kind::Joint, "position_rad").of_part("pitch"),
        FieldPair::same("joint_state.velocity[0]", Kind::Joint, "velocity_radps").of_part("tilt"),
        FieldPair::same("joint_state.velocity[1]", Kind::Joint, "velocity_radps").of_part("lift"),
        FieldPair::same("joint_state.velocity[2]", Kind::Joint, "velocity_radps").of_part("yaw"),
        FieldPair::same("joint_state.velocity[3]", Kind::Joint, "velocity_radps").of_part("pitch"),
        FieldPair::own("joint_state.effort[]", "not measured here"),
        FieldPair::same("eyelid_closure", Kind::Joint, "position_ratio").of_part("eyelids"),
        FieldPair::same("dip_state_phys", Kind::Pins, "inputs").note("a bit for each of four switches"),
        FieldPair::same("sonar_range.range", Kind::Range, "distance_m").note("0 is nothing in view"),
        FieldPair::same("sonar_range.min_range", Kind::Range, "min_m"),
        FieldPair::same("sonar_range.max_range", Kind::Range, "max_m"),
        FieldPair::same("sonar_range.field_of_view", Kind::Range, "field_of_view_rad"),
        FieldPair::number("light", "1/255", Kind::Light, "level_ratio", 255.0).note(CORNERS),
        FieldPair::same("touch_head", Kind::Contact, "contacted")
            .note("parts `touch_head_0` to `touch_head_3`, as bytes in Base64"),
        FieldPair::same("touch_body", Kind::Contact, "contacted")
            .note("parts `touch_body_0` to `touch_body_3`, as bytes in Base64"),
        FieldPair::same("cliff", Kind::Cliff, "status_code")
            .note("left and right; 0 no surface to 15 surely a surface, as bytes in Base64"),
    ],
);

pub(super) const STATE: Message = message(
    Topic::State,
    &[Kind::Device, Kind::Status, Kind::Alerts],
    "How the processors of the platform are, 50 times a second.",
    &[
        FieldPair::time("header.stamp"),
        FLAGS,
        USEC,
        FieldPair::own("P1_release", "release tag of P1: 7 bits of the year, 4 of the month, 5 of the day"),
        FieldPair::own("P1_mode", "always zero"),
        FieldPair::same("P1_error_code", Kind::Alerts, "active.code").note("0 is none, 1 is I2C_BUSY"),
        FieldPair::same("P1_R_signals", Kind::Alerts, "active.message")
            .note("bit 3 LOW_BATT, 10 STALL_UC1, 11 STALL_UC4, 17 RETREAT_ON_CLIFF"),
        FieldPair::own("success_r", "boards on the bus that were read"),
        FieldPair::own("success_w", "boards on the bus that were written"),
        FieldPair::own("seed", "noise of the moment at which it was switched on"),
        FieldPair::same("P2_release", Kind::Device, "firmware").note("a tag like that of P1"),
        FieldPair::own("P2_bootloader_release", "a tag like that of P1"),
        FieldPair::same("serial", Kind::Device, "serial").note("as a number"),
        FieldPair::same("serial_number", Kind::Device, "serial").note("the same by another name"),
        FieldPair::own("P2_mode", "what P2 does"),
        FieldPair::words("P2C_R_signals", Kind::Status, "run_state", &[("1", "running"), ("0", "loading")])
            .note("bit 0 PLATFORM_READY"),
        FieldPair::own("P2L_R_signals", "bit 0 MODE_SET, 1 SEED_READY"),
        FieldPair::own("P2U_R_signals", "bit 16 BODY_MOVE_UNDERWAY, 17 VOCALISING"),
        FieldPair::own("num_free_stream_buf", "room for frames of streamed sound"),
        FieldPair::own("msg_id_of_last_stream_buf_recv", "the last frame of streamed sound"),
        FieldPair::own("rtc_hrs", "the robot's clock, here that of the gateway"),
        FieldPair::own("rtc_min", "minutes"),
        FieldPair::own("rtc_sec", "seconds"),
        FieldPair::own("rtc_skew", "zero here"),
        FieldPair::own("P3_release", "a tag like that of P1"),
        FieldPair::own("number_of_loaded_sounds", "sounds that the bridge can stream"),
    ],
);
