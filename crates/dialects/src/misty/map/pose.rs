//! Poses: position and attitude in a named frame, which Misty writes in four forms at once.
//!
//! | wire | model |
//! |---|---|
//! | `x` `y` `z`, m; `roll` `pitch` `yaw`, rad | the same |
//! | `bearing` `elevation` `distance` | computed; elevation counts downward, as pitch does and as the samples show |
//! | `homogeneousCoordinates` with its quaternion | computed, fixed-axis roll, pitch, yaw |
//! | `framesProvider` | always the root, `RobotBaseCenter`: robots show no other |
//! | `RobotBaseCenter` `RobotHead` `WorldOrigin` | `base_link` `head` `map`; Misty has no `odom`, which is `Odom` |

use latimer_core::Timestamp;
use latimer_core::model::signal::{Frame, Pose};

use super::time::utc_from_timestamp;
use super::units::finite;
use crate::misty::wire::Extra;
use crate::misty::wire::pose as wire;

/// Frames and their names on the wire.
const FRAMES: [(Frame, &str); 4] =
    [(Frame::BaseLink, ROOT), (Frame::Head, "RobotHead"), (Frame::Map, "WorldOrigin"), (Frame::Odom, "Odom")];

/// The root of the tree of frames.
const ROOT: &str = "RobotBaseCenter";

/// A pose from a message; `None` without a position, or in a frame that the model does not know.
pub(super) fn pose_from_wire(pose: &wire::Pose, unnamed: Frame) -> Option<Pose> {
    let wire::Pose {
        bearing: _,
        created: _,
        distance: _,
        elevation: _,
        frame_id,
        frames_provider: _,
        homogeneous_coordinates: _,
        pitch,
        roll,
        x,
        y,
        yaw,
        z,
        extra: _,
    } = pose;
    let frame = match frame_id.as_deref() {
        Some(id) => FRAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(id))?.0,
        None => unnamed,
    };
    Some(Pose {
        frame,
        x_m: (*x)?,
        y_m: (*y)?,
        z_m: z.unwrap_or(0.0),
        roll_rad: roll.unwrap_or(0.0),
        pitch_rad: pitch.unwrap_or(0.0),
        yaw_rad: yaw.unwrap_or(0.0),
    })
}

/// A pose for a message.
pub(super) fn wire_from_pose(pose: &Pose, at: Timestamp) -> wire::Pose {
    let Polar { bearing, distance, elevation } = polar(pose);
    wire::Pose {
        bearing,
        created: Some(utc_from_timestamp(at)),
        distance,
        elevation,
        frame_id: FRAMES.iter().find(|(frame, _)| *frame == pose.frame).map(|(_, id)| (*id).to_owned()),
        frames_provider: Some(root_only(at)),
        homogeneous_coordinates: Some(transform(pose)),
        pitch: finite(pose.pitch_rad),
        roll: finite(pose.roll_rad),
        x: finite(pose.x_m),
        y: finite(pose.y_m),
        yaw: finite(pose.yaw_rad),
        z: finite(pose.z_m),
        extra: Extra::new(),
    }
}

/// A pose with tolerances of none.
pub(super) fn location_from_pose(pose: &Pose, at: Timestamp) -> wire::Location {
    let Polar { bearing, distance, elevation } = polar(pose);
    let none = || wire::Threshold { lower_bound: Some(0.0), upper_bound: Some(0.0), extra: Extra::new() };
    wire::Location {
        bearing,
        bearing_threshold: Some(none()),
        distance,
        distance_threshold: Some(none()),
        elevation,
        elevation_threshold: Some(none()),
        pose: Some(wire_from_pose(pose, at)),
        unit_of_measure: Some("None".to_owned()),
        extra: Extra::new(),
    }
}

/// The pose in a location.
pub(super) fn pose_from_location(location: &wire::Location, unnamed: Frame) -> Option<Pose> {
    let wire::Location {
        bearing: _,
        bearing_threshold: _,
        distance: _,
        distance_threshold: _,
        elevation: _,
        elevation_threshold: _,
        pose,
        unit_of_measure: _,
        extra: _,
    } = location;
    pose_from_wire(pose.as_ref()?, unnamed)
}

