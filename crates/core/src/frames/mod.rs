//! Frames of reference, by the names of REP-105: one tree, whose root is the site.
//!
//! ```text
//! world ─┬─ arena                    frames of the site: of the config, or of the simulated world
//!        ├─ ROBOT/map                where a robot's map is: from the config, or from the robot's source
//!        └─ ROBOT/odom ── ROBOT/base_link ── ROBOT/PART   a sensor, by the robot's profile and the angles of its joints
//! ```
//!
//! A robot without a placement hangs in no tree: its poses are valid in its own frames alone.

mod placed;

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use crate::limits::FRAME_TREE_MAX_DEPTH;
use crate::model::RobotId;
use crate::model::signal::{Frame, Pose};

pub(crate) use placed::Placed;
pub use placed::Target;

/// The root.
pub const WORLD: &str = "world";

/// Where something is on the floor and how it is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose2 {
    /// East of the origin, metres.
    pub x_m: f64,
    /// North of the origin, metres.
    pub y_m: f64,
    /// Counter-clockwise from +x, radians.
    pub yaw_rad: f64,
}

impl Pose2 {
    /// A pose.
    pub const fn new(x_m: f64, y_m: f64, yaw_rad: f64) -> Self {
        Self { x_m, y_m, yaw_rad }
    }

    /// A point given in this pose's frame, in the frame that this pose is given in.
    pub fn point_out(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        let (sin, cos) = self.yaw_rad.sin_cos();
        [self.x_m + cos * x_m - sin * y_m, self.y_m + sin * x_m + cos * y_m]
    }

    /// The reverse of [`Self::point_out`].
    pub fn point_in(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        let (sin, cos) = self.yaw_rad.sin_cos();
        let (dx, dy) = (x_m - self.x_m, y_m - self.y_m);
        [cos * dx + sin * dy, cos * dy - sin * dx]
    }

    /// This pose in a frame whose origin is at another pose.
    #[must_use]
    pub fn seen_from(&self, frame: Self) -> Self {
        let [x_m, y_m] = frame.point_in(self.x_m, self.y_m);
        Self::new(x_m, y_m, wrap_angle(self.yaw_rad - frame.yaw_rad))
    }

    /// The reverse of [`Self::seen_from`]: a pose given in a frame, where that frame's own pose is given.
    #[must_use]
    pub fn out_of(&self, frame: Self) -> Self {
        let [x_m, y_m] = frame.point_out(self.x_m, self.y_m);
        Self::new(x_m, y_m, wrap_angle(self.yaw_rad + frame.yaw_rad))
    }

    /// Distance to a point, metres.
    pub fn distance_to(&self, x_m: f64, y_m: f64) -> f64 {
        (self.x_m - x_m).hypot(self.y_m - y_m)
    }

    /// Whether every number is one.
    pub fn is_finite(&self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite() && self.yaw_rad.is_finite()
    }

    /// A pose that is given in the frame that is here, by the name of the frame that this one is given in.
    pub fn place(self, pose: &Pose, frame: Frame) -> Pose {
        let at = Self::from(pose).out_of(self);
        Pose { frame, x_m: at.x_m, y_m: at.y_m, yaw_rad: at.yaw_rad, ..pose.clone() }
    }
}

impl From<&Pose> for Pose2 {
    fn from(pose: &Pose) -> Self {
        Self::new(pose.x_m, pose.y_m, pose.yaw_rad)
    }
}

/// The same direction in -π..=π.
pub fn wrap_angle(angle_rad: f64) -> f64 {
    let turned = (angle_rad + PI).rem_euclid(TAU) - PI;
    if turned == -PI { PI } else { turned }
}

/// Where a frame is: in which other one, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The frame of the site that it is in.
    pub parent: Arc<str>,
    /// How.
    pub at: Pose2,
}

impl Placement {
    /// In the root.
    pub fn in_world(at: Pose2) -> Self {
        Self { parent: WORLD.into(), at }
    }
}

/// Where the frames of one robot are, as far as that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RobotFrames {
    /// Its map.
    pub map: Option<Placement>,
    /// Where it started, of a robot that goes by dead reckoning.
    pub odom: Option<Placement>,
}

impl RobotFrames {
    /// Those of `self`, and those of `others` where it has none.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        let either =
            |own: &Option<Placement>, other: &Option<Placement>| own.clone().or_else(|| other.clone());
        Self { map: either(&self.map, &others.map), odom: either(&self.odom, &others.odom) }
    }
}

