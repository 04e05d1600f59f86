//! Perception for behaviours: the target to follow, the mark of a charger, doors.

use super::robot::Robot;
use crate::behaviour::Perception;
use crate::config::WorldFile;
use crate::geometry::{Pose2, wrap_angle};
use crate::nav;
use crate::physics::{DoorState, Doors, Neighbour, People, Physics, Walls};

/// Range at which a target is recognised, metres.
const SIGHT_M: f64 = 5.0;

/// Half the field of view, radians.
const FIELD_RAD: f64 = 1.2;

/// Range at which a charger's mark gives the robot its pose, metres.
const MARK_M: f64 = 1.5;

/// What is visible in the world at a step.
pub(super) struct Visible<'a> {
    pub(super) file: &'a WorldFile,
    pub(super) physics: &'a Physics,
    pub(super) people: &'a People,
    pub(super) walls: &'a Walls,
    pub(super) doors: &'a Doors,
    pub(super) crowd: &'a [Neighbour],
}

impl Visible<'_> {
    /// What one robot perceives of it.
    pub(super) fn of(&self, robot: &Robot) -> Perception {
        let mut perception = Perception::default();
        let whom = robot.actor.looks_for();
        if whom.is_none() && !robot.actor.finds_its_way() {
            return perception;
        }
        let pose = self.physics.pose(&robot.chassis);
        if let Some(name) = whom {
            perception.target = self.target(name, robot, pose);
        }
        if robot.actor.finds_its_way() {
            perception.fix = self.sees_a_mark(pose).then_some(pose);
            let door = |door: &crate::physics::Door| nav::Door {
                polygon_m: door.polygon().to_vec(),
                shut: door.state != DoorState::Open,
            };
            perception.doors = self.doors.iter().map(door).collect();
        }
        perception
    }

    /// Bearing and distance of the target; the nearest person if no name is given.
    fn target(&self, name: Option<&str>, robot: &Robot, pose: Pose2) -> Option<[f64; 2]> {
        let people = self.people.iter().filter(|it| name.is_none() || it.person.name.as_deref() == name);
        let people = people.map(|it| it.at);
        let robots = self.crowd.iter().filter(|it| name == Some(it.robot.as_str()) && it.robot != robot.id);
        let seen = people.chain(robots.map(|it| [it.pose.x_m, it.pose.y_m])).filter_map(|at| {
            let [ahead_m, left_m] = pose.point_in(at[0], at[1]);
            let (bearing_rad, distance_m) = (left_m.atan2(ahead_m), ahead_m.hypot(left_m));
            let in_view = distance_m < SIGHT_M && bearing_rad.abs() < FIELD_RAD;
            (in_view && self.walls.between([pose.x_m, pose.y_m], at) == 0)
                .then_some([bearing_rad, distance_m])
        });
        seen.min_by(|a, b| a[1].total_cmp(&b[1]))
    }

    /// Whether a charger ahead is so near that its mark can be read.
    fn sees_a_mark(&self, pose: Pose2) -> bool {
        self.file.chargers.iter().any(|charger| {
            let at = charger.pose();
            let near = pose.distance_to(at.x_m, at.y_m) < MARK_M;
            let ahead = wrap_angle(at.yaw_rad - pose.yaw_rad).abs() < FIELD_RAD;
            near && ahead && self.walls.between([pose.x_m, pose.y_m], charger.position_m) == 0
        })
    }
}
