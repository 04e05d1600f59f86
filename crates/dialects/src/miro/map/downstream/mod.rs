//! What clients send down, in the model's units: millimetres become metres, and what a field means is decided here.
//!
//! What is no number is as if it were not said, and named.

pub(in crate::miro) mod core;
pub(in crate::miro) mod lights;

use std::f64::consts::TAU;
use std::time::Duration;

use latimer_core::model::CameraSettings;

use crate::miro::messages::signals::{body_move, degree_of_freedom, sync};
use crate::miro::messages::{PlatformConfig, PlatformControl};

/// Joints in the order of the wire, and their first angles in degrees (published).
pub(in crate::miro) const JOINTS: [(&str, f64); 4] =
    [("tilt", -5.0), ("lift", 17.0), ("yaw", 0.0), ("pitch", -12.0)];

/// What shows a mood, and the lowest share of each; the highest is 1.
pub(in crate::miro) const COSMETICS: [(&str, f64); 4] =
    [("tail", -1.0), ("ear_left", 0.0), ("ear_right", 0.0), ("eyelids", 0.0)];

/// A blink's time is counted in these.
pub(in crate::miro) const BLINK_PERIOD: Duration = Duration::from_millis(20);

/// Slowest and fastest joint speed that is passed on, rad/s.
const JOINT_RADPS: [f64; 2] = [0.001, 100.0];

/// Size and rate of pictures after power-up (published).
const USUAL_PICTURES: ([u32; 2], f64) = ([320, 240], 5.0);

/// Any rate can be asked for; this is more than any camera has, pictures a second.
pub(in crate::miro) const MOST_PICTURES_HZ: f64 = 1e3;

/// A joint's target: angle, and speed if the robot's own pace is not meant; rad and rad/s.
pub(in crate::miro) type Aim = (f64, Option<f64>);

/// Colours of the six lamps: red, green, blue.
pub(in crate::miro) type Lamps = [[u8; 3]; 6];

/// A pose on the floor that a body move is for, metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::miro) struct MoveTo {
    pub(in crate::miro) x_m: f64,
    pub(in crate::miro) y_m: f64,
    pub(in crate::miro) yaw_rad: f64,
    /// It begins here, if it has not begun by the message before.
    pub(in crate::miro) start: bool,
    /// The pose is one of the odometry.
    pub(in crate::miro) absolute: bool,
}

/// `platform/control` in the model's units.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::miro) struct Control {
    /// It belongs together with a message of the core.
    pub(in crate::miro) paired: bool,
    /// Forward and counter-clockwise, m/s and rad/s; `None` has no effect.
    pub(in crate::miro) speeds: Option<(f64, f64)>,
    /// Of [`JOINTS`]; `None` leaves it alone.
    pub(in crate::miro) joints: [Option<Aim>; 4],
    /// While it is to go on.
    pub(in crate::miro) move_to: Option<MoveTo>,
    /// Shares of [`COSMETICS`]; `None` leaves it alone.
    pub(in crate::miro) cosmetics: [Option<f64>; 4],
    /// How long, and whether twice.
    pub(in crate::miro) blink: Option<(Duration, bool)>,
    /// Colours of the lamps.
    pub(in crate::miro) lamps: Lamps,
    /// Numbers of sounds of P1 and P2; 0 is none.
    pub(in crate::miro) sounds: [u32; 2],
    /// Fields in which there was no number.
    pub(in crate::miro) odd: Vec<&'static str>,
}

impl Control {
    /// Whether it is as one in which every number is zero.
    pub(in crate::miro) fn asks_nothing(&self) -> bool {
        let Self { paired: _, speeds, joints, move_to, cosmetics, blink, lamps, sounds, odd } = self;
        speeds.is_none()
            && joints.iter().all(Option::is_none)
            && move_to.is_none()
            && cosmetics.iter().flatten().all(|share| *share == 0.0)
            && blink.is_none()
            && *lamps == Lamps::default()
            && *sounds == [0; 2]
            && odd.is_empty()
    }
}

