//! How ROS spells moments, places, turns and bytes.

use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{Accel, AngularRate, CompressedImage, Frame, Orientation};
use latimer_core::model::{PartName, Word};
use serde_json::Value as Json;

use super::messages::{Context, Header, PlainPose, Quaternion, Time, Twist, Vector3, WithinTwist};
use crate::describe::codec::{Codec, CodecInfo, Describe, codecs, finite};
use crate::picture_size::{jpeg_size, png_size};

const SECOND_NS: i64 = 1_000_000_000;

/// A header: when, and the frame; without one, the part that it is about.
pub(super) struct Stamped;

impl Describe for Stamped {}

impl Codec<Header, Timestamp, Context> for Stamped {
    fn decode(&self, wire: &Header) -> Option<Timestamp> {
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

/// One number of a vector, or the only item of a list.
#[derive(Clone, Copy)]
pub(super) enum Single {
    /// The first.
    X,
    /// The third.
    Z,
}

impl Describe for Single {}

impl Codec<Vector3, f64, Context> for Single {
    fn decode(&self, wire: &Vector3) -> Option<f64> {
        match self {
            Self::X => wire.x,
            Self::Z => wire.z,
        }
    }

    fn encode(&self, model: &f64, _: &Context) -> Option<Vector3> {
        let of = |is_it: bool| if is_it { finite(*model) } else { Some(0.0) };
        Some(Vector3 { x: of(matches!(self, Self::X)), y: Some(0.0), z: of(matches!(self, Self::Z)) })
    }
}

impl Codec<Vec<f64>, f64, Context> for Single {
    fn decode(&self, wire: &Vec<f64>) -> Option<f64> {
        wire.first().copied()
    }

    fn encode(&self, model: &f64, _: &Context) -> Option<Vec<f64>> {
        finite(*model).map(|it| vec![it])
    }
}

impl Codec<Vec<String>, PartName, Context> for Single {
    fn decode(&self, wire: &Vec<String>) -> Option<PartName> {
        wire.first().map(|name| PartName::of(name))
    }

    fn encode(&self, model: &PartName, _: &Context) -> Option<Vec<String>> {
        Some(vec![model.to_string()])
    }
}

/// Three numbers about or along the axes, and the two speeds of a robot on the floor.
pub(super) struct Rates;

impl Describe for Rates {}

fn three(wire: &Vector3) -> Option<[f64; 3]> {
    Some([wire.x?, wire.y?, wire.z?])
}

fn vector([x, y, z]: [f64; 3]) -> Option<Vector3> {
    Some(Vector3 { x: Some(finite(x)?), y: Some(finite(y)?), z: Some(finite(z)?) })
}

impl Codec<Vector3, AngularRate, Context> for Rates {
    fn decode(&self, wire: &Vector3) -> Option<AngularRate> {
        three(wire).map(|[x_radps, y_radps, z_radps]| AngularRate { x_radps, y_radps, z_radps })
    }

    fn encode(&self, model: &AngularRate, _: &Context) -> Option<Vector3> {
        vector([model.x_radps, model.y_radps, model.z_radps])
    }
}

impl Codec<Vector3, Accel, Context> for Rates {
    fn decode(&self, wire: &Vector3) -> Option<Accel> {
        three(wire).map(|[x_mps2, y_mps2, z_mps2]| Accel { x_mps2, y_mps2, z_mps2 })
    }

    fn encode(&self, model: &Accel, _: &Context) -> Option<Vector3> {
        vector([model.x_mps2, model.y_mps2, model.z_mps2])
    }
}

impl Codec<WithinTwist, [Option<f64>; 2], Context> for Rates {
    fn decode(&self, wire: &WithinTwist) -> Option<[Option<f64>; 2]> {
        let Twist { linear, angular } = wire.twist.as_ref()?;
        Some([linear.and_then(|it| it.x), angular.and_then(|it| it.z)])
    }

    fn encode(&self, [linear, angular]: &[Option<f64>; 2], context: &Context) -> Option<WithinTwist> {
        let along = |axis: Single, speed: &Option<f64>| speed.and_then(|it| axis.encode(&it, context));
        let twist = Twist { linear: along(Single::X, linear), angular: along(Single::Z, angular) };
        Some(WithinTwist { twist: Some(twist) })
    }
}

codecs! {
    /// An attitude as a quaternion; all zero is none.
    Turned: Quaternion, Orientation {
        CodecInfo::default(),
        |wire| Orientation::from_quaternion([wire.x?, wire.y?, wire.z?, wire.w?]),
        |model| {
            let [x, y, z, w] = model.to_quaternion().map(finite);
            Some(Quaternion { x: Some(x?), y: Some(y?), z: Some(z?), w: Some(w?) })
        }
    }

    /// Place and attitude.
    Placed: PlainPose, [f64; 6] {
        CodecInfo::default(),
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

    /// Distances of rays; JSON has no infinity, so `null` is one that met nothing.
    Rays: Vec<Json>, Vec<f32> {
        CodecInfo::default(),
        |wire| Some(wire.iter().map(|it| it.as_f64().map_or(f32::INFINITY, |m| m as f32)).collect()),
        |model| Some(model.iter().map(|m| if m.is_finite() { Json::from(*m) } else { Json::Null }).collect())
    }

    /// `jpeg`, or such as `rgb8; jpeg compressed bgr8`.
    Picture: String, PictureFormat {
        CodecInfo::default(),
        |wire| PictureFormat::ALL.iter().copied().find(|it| wire.to_ascii_lowercase().contains(it.as_str())),
        |model| Some(model.as_str().to_owned())
    }

    /// Cells of a map: a signed byte each here, a number each there.
    Cells: Vec<i64>, Bytes {
        CodecInfo::default(),
        |wire| wire.iter().map(|it| i8::try_from(*it).ok().map(|it| it as u8)).collect(),
        |model| Some(model.iter().map(|it| i64::from(*it as i8)).collect())
    }

    /// How bright: 0 to 255 here, 0 to 1 there.
    Level: f64, u8 {
        CodecInfo::default(),
        |wire| wire.is_finite().then(|| (wire.clamp(0.0, 1.0) * 255.0).round() as u8),
        |model| Some(f64::from(*model) / 255.0)
    }
}

/// The attitude of a quaternion.
pub(super) fn orientation(wire: &Quaternion) -> Option<Orientation> {
    Codec::<_, _, ()>::decode(&Turned, wire)
}

/// A number for each word; of several words the first is what a number means.
pub(super) struct Code<T: 'static>(pub(super) &'static [(i64, T)]);

impl<T: Word> Describe for Code<T> {}

impl<T: Word> Codec<i64, T, Context> for Code<T> {
    fn decode(&self, wire: &i64) -> Option<T> {
        self.0.iter().find(|(code, _)| code == wire).map(|(_, of)| *of)
    }

    fn encode(&self, model: &T, _: &Context) -> Option<i64> {
        self.0.iter().find(|(_, of)| of == model).map(|(code, _)| *code)
    }
}

/// Width and height of a picture file.
pub(super) fn size_of(image: &CompressedImage) -> Option<[u32; 2]> {
    let size = match image.format {
        PictureFormat::Jpeg => jpeg_size(&image.data),
        PictureFormat::Png => png_size(&image.data),
    };
    size.map(Into::into)
}
