//! Messages that robots behind real bridges publish, and that no robot has here: where it is by its localisation and by the transforms, raw
//! pictures, points, bumpers of makers' own types.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::model::signal::image::Encoding;
use latimer_core::model::signal::{Frame, Image, Pose};
use latimer_core::model::{Kind, PartName};
use latimer_core::{Signal, Stamp, Timestamp};
use serde::Deserialize;
use serde_json::Value as Json;

use super::DecodeError;
use super::placing::Placing;
use crate::describe::codec::Codec;
use crate::describe::{Incomplete, need};
use crate::rosbridge::codecs::{Placed, Stamped};
use crate::rosbridge::limits::{MAX_JOINTS, MAX_POINTS, MAX_TRANSFORMS};
use crate::rosbridge::messages::{Context, Header, PlainPose, Quaternion, Vector3, WithinPose};

/// A type of message that is read and not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rosbridge) enum Foreign {
    /// `geometry_msgs/PoseWithCovarianceStamped`.
    PoseWithCovariance,
    /// `tf2_msgs/TFMessage`.
    Transforms,
    /// `sensor_msgs/Image`.
    Image,
    /// `sensor_msgs/PointCloud2`.
    Points,
    /// A bumper of a Kobuki.
    BumperEvent,
    /// What keeps a Create from driving, its bumpers among it.
    Hazards,
}

impl Foreign {
    pub(in crate::rosbridge) const ALL: [Self; 6] = [
        Self::PoseWithCovariance,
        Self::Transforms,
        Self::Image,
        Self::Points,
        Self::BumperEvent,
        Self::Hazards,
    ];

    /// Its type, as ROS 1 spells it where it has it.
    pub(in crate::rosbridge) const fn ros_type(self) -> &'static str {
        match self {
            Self::PoseWithCovariance => "geometry_msgs/PoseWithCovarianceStamped",
            Self::Transforms => "tf2_msgs/TFMessage",
            Self::Image => "sensor_msgs/Image",
            Self::Points => "sensor_msgs/PointCloud2",
            Self::BumperEvent => "kobuki_msgs/BumperEvent",
            Self::Hazards => "irobot_create_msgs/HazardDetectionVector",
        }
    }

    /// Whether it reads messages of a type.
    pub(in crate::rosbridge) fn reads(self, ros_type: &str) -> bool {
        // The package was renamed for ROS 2.
        self.ros_type() == ros_type
            || (self == Self::BumperEvent && ros_type == "kobuki_ros_interfaces/BumperEvent")
    }

    /// Of what it tells; transforms also place what others measure.
    pub(in crate::rosbridge) const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::PoseWithCovariance => &[Kind::Pose],
            Self::Transforms => &[Kind::Pose, Kind::Scan, Kind::PointCloud],
            Self::Image => &[Kind::Image],
            Self::Points => &[Kind::PointCloud],
            Self::BumperEvent | Self::Hazards => &[Kind::Contact],
        }
    }

    /// Whether a robot may have several, each a part.
    pub(in crate::rosbridge) const fn is_by_part(self) -> bool {
        matches!(self, Self::Image | Self::Points)
    }

    /// Whether a robot may have several, which add up.
    pub(in crate::rosbridge) const fn adds_up(self) -> bool {
        matches!(self, Self::Transforms | Self::BumperEvent | Self::Hazards)
    }
}

/// The frame of a name, which a robot's own may stand before; none for a frame that is nowhere in the model.
pub(in crate::rosbridge) fn frame_of(name: &str) -> Result<Frame, DecodeError> {
    match name.rsplit('/').next().unwrap_or(name) {
        "base_footprint" => Ok(Frame::BaseLink),
        // Such as `odom_combined`.
        word if word.contains("odom") => Ok(Frame::Odom),
        word => Frame::from_word(word).ok_or_else(|| DecodeError::Frame(name.to_owned())),
    }
}

/// The frame that a message's header names; `None` if it names none.
pub(in crate::rosbridge) fn frame_in(text: &str) -> Result<Option<Frame>, DecodeError> {
    frame_name(text)?.map(|name| frame_of(&name)).transpose()
}

