//! Where the robot is on its map, of what tells it: its localisation, the transforms, and dead reckoning in between.
//!
//! ```text
//! map ──/tf, or amcl_pose beside the odometry──▶ odom ──odometry, or /tf──▶ base_link
//! ```

use latimer_core::Stamp;
use latimer_core::frames::Pose2;
use latimer_core::model::signal::{Frame, Pose};

use crate::rosbridge::topics::Transform;

/// What is known of one robot.
#[derive(Debug, Default)]
pub(super) struct Localizer {
    map_from_odom: Option<Pose2>,
    odom_from_base: Option<Pose>,
    /// The transforms say where the odometry is on the map, which is newer than what follows from a pose.
    has_transforms: bool,
}

impl Localizer {
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

    /// Where the robot is by transforms, if they tell.
    pub(super) fn transformed(&mut self, transforms: Vec<Transform>) -> Option<(Stamp, Pose)> {
        let mut told = None;
        for Transform { stamp, child, pose } in transforms {
            match (pose.frame, child) {
                (Frame::Map, Frame::Odom) => {
                    self.has_transforms = true;
                    self.map_from_odom = Some((&pose).into());
                    told = told.or_else(|| Some((stamp, self.reckoned(self.odom_from_base.clone()?))));
                }
                (Frame::Odom, Frame::BaseLink) => told = Some((stamp, self.reckoned(pose))),
                (Frame::Map, Frame::BaseLink) => return Some((stamp, pose)),
                _ => {}
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use latimer_core::Timestamp;

    use super::*;

    fn pose(frame: Frame, x_m: f64, y_m: f64, yaw_rad: f64) -> Pose {
        Pose::planar(frame, x_m, y_m, yaw_rad)
    }

    fn transform(child: Frame, pose: Pose) -> Transform {
        Transform { stamp: Stamp::gateway(Timestamp::from_nanos(1)), child, pose }
    }

    fn assert_at(pose: &Pose, frame: Frame, [x_m, y_m, yaw_rad]: [f64; 3]) {
        let off = [pose.x_m - x_m, pose.y_m - y_m, pose.yaw_rad - yaw_rad];
        assert!(pose.frame == frame && off.iter().all(|it| it.abs() < 1e-9), "{pose:?}");
    }

    #[test]
    fn transforms_and_odometry_say_where_it_is_on_the_map() {
        let mut localizer = Localizer::default();
        assert_at(&localizer.reckoned(pose(Frame::Odom, 1.0, 0.0, 0.0)), Frame::Odom, [1.0, 0.0, 0.0]);
        let on_map = transform(Frame::Odom, pose(Frame::Map, 2.0, 3.0, FRAC_PI_2));
        let (_, told) = localizer.transformed(vec![on_map]).unwrap();
        assert_at(&told, Frame::Map, [2.0, 4.0, FRAC_PI_2]);
        let moved = transform(Frame::BaseLink, pose(Frame::Odom, 2.0, 0.0, 0.0));
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
}
