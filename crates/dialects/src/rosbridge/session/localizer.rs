//! Where the robot is on its map, of what tells it: its localisation, the transforms, and dead reckoning in between; and where its sensors are.
//!
//! ```text
//! map ──/tf, or amcl_pose beside the odometry──▶ odom ──odometry, or /tf──▶ base_link ──/tf, /tf_static──▶ laser, camera, ...
//! ```

use std::collections::HashMap;

use latimer_core::Stamp;
use latimer_core::frames::Pose2;
use latimer_core::model::signal::{Frame, Pose};

use crate::rosbridge::limits::MAX_TRANSFORMS;
use crate::rosbridge::topics::{DecodeError, Placing, Transform, frame_of};

/// Frames between a sensor and the robot's base.
const FRAME_DEPTH: usize = 32;

/// What is known of one robot.
#[derive(Debug, Default)]
pub(super) struct Localizer {
    /// What its frames begin with where it is not alone at its bridge; nothing where that is not known.
    name: String,
    map_from_odom: Option<Pose2>,
    odom_from_base: Option<Pose>,
    /// The transforms say where the odometry is on the map, which is newer than what follows from a pose.
    has_transforms: bool,
    /// Where frames are in others, by their names.
    frames: HashMap<String, (String, Placing)>,
}

impl Localizer {
    /// Of a robot whose topics begin with `prefix`.
    pub(super) fn new(prefix: &str) -> Self {
        Self { name: prefix.trim_matches('/').to_owned(), ..Self::default() }
    }

    /// Whether a frame may be the robot's own, or is one of the site.
    fn is_ours(&self, frame: &str) -> bool {
        frame.rsplit_once('/').is_none_or(|(owner, _)| self.name.is_empty() || owner == self.name)
    }

    /// Its pose by odometry: in the map if `/tf` has that transform, otherwise in the frame of the message.
    pub(super) fn reckoned(&mut self, pose: Pose) -> Pose {
        if pose.frame != Frame::Odom {
            return pose;
        }
        let place = self.map_from_odom.map(|map_from_odom| map_from_odom.place(&pose, Frame::Map));
        self.odom_from_base = Some(pose.clone());
        place.unwrap_or(pose)
    }

    /// Notes where its localisation has it.
    pub(super) fn localized(&mut self, pose: &Pose) {
        if let (Frame::Map, false, Some(odom_from_base)) =
            (pose.frame, self.has_transforms, &self.odom_from_base)
        {
            let base_from_odom = Pose2::default().seen_from(odom_from_base.into());
            self.map_from_odom = Some(base_from_odom.out_of(pose.into()));
        }
    }

    /// Notes transforms; where the robot is by them, if they tell.
    pub(super) fn transformed(&mut self, transforms: Vec<Transform>) -> Option<(Stamp, Pose)> {
        let mut told = None;
        for Transform { stamp, parent, child, placing } in transforms {
            if !(self.is_ours(&parent) && self.is_ours(&child)) {
                continue;
            }
            match (frame_of(&parent).ok(), frame_of(&child).ok()) {
                (Some(Frame::Map), Some(Frame::Odom)) => {
                    self.has_transforms = true;
                    self.map_from_odom = Some((&placing.pose(Frame::Map)).into());
                    let odom_from_base = self.odom_from_base.clone();
                    told = told.or_else(|| Some((stamp, self.reckoned(odom_from_base?))));
                }
                (Some(Frame::Odom), Some(Frame::BaseLink)) => {
                    told = Some((stamp, self.reckoned(placing.pose(Frame::Odom))));
                }
                (Some(Frame::Map), Some(Frame::BaseLink)) => told = Some((stamp, placing.pose(Frame::Map))),
                _ => {}
            }
            if self.frames.len() < MAX_TRANSFORMS || self.frames.contains_key(&child) {
                self.frames.insert(child, (parent, placing));
            }
        }
        told
    }

    /// A frame that the model has, and where the one of a name is in it.
    pub(super) fn place(&self, name: &str) -> Result<(Frame, Option<Placing>), DecodeError> {
        let (mut at, mut whole): (&str, Option<Placing>) = (name, None);
        for _ in 0..FRAME_DEPTH {
            if let Ok(frame) = frame_of(at) {
                return Ok((frame, whole));
            }
            let Some((parent, placing)) = self.frames.get(at) else { break };
            whole = Some(whole.map_or(*placing, |it| it.out_of(placing)));
            at = parent;
        }
        Err(DecodeError::Frame(name.to_owned()))
    }

