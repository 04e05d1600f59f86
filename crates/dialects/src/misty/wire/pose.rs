//! Where something is: pose, frames and transforms (the mapping parts of several event types).
//!
//! Angles are radians and lengths metres; x forward, y left, z up. `bearing`, `elevation` and `distance` are the
//! polar form of `x`, `y` and `z`.

use serde::{Deserialize, Serialize};

use super::Extra;

/// A pose in a frame (BumpSensor, TouchSensor, SelfState, WorldState).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Pose {
    /// Direction in the horizontal plane, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearing: Option<f64>,
    /// When the pose was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Length of the position vector, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Direction above the horizontal plane, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
    /// Frame of the pose: `RobotBaseCenter`, `RobotHead`, `RobotNeck` or `WorldOrigin` in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<String>,
    /// The frames between the pose and the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames_provider: Option<FramesProvider>,
    /// The same pose as a transform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homogeneous_coordinates: Option<Transform>,
    /// Rotation about y, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Rotation about x, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<f64>,
    /// Position, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Position, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Rotation about z, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
    /// Position, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The tree of frames, of which robots show the root only.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FramesProvider {
    /// Root of the tree, `RobotBaseCenter` in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_frame: Option<Frame>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A frame and its link to the parent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Frame {
    /// When the frame was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Name of the frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the frame never moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_static: Option<bool>,
    /// Link to the parent frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_from_parent: Option<Link>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How a frame hangs on its parent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Link {
    /// Whether the link never moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_static: Option<bool>,
    /// Name of the parent frame; empty at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_frame_id: Option<String>,
    /// Parent to frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transform_from_parent: Option<Transform>,
    /// Frame to parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transform_to_parent: Option<Transform>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A rigid transform: polar, Cartesian, roll-pitch-yaw and quaternion at once.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Transform {
    /// Direction in the horizontal plane, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearing: Option<f64>,
    /// Length of the translation, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Direction above the horizontal plane, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
    /// Rotation about y, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// The rotation again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<Quaternion>,
    /// Rotation about x, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<f64>,
    /// Translation, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Translation, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Rotation about z, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
    /// Translation, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A unit quaternion; `w` is 1 when nothing is turned.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Quaternion {
    /// Whether the rotation is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_identity: Option<bool>,
    /// Real part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w: Option<f64>,
    /// Imaginary part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Imaginary part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Imaginary part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A pose with tolerances (SelfState `location`, WorldState `objects[].location`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Location {
    /// Direction in the horizontal plane, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearing: Option<f64>,
    /// Tolerance of `bearing`, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearing_threshold: Option<Threshold>,
    /// Distance, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Tolerance of `distance`, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_threshold: Option<Threshold>,
    /// Direction above the horizontal plane, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
    /// Tolerance of `elevation`, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation_threshold: Option<Threshold>,
    /// The pose itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<Pose>,
    /// `None` in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_of_measure: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Bounds about a value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Threshold {
    /// Lower bound, in the unit of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<f64>,
    /// Upper bound, in the unit of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper_bound: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
