//! How robots come into the world.

use latimer_core::RobotId;
use latimer_core::model::Refusal;

use super::World;
use super::robot::Robot;
use crate::behaviour::{Actor, Habits, Upbringing};
use crate::bodies::{self, Origin};
use crate::config::{Charger, Spawn, WorldFile};
use crate::error::WorldError;
use crate::geometry::Pose2;
use crate::physics::{Chassis, Footprint, Neighbour, Physics};
use crate::rng::Rng;

/// Distance between the places that are tried when every spawn point is taken, metres.
const GRID_M: f64 = 0.5;

/// Where a robot starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// At the first free spawn point, or else anywhere.
    #[default]
    Anywhere,
    /// At a spawn point.
    Spawn(String),
    /// At a pose on the map.
    At(Pose2),
}

/// A robot that is to be simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Newcomer {
    /// Its name.
    pub robot: RobotId,
    /// The kind of its body, e.g. `misty`.
    pub kind: String,
    /// Where it starts.
    pub start: Start,
    /// What it does unasked.
    pub habits: Habits,
}

impl World {
    /// Takes a robot out of the world; whether it was in it. What it carries stays where it is.
    pub fn remove_robot(&mut self, id: &RobotId) -> bool {
        let Some(number) = self.robots.iter().position(|robot| robot.id == *id) else { return false };
        let robot = self.robots.remove(number);
        let pose = self.crowd.remove(number).pose;
        self.physics.remove_chassis(&robot.chassis);
        self.household.part_with(number, [pose.x_m, pose.y_m]);
        for (carrier, rack) in std::mem::take(&mut self.carried) {
            if carrier != number {
                self.carried.push((carrier - usize::from(carrier > number), rack));
            } else if let Err(reason) = self.racks.put(&mut self.physics, &rack, pose, None) {
                tracing::warn!(robot = %id, %reason, "a rack hangs in the air, since its robot was taken out of the world");
            }
        }
        self.revision += 1;
        true
    }

    /// Puts a robot of a kind, e.g. `misty`, into the world.
    pub fn add_robot(
        &mut self,
        id: RobotId,
        kind: &str,
        start: Start,
        habits: impl Into<Habits>,
    ) -> Result<(), WorldError> {
        if self.robots.iter().any(|known| known.id == id) {
            return Err(WorldError::DuplicateRobot(id));
        }
        let rng = Rng::of(self.seed, id.as_str());
        let kind = bodies::known(kind)?;
        let outline = kind.footprint;
        let (at, frame) = self.starting_pose(&id, start, outline)?;
        let origin = Origin { robot: &id, rng, file: &self.file, at };
        let body = (kind.make)(origin);
        let habits = habits.into();
        let resume_after_s = habits.resume_after_s;
        let actor = Actor::new(Upbringing {
            habits,
            rng: Rng::of(self.seed ^ 1, id.as_str()),
            at,
            radius_m: outline.reach_m(),
            blocked: &self.blocked(),
            chargers: self.file.chargers.iter().map(Charger::pose).collect(),
        });
        let chassis = self.physics.add_chassis(outline, at);
        self.crowd.push(Neighbour {
            robot: id.clone(),
            family: kind.family,
            pose: at,
            footprint: outline,
            trend_m: Vec::new(),
        });
        let mut robot = Robot::new(id, kind, body, chassis, actor, resume_after_s);
        (robot.frame, robot.start) = (frame, at);
        self.robots.push(robot);
        Ok(())
    }

    fn starting_pose(
        &self,
        robot: &RobotId,
        start: Start,
        outline: Footprint,
    ) -> Result<(Pose2, Pose2), WorldError> {
        let blocked = |at: Pose2| {
            let gap = self.floor.at(at.x_m, at.y_m).depth_m > 0.0;
            let gap = gap.then(|| "there is no floor, but a drop".to_owned());
            gap.or_else(|| Some(obstacle(&self.physics, &self.file, outline, at, None)?.reason))
        };
        let on_map = |pose| (pose, Pose2::default());
        let wanted = match start {
            Start::Anywhere => return self.any_pose(robot, outline),
            Start::At(pose) => on_map(pose),
            Start::Spawn(name) => {
                let found = self.file.spawns.iter().find(|spawn| spawn.name == name);
                found.map(|spawn| self.at_spawn(spawn)).ok_or_else(|| WorldError::UnknownSpawn {
                    name,
                    world: self.file.name.clone(),
                    known: self.file.spawns.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", "),
                })?
            }
        };
        match blocked(wanted.0) {
            None => Ok(wanted),
            Some(reason) => {
                let Pose2 { x_m, y_m, yaw_rad: _ } = wanted.0;
                Err(WorldError::NoRoom { robot: robot.clone(), x_m, y_m, reason })
            }
        }
    }

    /// Where a robot of a spawn point starts, and the frame of its published poses.
    fn at_spawn(&self, spawn: &Spawn) -> (Pose2, Pose2) {
        (spawn.pose(), self.file.frame_of(spawn).unwrap_or_default())
    }

    /// A spawn point, or else a point of a grid, that is free and has floor all around.
    fn any_pose(&self, robot: &RobotId, outline: Footprint) -> Result<(Pose2, Pose2), WorldError> {
        let [columns, rows] = self.file.size_m.map(|size| (size / GRID_M) as u32);
        let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let grid = grid.map(|(column, row)| {
            Pose2::new((f64::from(column) + 0.5) * GRID_M, (f64::from(row) + 0.5) * GRID_M, 0.0)
        });
        let grid = grid.map(|at| (at, Pose2::default()));
        let spawns = self.file.spawns.iter().map(|spawn| self.at_spawn(spawn));
        let free = |(at, _): &(Pose2, Pose2)| {
            let solid = |(dx, dy): &(f64, f64)| self.floor.at(at.x_m + dx, at.y_m + dy).depth_m == 0.0;
            obstacle(&self.physics, &self.file, outline, *at, None).is_none()
                && [(0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2)].iter().all(solid)
        };
        spawns
            .chain(grid)
            .find(free)
            .ok_or_else(|| WorldError::Full { robot: robot.clone(), world: self.file.name.clone() })
    }
}

/// Why a robot cannot be at a pose.
pub(super) fn obstacle(
    physics: &Physics,
    file: &WorldFile,
    outline: Footprint,
    at: Pose2,
    own: Option<&Chassis>,
) -> Option<Refusal> {
    if !at.is_finite() || at.yaw_rad.abs() > 1e3 || !file.contains(at.x_m, at.y_m) {
        return Some(Refusal::bad_argument("it is outside the room"));
    }
    physics.in_the_way(outline, at, own).map(Refusal::not_now)
}
