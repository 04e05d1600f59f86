//! The frames of a robot, as `/tf` and `/tf_static` tell where each is in the one that it hangs in (REP-103, REP-105).
//!
//! ```text
//! odom ──▶ base_link ──tilt──▶ body ──lift──▶ neck ──yaw──▶ gimbal ──pitch──▶ head ─┬─▶ caml ──▶ caml_optical
//!                                                                                   ├─▶ camr ──▶ camr_optical
//!                                                                                   └─▶ sonar
//! ```
//!
//! So it is of a MiRo. Of another robot there is what its profile says of its mounts; what is not known hangs nowhere.

use latimer_core::PartName;
use latimer_core::model::RobotProfile;
use latimer_core::model::profile::{Axis, Camera, CameraRole, JointRole, Mount};
use latimer_core::model::signal::Pose;
use latimer_ros1::msgs::geometry_msgs::{Quaternion, Transform, TransformStamped, Vector3};
use latimer_ros1::msgs::tf2_msgs::TFMessage;

use super::Snapshot;
use crate::miro::messages::{Moment, SONAR};

/// The robot on the floor, between its wheels.
const BASE: &str = "base_link";

/// The eyes: forward as all frames of a robot, and as pictures have it, right, down and ahead.
pub const EYES: [Eye; 2] = [
    Eye { role: CameraRole::Left, frame: "caml", optical: "caml_optical" },
    Eye { role: CameraRole::Right, frame: "camr", optical: "camr_optical" },
];

/// From forward, left, up to right, down, ahead.
const OPTICAL: Quaternion = Quaternion { x: -0.5, y: 0.5, z: -0.5, w: 0.5 };

/// An eye and its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eye {
    role: CameraRole,
    frame: &'static str,
    /// The frame of its pictures.
    pub optical: &'static str,
}

/// What hangs in what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    joints: Vec<Joined>,
    fixed: Vec<Fixed>,
}

/// A frame that a joint turns.
#[derive(Clone, Debug, PartialEq)]
struct Joined {
    frame: String,
    parent: String,
    at_m: [f64; 3],
    joint: PartName,
    axis: Axis,
}

/// A frame that always is where it is.
#[derive(Clone, Debug, PartialEq)]
struct Fixed {
    frame: &'static str,
    parent: String,
    at_m: [f64; 3],
    turned: Quaternion,
}

impl Eye {
    /// The camera that this eye is, of a robot that may have but one.
    pub fn camera<'a>(&self, profile: &'a RobotProfile) -> Option<&'a Camera> {
        profile.camera(self.role).or_else(|| profile.camera_ahead())
    }
}

impl Frames {
    /// Those of a robot, as far as it says where things are mounted.
    pub fn of(profile: &RobotProfile) -> Self {
        let mut frames = Self::default();
        for eye in EYES {
            if let Some(mount) = eye.camera(profile).and_then(|it| it.mount.as_ref()) {
                frames.mount(profile, mount, eye.frame);
                let parent = eye.frame.to_owned();
                frames.fixed.push(Fixed { frame: eye.optical, parent, at_m: [0.0; 3], turned: OPTICAL });
            }
        }
        let sonar = profile.range(&PartName::of(SONAR));
        if let Some(mount) = sonar.and_then(|it| it.mount.as_ref()) {
            frames.mount(profile, mount, SONAR);
        }
        frames
    }

    fn mount(&mut self, profile: &RobotProfile, mount: &Mount, frame: &'static str) {
        let mut parent = BASE.to_owned();
        for hinge in &mount.hinges {
            let frame = link(profile, &hinge.joint);
            // Another sensor may be carried by the same joints.
            if self.joints.iter().all(|it| it.frame != frame) {
                let (at_m, joint, axis) = (hinge.at_m, hinge.joint.clone(), hinge.axis);
                self.joints.push(Joined { frame: frame.clone(), parent, at_m, joint, axis });
            }
            parent = frame;
        }
        let turned = turned(mount.yaw_rad, mount.pitch_rad);
        self.fixed.push(Fixed { frame, parent, at_m: mount.at_m, turned });
    }

