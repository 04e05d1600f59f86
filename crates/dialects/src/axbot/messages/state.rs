//! The chassis itself: who drives, what is wrong, how far it went, what it shows.

use latimer_core::model::signal::{
    Alert as ModelAlert, Alerts as ModelAlerts, Control, ControlMode, Indicators, Odometer, Pins, Severity,
    SleepState, Traction, Velocity,
};

use super::Context;
use super::codecs::{Elapsed, METRES, RADIANS, Seconds};
use crate::axbot::wire::Moment;
use crate::describe::codec::{Bit, Each, Words};
use crate::describe::{Extra, Message, Translate as _};

pub(in crate::axbot) const MODES: &[(&str, ControlMode)] =
    &[("auto", ControlMode::Auto), ("manual", ControlMode::Manual), ("remote", ControlMode::Remote)];

pub(in crate::axbot) const POWER: Words<SleepState> = Words(&[
    ("awake", SleepState::Awake),
    ("awakening", SleepState::Awakening),
    ("sleeping", SleepState::Sleeping),
]);

const LEVELS: Words<Severity> = Words(&[("warning", Severity::Warning), ("error", Severity::Error)]);

/// Section "TwistController State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Control, context = Context)]
pub struct WheelState {
    /// What `/chassis_state` tells, too.
    #[field(flatten)]
    pub brief: ChassisParts,
    /// Whether the wire that frees the wheels is active; some models only.
    #[field(wheels_released)]
    pub wheels_released: Option<bool>,
    pub(crate) extra: Extra,
}

/// `/chassis_state`: `/wheel_state` as it was before version 1.8.8; not in the specification, but in the vendor's list of
/// what is out of use.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Control, context = Context)]
pub struct ChassisState {
    /// What `/wheel_state` tells, too.
    #[field(flatten)]
    pub brief: ChassisParts,
    /// The same again.
    #[field(computed = again)]
    pub parts: Option<ChassisParts>,
    pub(crate) extra: Extra,
}

/// What `/wheel_state` tells, and `/chassis_state` twice.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Control, context = Context, ignores(wheels_released, power))]
pub struct ChassisParts {
    /// Who drives; chassis also say `unknown`, which tells nothing.
    #[field(mode, words = MODES, required)]
    pub control_mode: Option<String>,
    /// Whether in emergency stop mode.
    #[field(emergency_stop, required)]
    pub emergency_stop_pressed: Option<bool>,
    pub(crate) extra: Extra,
}

fn again(control: &Control, context: &Context) -> Option<ChassisParts> {
    ChassisParts::encode(control, context)
}

/// Section "Sensor Manager State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct SensorManagerState {
    /// Whether sensors and motors are switched on; chassis also say `unknown`.
    #[field(model = "power", codec = POWER)]
    pub power_state: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "Robot Signal".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Indicators, context = Context)]
pub struct RobotSignal {
    /// Turning left.
    #[field(turn_left, required)]
    pub turn_left: Option<bool>,
    /// Turning right.
    #[field(turn_right, required)]
    pub turn_right: Option<bool>,
    /// Braking.
    #[field(brake, required)]
    pub brake: Option<bool>,
    /// Backing up.
    #[field(reverse, required)]
    pub reverse: Option<bool>,
    pub(crate) extra: Extra,
}

/// Section "Bumper State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct BumperState {
    /// The one in front, `bump_front`; of other robots any bumper in front.
    #[field(model = "contacted")]
    pub front_bumper_pressed: Option<bool>,
    /// The one behind, `bump_rear`; of other robots any bumper behind.
    #[field(model = "contacted")]
    pub rear_bumper_pressed: Option<bool>,
    pub(crate) extra: Extra,
}

/// Section "Traveled Distance".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Odometer, context = Context)]
pub struct TravelledDistance {
    /// When the present move began, seconds since 1970.
    #[field(trip_start, codec = Seconds)]
    pub start_time: Option<i64>,
    /// How long it takes so far, seconds.
    #[field(trip_s, codec = Elapsed, required)]
    pub duration: Option<Moment>,
    /// How long it is so far, metres.
    #[field(trip_m, codec = METRES, required)]
    pub distance: Option<f64>,
    /// Since the robot was switched on, metres.
    #[field(total_m, codec = METRES, required)]
    pub accumulated_distance: Option<f64>,
    pub(crate) extra: Extra,
}

