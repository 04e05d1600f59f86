//! Where something is, which Misty writes in four forms at once: as x, y and z, as `bearing`, `distance` and `elevation`,
//! as a transform with a quaternion, and in a tree of frames.
//!
//! Angles are radians and lengths metres; x forward, y left, z up. `elevation` counts downward, as pitch does and as the
//! samples show. Frames are `RobotBaseCenter`, `RobotHead` and `WorldOrigin`; Misty has no `odom`, which is `Odom`.

use latimer_core::Timestamp;
use latimer_core::model::signal::{Frame as ModelFrame, Orientation, Pose as ModelPose};

use super::Context;
use super::codecs::Utc;
use crate::describe::codec::{Words, finite};
use crate::describe::{Extra, Message, Translate};
use crate::misty::map::time::utc_from_timestamp;

/// The root of the tree of frames.
const ROOT: &str = "RobotBaseCenter";

const FRAMES: Words<ModelFrame> = Words(&[
    (ROOT, ModelFrame::BaseLink),
    ("RobotHead", ModelFrame::Head),
    ("WorldOrigin", ModelFrame::Map),
    ("Odom", ModelFrame::Odom),
]);

/// A pose in a frame (BumpSensor, TouchSensor, SelfState, WorldState).
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = ModelPose, context = Context)]
pub struct Pose {
    /// Direction in the horizontal plane, rad.
    #[field(computed = bearing)]
    pub bearing: Option<f64>,
    /// When the pose was computed.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Length of the position vector, m.
    #[field(computed = distance)]
    pub distance: Option<f64>,
    /// Direction below the horizontal plane, rad.
    #[field(computed = elevation)]
    pub elevation: Option<f64>,
    /// The frame that the pose is in.
    #[field(frame, codec = FRAMES, required)]
    pub frame_id: Option<String>,
    /// The frames between the pose and the root, of which robots show the root only.
    #[field(computed = root_only)]
    pub frames_provider: Option<FramesProvider>,
    /// The pose again, as a transform.
    #[field(computed = again)]
    pub homogeneous_coordinates: Option<Transform>,
    /// Rotation about y.
    #[field(pitch_rad, or = 0.0)]
    pub pitch: Option<f64>,
    /// Rotation about x.
    #[field(roll_rad, or = 0.0)]
    pub roll: Option<f64>,
    /// Position forward.
    #[field(x_m, required)]
    pub x: Option<f64>,
    /// Position to the left.
    #[field(y_m, required)]
    pub y: Option<f64>,
    /// Rotation about z.
    #[field(yaw_rad, or = 0.0)]
    pub yaw: Option<f64>,
    /// Position upward.
    #[field(z_m, or = 0.0)]
    pub z: Option<f64>,
    pub(crate) extra: Extra,
}

impl Pose {
    /// The pose in the model, in this frame if it names none; `None` without a position or in a frame that is not known.
    pub(in crate::misty) fn in_frame(&self, unnamed: ModelFrame) -> Option<ModelPose> {
        let context = Context::at(Timestamp::default());
        if self.frame_id.is_some() {
            return self.decode(&context).ok();
        }
        let named = Self { frame_id: FRAMES.word(&unnamed).map(str::to_owned), ..self.clone() };
        named.decode(&context).ok()
    }
}

/// The tree of frames, of which robots show the root only.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct FramesProvider {
    /// Root of the tree, `RobotBaseCenter` in the samples.
    pub root_frame: Option<Frame>,
    pub(crate) extra: Extra,
}

/// A frame and its link to the parent.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct Frame {
    /// When the frame was made.
    pub created: Option<String>,
    /// Name of the frame.
    pub id: Option<String>,
    /// Whether the frame never moves.
    pub is_static: Option<bool>,
    /// Link to the parent frame.
    pub link_from_parent: Option<Link>,
    pub(crate) extra: Extra,
}

/// How a frame hangs on its parent.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct Link {
    /// Whether the link never moves.
    pub is_static: Option<bool>,
    /// Name of the parent frame; empty at the root.
    pub parent_frame_id: Option<String>,
    /// Parent to frame.
    pub transform_from_parent: Option<Transform>,
    /// Frame to parent.
    pub transform_to_parent: Option<Transform>,
    pub(crate) extra: Extra,
}

/// A rigid transform: polar, Cartesian, roll-pitch-yaw and quaternion at once.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = ModelPose, context = Context, base = STILL, ignores(frame))]
pub struct Transform {
    /// Direction in the horizontal plane, rad.
    #[field(computed = bearing)]
    pub bearing: Option<f64>,
    /// Length of the translation, m.
    #[field(computed = distance)]
    pub distance: Option<f64>,
    /// Direction below the horizontal plane, rad.
    #[field(computed = elevation)]
    pub elevation: Option<f64>,
    /// Rotation about y.
    #[field(pitch_rad, or = 0.0)]
    pub pitch: Option<f64>,
    /// The rotation again.
    #[field(computed = quaternion)]
    pub quaternion: Option<Quaternion>,
    /// Rotation about x.
    #[field(roll_rad, or = 0.0)]
    pub roll: Option<f64>,
    /// Translation forward.
    #[field(x_m, or = 0.0)]
    pub x: Option<f64>,
    /// Translation to the left.
    #[field(y_m, or = 0.0)]
    pub y: Option<f64>,
    /// Rotation about z.
    #[field(yaw_rad, or = 0.0)]
    pub yaw: Option<f64>,
    /// Translation upward.
    #[field(z_m, or = 0.0)]
    pub z: Option<f64>,
    pub(crate) extra: Extra,
}

