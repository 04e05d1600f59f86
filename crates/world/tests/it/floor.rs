//! A room's physics without robots of any family: a bare chassis to ask with and to drive about.

use latimer_world::physics::{Chassis, Doors, Footprint, Hit, Obstacles, People, Physics, Racks};
use latimer_world::{Pose2, WorldFile};

pub(crate) struct Floor {
    pub(crate) physics: Physics,
    pub(crate) people: People,
    pub(crate) doors: Doors,
    pub(crate) racks: Racks,
    pub(crate) obstacles: Obstacles,
}

/// A small round robot.
pub(crate) const SMALL: Footprint = Footprint { length_m: 0.3, width_m: 0.3, corner_m: 0.1, mass_kg: 3.0 };

/// A room of 6 × 6 m.
pub(crate) fn room(more: &str) -> WorldFile {
    WorldFile::parse(&format!("name = \"lab\"\nsize_m = [6.0, 6.0]\n{more}")).unwrap()
}

pub(crate) fn floor(more: &str) -> Floor {
    let file = room(more);
    let mut physics = Physics::new(&file);
    let mut floor = Floor {
        people: People::new(&file, &mut physics),
        doors: Doors::new(&file, &mut physics),
        racks: Racks::new(&file, &mut physics),
        obstacles: Obstacles::new(&file, &mut physics),
        physics,
    };
    floor.run(0.01);
    floor
}

impl Floor {
    pub(crate) fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds * 100.0).round() as u32 {
            self.people.step(&mut self.physics);
            self.doors.step(&mut self.physics, &self.people);
            self.physics.step();
        }
    }

    /// Drives a chassis straight for a time.
    pub(crate) fn drive(&mut self, chassis: &Chassis, speed_mps: f64, seconds: f64) {
        for _ in 0..(seconds * 100.0).round() as u32 {
            self.physics.drive(chassis, speed_mps, 0.0);
            self.run(0.01);
        }
        self.physics.drive(chassis, 0.0, 0.0);
    }

    /// What a ray to the east, or at another angle in degrees, meets.
    pub(crate) fn look(&self, from: [f64; 2], yaw_deg: f64) -> Hit {
        self.physics
            .cast_in(from, yaw_deg.to_radians(), 20.0, None, latimer_core::model::Realities::Mixed)
            .unwrap()
    }
}

pub(crate) fn at(x_m: f64, y_m: f64) -> Pose2 {
    Pose2::new(x_m, y_m, 0.0)
}