    /// Where all is that moves, as far as it is known: `/tf`.
    pub fn moving(&self, known: &Snapshot, at: &Moment) -> TFMessage {
        let base = known.published_pose().map(|pose| based(pose, at));
        let joints = self.joints.iter().filter_map(|it| {
            let angle_rad = known.angle_rad(&it.joint)?;
            let turned = match it.axis {
                Axis::Y => turned(0.0, angle_rad),
                Axis::Z => turned(angle_rad, 0.0),
            };
            Some(hung(at, &it.parent, &it.frame, it.at_m, turned))
        });
        TFMessage { transforms: base.into_iter().chain(joints).collect() }
    }

    /// Where all is that does not: `/tf_static`.
    pub fn fixed<'a>(&'a self, at: &'a Moment) -> impl Iterator<Item = TransformStamped> + 'a {
        self.fixed.iter().map(|it| hung(at, &it.parent, it.frame, it.at_m, it.turned.clone()))
    }
}

/// The maker's name for what a joint carries; of another joint its own.
fn link(profile: &RobotProfile, joint: &PartName) -> String {
    let role = profile.joints.iter().find(|it| it.part == *joint).map(|it| it.role);
    match role {
        Some(JointRole::BodyTilt) => "body".to_owned(),
        Some(JointRole::NeckLift) => "neck".to_owned(),
        Some(JointRole::HeadYaw) => "gimbal".to_owned(),
        Some(JointRole::HeadPitch) => "head".to_owned(),
        _ => joint.to_string(),
    }
}

fn based(pose: &Pose, at: &Moment) -> TransformStamped {
    let place_m = [pose.x_m, pose.y_m, 0.0].map(|it| if it.is_finite() { it } else { 0.0 });
    let yaw_rad = if pose.yaw_rad.is_finite() { pose.yaw_rad } else { 0.0 };
    hung(at, pose.frame.as_str(), BASE, place_m, turned(yaw_rad, 0.0))
}

fn hung(
    at: &Moment,
    parent: &str,
    frame: &str,
    [x, y, z]: [f64; 3],
    rotation: Quaternion,
) -> TransformStamped {
    TransformStamped {
        header: at.header(parent),
        child_frame_id: at.frame(frame),
        transform: Transform { translation: Vector3 { x, y, z }, rotation },
    }
}

