//! What is asked of the world as a whole: bodies for robots that are not simulated, readings on request.

use latimer_core::model::{Realities, Refusal};
use latimer_core::{Outcome, RobotId};
use latimer_simulator_api::{WorldRequest, WorldResponse};

use super::World;
use super::sense::sense;
use crate::bodies::{self, BodyKind};
use crate::config::{Frame, Reality};
use crate::geometry::Pose2;
use crate::physics::{Chassis, Footprint};

/// A robot that is not simulated, but has a body here, so that others meet it and it can sense.
pub(super) struct Puppet {
    pub(super) chassis: Chassis,
    pub(super) footprint: Footprint,
    pub(super) family: &'static str,
    /// Where the frame is that its poses are given in.
    pub(super) frame: Pose2,
}

impl World {
    /// Does what is asked, or says why not.
    pub fn ask(&mut self, ask: WorldRequest) -> Result<WorldResponse, Refusal> {
        match ask {
            WorldRequest::Ping => Ok(WorldResponse::Done),
            WorldRequest::Happen(happening) => self.happen(happening).map(|()| WorldResponse::Done),
            WorldRequest::Poke { robot, stimulus } => match self.poke(&robot, stimulus) {
                Outcome::Refused(refusal) => Err(refusal),
                _ => Ok(WorldResponse::Done),
            },
            WorldRequest::Pace(_) => Err(Refusal::unsupported("this world is stepped by hand")),
            WorldRequest::Play(scenario) => self.play(scenario).map(|()| WorldResponse::Done),
            WorldRequest::Look => Ok(WorldResponse::Seen(Box::new(self.look()))),
            WorldRequest::Glance => Ok(WorldResponse::Glimpsed(Box::new(self.glance()))),
            WorldRequest::Embody { robot, kind, pose, frame, reality } => {
                self.embody(robot, &kind, pose, frame.as_deref(), reality).map(|()| WorldResponse::Done)
            }
            WorldRequest::Move { robot, pose } => {
                self.move_puppet(&robot, pose).map(|()| WorldResponse::Done)
            }
            WorldRequest::Release(robot) => self.release(&robot).map(|()| WorldResponse::Done),
            WorldRequest::Sense { robot, request } => {
                let (chassis, footprint) = self.chassis_of(&robot).ok_or_else(|| {
                    Refusal::bad_argument(format!("no robot {robot} has a body in this world"))
                })?;
                self.physics.settle();
                Ok(WorldResponse::Sensed(sense(&self.physics, &self.lights, &chassis, footprint, &request)?))
            }
            WorldRequest::Arena { frame } => Ok(WorldResponse::Arena(Box::new(self.arena(&frame)))),
            WorldRequest::All(asks) => {
                Ok(WorldResponse::All(asks.into_iter().map(|ask| self.ask_one(ask)).collect()))
            }
        }
    }

    /// One of several; none of them holds several itself, so that the depth is bounded.
    fn ask_one(&mut self, ask: WorldRequest) -> Result<WorldResponse, Refusal> {
        match ask {
            WorldRequest::All(_) => {
                Err(Refusal::bad_argument("ask for all of it at once, not for some of it at once again"))
            }
            ask => self.ask(ask),
        }
    }

    fn embody(
        &mut self,
        robot: RobotId,
        kind: &str,
        pose: [f64; 3],
        frame: Option<&str>,
        reality: Realities,
    ) -> Result<(), Refusal> {
        if self.chassis_of(&robot).is_some() {
            return Err(Refusal::not_now(format!("a robot {robot} has a body in this world already")));
        }
        let BodyKind { family, footprint, .. } =
            *bodies::known(kind).map_err(|error| Refusal::bad_argument(error.to_string()))?;
        let frame = match frame {
            Some(name) => self.frame(name)?,
            None => Pose2::default(),
        };
        let reality = match reality {
            Realities::Real => Reality::Real,
            Realities::Virtual => Reality::Virtual,
            Realities::Mixed => return Err(Refusal::bad_argument("a body is real or virtual, not both")),
        };
        let at = reachable(pose, frame)?;
        let chassis = self.physics.add_puppet(footprint, at, reality);
        self.puppets.insert(robot, Puppet { chassis, footprint, family, frame });
        Ok(())
    }

    fn move_puppet(&mut self, robot: &RobotId, pose: [f64; 3]) -> Result<(), Refusal> {
        let Some(puppet) = self.puppets.get(robot) else {
            return Err(Refusal::bad_argument(format!(
                "no robot {robot} has a body here that can be moved from outside"
            )));
        };
        let (chassis, frame) = (puppet.chassis, puppet.frame);
        let at = reachable(pose, frame)?;
        self.physics.place_puppet(&chassis, at);
        Ok(())
    }

    fn release(&mut self, robot: &RobotId) -> Result<(), Refusal> {
        let puppet = self.puppets.remove(robot).ok_or_else(|| {
            Refusal::bad_argument(format!("no robot {robot} has a body here that can be taken away"))
        })?;
        self.physics.remove_chassis(&puppet.chassis);
        Ok(())
    }

    /// The chassis of a robot, simulated or not.
    fn chassis_of(&self, robot: &RobotId) -> Option<(Chassis, Footprint)> {
        let puppet = self.puppets.get(robot);
        let simulated = || {
            let own = self.robots.iter().find(|it| it.id == *robot)?;
            Some((own.chassis, own.footprint()))
        };
        puppet.map(|it| (it.chassis, it.footprint)).or_else(simulated)
    }

    fn frame(&self, name: &str) -> Result<Pose2, Refusal> {
        self.file.frame(name).map(Frame::pose).ok_or_else(|| {
            let known: Vec<&str> = self.file.frames.iter().map(|frame| frame.name.as_str()).collect();
            Refusal::bad_argument(format!(
                "no frame {name:?} in world {:?}; there are: {}",
                self.file.name,
                known.join(", ")
            ))
        })
    }
}

/// A pose in a frame as one on the map; such a robot may be anywhere that can be reckoned with.
fn reachable([x_m, y_m, yaw_rad]: [f64; 3], frame: Pose2) -> Result<Pose2, Refusal> {
    let at = Pose2::new(x_m, y_m, yaw_rad).out_of(frame);
    if !at.is_finite() || x_m.abs() > 1e4 || y_m.abs() > 1e4 || yaw_rad.abs() > 1e4 {
        return Err(Refusal::bad_argument(format!("x {x_m} m, y {y_m} m, yaw {yaw_rad} rad is no place")));
    }
    Ok(at)
}
