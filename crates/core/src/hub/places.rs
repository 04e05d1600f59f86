//! Where frames and robots are, and signals in any frame of the tree.

use std::sync::Arc;

use super::{Hub, Shared};
use crate::frames::{FrameTree, NoTransform, Pose2, RobotFrames, Target, WORLD};
use crate::limits::SAME_MOMENT_TOLERANCE;
use crate::model::profile::{MapUse, Mount, Ray};
use crate::model::signal::{Frame, FrameName, Pose, Signal};
use crate::model::{Kind, PartName, RobotId, Update};

/// The frames that every robot has.
const OF_ROBOTS: [Frame; 3] = [Frame::Map, Frame::Odom, Frame::BaseLink];

/// A frame of a robot that has a name of its own in the tree.
enum OfRobot {
    /// One by REP-105, or the head.
    Frame(Frame),
    /// That of a sensor.
    Sensor(PartName),
}

/// What a frame hangs in: the tree, or a robot's frame that has no placement.
#[derive(PartialEq)]
enum Root {
    World,
    Unplaced(RobotId, Frame),
}

impl Hub {
    /// Sets the frames of the site, and where the config has placed robots'.
    pub fn set_frames(&self, frames: FrameTree) {
        self.0.frames.store(Arc::new(frames));
    }

    /// The frames of the site.
    pub fn frames(&self) -> Arc<FrameTree> {
        self.0.frames.load_full()
    }

    /// Where the frames of a robot are: as the config places them, or else its source.
    pub fn frames_of(&self, robot: &RobotId) -> RobotFrames {
        let robots = self.0.robots.all();
        let own = robots.get(robot).map(|entry| &entry.info.frames);
        let placed = self.0.frames.load().of_robot(robot).cloned().unwrap_or_default();
        own.map_or(placed.clone(), |own| placed.or(own))
    }

    /// Every name that [`Self::frame`] knows now: those of the site, then those of robots.
    pub fn frame_names(&self) -> Vec<String> {
        let tree = self.frames();
        let robots = self.robots();
        let of_robots = robots.iter().flat_map(|report| {
            let robot = &report.info.robot;
            let own = OF_ROBOTS.map(|frame| format!("{robot}/{frame}"));
            let parts =
                self.frames_on_base(robot).into_iter().map(move |(part, _)| format!("{robot}/{part}"));
            own.into_iter().chain(parts)
        });
        tree.names().map(str::to_owned).chain(of_robots).collect()
    }

    /// The frames on the base of a robot whose places are known now: its head, and its sensors, each by the name of its part.
    pub fn frames_on_base(&self, robot: &RobotId) -> Vec<(String, Pose2)> {
        let profile = self.profile(robot);
        let head = profile.head().map(|head| (Frame::Head.to_string(), head));
        let sensors = profile.mounts().map(|(part, mount)| (part.to_string(), mount.clone()));
        head.into_iter()
            .chain(sensors)
            .filter_map(|(name, mount)| Some((name, self.on_base(robot, &mount)?)))
            .collect()
    }

    /// A frame of the tree by its name: one of the site, or `ROBOT/map`, `ROBOT/odom`, `ROBOT/base_link`, `ROBOT/head` or `ROBOT/PART` of a
    /// sensor.
    pub fn frame(&self, name: &str) -> Result<FrameName, NoTransform> {
        match self.frames().has(name) || self.robot_frame(name).is_some() {
            true => Ok(FrameName::keep(name)),
            false => Err(NoTransform::Unknown(name.to_owned())),
        }
    }

    fn robot_frame(&self, name: &str) -> Option<(RobotId, OfRobot)> {
        let (robot, word) = name.rsplit_once('/')?;
        let robot = RobotId::new(robot).ok().filter(|robot| self.has(robot))?;
        if let Some(frame) = OF_ROBOTS.into_iter().find(|it| it.as_str() == word) {
            return Some((robot, OfRobot::Frame(frame)));
        }
        let profile = self.profile(&robot);
        if Frame::Head.as_str() == word && profile.head().is_some() {
            return Some((robot, OfRobot::Frame(Frame::Head)));
        }
        let part = PartName::new(word).ok()?;
        let is_sensor = profile.mounts().any(|(known, _)| *known == part)
            || self.last(&robot, Kind::Scan, Some(&part)).is_some();
        is_sensor.then_some((robot, OfRobot::Sensor(part)))
    }

