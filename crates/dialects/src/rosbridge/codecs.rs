//! How ROS spells moments, places, turns and bytes.

use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_core::model::PartName;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{Accel, AngularRate, Frame, Orientation};
use serde_json::Value as Json;

use super::messages::{Context, Header, PlainPose, Quaternion, Time, Twist, Vector3, WithinTwist};
use crate::describe::codec::{Codec, CodecInfo, Describe, Rounded, codecs, finite, plain_codecs};

const SECOND_NS: i64 = 1_000_000_000;
/// What the model counts a lamp's brightness to.
const LEVELS: f64 = 255.0;

/// A header: when, and the frame; without one, the part that it is about.
pub(super) struct Stamped;

impl Describe for Stamped {}

impl Codec<Header, Timestamp, Context> for Stamped {
    fn decode(&self, wire: &Header, _: &Context) -> Option<Timestamp> {
        let Time { secs, nsecs } = wire.stamp.as_ref()?;
        let seconds = secs.filter(|secs| *secs > 0)?.checked_mul(SECOND_NS)?;
        seconds.checked_add(nsecs.unwrap_or_default()).map(Timestamp::from_nanos)
    }

    fn encode(&self, model: &Timestamp, context: &Context) -> Option<Header> {
        let nanos = model.as_nanos();
        let stamp =
            Time { secs: Some(nanos.div_euclid(SECOND_NS)), nsecs: Some(nanos.rem_euclid(SECOND_NS)) };
        let part = context.part.as_ref().map(PartName::as_str);
        let frame = context.frame.map(Frame::as_str).or(part).unwrap_or(Frame::BaseLink.as_str());
        Some(Header { stamp: Some(stamp), frame_id: Some(frame.to_owned()) })
    }
}

/// A ray's distance; infinite if the message has none.
fn ray(wire: &Json) -> f32 {
    let told = wire.as_f64().or_else(|| wire.as_str()?.parse().ok());
    told.filter(|m| !m.is_nan()).map_or(f32::INFINITY, |m| m as f32)
}

fn three(wire: &Vector3) -> Option<[f64; 3]> {
    Some([wire.x?, wire.y?, wire.z?])
}

fn vector([x, y, z]: [f64; 3]) -> Option<Vector3> {
    Some(Vector3 { x: Some(finite(x)?), y: Some(finite(y)?), z: Some(finite(z)?) })
}

plain_codecs! {
    /// A speed along x.
    Forward: Vector3, f64 { |wire| wire.x, |model| Some(Vector3 { x: finite(*model), ..Vector3::ZERO }) }

    /// A speed about z.
    Turning: Vector3, f64 { |wire| wire.z, |model| Some(Vector3 { z: finite(*model), ..Vector3::ZERO }) }

    /// Turn rates about the axes.
    Rates: Vector3, AngularRate {
        |wire| three(wire).map(|[x_radps, y_radps, z_radps]| AngularRate { x_radps, y_radps, z_radps }),
        |model| vector([model.x_radps, model.y_radps, model.z_radps])
    }

    /// Accelerations along the axes.
    Accels: Vector3, Accel {
        |wire| three(wire).map(|[x_mps2, y_mps2, z_mps2]| Accel { x_mps2, y_mps2, z_mps2 }),
        |model| vector([model.x_mps2, model.y_mps2, model.z_mps2])
    }

    /// An attitude as a quaternion; all zero is none.
    Turned: Quaternion, Orientation {
        |wire| Orientation::from_quaternion([wire.x?, wire.y?, wire.z?, wire.w?]),
        |model| {
            let [x, y, z, w] = model.to_quaternion().map(finite);
            Some(Quaternion { x: Some(x?), y: Some(y?), z: Some(z?), w: Some(w?) })
        }
    }

    /// Distances of rays, to a tenth of a millimetre; JSON has no infinity, so `null` is one that met nothing, and a text may be one.
    Rays: Vec<Json>, Vec<f32> {
        |wire| Some(wire.iter().map(ray).collect()),
        // JSON has no number for one that is not finite either, and makes it `null`.
        |model| Some(model.iter().map(|m| Rounded(1e4).round(f64::from(*m)).into()).collect())
    }
}

/// The attitude of a quaternion.
pub(super) fn orientation(wire: &Quaternion) -> Option<Orientation> {
    Turned.decode(wire, &())
}

codecs! {
    /// The two speeds of a robot on the floor.
    Speeds: WithinTwist, [Option<f64>; 2] {
        CodecInfo { inside: &["twist.linear.x", "twist.angular.z"], ..CodecInfo::default() },
        |wire| {
            let Twist { linear, angular } = wire.twist.as_ref()?;
            Some([linear.and_then(|it| it.x), angular.and_then(|it| it.z)])
        },
        |[linear, angular]| {
            let linear = linear.and_then(|mps| Forward.encode(&mps, &()));
            let angular = angular.and_then(|radps| Turning.encode(&radps, &()));
            Some(WithinTwist { twist: Some(Twist { linear, angular }) })
        }
    }

    /// Place and attitude.
    Placed: PlainPose, [f64; 6] {
        CodecInfo { inside: &["position.x", "position.y", "position.z"], ..CodecInfo::default() },
        |wire| {
            let [x, y, z] = three(wire.position.as_ref()?)?;
            // All zero is what a publisher leaves that knows no attitude.
            let level = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 0.0 };
            let turned = wire.orientation.as_ref().and_then(orientation);
            let Orientation { roll_rad, pitch_rad, yaw_rad } = turned.unwrap_or(level);
            Some([x, y, z, roll_rad, pitch_rad, yaw_rad])
        },
        |model| {
            let [x, y, z, roll_rad, pitch_rad, yaw_rad] = *model;
            let orientation = Turned.encode(&Orientation { roll_rad, pitch_rad, yaw_rad }, &());
            Some(PlainPose { position: Some(vector([x, y, z])?), orientation: Some(orientation?) })
        }
    }

    /// `jpeg`, or such as `rgb8; jpeg compressed bgr8`.
    Picture: String, PictureFormat {
        CodecInfo { examples: vec!["jpeg", "png"], ..CodecInfo::default() },
        |wire| PictureFormat::ALL.iter().copied().find(|it| wire.to_ascii_lowercase().contains(it.as_str())),
        |model| Some(model.as_str().to_owned())
    }

    /// Cells of a map: a signed byte each here, a number each there.
    Cells: Vec<i64>, Bytes {
        CodecInfo { range: Some((-1.0, 100.0)), ..CodecInfo::default() },
        |wire| wire.iter().map(|it| i8::try_from(*it).ok().map(|it| it as u8)).collect(),
        |model| Some(model.iter().map(|it| i64::from(*it as i8)).collect())
    }

    /// How bright: 0 to 255 here, 0 to 1 there.
    Level: f64, u8 {
        CodecInfo {
            factor: Some(1.0 / LEVELS), range: Some((0.0, 1.0)), precision: Some(1.0 / LEVELS), ..CodecInfo::default()
        },
        |wire| wire.is_finite().then(|| (wire.clamp(0.0, 1.0) * LEVELS).round() as u8),
        |model| Some(f64::from(*model) / LEVELS)
    }
}
