//! Racks: shelves on four legs. A robot drives beneath one, lifts it, and puts it down elsewhere.
//!
//! While a rack is carried its legs hang in the air, so the physics does not know them: the robot's own
//! outline grows instead ([`Physics::set_footprint`]).

use rapier2d::prelude::*;

use super::room::slab;
use super::surface::{Surface, Thing};
use super::{Chassis, Physics, engine_pose};
use crate::config::{self, WorldFile};
use crate::geometry::Pose2;

/// A rack in the world.
#[derive(Clone, Debug)]
pub struct Rack {
    /// What the file says of it.
    pub file: config::Rack,
    /// Where its middle is, or was when it was taken.
    pub pose: Pose2,
    /// Whether a robot carries it.
    pub carried: bool,
    /// The body of its legs, while it stands.
    legs: Option<RigidBodyHandle>,
}

/// Why a rack is not taken, carried or put down.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RackError {
    /// No rack has the name.
    #[error("there is no rack {name:?}; {}", known_racks(.known))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A robot carries it.
    #[error("rack {0:?} is carried already; put it down first")]
    Carried(String),
    /// No robot carries it.
    #[error("rack {0:?} stands on the floor; take it first")]
    OnFloor(String),
    /// It would stand outside the room or in something else.
    #[error(
        "rack {name:?} cannot be put down at x {:.2} m, y {:.2} m: {reason}; put it elsewhere",
        .at.x_m, .at.y_m
    )]
    NoRoom {
        /// The rack.
        name: String,
        /// Where it should stand.
        at: Pose2,
        /// What is in the way.
        reason: String,
    },
}

fn known_racks(names: &[String]) -> String {
    match names {
        [] => "this world has no racks".to_owned(),
        some => format!("the racks are: {}", some.join(", ")),
    }
}

/// All racks of the world.
#[derive(Clone, Debug, Default)]
pub struct Racks {
    room_m: [f64; 2],
    racks: Vec<Rack>,
}

impl Racks {
    /// The racks of a world file, put into its physics.
    pub fn new(file: &WorldFile, physics: &mut Physics) -> Self {
        let rack = |file: &config::Rack| Rack {
            pose: file.pose(),
            carried: false,
            legs: Some(physics.add_legs(file, file.pose())),
            file: file.clone(),
        };
        Self { room_m: file.size_m, racks: file.racks.iter().map(rack).collect() }
    }

    /// All racks, in the order of the world file.
    pub fn iter(&self) -> impl Iterator<Item = &Rack> {
        self.racks.iter()
    }

    /// A rack by its name.
    pub fn at(&self, name: &str) -> Option<&Rack> {
        self.racks.iter().find(|rack| rack.file.name == name)
    }

    /// Lifts a rack off the floor; returns where it stood.
    pub fn take(&mut self, physics: &mut Physics, name: &str) -> Result<Pose2, RackError> {
        let rack = self.find(name)?;
        if rack.carried {
            return Err(RackError::Carried(name.to_owned()));
        }
        if let Some(legs) = rack.legs.take() {
            physics.engine.remove_body(legs);
        }
        rack.carried = true;
        Ok(rack.pose)
    }

    /// Takes over where the robot that carries a rack has brought it.
    pub fn carry(&mut self, name: &str, to: Pose2) -> Result<(), RackError> {
        let rack = self.find(name)?;
        if !rack.carried {
            return Err(RackError::OnFloor(name.to_owned()));
        }
        rack.pose = to;
        Ok(())
    }

    /// Puts a rack down where nothing is in the way of it; the robot that carries it is not.
    pub fn put(
        &mut self,
        physics: &mut Physics,
        name: &str,
        at: Pose2,
        carrier: Option<&Chassis>,
    ) -> Result<(), RackError> {
        let [width_m, depth_m] = self.room_m;
        let rack = self.find(name)?;
        if !rack.carried {
            return Err(RackError::OnFloor(name.to_owned()));
        }
        let no_room = |reason: String| Err(RackError::NoRoom { name: name.to_owned(), at, reason });
        let within = (0.0..=width_m).contains(&at.x_m) && (0.0..=depth_m).contains(&at.y_m);
        if !at.is_finite() || !within {
            return no_room(format!("it is outside the room, which is {width_m} × {depth_m} m"));
        }
        let own = carrier.map(|chassis| chassis.body);
        let [x, y] = rack.file.size_m.map(|side| (side / 2.0) as f32);
        let outline = SharedShape::cuboid(x, y);
        let counts = |_, it: &Collider| own.is_none() || it.parent() != own;
        if let Some(reason) = physics.overlaps(&outline, at, counts) {
            return no_room(reason);
        }
        rack.legs = Some(physics.add_legs(&rack.file, at));
        rack.pose = at;
        rack.carried = false;
        Ok(())
    }

    fn find(&mut self, name: &str) -> Result<&mut Rack, RackError> {
        let known: Vec<String> = self.racks.iter().map(|rack| rack.file.name.clone()).collect();
        let found = self.racks.iter_mut().find(|rack| rack.file.name == name);
        found.ok_or_else(|| RackError::Unknown { name: name.to_owned(), known })
    }
}

impl Rack {
    /// Corners of its outline, on the map.
    pub fn polygon(&self) -> [[f64; 2]; 4] {
        let [x, y] = self.file.size_m.map(|side| side / 2.0);
        [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| self.pose.point_out(x, y))
    }
}

impl Physics {
    fn add_legs(&mut self, rack: &config::Rack, at: Pose2) -> RigidBodyHandle {
        // A body that never moves keeps the legs together, so that errors can name the rack's middle.
        let body = self.engine.insert_body(RigidBodyBuilder::fixed().pose(engine_pose(at)));
        let surface = Surface::plain(Thing::Rack, rack.color, rack.height_m);
        let side = [rack.leg_m; 2];
        for [x, y] in rack.legs() {
            self.engine.insert_collider(slab(Pose2::new(x, y, 0.0), side, surface), Some(body));
        }
        body
    }
}
