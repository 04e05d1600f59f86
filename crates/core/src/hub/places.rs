//! Where frames and robots are, and signals in any frame of the tree.

use std::sync::Arc;

use super::{Hub, Shared};
use crate::frames::{FrameTree, NoTransform, Pose2, RobotFrames, Target, WORLD};
use crate::model::profile::MapUse;
use crate::model::signal::{Frame, FrameName, Pose, Signal};
use crate::model::{Kind, RobotId, Update};

/// The frames of a robot that can be asked for.
const OF_ROBOTS: [Frame; 3] = [Frame::Map, Frame::Odom, Frame::BaseLink];

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
        let robots = self.0.robots.load();
        let own = robots.get(robot).map(|entry| &entry.info.frames);
        let placed = self.0.frames.load().of_robot(robot).cloned().unwrap_or_default();
        own.map_or(placed.clone(), |own| placed.or(own))
    }

    /// Every name that [`Self::frame`] knows now: those of the site, then those of robots.
    pub fn frame_names(&self) -> Vec<String> {
        let tree = self.frames();
        let robots = self.robots();
        let of_robot = |robot: &RobotId| OF_ROBOTS.map(|frame| format!("{robot}/{frame}"));
        let of_robots = robots.iter().flat_map(|report| of_robot(&report.info.robot));
        tree.names().map(str::to_owned).chain(of_robots).collect()
    }

    /// A frame of the tree by its name: one of the site, or `ROBOT/map`, `ROBOT/odom` or `ROBOT/base_link`.
    pub fn frame(&self, name: &str) -> Result<FrameName, NoTransform> {
        match self.frames().has(name) || self.robot_frame(name).is_some() {
            true => Ok(FrameName::keep(name)),
            false => Err(NoTransform::Unknown(name.to_owned())),
        }
    }

    fn robot_frame(&self, name: &str) -> Option<(RobotId, Frame)> {
        let (robot, word) = name.rsplit_once('/')?;
        let frame = OF_ROBOTS.into_iter().find(|it| it.as_str() == word)?;
        let robot = RobotId::new(robot).ok()?;
        self.has(&robot).then_some((robot, frame))
    }

    /// The pose of a frame of a robot in a frame of the tree.
    pub fn transform(&self, robot: &RobotId, frame: Frame, to: &str) -> Result<Pose2, NoTransform> {
        let (target, there) = self.hung_by_name(to)?;
        let (root, at) = self.hung(robot, frame)?;
        match (root, target) {
            (root, target) if root == target => Ok(at.seen_from(there)),
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
            Frame::Odom => placed.odom,
            Frame::BaseLink => {
                let pose = self.pose(robot).ok_or_else(|| NoTransform::NoPose(robot.clone()))?;
                let (root, at) = self.hung(robot, pose.frame)?;
                return Ok((root, Pose2::from(&pose).out_of(at)));
            }
            Frame::Head => return Err(NoTransform::Moving { robot: robot.clone(), frame }),
            Frame::Tree(name) => return self.hung_by_name(name.as_str()),
        };
        let at = placement.and_then(|it| self.frames().transform(&it, WORLD));
        Ok(match at {
            Some(at) => (Root::World, at),
            None => (Root::Unplaced(robot.clone(), frame), Pose2::default()),
        })
    }

    fn hung_by_name(&self, name: &str) -> Result<(Root, Pose2), NoTransform> {
        if let Some(at) = self.frames().in_world(name) {
            return Ok((Root::World, at));
        }
        let found = self.robot_frame(name);
        let (robot, frame) = found.ok_or_else(|| NoTransform::Unknown(name.to_owned()))?;
        self.hung(&robot, frame)
    }

    /// An update with its coordinates in a frame of the tree; `None` if it has no coordinates. What is in a robot's own axes is where the
    /// robot's last pose has it.
    pub fn in_frame(&self, update: &Shared, to: FrameName) -> Result<Option<Shared>, NoTransform> {
        let origin = |frame| self.transform(&update.robot, frame, to.as_str());
        let scanner = self.profile(&update.robot).scanner(update.part.as_ref());
        let target = Target { name: Frame::Tree(to), origin: &origin, scanner };
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
    use crate::model::signal::{PointCloud, Scan};

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