    /// Where something is mounted on a robot's base now; `None` if it is on joints whose angles are not known.
    fn on_base(&self, robot: &RobotId, mount: &Mount) -> Option<Pose2> {
        let Ray { from_m: [x_m, y_m, _], toward: [ahead, left, _] } =
            mount.ray(|joint| self.joint_rad(robot, joint))?;
        Some(Pose2::new(x_m, y_m, left.atan2(ahead)))
    }

    /// Where a sensor is on a robot's base now; on the middle of it unless the robot's profile says how it is mounted.
    pub fn sensor_on_base(&self, robot: &RobotId, part: Option<&PartName>) -> Result<Pose2, NoTransform> {
        let profile = self.profile(robot);
        let mount = profile.mounts().find(|(known, _)| Some(*known) == part);
        let Some((part, mount)) = mount else { return Ok(Pose2::default()) };
        let moving = || NoTransform::Moving { robot: robot.clone(), frame: part.to_string() };
        self.on_base(robot, mount).ok_or_else(moving)
    }

    /// The last angle of a joint, radians.
    pub fn joint_rad(&self, robot: &RobotId, joint: &PartName) -> Option<f64> {
        match &self.last(robot, Kind::Joint, Some(joint))?.signal {
            Signal::Joint(joint) => joint.position_rad,
            _ => None,
        }
    }

    /// The pose of a frame of a robot in a frame of the tree.
    pub fn transform(&self, robot: &RobotId, frame: Frame, to: &str) -> Result<Pose2, NoTransform> {
        let (target, there) = self.hung_by_name(to)?;
        let (root, at) = self.hung(robot, frame)?;
        match (root, target) {
            (root, target) if root == target => Ok(at.seen_from(there)),
            (Root::Unplaced(robot, Frame::BaseLink), _) | (_, Root::Unplaced(robot, Frame::BaseLink)) => {
                Err(NoTransform::NoPose(robot))
            }
            (Root::Unplaced(robot, frame), _) | (Root::World, Root::Unplaced(robot, frame)) => {
                Err(NoTransform::Unplaced { robot, frame })
            }
            (Root::World, Root::World) => Ok(at.seen_from(there)),
        }
    }

    /// What a frame of a robot hangs in, and its pose there.
    fn hung(&self, robot: &RobotId, frame: Frame) -> Result<(Root, Pose2), NoTransform> {
        let placed = self.frames_of(robot);
        let placement = match frame {
            Frame::Map => placed.map,
            Frame::Odom => match (placed.odom, self.odom_on_map(robot)) {
                (None, Some(drift)) => {
                    let (root, map) = self.hung(robot, Frame::Map)?;
                    return Ok((root, drift.out_of(map)));
                }
                (placed, _) => placed,
            },
            Frame::BaseLink => {
                let Some(pose) = self.pose(robot) else {
                    return Ok((Root::Unplaced(robot.clone(), frame), Pose2::default()));
                };
                let (root, at) = self.hung(robot, pose.frame)?;
                return Ok((root, Pose2::from(&pose).out_of(at)));
            }
            Frame::Head => {
                let head = self.profile(robot).head().and_then(|head| self.on_base(robot, &head));
                let moving = || NoTransform::Moving { robot: robot.clone(), frame: frame.to_string() };
                return self.hung_on_base(robot, head.ok_or_else(moving)?);
            }
            Frame::Tree(name) => return self.hung_by_name(name.as_str()),
        };
        let at = placement.and_then(|it| self.frames().transform(&it, WORLD));
        Ok(match at {
            Some(at) => (Root::World, at),
            None => (Root::Unplaced(robot.clone(), frame), Pose2::default()),
        })
    }

    /// Where the origin of a robot's dead reckoning is on its map, if it publishes its pose in both.
    fn odom_on_map(&self, robot: &RobotId) -> Option<Pose2> {
        let updates = self.last_of_parts(robot, Kind::Pose);
        let last = |frame: Frame| {
            updates.iter().find_map(|update| match &update.signal {
                Signal::Pose(pose) if pose.frame == frame => Some((Pose2::from(pose), update.received)),
                _ => None,
            })
        };
        let ((map, at), (odom, then)) = (last(Frame::Map)?, last(Frame::Odom)?);
        let apart = if at > then { at.since(then) } else { then.since(at) };
        (apart <= SAME_MOMENT_TOLERANCE).then(|| Pose2::default().seen_from(odom).out_of(map))
    }