/// Turned to the left, then tipped forward.
fn turned(yaw_rad: f64, pitch_rad: f64) -> Quaternion {
    let (sin_yaw, cos_yaw) = (yaw_rad / 2.0).sin_cos();
    let (sin_pitch, cos_pitch) = (pitch_rad / 2.0).sin_cos();
    Quaternion {
        x: -sin_yaw * sin_pitch,
        y: cos_yaw * sin_pitch,
        z: sin_yaw * cos_pitch,
        w: cos_yaw * cos_pitch,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use latimer_core::model::Update;
    use latimer_core::model::signal::{Frame, Joint, Signal};
    use latimer_core::{RobotId, Timestamp};

    use super::*;
    use crate::miro::profile::PROFILE;

    /// What a robot says.
    fn knowing(said: &[(&str, Signal)]) -> Snapshot {
        let mut known = Snapshot::default();
        let robot = RobotId::new("robot-1").unwrap();
        for (part, signal) in said {
            known
                .take(&Update::now(&robot, Timestamp::default(), signal.clone()).of_part(PartName::of(part)));
        }
        known
    }

    fn named() -> Moment {
        Moment { frames: "rob01".into(), ..Moment::default() }
    }

    /// A point of a frame in the root of its tree, and the root's name.
    fn in_root(
        tree: &BTreeMap<String, TransformStamped>,
        frame: &str,
        point: [f64; 3],
    ) -> (String, [f64; 3]) {
        match tree.get(frame) {
            None => (frame.to_owned(), point),
            Some(it) => {
                let Transform { translation, rotation: Quaternion { x, y, z, w } } = &it.transform;
                let [a, b, c] = point;
                // v + 2 q × (q × v + w v)
                let [i, j, k] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
                let turned =
                    [a + 2.0 * (y * k - z * j), b + 2.0 * (z * i - x * k), c + 2.0 * (x * j - y * i)];
                let Vector3 { x, y, z } = translation;
                in_root(tree, &it.header.frame_id, [turned[0] + x, turned[1] + y, turned[2] + z])
            }
        }
    }

    fn tree(profile: &RobotProfile, known: &Snapshot) -> BTreeMap<String, TransformStamped> {
        let (frames, at) = (Frames::of(profile), named());
        let all = frames.moving(known, &at).transforms.into_iter().chain(frames.fixed(&at));
        all.map(|it| (it.child_frame_id.clone(), it)).collect()
    }

    #[test]
    fn an_eye_s_pictures_look_where_the_neck_turns_it() {
        let degrees = [("tilt", -5.0_f64), ("lift", 17.0), ("yaw", 30.0), ("pitch", -12.0)];
        let mut said: Vec<(&str, Signal)> =
            degrees.iter().map(|(part, it)| (*part, Joint::hinge(it.to_radians()).into())).collect();
        said.push(("", Pose::planar(Frame::Odom, 1.0, 2.0, 0.5).into()));
        let tree = tree(&PROFILE, &knowing(&said));
        for eye in EYES {
            let frame = format!("rob01/{}", eye.optical);
            let (root, from_m) = in_root(&tree, &frame, [0.0; 3]);
            // One metre ahead is z in an optical frame.
            let (_, ahead_m) = in_root(&tree, &frame, [0.0, 0.0, 1.0]);
            let mount = eye.camera(&PROFILE).unwrap().mount.as_ref().unwrap();
            let angle = |joint: &PartName| {
                degrees.iter().find(|(part, _)| joint.as_str() == *part).map(|(_, it)| it.to_radians())
            };
            let ray = mount.ray(angle).unwrap();
            let on_map = |[x, y, z]: [f64; 3]| {
                let (sin, cos) = 0.5_f64.sin_cos();
                [1.0 + x * cos - y * sin, 2.0 + x * sin + y * cos, z]
            };
            let near =
                |is: [f64; 3], wanted: [f64; 3]| is.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9);
            assert_eq!(root, "rob01/odom");
            assert!(near(from_m, on_map(ray.at(0.0))), "{from_m:?}");
            assert!(near(ahead_m, on_map(ray.at(1.0))), "{ahead_m:?}");
            // What is below in a picture is lower.
            let (_, below_m) = in_root(&tree, &frame, [0.0, 0.1, 0.0]);
            assert!(below_m[2] < from_m[2] - 0.05, "{below_m:?} {from_m:?}");
        }
        assert_eq!(tree.len(), 10, "{:?}", tree.keys());
    }

    #[test]
    fn what_is_not_known_hangs_nowhere() {
        let known = knowing(&[("yaw", Joint::hinge(0.1).into())]);
        let moving = Frames::of(&PROFILE).moving(&known, &named());
        let children: Vec<_> = moving.transforms.iter().map(|it| it.child_frame_id.as_str()).collect();
        assert_eq!(children, ["rob01/gimbal"], "neither pose nor other angles are known");
        let none = Frames::of(&RobotProfile::default());
        assert!(none.fixed(&named()).next().is_none() && none.moving(&known, &named()).transforms.is_empty());
    }

    #[test]
    fn a_robot_with_one_camera_in_front_sees_with_both_eyes_from_there() {
        let mount = Some(Mount::fixed([0.2, 0.0, 0.9], 0.0));
        let front = Camera { mount, ..Camera::new("camera_front", CameraRole::Front) };
        let profile = RobotProfile { cameras: vec![front], ..RobotProfile::default() };
        let known = knowing(&[("", Pose::planar(Frame::Map, 1.0, 0.0, 0.0).into())]);
        let tree = tree(&profile, &known);
        for eye in EYES {
            let (root, ahead_m) = in_root(&tree, &format!("rob01/{}", eye.optical), [0.0, 0.0, 1.0]);
            assert_eq!(root, "rob01/map");
            let wanted = [2.2, 0.0, 0.9];
            assert!(ahead_m.iter().zip(wanted).all(|(is, wanted)| (is - wanted).abs() < 1e-9), "{ahead_m:?}");
        }
    }
}