/// The same as it is written.
pub(in crate::rosbridge) fn frame_name(text: &str) -> Result<Option<String>, DecodeError> {
    #[derive(Deserialize)]
    struct Headed {
        #[serde(default)]
        header: Header,
    }
    let name = serde_json::from_str::<Headed>(text)?.header.frame_id;
    Ok(name.map(|name| name.trim_start_matches('/').to_owned()).filter(|name| !name.is_empty()))
}

fn stamp_of(header: &Header, now: Timestamp) -> Stamp {
    Stamped.decode(header, &Context::default()).map_or(Stamp::gateway(now), Stamp::robot)
}

fn pose_of(pose: &PlainPose, frame: Frame) -> Option<Pose> {
    let [x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad] = Placed.decode(pose, &())?;
    Some(Pose { frame, x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad })
}

/// Where a localisation has the robot.
pub(in crate::rosbridge) fn pose(text: &str, now: Timestamp) -> Result<(Stamp, Pose), DecodeError> {
    #[derive(Deserialize)]
    struct Localized {
        header: Header,
        pose: WithinPose,
    }
    let Localized { header, pose } = serde_json::from_str(text)?;
    let frame = frame_in(text)?.unwrap_or(Frame::Map);
    let pose = need(pose.pose.as_ref().and_then(|it| pose_of(it, frame)), "pose.pose.position")?;
    Ok((stamp_of(&header, now), pose))
}

/// One frame's place in another, both as they are named there.
#[derive(Debug)]
pub(in crate::rosbridge) struct Transform {
    pub(in crate::rosbridge) stamp: Stamp,
    pub(in crate::rosbridge) parent: String,
    pub(in crate::rosbridge) child: String,
    pub(in crate::rosbridge) placing: Placing,
}

/// The transforms of a message; one that is none is passed over.
pub(in crate::rosbridge) fn transforms(text: &str, now: Timestamp) -> Result<Vec<Transform>, DecodeError> {
    #[derive(Deserialize)]
    struct Message {
        transforms: Vec<Hung>,
    }
    #[derive(Deserialize)]
    struct Hung {
        header: Header,
        child_frame_id: String,
        transform: Moved,
    }
    #[derive(Deserialize)]
    struct Moved {
        translation: Vector3,
        rotation: Quaternion,
    }
    let message: Message = serde_json::from_str(text)?;
    let name = |name: &str| name.trim_start_matches('/').to_owned();
    let known = message.transforms.into_iter().filter_map(|it| {
        let (Vector3 { x, y, z }, Quaternion { x: qx, y: qy, z: qz, w: qw }) =
            (it.transform.translation, it.transform.rotation);
        let placing = Placing::new([x?, y?, z?], [qx?, qy?, qz?, qw?])?;
        let parent = name(it.header.frame_id.as_deref()?);
        Some(Transform { stamp: stamp_of(&it.header, now), parent, child: name(&it.child_frame_id), placing })
    });
    Ok(known.take(MAX_TRANSFORMS).collect())
}

/// A part of the robot that an obstacle presses, and whether it does.
pub(in crate::rosbridge) type Bump = (PartName, bool);

/// A bumper of a Kobuki.
pub(in crate::rosbridge) fn bumper(text: &str) -> Result<Option<Bump>, DecodeError> {
    #[derive(Deserialize)]
    struct Event {
        bumper: usize,
        state: u8,
    }
    let Event { bumper, state } = serde_json::from_str(text)?;
    let part = ["bumper_left", "bumper_center", "bumper_right"].get(bumper);
    Ok(part.map(|part| (PartName::of(part), state == 1)))
}

