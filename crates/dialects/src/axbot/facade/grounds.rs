//! Robots without a map: what is known of their place and of what is ahead of them, as a chassis would tell it.
//!
//! A chassis tells everything on its map. A robot that has none and never says how well it knows its place counts from where it was
//! switched on: the frame of its wheels stands for its map. What a single range sensor meets straight ahead is a point there.

use std::borrow::Cow;

use latimer_core::hub::Shared;
use latimer_core::model::signal::{Frame, PointCloud, Pose, Range};
use latimer_core::model::{Kind, Signal};
use latimer_core::{Hub, PartName, RobotId, Update};

use crate::axbot::NAME;

/// Range sensors that look along the robot's axis, and how they are turned from ahead. Where others look is not known.
const STRAIGHT: [(&str, f64); 5] = [
    ("front", 0.0),
    ("front_center", 0.0),
    ("sonar", 0.0),
    ("back", std::f64::consts::PI),
    ("rear", std::f64::consts::PI),
];
/// The joint that turns what is on the head.
const HEAD: [(&str, &str); 1] = [("sonar", "yaw")];

/// Where a robot is on its map, or what stands for one.
pub(super) fn place(hub: &Hub, robot: &RobotId) -> Option<Pose> {
    let last = hub.last(robot, Kind::Pose, None)?;
    match &last.signal {
        Signal::Pose(pose) => on_map(hub, robot, pose),
        _ => None,
    }
}

/// A pose on the map, if it is one or stands for one.
pub(super) fn on_map(hub: &Hub, robot: &RobotId, pose: &Pose) -> Option<Pose> {
    let counts = match pose.frame {
        Frame::Map => true,
        Frame::Odom => is_without_map(hub, robot),
        _ => false,
    };
    counts.then(|| Pose { frame: Frame::Map, ..pose.clone() })
}

/// An update as a chassis would know it; the same, of a robot that has a map.
pub(super) fn seen<'a>(hub: &Hub, update: &'a Update) -> Cow<'a, Update> {
    let signal = match &update.signal {
        Signal::Pose(pose) if pose.frame == Frame::Odom && update.part.is_none() => {
            on_map(hub, &update.robot, pose).map(Signal::from)
        }
        Signal::Range(range) => met(hub, &update.robot, update.part.as_ref(), range).map(Signal::from),
        _ => None,
    };
    match signal {
        Some(signal) => Cow::Owned(Update { signal, ..update.clone() }),
        None => Cow::Borrowed(update),
    }
}

/// The point that a range sensor meets; no point if it meets nothing, and `None` if it is not known where that would be.
fn met(hub: &Hub, robot: &RobotId, part: Option<&PartName>, range: &Range) -> Option<PointCloud> {
    let part = part?.as_str();
    let (_, turned_rad) = STRAIGHT.iter().find(|(name, _)| *name == part)?;
    let pose = place(hub, robot)?;
    let bearing_rad = pose.yaw_rad + turned_rad + head_yaw_rad(hub, robot, part);
    let point = |metres: f64| {
        [pose.x_m + metres * bearing_rad.cos(), pose.y_m + metres * bearing_rad.sin(), pose.z_m]
    };
    Some(PointCloud { frame: Frame::Map, points_m: range.distance_m.map(point).into_iter().collect() })
}

fn head_yaw_rad(hub: &Hub, robot: &RobotId, sensor: &str) -> f64 {
    let joint = HEAD.iter().find(|(name, _)| *name == sensor);
    let last = joint.and_then(|(_, joint)| hub.last(robot, Kind::Joint, Some(&PartName::of(joint))));
    match last.as_deref().map(|update: &Shared| &update.signal) {
        Some(Signal::Joint(joint)) => joint.position_rad.unwrap_or_default(),
        _ => 0.0,
    }
}

/// Whether a robot neither is a chassis nor tells how well it knows its place on a map.
fn is_without_map(hub: &Hub, robot: &RobotId) -> bool {
    hub.robot(robot).is_some_and(|it| it.info.family != NAME)
        && hub.last(robot, Kind::Localization, None).is_none()
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;
    use latimer_core::hub::{Origin, RobotInfo, Source};
    use latimer_core::model::signal::{Joint, Localization};

    use super::*;

    fn robot() -> RobotId {
        RobotId::new("r").unwrap()
    }

    fn hub(family: &'static str) -> (Hub, Source) {
        let hub = Hub::new(Clock::system());
        let source = hub.register(RobotInfo { robot: robot(), family, origin: Origin::Simulated }).unwrap();
        (hub, source)
    }

    fn said(source: &Source, part: Option<&str>, signal: impl Into<Signal>) -> Update {
        let now = Clock::system().now();
        let update = Update { part: part.map(PartName::of), ..Update::now(&robot(), now, signal.into()) };
        source.publish(update.clone());
        update
    }

    #[test]
    fn the_wheels_frame_stands_for_the_map_of_a_robot_that_has_none() {
        let odom = Pose::planar(Frame::Odom, 1.0, 2.0, 0.5);
        let (hub_of_miro, miro) = hub("miro");
        let update = said(&miro, None, odom.clone());
        assert_eq!(seen(&hub_of_miro, &update).signal, Pose::planar(Frame::Map, 1.0, 2.0, 0.5).into());
        // One that can be lost on a map has one.
        said(&miro, None, Localization::IDLE);
        assert_eq!(seen(&hub_of_miro, &update).signal, odom.clone().into());
        let (hub_of_chassis, chassis) = hub(NAME);
        let update = said(&chassis, None, odom.clone());
        assert_eq!(seen(&hub_of_chassis, &update).signal, odom.into());
    }

    #[test]
    fn what_a_sonar_meets_is_a_point_where_the_head_looks() {
        let (hub, miro) = hub("miro");
        let range = Range::valid(0.5);
        let early = said(&miro, Some("sonar"), range.clone());
        assert_eq!(seen(&hub, &early).signal, range.clone().into(), "nobody knows where it is");
        said(&miro, None, Pose::planar(Frame::Odom, 1.0, 2.0, 0.0));
        said(&miro, Some("yaw"), Joint::hinge(std::f64::consts::FRAC_PI_2));
        let cloud = |points_m| Signal::from(PointCloud { frame: Frame::Map, points_m });
        let Signal::PointCloud(met) = seen(&hub, &early).signal.clone() else { panic!("no points") };
        assert!(
            (met.points_m[0][0] - 1.0).abs() < 1e-9 && (met.points_m[0][1] - 2.5).abs() < 1e-9,
            "{met:?}"
        );
        let far = said(&miro, Some("sonar"), Range { distance_m: None, ..range.clone() });
        assert_eq!(seen(&hub, &far).signal, cloud(Vec::new()), "nothing is ahead");
        let elsewhere = said(&miro, Some("front_left"), range.clone());
        assert_eq!(seen(&hub, &elsewhere).signal, range.into(), "where it looks is not known");
    }
}
