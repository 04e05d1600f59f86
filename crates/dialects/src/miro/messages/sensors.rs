//! `platform/sensors`: what the platform senses, 50 times a second.

use latimer_core::model::signal::{Cliff, Imu, Joint, Range, RangeStatus};
use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::msgs::sensor_msgs;
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

use super::joints::Neck;
use super::standard::{Finite, Thousandths, number};
use super::{CLIFFS, EYELIDS, LIGHTS, Moment, SONAR, TOUCH_BODY, TOUCH_HEAD, usec};
use crate::describe::Message;
use crate::describe::codec::{CodecInfo, codecs};

/// The reading of a cliff sensor that surely sees a surface.
pub(in crate::miro) const SURFACE: u8 = 15;

/// A cliff reading of a robot without such a sensor; the sensor's own go up to [`SURFACE`].
pub(in crate::miro) const UNMEASURED: u8 = u8::MAX;
/// The reading from which it does so.
const SURE: u8 = 8;

/// What `platform/sensors` tells, in the model's units and under its names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Senses {
    pub(in crate::miro) voltage_v: Option<f64>,
    pub(in crate::miro) temperature_c: Option<f64>,
    pub(in crate::miro) head: Option<Imu>,
    pub(in crate::miro) body: Option<Imu>,
    pub(in crate::miro) linear_mps: Option<f64>,
    pub(in crate::miro) angular_radps: Option<f64>,
    pub(in crate::miro) neck: [Option<Joint>; 4],
    /// Of the eyelids.
    pub(in crate::miro) position_ratio: Option<f64>,
    /// The switches, one board of them.
    pub(in crate::miro) inputs: Vec<Vec<bool>>,
    pub(in crate::miro) sonar: Option<Range>,
    pub(in crate::miro) level_ratio: [Option<f64>; 4],
    pub(in crate::miro) touch_head: [Option<bool>; 4],
    pub(in crate::miro) touch_body: [Option<bool>; 4],
    pub(in crate::miro) cliffs: [Option<Cliff>; 2],
}

/// `miro_msgs/platform_sensors` (Platform Interface, Upstream, Sensors); what is not known is zero, a
/// temperature `NaN`, a cliff reading 255.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = Senses, context = Moment, finish = other_voltage, amend = headers)]
pub struct PlatformSensors {
    /// When it was assembled, by the wall clock.
    #[field(model = "")]
    pub header: Header,
    /// No flags are known.
    #[field(reserved)]
    pub msg_flags: u32,
    /// The embedded clock in microseconds; it rolls over at 2^29.
    #[field(own = usec)]
    pub time_usec: i32,
    /// V.
    #[field(voltage_v, kind = Battery, codec = Thousandths)]
    pub battery_voltage: f32,
    /// In place of `battery_voltage` in other builds.
    #[field(own = battery_state)]
    pub battery_state: BatteryState,
    /// °C.
    #[field(at = temperature, temperature_c, kind = Temperature, codec = Finite)]
    pub temperature: sensor_msgs::Temperature,
    /// m/s².
    #[field(head, model = "", kind = Imu, nested, parts = &["head"])]
    pub accel_head: sensor_msgs::Imu,
    /// m/s².
    #[field(body, model = "", kind = Imu, nested, parts = &["body"])]
    pub accel_body: sensor_msgs::Imu,
    /// mm/s and rad/s; the pose is zero.
    #[field(at = twist.twist.linear.x, linear_mps, kind = Velocity, parts = &["measured"], unit = MillimetresPerSecond, note = "summed to a pose here")]
    #[field(at = twist.twist.angular.z, angular_radps, kind = Velocity, parts = &["measured"])]
    pub odometry: Odometry,
    /// rad; tilt, lift, yaw, pitch.
    #[field(neck, model = "", kind = Joint, codec = Neck, or = Default::default())]
    pub joint_state: sensor_msgs::JointState,
    /// 0 open, 1 closed.
    #[field(position_ratio, kind = Joint, codec = Share, parts = &[EYELIDS])]
    pub eyelid_closure: f32,
    /// A bit for each switch.
    #[field(inputs, kind = Pins, codec = Switches, or = Vec::new(), note = "a bit for each of four switches")]
    pub dip_state_phys: u8,
    /// m; 0 if nothing is detected.
    #[field(sonar, model = "", kind = Range, nested, parts = &[SONAR])]
    pub sonar_range: sensor_msgs::Range,
    /// 0..255; front left, front right, rear left, rear right.
    #[field(level_ratio, kind = Light, each, or = [None; 4], unit = Bytes, parts = &LIGHTS)]
    #[field(
        note = "front left, front right, rear left, rear right, each a part; 0..255, as bytes in Base64"
    )]
    #[serde(with = "serde_bytes")]
    pub light: [u8; 4],
    /// 0 or 1, behind the ears.
    #[field(touch_head, model = "contacted", kind = Contact, codec = Flag, each, or = [None; 4], parts = &TOUCH_HEAD)]
    #[field(note = "parts `touch_head_0` to `touch_head_3`, as bytes in Base64")]
    #[serde(with = "serde_bytes")]
    pub touch_head: [u8; 4],
    /// 0 or 1, down the back.
    #[field(touch_body, model = "contacted", kind = Contact, codec = Flag, each, or = [None; 4], parts = &TOUCH_BODY)]
    #[field(note = "parts `touch_body_0` to `touch_body_3`, as bytes in Base64")]
    #[serde(with = "serde_bytes")]
    pub touch_body: [u8; 4],
    /// 0 no surface, 15 surely a surface; left, right.
    #[field(cliffs, model = "status_code", kind = Cliff, codec = Surface, each, or = [None, None], parts = &CLIFFS)]
    #[field(note = "left and right; 0 no surface to 15 surely a surface, as bytes in Base64")]
    #[serde(with = "serde_bytes")]
    pub cliff: [u8; 2],
}