/// Decodes `platform/control` to the model's units.
pub(in crate::miro) fn control_from_wire(message: &PlatformControl) -> Control {
    let PlatformControl {
        header: _,
        msg_flags,
        body_vel,
        body_config,
        body_config_speed,
        body_move_flags,
        body_move,
        tail,
        ear_rotate,
        eyelid_closure,
        blink_time,
        lights_max_drive,
        lights_dphase,
        lights_phase,
        lights_amp,
        lights_off,
        lights_rgb,
        lights_raw,
        sound_index_P1,
        sound_index_P2,
    } = message;
    let mut odd = Vec::new();
    let speeds = speeds_from_mm(body_vel.linear.x, body_vel.angular.z, "body_vel", &mut odd);
    let mut joints = [None; 4];
    let asked = JOINTS.iter().zip(body_config.iter().zip(body_config_speed));
    for (aim, ((_, first_deg), (position, speed))) in joints.iter_mut().zip(asked) {
        *aim = aim_from_wire(*position, *speed, *first_deg, &mut odd);
    }
    let [left, right] = ear_rotate;
    let shares =
        [("tail", tail), ("ear_rotate", left), ("ear_rotate", right), ("eyelid_closure", eyelid_closure)];
    let mut cosmetics = [None; 4];
    for (share, ((field, value), (_, lowest))) in cosmetics.iter_mut().zip(shares.into_iter().zip(COSMETICS))
    {
        *share = share_from_wire(*value, lowest, field, &mut odd);
    }
    let pattern = lights::Pattern {
        max_drive: *lights_max_drive,
        dphase: *lights_dphase,
        phase: *lights_phase,
        amp: *lights_amp,
        off: *lights_off,
        rgb: *lights_rgb,
    };
    let flags = *body_move_flags;
    let goes_on = flags & body_move::CONTINUE != 0;
    let to = [body_move.x / 1e3, body_move.y / 1e3, body_move.theta];
    let is_pose = to.iter().all(|it| it.is_finite());
    if goes_on && !is_pose {
        odd.push("body_move");
    }
    let [x_m, y_m, yaw_rad] = to;
    Control {
        paired: msg_flags & sync::PLATFORM != 0 && msg_flags & sync::CORE != 0,
        speeds,
        joints,
        move_to: (goes_on && is_pose).then_some(MoveTo {
            x_m,
            y_m,
            yaw_rad,
            start: flags & body_move::START != 0,
            absolute: flags & body_move::ABSOLUTE != 0,
        }),
        cosmetics,
        blink: (*blink_time != 0)
            .then(|| (BLINK_PERIOD * u32::from(blink_time.unsigned_abs()), *blink_time < 0)),
        lamps: lights::lamps(&pattern, lights_raw),
        sounds: [u32::from(*sound_index_P1), u32::from(*sound_index_P2)],
        odd,
    }
}

/// A speed in mm/s and rad/s; all zero is none.
fn speeds_from_mm(
    linear_mmps: f64,
    angular_radps: f64,
    field: &'static str,
    odd: &mut Vec<&'static str>,
) -> Option<(f64, f64)> {
    if !(linear_mmps.is_finite() && angular_radps.is_finite()) {
        odd.push(field);
        return None;
    }
    (linear_mmps != 0.0 || angular_radps != 0.0).then_some((linear_mmps / 1e3, angular_radps))
}

fn aim_from_wire(position: f32, speed: f32, first_deg: f64, odd: &mut Vec<&'static str>) -> Option<Aim> {
    if !(position.is_finite() && speed.is_finite()) {
        odd.push("body_config");
        return None;
    }
    if speed == 0.0 || position == degree_of_freedom::GO_INACTIVE {
        return None;
    }
    let [slowest, fastest] = JOINT_RADPS;
    let speed = (speed > 0.0).then(|| f64::from(speed).clamp(slowest, fastest));
    let first = position == degree_of_freedom::USE_INITIAL;
    // No joint turns farther, and one absurd number shall not have the others refused.
    let angle = if first { first_deg.to_radians() } else { f64::from(position).clamp(-TAU, TAU) };
    Some((angle, speed))
}

