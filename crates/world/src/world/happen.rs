//! What happens in the world on cue.

use latimer_core::model::{Realities, Refusal};
use latimer_simulator_api::{Happening, ObjectLocation, ObstacleShape};

use super::World;
use crate::config::{Color, Object, Reality};
use crate::geometry::Pose2;
use crate::household::Whereabouts;
use crate::physics::{Obstacle, Shape};

/// How tall what is put into the room is, metres.
const OBSTACLE_HEIGHT_M: f64 = 0.75;

impl World {
    /// Makes something happen, or says why it cannot.
    pub fn happen(&mut self, happening: Happening) -> Result<(), Refusal> {
        let pose = |[x_m, y_m, yaw_rad]: [f64; 3]| Pose2::new(x_m, y_m, yaw_rad);
        match happening {
            Happening::Door { name, open } => self.open_door(&name, open),
            Happening::Light { name, on } => self.switch_light(&name, on),
            Happening::PutObstacle { name, shape, pose: at, rgb, reality } => {
                let shape = match shape {
                    ObstacleShape::Box { length_m, width_m } => Shape::Box { size_m: [length_m, width_m] },
                    ObstacleShape::Cylinder { radius_m } => Shape::Cylinder { radius_m },
                };
                let reality = match reality {
                    Realities::Real => Reality::Real,
                    Realities::Virtual => Reality::Virtual,
                    Realities::Mixed => {
                        return Err(Refusal::bad_argument("a thing is real or virtual, not both"));
                    }
                };
                let color = Color(rgb);
                let obstacle =
                    Obstacle { shape, pose: pose(at), color, reality, height_m: OBSTACLE_HEIGHT_M };
                self.put_obstacle(&name, obstacle)
            }
            Happening::MoveObstacle { name, pose: to } => self.shift_obstacle(&name, pose(to)),
            Happening::RemoveObstacle { name } => self.remove_obstacle(&name),
            Happening::PutObject { name, category, at, rgb } => {
                let whereabouts = self.whereabouts(at)?;
                Ok(self.household.add(Object::new(name, category, Color(rgb)), whereabouts)?)
            }
            Happening::MoveObject { name, to } => {
                let whereabouts = self.whereabouts(to)?;
                Ok(self.household.move_to(&name, whereabouts)?)
            }
            Happening::RemoveObject { name } => Ok(self.household.remove(&name)?),
            Happening::PlacePerson { name, position_m } => {
                self.must_be_within(position_m)?;
                self.people.place(&mut self.physics, &name, position_m)
            }
        }
    }

    /// Where a small thing lies then.
    fn whereabouts(&self, at: ObjectLocation) -> Result<Whereabouts, Refusal> {
        match at {
            ObjectLocation::Place(name) => Ok(Whereabouts::Place(self.known_place(&name)?)),
            ObjectLocation::Floor(at_m) => {
                self.must_be_within(at_m)?;
                Ok(Whereabouts::Floor(at_m))
            }
        }
    }

    /// The name of a place in the world's own spelling.
    pub(super) fn known_place(&self, name: &str) -> Result<String, Refusal> {
        if let Some(place) = self.file.place_called(name) {
            return Ok(place.name.clone());
        }
        let known: Vec<&str> = self.file.places.iter().map(|place| place.name.as_str()).collect();
        Err(Refusal::bad_argument(match known.as_slice() {
            [] => format!("there is no place {name:?}; this world has no places"),
            some => format!("there is no place {name:?}; the places are: {}", some.join(", ")),
        }))
    }

    fn must_be_within(&self, [x_m, y_m]: [f64; 2]) -> Result<(), Refusal> {
        match self.file.contains(x_m, y_m) {
            true => Ok(()),
            false => Err(Refusal::bad_argument(format!("x {x_m} m, y {y_m} m is outside the room"))),
        }
    }

    /// Tells a door to open or to close.
    pub fn open_door(&mut self, name: &str, open: bool) -> Result<(), Refusal> {
        self.doors.command(name, open)
    }

    /// Turns a lamp on or off.
    pub fn switch_light(&mut self, name: &str, on: bool) -> Result<(), Refusal> {
        self.lights.switch(name, on)?;
        self.revision += 1;
        Ok(())
    }

    /// Puts a new thing into the world.
    pub fn put_obstacle(&mut self, name: &str, it: Obstacle) -> Result<(), Refusal> {
        self.obstacles.put(&mut self.physics, name, it)?;
        self.revision += 1;
        Ok(())
    }

    /// Moves a thing that has a name.
    pub fn shift_obstacle(&mut self, name: &str, to: Pose2) -> Result<(), Refusal> {
        self.obstacles.shift(&mut self.physics, name, to)?;
        self.revision += 1;
        Ok(())
    }

    /// Takes a thing that has a name away.
    pub fn remove_obstacle(&mut self, name: &str) -> Result<(), Refusal> {
        self.obstacles.remove(&mut self.physics, name)?;
        self.revision += 1;
        Ok(())
    }
}
