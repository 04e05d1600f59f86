//! What moves: joints, wheels, attitude, commanded speed.

use latimer_core::model::Kind;

use super::{CREATED, DEG, EXPIRY, TURN, message, sensor_ids, sensor_names};
use crate::misty::map::names::{JOINTS, Sensor};
use crate::misty::wire::EventType;
use crate::table::{FieldPair, Message, WordPair};

const fn actuator_ids(joints: &[Sensor; 5]) -> [WordPair; 5] {
    let mut pairs = [("", ""); 5];
    let mut i = 0;
    while i < 5 {
        pairs[i] = (joints[i].actuator_id, joints[i].part);
        i += 1;
    }
    pairs
}

pub(super) const ACTUATOR_POSITION: Message = message(
    EventType::ActuatorPosition,
    "Where a joint of the head or an arm stands.",
    &[
        FieldPair::part("actuatorId", &actuator_ids(&JOINTS)).note("read where no other name is given"),
        CREATED,
        EXPIRY,
        FieldPair::part("sensorId", &sensor_ids(&JOINTS)),
        FieldPair::part("sensorName", &sensor_names(&JOINTS)),
        FieldPair::number("value", "°", Kind::Joint, "position_rad", DEG)
            .note("head down, roll right, yaw left and arms down are positive; metres for a slide"),
    ],
);

pub(super) const DRIVE_ENCODERS: Message = message(
    EventType::DriveEncoders,
    "How far the two tracks turned.",
    &[
        CREATED,
        EXPIRY,
        FieldPair::number("leftDistance", "°", Kind::Encoders, "left.rotation_rad", DEG),
        FieldPair::number("leftVelocity", "°/s", Kind::Encoders, "left.velocity_radps", DEG),
        FieldPair::number("rightDistance", "°", Kind::Encoders, "right.rotation_rad", DEG),
        FieldPair::number("rightVelocity", "°/s", Kind::Encoders, "right.velocity_radps", DEG),
        FieldPair::own("sensorId", "always `enc`"),
        FieldPair::own("sensorName", "not given"),
    ],
);

pub(super) const HALT_COMMAND: Message = message(
    EventType::HaltCommand,
    "The robot was stopped.",
    &[
        CREATED,
        FieldPair::same("motorMask", Kind::Motion, "motor_mask")
            .note("65535 means all motors and is no mask here; a motion that is halted is sent, no other"),
    ],
);

pub(super) const IMU: Message = message(
    EventType::Imu,
    "Attitude, turn rates and accelerations.",
    &[
        CREATED,
        EXPIRY,
        FieldPair::number("pitch", "°", Kind::Imu, "orientation.pitch_rad", DEG)
            .turning(TURN)
            .note("forward is positive"),
        FieldPair::number("pitchVelocity", "°/s", Kind::Imu, "angular_velocity.y_radps", DEG),
        FieldPair::number("roll", "°", Kind::Imu, "orientation.roll_rad", DEG)
            .turning(TURN)
            .note("right is positive; robots of 2019 write 0 to 360"),
        FieldPair::number("rollVelocity", "°/s", Kind::Imu, "angular_velocity.x_radps", DEG),
        FieldPair::own("sensorId", "always `imu`"),
        FieldPair::own("sensorName", "not given"),
        FieldPair::number("xAcceleration", "m/s²", Kind::Imu, "linear_acceleration.x_mps2", 1.0)
            .note("forward, gravity included"),
        FieldPair::number("yAcceleration", "m/s²", Kind::Imu, "linear_acceleration.y_mps2", 1.0).note("left"),
        FieldPair::number("yaw", "°", Kind::Imu, "orientation.yaw_rad", DEG)
            .turning(TURN)
            .note("0 to 360, counter-clockwise from where the robot was switched on"),
        FieldPair::number("yawVelocity", "°/s", Kind::Imu, "angular_velocity.z_radps", DEG),
        FieldPair::number("zAcceleration", "m/s²", Kind::Imu, "linear_acceleration.z_mps2", 1.0)
            .note("up, about 9.81 at rest"),
    ],
);

pub(super) const LOCOMOTION_COMMAND: Message = message(
    EventType::LocomotionCommand,
    "The speed that was commanded; the part is `commanded`.",
    &[
        FieldPair::same("actionId", Kind::Velocity, "action_id"),
        FieldPair::number("angularVelocity", "°/s", Kind::Velocity, "angular_radps", DEG)
            .note("left is positive; the specification names no unit"),
        CREATED,
        FieldPair::number("linearVelocity", "m/s", Kind::Velocity, "linear_mps", 1.0)
            .note("the specification names no unit; its sample fits m/s"),
        FieldPair::same("usePid", Kind::Velocity, "closed_loop").note("in the `Deprecated` version only"),
        FieldPair::same("useTrapezoidalDrive", Kind::Velocity, "ramped"),
        FieldPair::reserved("valueIndex", "always 0"),
    ],
);