/// `/motion_metrics`: how fast it goes; not in the specification, but in the vendor's client.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Velocity, context = Context, ignores(closed_loop, ramped, action_id))]
pub struct MotionMetrics {
    /// Metres per second, forward.
    #[field(linear_mps, codec = METRES)]
    pub linear_velocity: Option<f64>,
    /// Metres per second squared.
    #[field(own)]
    pub linear_acc: Option<f64>,
    /// Radians per second, counter-clockwise.
    #[field(angular_radps, codec = RADIANS.0)]
    pub angular_velocity: Option<f64>,
    pub(crate) extra: Extra,
}

/// `/fused_sensor_state`: how its wheels hold the floor, and whether it stands; not in the specification, but in the vendor's
/// manual.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Traction, context = Context)]
pub struct FusedSensorState {
    /// Whether the wheels slip.
    #[field(slipping)]
    pub slipping: Option<bool>,
    /// Whether they hardly take the robot along.
    #[field(slipping_badly)]
    pub major_slipping: Option<bool>,
    /// What its odometry goes by; a number of the vendor's.
    #[field(own)]
    pub odom_source: Option<i64>,
    /// From where something pushes; a number of the vendor's.
    #[field(own)]
    pub collide_dir: Option<i64>,
    /// Whether somebody pushes it.
    #[field(pushed)]
    pub pushed: Option<bool>,
    /// How far it may speed up; a number of the vendor's.
    #[field(own)]
    pub accelerability: Option<f64>,
    /// How fast it deems right to drive, metres per second.
    #[field(suggested_mps, codec = METRES)]
    pub suggested_speed: Option<f64>,
    /// Whether it stands, by the two below.
    #[field(still)]
    pub is_still: Option<bool>,
    /// Whether its wheels stand.
    #[field(wheels_still)]
    pub odom_still: Option<bool>,
    /// Whether it stands by its inertial sensor.
    #[field(body_still)]
    pub imu_still: Option<bool>,
    pub(crate) extra: Extra,
}

/// Section "Alerts".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelAlerts, context = Context)]
pub struct Alerts {
    /// What is wrong now.
    #[field(active, each, nested, required)]
    pub alerts: Option<Vec<Alert>>,
    pub(crate) extra: Extra,
}

/// Something that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = ModelAlert, context = Context, finish = severity_from_code)]
pub struct Alert {
    /// The vendor's number for it: thousands tell the component, hundreds whether it is a warning.
    #[field(code, required)]
    pub code: Option<i64>,
    /// How bad it is; chassis also say `none`: then the code tells.
    #[field(severity, codec = LEVELS, or = Severity::Error)]
    pub level: Option<String>,
    /// For a person to read.
    #[field(message, or = String::new())]
    pub msg: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "Digital Input/Output".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Pins, context = Context)]
pub struct IoPinsState {
    /// 0 or 1, board by board.
    #[field(inputs, codec = Each(Bit), each, or = Vec::new())]
    pub inputs: Option<Vec<Vec<i64>>>,
    /// 0 or 1, board by board.
    #[field(outputs, codec = Each(Bit), each, or = Vec::new())]
    pub outputs: Option<Vec<Vec<i64>>>,
    pub(crate) extra: Extra,
}

/// `/raw_io_board_state`: the pins of `/io_pins_state`, all boards in a row; not in the specification, but in the vendor's manual.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct RawIoBoardState {
    /// 0 or 1.
    #[field(model = "inputs")]
    pub inputs_active: Option<Vec<i64>>,
    /// 0 or 1.
    #[field(model = "outputs")]
    pub outputs_active: Option<Vec<i64>>,
    pub(crate) extra: Extra,
}

/// By the vendor's rule: five hundred and more within a thousand are warnings.
fn severity_from_code(message: &Alert, _: &Context, alert: &mut ModelAlert) {
    let known = message.level.as_deref().and_then(|level| LEVELS.meaning(level));
    let by_code = if alert.code.rem_euclid(1_000) < 500 { Severity::Error } else { Severity::Warning };
    alert.severity = known.unwrap_or(by_code);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_tells_how_bad_it_is_if_the_level_does_not() {
        let severity = |code, level: &str| {
            let alert = Alert { code: Some(code), level: Some(level.into()), ..Alert::default() };
            alert.decode(&Context::default()).unwrap().severity
        };
        assert_eq!(severity(6004, "none"), Severity::Error);
        assert_eq!(severity(8501, ""), Severity::Warning);
        assert_eq!(severity(8501, "error"), Severity::Error);
    }
}
