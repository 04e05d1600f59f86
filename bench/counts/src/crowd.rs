//! Robots in a room, as even as the seats of a hall.

use anyhow::ensure;
use latimer_core::RobotId;
use latimer_world::{Behaviour, Pose2, Start, World, WorldError};

use crate::room;

/// From each robot to the next its heading turns by the golden angle, so that none is preferred.
const TURN_RAD: f64 = 2.399_963;

/// How many of which, and how much floor each has.
#[derive(Clone, Copy)]
pub struct Crowd<'a> {
    /// How many.
    pub robots: usize,
    /// In turn, so that each has an equal share.
    pub kinds: &'a [&'static str],
    /// Floor for each, m².
    pub area_m2: f64,
    /// What all of them do.
    pub behaviour: Behaviour,
}

impl Crowd<'_> {
    /// A world with them, all at the same; a seat that is taken by a wall is left out.
    pub fn world(self) -> anyhow::Result<World> {
        let file = room::of(self.area_m2 * self.robots as f64)?;
        let side_m = file.size_m[0];
        // A quarter more seats than robots, for those within a wall or a pillar.
        let columns = (self.robots as f64 * 1.25).sqrt().ceil() as usize;
        let seats = (0..columns * columns).map(|seat| {
            let along = |number: usize| (number as f64 + 0.5) * side_m / columns as f64;
            let yaw_rad = (seat as f64 * TURN_RAD).rem_euclid(std::f64::consts::TAU);
            Pose2::new(along(seat % columns), along(seat / columns), yaw_rad)
        });
        let mut world = World::new(file, 1)?;
        let mut robots = (0..self.robots).zip(self.kinds.iter().cycle()).peekable();
        for seat in seats {
            let Some((number, kind)) = robots.peek() else { break };
            let robot = RobotId::new(&format!("{kind}-{number}"))?;
            match world.add_robot(robot, kind, Start::At(seat), self.behaviour) {
                Ok(()) => drop(robots.next()),
                Err(WorldError::NoRoom { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        ensure!(robots.peek().is_none(), "the room is too small for {} robots", self.robots);
        Ok(world)
    }
}