struct Polar {
    bearing: Option<f64>,
    distance: Option<f64>,
    elevation: Option<f64>,
}

fn polar(pose: &Pose) -> Polar {
    let Pose { x_m, y_m, z_m, .. } = *pose;
    let across = x_m.hypot(y_m);
    Polar {
        bearing: finite(y_m.atan2(x_m) + 0.0),
        distance: finite(across.hypot(z_m)),
        elevation: finite(-z_m.atan2(across) + 0.0),
    }
}

fn transform(pose: &Pose) -> wire::Transform {
    let Polar { bearing, distance, elevation } = polar(pose);
    wire::Transform {
        bearing,
        distance,
        elevation,
        pitch: finite(pose.pitch_rad),
        quaternion: Some(quaternion(pose)),
        roll: finite(pose.roll_rad),
        x: finite(pose.x_m),
        y: finite(pose.y_m),
        yaw: finite(pose.yaw_rad),
        z: finite(pose.z_m),
        extra: Extra::new(),
    }
}

fn quaternion(pose: &Pose) -> wire::Quaternion {
    let (sr, cr) = (pose.roll_rad / 2.0).sin_cos();
    let (sp, cp) = (pose.pitch_rad / 2.0).sin_cos();
    let (sy, cy) = (pose.yaw_rad / 2.0).sin_cos();
    let [w, x, y, z] = [
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ]
    .map(|part| part + 0.0);
    wire::Quaternion {
        is_identity: Some([w, x, y, z] == [1.0, 0.0, 0.0, 0.0]),
        w: finite(w),
        x: finite(x),
        y: finite(y),
        z: finite(z),
        extra: Extra::new(),
    }
}

fn root_only(at: Timestamp) -> wire::FramesProvider {
    let still = Pose::planar(Frame::BaseLink, 0.0, 0.0, 0.0);
    let from_parent = transform(&still);
    // Robots compute this one from the negative of nothing.
    let to_parent = wire::Transform { bearing: Some(std::f64::consts::PI), ..transform(&still) };
    wire::FramesProvider {
        root_frame: Some(wire::Frame {
            created: Some(utc_from_timestamp(at)),
            id: Some(ROOT.to_owned()),
            is_static: Some(true),
            link_from_parent: Some(wire::Link {
                is_static: Some(true),
                parent_frame_id: Some(String::new()),
                transform_from_parent: Some(from_parent),
                transform_to_parent: Some(to_parent),
                extra: Extra::new(),
            }),
            extra: Extra::new(),
        }),
        extra: Extra::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensor_above_has_a_negative_elevation_as_in_the_touch_sample() {
        let pose = Pose { z_m: 0.08, pitch_rad: -1.4, ..Pose::planar(Frame::Head, 0.03, 0.05, 0.0) };
        let wire = wire_from_pose(&pose, Timestamp::default());
        let close = |value: Option<f64>, to: f64| (value.unwrap() - to).abs() < 1e-6;
        assert!(close(wire.bearing, 1.030_376_8) && close(wire.elevation, -0.940_956_8));
        assert!(close(wire.distance, 0.098_994_9));
        let turned = wire.homogeneous_coordinates.unwrap().quaternion.unwrap();
        assert!(close(turned.w, 0.764_842_2) && close(turned.y, -0.644_217_7));
        assert_eq!(turned.is_identity, Some(false));
    }

    #[test]
    fn every_frame_comes_back_and_an_unknown_one_does_not() {
        for (frame, _) in FRAMES {
            let pose = Pose::planar(frame, 1.0, -2.0, 0.5);
            assert_eq!(pose_from_wire(&wire_from_pose(&pose, Timestamp::default()), Frame::Map), Some(pose));
        }
        let neck = wire::Pose {
            frame_id: Some("RobotNeck".into()),
            x: Some(1.0),
            y: Some(1.0),
            ..Default::default()
        };
        assert_eq!(pose_from_wire(&neck, Frame::Map), None);
        assert_eq!(pose_from_wire(&wire::Pose::default(), Frame::Map), None);
    }
}