/// The bumpers of a Create that are pressed, each by the frame of its sensor, and when.
pub(in crate::rosbridge) fn bumps(
    text: &str,
    now: Timestamp,
) -> Result<(Stamp, BTreeSet<PartName>), DecodeError> {
    /// `HazardDetection.BUMP`.
    const BUMP: u8 = 1;
    #[derive(Deserialize)]
    struct Hazards {
        #[serde(default)]
        header: Header,
        detections: Vec<Hazard>,
    }
    #[derive(Deserialize)]
    struct Hazard {
        header: Header,
        r#type: u8,
    }
    let Hazards { header, detections } = serde_json::from_str(text)?;
    let pressed = detections.iter().filter(|it| it.r#type == BUMP);
    let parts = pressed.filter_map(|it| Some(PartName::of(it.header.frame_id.as_deref()?)));
    Ok((stamp_of(&header, now), parts.take(MAX_JOINTS).collect()))
}

/// Bytes: Base64, or numbers as some bridges write them.
fn bytes(data: &Json) -> Option<Vec<u8>> {
    match data {
        Json::String(text) => STANDARD.decode(text).ok(),
        Json::Array(items) => items.iter().map(|it| u8::try_from(it.as_u64()?).ok()).collect(),
        _ => None,
    }
}

/// A raw picture, in one of the encodings that the model has or that are the same in another order.
pub(in crate::rosbridge) fn image(text: &str, now: Timestamp) -> Result<(Stamp, Signal), DecodeError> {
    #[derive(Deserialize)]
    struct Raw {
        header: Header,
        width: u32,
        height: u32,
        encoding: String,
        #[serde(default)]
        step: usize,
        data: Json,
    }
    let raw: Raw = serde_json::from_str(text)?;
    let (encoding, channels): (_, &[usize]) = match raw.encoding.as_str() {
        "rgb8" | "8UC3" => (Encoding::Rgb8, &[0, 1, 2]),
        "bgr8" => (Encoding::Rgb8, &[2, 1, 0]),
        "rgba8" => (Encoding::Rgb8, &[0, 1, 2, 3]),
        "bgra8" | "8UC4" => (Encoding::Rgb8, &[2, 1, 0, 3]),
        "mono8" | "8UC1" => (Encoding::Mono8, &[0]),
        // Such as 16UC1, which holds distances.
        _ => return Err(DecodeError::Encoding(raw.encoding)),
    };
    let data = need(bytes(&raw.data), "data")?;
    let (width, height) = (raw.width as usize, raw.height as usize);
    let row = width.saturating_mul(channels.len());
    let step = raw.step.max(row);
    let is_whole = row > 0 && step.checked_mul(height).is_some_and(|it| it > 0 && it <= data.len());
    if !is_whole {
        return Err(Incomplete { field: "data" }.into());
    }
    let kept = if encoding == Encoding::Mono8 { &channels[..1] } else { &channels[..3] };
    let rows = data.chunks(step).take(height).flat_map(|line| line[..row].chunks(channels.len()));
    let pixels: Bytes = rows.flat_map(|pixel| kept.iter().map(|at| pixel[*at])).collect();
    let image = Image { encoding, width: raw.width, height: raw.height, data: pixels };
    Ok((stamp_of(&raw.header, now), image.into()))
}

/// Points with `x`, `y` and `z` of four bytes each; those that are nowhere are left out.
pub(in crate::rosbridge) fn points(
    text: &str,
    now: Timestamp,
) -> Result<(Stamp, Vec<[f64; 3]>), DecodeError> {
    #[derive(Deserialize)]
    struct Cloud {
        header: Header,
        fields: Vec<Channel>,
        #[serde(default)]
        is_bigendian: Json,
        point_step: usize,
        data: Json,
    }
    #[derive(Deserialize)]
    struct Channel {
        name: String,
        offset: usize,
        datatype: u8,
    }
    /// `sensor_msgs/PointField.FLOAT32`.
    const FLOAT32: u8 = 7;
    let cloud: Cloud = serde_json::from_str(text)?;
    let offset = |name: &str| {
        let channel = cloud.fields.iter().find(|it| it.name == name && it.datatype == FLOAT32)?;
        (channel.offset.checked_add(4)? <= cloud.point_step).then_some(channel.offset)
    };
    let offsets = offset("x").zip(offset("y")).zip(offset("z"));
    let ((x, y), z) = need(offsets, "fields x, y, z of 32 bits")?;
    let data = need(bytes(&cloud.data), "data")?;
    let is_big = matches!(cloud.is_bigendian, Json::Bool(true)) || cloud.is_bigendian.as_i64() == Some(1);
    let number = |point: &[u8], at: usize| {
        let four = point.get(at..at + 4)?.try_into().ok()?;
        let number = if is_big { f32::from_be_bytes(four) } else { f32::from_le_bytes(four) };
        number.is_finite().then(|| f64::from(number))
    };
    let points = data.chunks_exact(cloud.point_step).take(MAX_POINTS);
    let points_m = points.filter_map(|it| Some([number(it, x)?, number(it, y)?, number(it, z)?])).collect();
    Ok((stamp_of(&cloud.header, now), points_m))
}
