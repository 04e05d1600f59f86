//! One step of everything.

use latimer_core::model::Kind;
use latimer_core::{Timestamp, Update};

use super::World;
use super::perception::Visible;
use super::robot::Robot;
use crate::acoustics::Source;
use crate::bodies::Outbox;
use crate::physics::{STEP_S, Surroundings};

/// Steps between two looks at where robots are about to go: 2 a second.
const TREND_PERIOD: u64 = 50;

/// Numbers of the sounds that robots emit, above those of a world file.
const ROBOTS_SOUNDS: u64 = 1 << 32;
const SOUNDS_OF_A_ROBOT: u64 = 8;

impl World {
    /// Stores the trends of robots while neighbours are subscribed to.
    fn foresee(&mut self) {
        if !self.ticks.is_multiple_of(TREND_PERIOD) {
            return;
        }
        let followed = self.robots.iter().any(|it| it.demand.wants(Kind::Neighbours));
        for (neighbour, robot) in self.crowd.iter_mut().zip(&self.robots) {
            neighbour.trend_m.clear();
            if followed {
                neighbour.trend_m = robot.body.trend();
            }
        }
    }

    /// Puts what robots emit where they are.
    fn gather_sounds(&mut self) {
        self.sounds.truncate(self.file.sounds.len());
        for (number, (robot, neighbour)) in (0..).zip(self.robots.iter().zip(&self.crowd)) {
            for (i, emission) in (0..).zip(robot.body.emissions()) {
                let id = ROBOTS_SOUNDS + number * SOUNDS_OF_A_ROBOT + i;
                let at = [neighbour.pose.x_m, neighbour.pose.y_m];
                self.sounds.push(Source::of_emission(id, emission, at));
            }
        }
    }

    /// Moves everything on by a hundredth of a second and collects what the robots have to say.
    pub fn step(&mut self, now: Timestamp, out: &mut Vec<Update>) {
        self.ticks += 1;
        let time_s = self.time_s();
        self.people.step(&mut self.physics);
        self.doors.step(&mut self.physics, &self.people);
        self.walls.follow(&self.doors);
        self.cue();
        let visible = Visible {
            file: &self.file,
            physics: &self.physics,
            people: &self.people,
            walls: &self.walls,
            doors: &self.doors,
            crowd: &self.crowd,
        };
        let physics = &self.physics;
        self.crew.each(&mut self.robots, out, &mut self.wishes, |_, robot, _| {
            robot.act(time_s, &visible);
            robot.wish = robot.body.wish(physics.motion(&robot.chassis), STEP_S);
        });
        for Robot { chassis, wish, .. } in &self.robots {
            self.physics.drive(chassis, wish.forward_mps, wish.turn_radps);
        }
        self.physics.step();
        for (neighbour, robot) in self.crowd.iter_mut().zip(&self.robots) {
            neighbour.pose = self.physics.pose(&robot.chassis);
        }
        self.foresee();
        self.gather_sounds();
        self.sense(now, time_s, out);
        self.keep_house();
        self.carry();
        self.photograph(now);
    }
    /// Lets robots sense what came of it, and report.
    fn sense(&mut self, now: Timestamp, time_s: f64, out: &mut Vec<Update>) {
        let Self {
            file, doors, racks, lights, household, physics, floor, walls, people, sounds, crowd, ..
        } = self;
        self.crew.each(&mut self.robots, out, &mut self.wishes, |number, robot, share| {
            physics.touching(&robot.chassis, &mut share.touching);
            let around = Surroundings {
                file,
                doors,
                racks,
                lights,
                household,
                physics,
                floor,
                walls,
                people,
                sounds,
                chassis: &robot.chassis,
                pose: physics.pose(&robot.chassis),
                motion: physics.motion(&robot.chassis),
                touching: &share.touching,
                crowd,
                frame: robot.frame,
                demand: robot.demand,
                now,
                time_s,
            };
            let mut outbox = Outbox::new(&robot.id, now, &mut share.updates, &mut share.wishes, number);
            robot.body.live(&around, &mut outbox);
        });
    }
}