    /// A pose in the robot's base, on the map if it is known where the robot is there.
    pub(super) fn on_map(&self, pose: Pose) -> Pose {
        let base = self.map_from_odom.zip(self.odom_from_base.as_ref());
        match base.filter(|_| pose.frame == Frame::BaseLink) {
            Some((map, base)) => Pose2::from(&map.place(base, Frame::Map)).place(&pose, Frame::Map),
            None => pose,
        }
    }

    /// A point on the map as the robot's odometry has it.
    pub(super) fn in_odometry(&self, goal: Pose2) -> Pose2 {
        self.map_from_odom.map_or(goal, |odom| goal.seen_from(odom))
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use latimer_core::Timestamp;
    use latimer_core::model::signal::Orientation;

    use super::*;

    fn pose(frame: Frame, x_m: f64, y_m: f64, yaw_rad: f64) -> Pose {
        Pose::planar(frame, x_m, y_m, yaw_rad)
    }

    fn transform(parent: &str, child: &str, [x_m, y_m, yaw_rad]: [f64; 3]) -> Transform {
        let turned = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad };
        let placing = Placing::new([x_m, y_m, 0.0], turned.to_quaternion()).unwrap();
        let stamp = Stamp::gateway(Timestamp::from_nanos(1));
        Transform { stamp, parent: parent.into(), child: child.into(), placing }
    }

    fn assert_at(pose: &Pose, frame: Frame, [x_m, y_m, yaw_rad]: [f64; 3]) {
        let off = [pose.x_m - x_m, pose.y_m - y_m, pose.yaw_rad - yaw_rad];
        assert!(pose.frame == frame && off.iter().all(|it| it.abs() < 1e-9), "{pose:?}");
    }

    #[test]
    fn transforms_and_odometry_say_where_it_is_on_the_map() {
        let mut localizer = Localizer::default();
        assert_at(&localizer.reckoned(pose(Frame::Odom, 1.0, 0.0, 0.0)), Frame::Odom, [1.0, 0.0, 0.0]);
        let on_map = transform("map", "odom", [2.0, 3.0, FRAC_PI_2]);
        let (_, told) = localizer.transformed(vec![on_map]).unwrap();
        assert_at(&told, Frame::Map, [2.0, 4.0, FRAC_PI_2]);
        let moved = transform("odom", "base_link", [2.0, 0.0, 0.0]);
        assert_at(&localizer.transformed(vec![moved]).unwrap().1, Frame::Map, [2.0, 5.0, FRAC_PI_2]);
        // A pose is older than the transforms.
        localizer.localized(&pose(Frame::Map, 9.0, 9.0, 0.0));
        assert_at(&localizer.reckoned(pose(Frame::Odom, 1.0, 0.0, 0.0)), Frame::Map, [2.0, 4.0, FRAC_PI_2]);
    }

    #[test]
    fn a_localisation_without_transforms_does_too() {
        let mut localizer = Localizer::default();
        localizer.reckoned(pose(Frame::Odom, 1.0, 1.0, 0.0));
        localizer.localized(&pose(Frame::Map, 5.0, 5.0, FRAC_PI_2));
        let place = localizer.reckoned(pose(Frame::Odom, 2.0, 1.0, 0.0));
        assert_at(&place, Frame::Map, [5.0, 6.0, FRAC_PI_2]);
    }

    #[test]
    fn a_sensor_is_placed_by_the_frames_between_and_another_robots_frames_are_not_its_own() {
        let mut localizer = Localizer::new("/rob1/");
        assert!(localizer.place("rob1/laser").is_err());
        localizer.transformed(vec![
            transform("rob1/mast", "rob1/laser", [0.1, 0.0, 0.0]),
            transform("rob1/base_link", "rob1/mast", [0.0, 0.2, FRAC_PI_2]),
            transform("map", "rob1/odom", [5.0, 0.0, 0.0]),
            transform("rob1/odom", "rob1/base_footprint", [1.0, 0.0, 0.0]),
            transform("rob2/odom", "rob2/base_link", [9.0, 9.0, 0.0]),
        ]);
        let (frame, placing) = localizer.place("rob1/laser").unwrap();
        let pose = placing.unwrap().pose(frame);
        assert_at(&pose, Frame::BaseLink, [0.0, 0.3, FRAC_PI_2]);
        assert_at(&localizer.on_map(pose), Frame::Map, [6.0, 0.3, FRAC_PI_2]);
        // A ring of frames ends.
        localizer.transformed(vec![transform("b", "a", [0.0; 3]), transform("a", "b", [0.0; 3])]);
        assert!(localizer.place("a").is_err());
    }
}