/// `sensor_msgs/BatteryState`, as far as a robot could know it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct BatteryState {
    /// V.
    pub voltage: f32,
    /// There is a battery.
    pub present: bool,
}

fn battery_state(senses: &Senses, _: &Moment) -> Option<BatteryState> {
    let voltage = senses.voltage_v.filter(|it| it.is_finite())? as f32;
    Some(BatteryState { voltage, present: voltage > 0.0 })
}

fn other_voltage(message: &PlatformSensors, _: &Moment, senses: &mut Senses) {
    senses.voltage_v = senses.voltage_v.or_else(|| number(message.battery_state.voltage));
}

fn headers(senses: &Senses, at: &Moment, message: &mut PlatformSensors) {
    if senses.temperature_c.is_none() {
        message.temperature.temperature = f64::NAN;
    }
    message.header = at.header("base_link");
    message.temperature.header = at.header("base_link");
    message.accel_head.header = at.header("head");
    message.accel_body.header = at.header("body");
    message.odometry.header = at.header("odom");
    message.odometry.child_frame_id = at.frame("base_link");
    message.joint_state.header = at.header("base_link");
    message.sonar_range.header = at.header("sonar");
}

codecs! {
    /// 0 to 1.
    Share: f32, f64 {
        // Fractions that a float of 32 bits holds exactly.
        CodecInfo { range: Some((0.0, 1.0)), precision: Some(1.0 / 256.0), ..CodecInfo::default() },
        |wire| Some(f64::from(*wire)).filter(|it| it.is_finite()).map(|it| it.clamp(0.0, 1.0)),
        |model| Some(*model as f32)
    }

    /// A bit for each of four switches.
    Switches: u8, Vec<Vec<bool>> {
        CodecInfo { range: Some((0.0, 15.0)), ..CodecInfo::default() },
        |wire| Some(vec![(0..4).map(|bit| wire >> bit & 1 == 1).collect()]),
        |model| model.first().map(|board| (0..4).zip(board).fold(0, |bits, (i, on)| bits | u8::from(*on) << i))
    }

    /// 0 or 1.
    Flag: u8, bool {
        CodecInfo { range: Some((0.0, 1.0)), ..CodecInfo::default() },
        |wire| Some(*wire != 0),
        |model| Some((*model).into())
    }

    /// How much light comes back from below; the distance to the floor is unknown.
    Surface: u8, Cliff {
        CodecInfo { range: Some((0.0, SURFACE.into())), ..CodecInfo::default() },
        |wire| {
            let status = match *wire {
                0 => RangeStatus::NothingInView,
                1..SURE => RangeStatus::WeakSignal,
                UNMEASURED => return None,
                _ => RangeStatus::Valid,
            };
            Some(Cliff(Range { status, status_code: Some((*wire).into()), ..Range::nothing() }))
        },
        |model| {
            let raw = |raw| u8::try_from(raw).unwrap_or_default().min(SURFACE);
            Some(model.0.status_code.map_or(UNMEASURED, raw))
        }
    }
}
