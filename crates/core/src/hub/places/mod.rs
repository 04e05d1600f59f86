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
mod tests;