/// A frame cannot be placed so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// It has a name that a robot's frames have, or none.
    #[error("{0:?} is no name of a frame; write one without a slash, and not {WORLD}")]
    Name(String),
    /// No frame has the name.
    #[error("there is no frame {0:?}; there are: {1}")]
    Unknown(String, String),
    /// It is in itself.
    #[error("the frame {0:?} is in itself, by way of others")]
    Circle(String),
}

/// Why there is no transform.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTransform {
    /// The robot's frame has no placement.
    #[error("{robot}/{frame} has no placement; add one with [[robot]] in the config")]
    Unplaced {
        /// The robot.
        robot: RobotId,
        /// Its frame.
        frame: Frame,
    },
    /// It moves with joints of the robot.
    #[error("{robot}/{frame} turns with joints of the robot whose angles or places are not known")]
    Moving {
        /// The robot.
        robot: RobotId,
        /// Its frame: the head, or that of a sensor.
        frame: String,
    },
    /// The robot has published no pose yet.
    #[error("{0} has not published a pose yet")]
    NoPose(RobotId),
    /// There is no such frame.
    #[error("there is no frame {0:?}; GET /api/v1/frames lists those that there are")]
    Unknown(String),
}

/// The frames of the site, and where the config has placed robots'.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use latimer_core::frames::{FrameTree, Placement, Pose2};
///
/// let arena = Placement::in_world(Pose2::new(10.0, 2.0, 0.0));
/// let tree = FrameTree::new(BTreeMap::from([("arena".into(), arena)]), BTreeMap::new())?;
/// let charger = Placement { parent: "arena".into(), at: Pose2::new(1.0, 0.5, 0.0) };
/// assert_eq!(tree.transform(&charger, "world"), Some(Pose2::new(11.0, 2.5, 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTree {
    site: BTreeMap<Arc<str>, Placement>,
    robots: BTreeMap<RobotId, RobotFrames>,
}

impl FrameTree {
    /// Checks that all hang in one tree.
    pub fn new(
        site: BTreeMap<Arc<str>, Placement>,
        robots: BTreeMap<RobotId, RobotFrames>,
    ) -> Result<Self, FrameError> {
        let tree = Self { site, robots };
        for name in tree.site.keys() {
            if name.is_empty() || name.contains('/') || &**name == WORLD {
                return Err(FrameError::Name(name.to_string()));
            }
        }
        let robots = tree.robots.values().flat_map(|frames| [&frames.map, &frames.odom]).flatten();
        for placement in tree.site.values().chain(robots) {
            if !tree.has(&placement.parent) {
                let known: Vec<&str> = tree.names().collect();
                return Err(FrameError::Unknown(placement.parent.to_string(), known.join(", ")));
            }
        }
        match tree.site.keys().find(|name| tree.in_world(name).is_none()) {
            Some(name) => Err(FrameError::Circle(name.to_string())),
            None => Ok(tree),
        }
    }

    /// The same with frames of others, where it has none of that name.
    #[must_use]
    pub fn with_site(&self, others: impl IntoIterator<Item = (Arc<str>, Placement)>) -> Self {
        let mut tree = self.clone();
        for (name, placement) in others {
            tree.site.entry(name).or_insert(placement);
        }
        tree
    }