    fn hung_by_name(&self, name: &str) -> Result<(Root, Pose2), NoTransform> {
        if let Some(at) = self.frames().in_world(name) {
            return Ok((Root::World, at));
        }
        let found = self.robot_frame(name);
        let (robot, frame) = found.ok_or_else(|| NoTransform::Unknown(name.to_owned()))?;
        match frame {
            OfRobot::Frame(frame) => self.hung(&robot, frame),
            OfRobot::Sensor(part) => self.hung_on_base(&robot, self.sensor_on_base(&robot, Some(&part))?),
        }
    }

    fn hung_on_base(&self, robot: &RobotId, at: Pose2) -> Result<(Root, Pose2), NoTransform> {
        let (root, base) = self.hung(robot, Frame::BaseLink)?;
        Ok((root, at.out_of(base)))
    }

    /// An update with its coordinates in a frame of the tree; `None` if it has no coordinates. What is in a robot's own axes is where the
    /// robot's last pose has it.
    pub fn in_frame(&self, update: &Shared, to: FrameName) -> Result<Option<Shared>, NoTransform> {
        let origin = |frame| self.transform(&update.robot, frame, to.as_str());
        let scanner = || self.sensor_on_base(&update.robot, update.part.as_ref());
        let target = Target { name: Frame::Tree(to), origin: &origin, scanner: &scanner };
        let Some(signal) = update.signal.in_frame(&target)? else { return Ok(None) };
        let Update { robot, part, stamp, received, signal: _, native, provenance } = &**update;
        let placed = Update {
            robot: robot.clone(),
            part: part.clone(),
            stamp: *stamp,
            received: *received,
            signal,
            native: native.clone(),
            provenance: provenance.clone(),
        };
        Ok(Some(Shared::new(placed, update.sequence())))
    }

    /// A pose on the robot's map; of a robot that does not know where it is on one in the root of all frames, as its dead reckoning has
    /// it. `None` if it is in neither.
    pub fn on_map(&self, robot: &RobotId, pose: &Pose) -> Option<Pose> {
        match pose.frame {
            Frame::Map => Some(pose.clone()),
            Frame::Odom
                if self.profile(robot).map == MapUse::Never
                    || self.pose(robot).is_some_and(|known| known.frame == Frame::Odom) =>
            {
                Some(self.transform(robot, Frame::Odom, WORLD).ok()?.place(pose, Frame::Map))
            }
            _ => None,
        }
    }

    /// The pose of a frame of another robot where [`Self::on_map`] has a robot's own poses; `None` if one of them is placed nowhere.
    pub fn frame_on_map(&self, robot: &RobotId, owner: &RobotId, frame: Frame) -> Option<Pose2> {
        if robot == owner && frame == Frame::Map {
            return Some(Pose2::default());
        }
        Some(self.transform(owner, frame, WORLD).ok()?.seen_from(self.map_in_world(robot)?))
    }

    /// The pose of a frame of the site there.
    pub fn site_on_map(&self, robot: &RobotId, frame: &str) -> Option<Pose2> {
        Some(self.frames().in_world(frame)?.seen_from(self.map_in_world(robot)?))
    }

    fn map_in_world(&self, robot: &RobotId) -> Option<Pose2> {
        match self.pose(robot)?.frame {
            Frame::Map => self.transform(robot, Frame::Map, WORLD).ok(),
            _ => Some(Pose2::default()),
        }
    }