fn share_from_wire(value: f32, lowest: f64, field: &'static str, odd: &mut Vec<&'static str>) -> Option<f64> {
    if value.is_nan() {
        odd.push(field);
        return None;
    }
    if value == degree_of_freedom::GO_INACTIVE {
        return None;
    }
    let first = value == degree_of_freedom::USE_INITIAL;
    Some(if first { 0.0 } else { f64::from(value).clamp(lowest, 1.0) })
}

/// How the cameras are to deliver, `None` if nothing is to change; and what is wrong, each of which is left as it is.
pub(in crate::miro) fn camera_from_config(message: &PlatformConfig) -> (Option<CameraSettings>, Vec<String>) {
    let PlatformConfig { header: _, msg_flags: _, reset, frame_size, frame_rate } = message;
    let mut wrong = Vec::new();
    let first = CameraSettings::default();
    let (usual_size, usual_rate_hz) = USUAL_PICTURES;
    let mut settings = match reset {
        true => CameraSettings { size: Some(usual_size), rate_hz: Some(usual_rate_hz), ..first.clone() },
        false => first.clone(),
    };
    match frame_size {
        0 => {}
        128 => settings.size = Some([128, 96]),
        192 => settings.size = Some([192, 144]),
        320 => settings.size = Some([320, 240]),
        other => {
            wrong.push(format!("frame_size is {other}; it is 128, 192 or 320, or 0 to leave it as it is"));
        }
    }
    let rate_hz = f64::from(*frame_rate);
    if rate_hz > 0.0 {
        settings.rate_hz = Some(rate_hz.min(MOST_PICTURES_HZ));
    } else if rate_hz != 0.0 {
        wrong.push(format!("frame_rate is {rate_hz}; it is a number of pictures a second, or 0 to leave it"));
    }
    ((settings != first).then_some(settings), wrong)
}

/// A list of shares that is neither of a MiRo's four movable parts nor of six.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub(in crate::miro) enum SharesError {
    /// There are too few or too many.
    #[error(
        "control/cosmetic_joints has {0} numbers; it is tail, left ear, right ear, eyelids, or the six of later robots: \
         tail droop, tail wag, left eye, right eye, left ear, right ear"
    )]
    Count(usize),
    /// One is no number.
    #[error("a number of control/cosmetic_joints is none; they were left alone")]
    NotANumber,
}

/// Shares of [`COSMETICS`] from a list of numbers.
///
/// Programs for later robots of the maker send six: droop and wag of the tail, of which 0 and 0.5 are neutral, then both eyes and both ears.
pub(in crate::miro) fn cosmetics_from_shares(shares: &[f32]) -> Result<[f64; 4], SharesError> {
    let shares = match *shares {
        [tail, left, right, eyelids] => [tail, left, right, eyelids],
        [droop, wag, left_eye, right_eye, left, right] => {
            let tail = if droop > 0.0 { -droop } else { (wag - 0.5).abs() * 2.0 };
            [tail, left, right, (left_eye + right_eye) / 2.0]
        }
        _ => return Err(SharesError::Count(shares.len())),
    };
    if shares.iter().any(|share| share.is_nan()) {
        return Err(SharesError::NotANumber);
    }
    let [tail, left, right, eyelids] = shares.map(f64::from);
    let [(_, lowest), ..] = COSMETICS;
    Ok([tail.clamp(lowest, 1.0), left.clamp(0.0, 1.0), right.clamp(0.0, 1.0), eyelids.clamp(0.0, 1.0)])
}

/// A list of numbers that is not one for each colour of each lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("control/lights has {0} numbers; it is red, green and blue of six lamps")]
pub(in crate::miro) struct LampsError(usize);

/// Colours of the lamps from a list of numbers: red, green and blue of each of six.
pub(in crate::miro) fn lamps_from_numbers(numbers: &[u16]) -> Result<Lamps, LampsError> {
    if numbers.len() != 18 {
        return Err(LampsError(numbers.len()));
    }
    let number = |i: usize| numbers.get(i).map_or(0, |it| u8::try_from(*it).unwrap_or(u8::MAX));
    Ok(std::array::from_fn(|lamp| std::array::from_fn(|colour| number(lamp * 3 + colour))))
}

#[cfg(test)]
mod tests;