    /// Names of all frames of the site.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(WORLD).chain(self.site.keys().map(|name| &**name))
    }

    /// Where the site's frames are; the root is in nothing.
    pub fn site(&self) -> impl Iterator<Item = (&str, &Placement)> {
        self.site.iter().map(|(name, placement)| (&**name, placement))
    }

    /// Where the config has placed a robot's frames.
    pub fn of_robot(&self, robot: &RobotId) -> Option<&RobotFrames> {
        self.robots.get(robot)
    }

    /// Whether the site has a frame of this name.
    pub fn has(&self, name: &str) -> bool {
        name == WORLD || self.site.contains_key(name)
    }

    /// The pose of a frame of the site in the root.
    pub fn in_world(&self, name: &str) -> Option<Pose2> {
        let (mut name, mut at) = (name, Pose2::default());
        for _ in 0..FRAME_TREE_MAX_DEPTH {
            if name == WORLD {
                return Some(at);
            }
            let placement = self.site.get(name)?;
            at = at.out_of(placement.at);
            name = &placement.parent;
        }
        None
    }

    /// The pose of what is placed somewhere in a frame of the site.
    pub fn transform(&self, from: &Placement, to: &str) -> Option<Pose2> {
        let from = from.at.out_of(self.in_world(&from.parent)?);
        Some(from.seen_from(self.in_world(to)?))
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use proptest::prelude::*;

    use super::*;

    fn at(x_m: f64, y_m: f64, yaw_rad: f64) -> Pose2 {
        Pose2::new(x_m, y_m, yaw_rad)
    }

    fn near(a: Pose2, b: Pose2) -> bool {
        a.distance_to(b.x_m, b.y_m) < 1e-6 && wrap_angle(a.yaw_rad - b.yaw_rad).abs() < 1e-6
    }

    fn tree(frames: &[(&str, &str, Pose2)]) -> Result<FrameTree, FrameError> {
        let site = frames.iter().map(|(name, parent, at)| {
            let placement = Placement { parent: (*parent).into(), at: *at };
            (Arc::from(*name), placement)
        });
        FrameTree::new(site.collect(), BTreeMap::new())
    }

    #[test]
    fn what_is_in_an_arena_is_in_the_world() {
        let tree =
            tree(&[("hall", WORLD, at(10.0, 0.0, FRAC_PI_2)), ("arena", "hall", at(2.0, 1.0, 0.0))]).unwrap();
        assert!(near(tree.in_world("arena").unwrap(), at(9.0, 2.0, FRAC_PI_2)));
        let robot = Placement { parent: "arena".into(), at: at(0.5, 0.0, 0.0) };
        assert!(near(tree.transform(&robot, WORLD).unwrap(), at(9.0, 2.5, FRAC_PI_2)));
        assert!(near(tree.transform(&robot, "hall").unwrap(), at(2.5, 1.0, 0.0)));
        let chassis = Placement::in_world(at(9.0, 2.5, FRAC_PI_2));
        assert!(near(tree.transform(&chassis, "arena").unwrap(), robot.at));
        assert_eq!(tree.transform(&chassis, "nowhere"), None);
        let in_arena = tree
            .transform(&chassis, "arena")
            .unwrap()
            .place(&Pose::planar(Frame::Odom, 1.0, 0.0, 0.5), Frame::Map);
        assert_eq!(in_arena.frame, Frame::Map);
        assert!(near((&in_arena).into(), at(1.5, 0.0, 0.5)));
    }

    #[test]
    fn frames_that_hang_in_no_tree_are_refused() {
        let wrong = |frames: &[(&str, &str, Pose2)]| tree(frames).unwrap_err().to_string();
        assert!(wrong(&[("a", "b", Pose2::default())]).contains("there are: world, a"));
        assert!(wrong(&[("a", "b", Pose2::default()), ("b", "a", Pose2::default())]).contains("in itself"));
        assert!(wrong(&[("a/map", WORLD, Pose2::default())]).contains("without a slash"));
        assert!(wrong(&[(WORLD, WORLD, Pose2::default())]).contains("no name"));
    }

    #[test]
    fn frames_are_inverses() {
        let pose = Pose2::new(1.0, -2.0, 0.7);
        let [x, y] = pose.point_out(0.3, 0.4);
        let [back_x, back_y] = pose.point_in(x, y);
        assert!((back_x - 0.3).abs() < 1e-12 && (back_y - 0.4).abs() < 1e-12);
        let there = Pose2::new(0.3, 0.4, -1.1);
        let and_back = there.out_of(pose).seen_from(pose);
        assert!(and_back.distance_to(0.3, 0.4) < 1e-12 && (and_back.yaw_rad + 1.1).abs() < 1e-12);
        assert!((pose.distance_to(x, y) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn angles_wrap() {
        assert!((wrap_angle(3.0 * PI) - PI).abs() < 1e-12);
        assert!((wrap_angle(-PI - 0.1) - (PI - 0.1)).abs() < 1e-12);
        assert_eq!(wrap_angle(0.5), 0.5);
    }

    proptest! {
        #[test]
        fn there_and_back_is_where_it_was(
            (ax, ay, a) in (-1e3..1e3, -1e3..1e3, -10.0..10.0),
            (bx, by, b) in (-1e3..1e3, -1e3..1e3, -10.0..10.0),
        ) {
            let (frame, pose) = (at(ax, ay, a), at(bx, by, b));
            prop_assert!(near(pose.out_of(frame).seen_from(frame), pose));
        }
    }
}