/// A unit quaternion; `w` is 1 when nothing is turned.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct Quaternion {
    /// Whether the rotation is none.
    pub is_identity: Option<bool>,
    /// Real part.
    pub w: Option<f64>,
    /// Imaginary part.
    pub x: Option<f64>,
    /// Imaginary part.
    pub y: Option<f64>,
    /// Imaginary part.
    pub z: Option<f64>,
    pub(crate) extra: Extra,
}

/// A pose with tolerances, which are 0 (SelfState `location`, WorldState `objects[].location`).
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct Location {
    /// Direction, rad.
    pub bearing: Option<f64>,
    /// Tolerance of `bearing`, rad.
    pub bearing_threshold: Option<Threshold>,
    /// Distance, m.
    pub distance: Option<f64>,
    /// Tolerance of `distance`, m.
    pub distance_threshold: Option<Threshold>,
    /// Direction, rad.
    pub elevation: Option<f64>,
    /// Tolerance of `elevation`, rad.
    pub elevation_threshold: Option<Threshold>,
    /// The pose itself.
    #[field(model = "")]
    pub pose: Option<Pose>,
    /// `None` in the samples.
    pub unit_of_measure: Option<String>,
    pub(crate) extra: Extra,
}

impl Location {
    /// Where something is.
    pub(in crate::misty) fn of(pose: &ModelPose, context: &Context) -> Self {
        let none = || Threshold { lower_bound: Some(0.0), upper_bound: Some(0.0), extra: Extra::new() };
        Self {
            bearing: bearing(pose, context),
            bearing_threshold: Some(none()),
            distance: distance(pose, context),
            distance_threshold: Some(none()),
            elevation: elevation(pose, context),
            elevation_threshold: Some(none()),
            pose: Pose::encode(pose, context),
            unit_of_measure: Some("None".to_owned()),
            extra: Extra::new(),
        }
    }
}

/// Bounds about a value, in its unit.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct Threshold {
    /// Lower bound.
    pub lower_bound: Option<f64>,
    /// Upper bound.
    pub upper_bound: Option<f64>,
    pub(crate) extra: Extra,
}

const STILL: ModelPose = ModelPose::planar(ModelFrame::BaseLink, 0.0, 0.0, 0.0);

fn bearing(pose: &ModelPose, _: &Context) -> Option<f64> {
    finite(pose.y_m.atan2(pose.x_m))
}

fn distance(pose: &ModelPose, _: &Context) -> Option<f64> {
    finite(pose.x_m.hypot(pose.y_m).hypot(pose.z_m))
}

fn elevation(pose: &ModelPose, _: &Context) -> Option<f64> {
    finite(-pose.z_m.atan2(pose.x_m.hypot(pose.y_m)))
}

fn again(pose: &ModelPose, context: &Context) -> Option<Transform> {
    Transform::encode(pose, context)
}

/// Fixed-axis roll, pitch, yaw.
fn quaternion(pose: &ModelPose, _: &Context) -> Option<Quaternion> {
    let ModelPose { roll_rad, pitch_rad, yaw_rad, .. } = *pose;
    let [x, y, z, w] = Orientation { roll_rad, pitch_rad, yaw_rad }.to_quaternion().map(|part| part + 0.0);
    Some(Quaternion {
        is_identity: Some([w, x, y, z] == [1.0, 0.0, 0.0, 0.0]),
        w: finite(w),
        x: finite(x),
        y: finite(y),
        z: finite(z),
        extra: Extra::new(),
    })
}

fn root_only(_: &ModelPose, context: &Context) -> Option<FramesProvider> {
    let still = Transform::encode(&STILL, context);
    // Robots compute this one from the negative of nothing.
    let to_parent = still.clone().map(|still| Transform { bearing: Some(std::f64::consts::PI), ..still });
    Some(FramesProvider {
        root_frame: Some(Frame {
            created: Some(utc_from_timestamp(context.at)),
            id: Some(ROOT.to_owned()),
            is_static: Some(true),
            link_from_parent: Some(Link {
                is_static: Some(true),
                parent_frame_id: Some(String::new()),
                transform_from_parent: still,
                transform_to_parent: to_parent,
                extra: Extra::new(),
            }),
            extra: Extra::new(),
        }),
        extra: Extra::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensor_above_has_a_negative_elevation_as_in_the_touch_sample() {
        let pose =
            ModelPose { z_m: 0.08, pitch_rad: -1.4, ..ModelPose::planar(ModelFrame::Head, 0.03, 0.05, 0.0) };
        let wire = Pose::encode(&pose, &Context::at(Default::default())).unwrap();
        let close = |value: Option<f64>, to: f64| (value.unwrap() - to).abs() < 1e-6;
        assert!(close(wire.bearing, 1.030_376_8) && close(wire.elevation, -0.940_956_8));
        assert!(close(wire.distance, 0.098_994_9));
        let turned = wire.homogeneous_coordinates.unwrap().quaternion.unwrap();
        assert!(close(turned.w, 0.764_842_2) && close(turned.y, -0.644_217_7));
        assert_eq!(turned.is_identity, Some(false));
    }

    #[test]
    fn a_pose_without_a_frame_is_in_that_of_its_message_and_an_unknown_one_in_none() {
        let pose = |frame_id: Option<&str>| {
            let frame_id = frame_id.map(str::to_owned);
            Pose { frame_id, x: Some(1.0), y: Some(1.0), ..Default::default() }.in_frame(ModelFrame::Map)
        };
        assert_eq!(pose(None).unwrap().frame, ModelFrame::Map);
        assert_eq!(pose(Some("robothead")).unwrap().frame, ModelFrame::Head);
        assert_eq!(pose(Some("RobotNeck")), None);
        assert_eq!(Pose::default().in_frame(ModelFrame::Map), None);
    }
}