    /// Where a robot says that it is: on its map if it has one, or from where it started.
    pub fn pose(&self, robot: &RobotId) -> Option<Pose> {
        let updates = self.last_of_parts(robot, Kind::Pose);
        let poses = updates.iter().filter_map(|update| match &update.signal {
            Signal::Pose(pose) if matches!(pose.frame, Frame::Map | Frame::Odom) => Some(pose),
            _ => None,
        });
        poses.min_by_key(|pose| pose.frame != Frame::Map).cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::Clock;
    use crate::frames::Placement;
    use crate::hub::{Origin, RobotInfo, Source};
    use crate::model::profile::{Axis, Hinge, RangeSensor, RobotProfile};
    use crate::model::signal::{Joint, PointCloud, Scan};

    /// A robot with a placement and one without, each at (1, 0) of its own map and looking along y.
    fn site() -> (Hub, [Source; 2]) {
        let hub = Hub::new(Clock::system());
        let robot = |name: &str| RobotId::new(name).unwrap();
        let map = Placement::in_world(Pose2::new(10.0, 0.0, 0.0));
        let placed = RobotFrames { map: Some(map), odom: None };
        let site = BTreeMap::from([("hall".into(), Placement::in_world(Pose2::new(0.0, 5.0, 0.0)))]);
        hub.set_frames(FrameTree::new(site, BTreeMap::from([(robot("placed"), placed)])).unwrap());
        let sources = ["placed", "lost"].map(|name| {
            let info = RobotInfo::new(robot(name), "test", Origin::Connected("there".to_owned()));
            let source = hub.register(info).unwrap();
            source.publish(update(&source, Pose::planar(Frame::Map, 1.0, 0.0, FRAC_PI_2).into()));
            source
        });
        (hub, sources)
    }

    fn update(source: &Source, signal: Signal) -> Update {
        Update::now(source.robot(), Clock::system().now(), signal)
    }

    fn ahead() -> Signal {
        let ranges_m = vec![2.0];
        let (angle_min_rad, angle_increment_rad, range_min_m, range_max_m) = (0.0, 0.1, 0.0, 9.0);
        Scan { angle_min_rad, angle_increment_rad, range_min_m, range_max_m, ranges_m, pose: None }.into()
    }

    fn points(hub: &Hub, source: &Source, signal: Signal, to: &str) -> Result<Vec<[f64; 2]>, String> {
        let update = Shared::new(update(source, signal), 7);
        let to = hub.frame(to).map_err(|why| why.to_string())?;
        let placed = hub.in_frame(&update, to).map_err(|why| why.to_string())?.expect("coordinates");
        assert_eq!((placed.sequence(), placed.key()), (7, update.key()));
        Ok(match &placed.signal {
            Signal::Scan(scan) => scan.points_m().collect(),
            Signal::PointCloud(cloud) => cloud.points_m.iter().map(|[x_m, y_m, _]| [*x_m, *y_m]).collect(),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_scan_in_the_robots_axes_is_where_its_last_pose_has_it() {
        let (hub, [placed, lost]) = site();
        let near = |found: Result<Vec<[f64; 2]>, String>, x_m: f64, y_m: f64| {
            let [at] = found.unwrap().try_into().expect("one point");
            assert!((at[0] - x_m).abs().max((at[1] - y_m).abs()) < 1e-9, "{at:?}");
        };
        near(points(&hub, &placed, ahead(), WORLD), 11.0, 2.0);
        near(points(&hub, &placed, ahead(), "hall"), 11.0, -3.0);
        near(points(&hub, &placed, ahead(), "placed/base_link"), 2.0, 0.0);
        let seen = PointCloud { frame: Frame::BaseLink, points_m: vec![[2.0, 0.0, 0.4]] };
        near(points(&hub, &placed, seen.into(), "placed/map"), 1.0, 2.0);
        // A robot's own frames need no placement.
        near(points(&hub, &lost, ahead(), "lost/map"), 1.0, 2.0);
    }

    #[test]
    fn dead_reckoning_is_where_both_poses_of_a_robot_have_it() {
        let (hub, [placed, lost]) = site();
        for (source, to, [x_m, y_m]) in [(&placed, WORLD, [10.0, 3.0]), (&lost, "lost/map", [0.0, 3.0])] {
            // The robot is at (1, 0) of its map and looks along y; by its wheels it went 3 m back and 1 m to the right.
            let odom = update(source, Pose::planar(Frame::Odom, -3.0, -1.0, 0.0).into());
            source.publish(Update { part: Some(PartName::of("odom")), ..odom });
            let at = hub.transform(source.robot(), Frame::Odom, to).unwrap();
            assert!(at.distance_to(x_m, y_m) < 1e-9 && (at.yaw_rad - FRAC_PI_2).abs() < 1e-9, "{at:?}");
        }
    }

    #[test]
    fn a_sensor_is_where_the_joints_of_its_head_turn_it() {
        let (hub, _sources) = site();
        let neck = Hinge { joint: PartName::of("neck"), at_m: [0.1, 0.0, 0.3], axis: Axis::Z };
        let nose = Mount { hinges: vec![neck], ..Mount::fixed([0.2, 0.0, 0.0], 0.0) };
        let sensor =
            |part, mount| RangeSensor { mount: Some(mount), ..RangeSensor::new(Kind::Scan, Some(part)) };
        let ranges =
            vec![sensor("nose", nose), sensor("rear", Mount::fixed([-0.2, 0.1, 0.0], std::f64::consts::PI))];
        let profile = Arc::new(RobotProfile { ranges, ..RobotProfile::default() });
        let robot = RobotId::new("nosy").unwrap();
        let info = RobotInfo::new(robot.clone(), "test", Origin::Connected("there".to_owned())).with(profile);
        let source = hub.register(info).unwrap();
        let in_base = |part: &str| {
            let scan = Update { part: Some(PartName::of(part)), ..update(&source, ahead()) };
            let placed = hub.in_frame(&Shared::new(scan, 1), hub.frame("nosy/base_link").unwrap());
            placed.map(|placed| match &placed.unwrap().signal {
                Signal::Scan(scan) => scan.points_m().next().unwrap(),
                other => panic!("{other:?}"),
            })
        };
        let near = |[x_m, y_m]: [f64; 2], wanted: [f64; 2]| {
            assert!((x_m - wanted[0]).abs().max((y_m - wanted[1]).abs()) < 1e-9, "{x_m}, {y_m}");
        };
        near(in_base("rear").unwrap(), [-2.2, 0.1]);
        let why = in_base("nose").unwrap_err().to_string();
        assert!(why.starts_with("nosy/nose turns with joints"), "{why}");
        let neck = Some(PartName::of("neck"));
        source.publish(Update { part: neck, ..update(&source, Joint::hinge(FRAC_PI_2).into()) });
        near(in_base("nose").unwrap(), [0.1, 2.2]);
        // What one scanner sees, as another and the head have it; on a map only once the robot knows where it is.
        let turned = Update { part: Some(PartName::of("nose")), ..update(&source, ahead()) };
        let turned = Shared::new(turned, 2);
        let point = |to: &str| match &hub.in_frame(&turned, hub.frame(to).unwrap())?.unwrap().signal {
            Signal::Scan(scan) => Ok(scan.points_m().next().unwrap()),
            other => panic!("{other:?}"),
        };
        near(point("nosy/nose").unwrap(), [2.0, 0.0]);
        near(point("nosy/head").unwrap(), [2.2, 0.0]);
        near(point("nosy/rear").unwrap(), [-0.3, -2.1]);
        assert_eq!(point("nosy/map"), Err(NoTransform::NoPose(robot)));
        source.publish(update(&source, Pose::planar(Frame::Map, 1.0, 0.0, 0.0).into()));
        near(point("nosy/map").unwrap(), [1.1, 2.2]);
        let names = hub.frame_names();
        assert!(["nosy/head", "nosy/nose", "nosy/rear"].iter().all(|it| names.iter().any(|name| name == it)));
    }

    #[test]
    fn what_has_no_transform_says_why() {
        let (hub, [placed, lost]) = site();
        let why = |source: &Source, to: &str| points(&hub, source, ahead(), to).unwrap_err();
        assert!(why(&lost, WORLD).starts_with("lost/map has no placement"));
        assert!(why(&placed, "lost/map").starts_with("lost/map has no placement"));
        assert!(why(&placed, "nobody/map").starts_with("there is no frame \"nobody/map\""));
        assert!(why(&placed, "placed/head").starts_with("there is no frame"));
        let eye = PointCloud { frame: Frame::Head, points_m: vec![[0.0; 3]] };
        let why = points(&hub, &placed, eye.into(), WORLD).unwrap_err();
        assert!(why.contains("joints"), "{why}");
        let names = hub.frame_names();
        assert_eq!(names[..3], ["world", "hall", "lost/map"]);
        assert!(names.iter().all(|name| hub.frame(name).is_ok()), "{names:?}");
    }
}
