//! Arenas of swarm simulators as worlds: their JSON, in centimetres and degrees from the arena's origin.
//!
//! ```text
//! {"arena": {"xMin", …}, "obstacles": [{"type", "parameters": {…}, "reality"}, …]}
//!     │ read: lenient, the last of repeated keys counts
//!     ▼
//! ArenaFile, numbers and colours as written ──▶ WorldFile, in metres from the lower left corner
//! ```

mod read;

use latimer_core::model::Realities;
use latimer_simulator_api::{Arena, ArenaObstacle, ArenaShape};

use super::{Box2, Color, Cylinder, Frame, Reality, Spawn, Wall, WorldFile, walks};
use crate::geometry::Pose2;

/// The name of the frame that an arena counts from.
const FRAME: &str = "arena";

/// Thickness of an arena's walls: the file has none; its simulator sends 2 cm to visualisers.
const WALL_M: f64 = 0.02;

/// An arena as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ArenaFile {
    /// What it is called.
    pub name: String,
    /// What stands in it, and where it ends.
    pub arena: Arena,
    /// What each obstacle is called in the world, where it can be moved; walls cannot.
    pub names: Vec<Option<String>>,
}

/// Why a text is no arena.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArenaFileError {
    /// Not JSON.
    #[error("this is no arena in JSON: {what}, in line {line}, column {column}")]
    Json {
        /// What is wrong.
        what: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// A value that cannot be.
    #[error("{key}: {problem}; {advice}")]
    Value {
        /// Which one, as a dotted path.
        key: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        advice: &'static str,
    },
}

/// Reads an arena and makes a world of it.
pub(super) fn world_from_arena(text: &str) -> Result<WorldFile, ArenaFileError> {
    let file = read::arena_from_text(text)?;
    let [x_min, y_min, x_max, y_max] = file.arena.bounds_cm.map(|cm| cm / 100.0);
    let origin_m = [-x_min, -y_min];
    let centred = x_min + x_max == 0.0 && y_min + y_max == 0.0;
    let size_m = [x_max - x_min, y_max - y_min];
    let frame = Frame {
        name: FRAME.to_owned(),
        position_m: origin_m,
        yaw_deg: 0.0,
        size_m: centred.then_some(size_m),
    };
    let mut world = WorldFile {
        name: file.name.clone(),
        size_m,
        open: true,
        walls: Vec::new(),
        boxes: Vec::new(),
        cylinders: Vec::new(),
        tables: Vec::new(),
        windows: Vec::new(),
        floors: Vec::new(),
        drops: Vec::new(),
        chargers: Vec::new(),
        spawns: Vec::new(),
        people: Vec::new(),
        sounds: Vec::new(),
        doors: Vec::new(),
        lifts: Vec::new(),
        racks: Vec::new(),
        rack_areas: Vec::new(),
        pallets: Vec::new(),
        barcodes: Vec::new(),
        landmarks: Vec::new(),
        lights: Vec::new(),
        ambient: super::light::ambient(),
        places: Vec::new(),
        objects: Vec::new(),
        frames: vec![frame],
        known_faces: Vec::new(),
        arena: None,
    };
    for (obstacle, name) in file.arena.obstacles.iter().zip(&file.names) {
        world.furnish(obstacle, name.clone(), origin_m);
    }
    world.add_spawns();
    world.arena = Some(file);
    Ok(world)
}

impl WorldFile {
    fn furnish(&mut self, it: &ArenaObstacle, name: Option<String>, origin_m: [f64; 2]) {
        let [x_m, y_m] = it.at_cm.map(|cm| cm / 100.0);
        let at = Pose2::new(x_m + origin_m[0], y_m + origin_m[1], it.orientation_deg.to_radians());
        let color = Color::try_from(it.color.clone()).unwrap_or_default();
        let reality = if it.reality == Realities::Real { Reality::Real } else { Reality::Virtual };
        let metres = |cm: f64| cm / 100.0;
        match it.shape {
            ArenaShape::Wall { width_cm, height_cm } => self.walls.push(Wall {
                points_m: vec![[at.x_m, at.y_m], at.point_out(metres(width_cm), 0.0)],
                thickness_m: WALL_M,
                height_m: metres(height_cm),
                color,
                reflectivity: None,
                reality,
            }),
            ArenaShape::Box { width_cm, height_cm, depth_cm } => self.boxes.push(Box2 {
                name,
                label: None,
                center_m: [at.x_m, at.y_m],
                size_m: [metres(width_cm), metres(depth_cm)],
                yaw_deg: it.orientation_deg,
                height_m: metres(height_cm),
                color,
                reflectivity: None,
                reality,
                movable: false,
                mass_kg: 1.0,
            }),
            ArenaShape::Cylinder { radius_cm, height_cm } => self.cylinders.push(Cylinder {
                name,
                label: None,
                center_m: [at.x_m, at.y_m],
                radius_m: metres(radius_cm),
                height_m: metres(height_cm),
                color,
                reflectivity: None,
                reality,
            }),
        }
    }

    /// Places to start at, since an arena's file has none: the middle and around it, where nothing stands.
    fn add_spawns(&mut self) {
        let [x, y] = self.size_m.map(|size| size / 4.0);
        let spawns = [
            ("middle", [2.0 * x, 2.0 * y], 0.0),
            ("southwest", [x, y], 45.0),
            ("southeast", [3.0 * x, y], 135.0),
            ("northeast", [3.0 * x, 3.0 * y], -135.0),
            ("northwest", [x, 3.0 * y], -45.0),
        ];
        for (name, position_m, yaw_deg) in spawns {
            if walks::stands_at(self, position_m).is_none() {
                // Already on the map; the frame only says in which one a robot publishes its pose.
                let (name, frame) = (name.to_owned(), Some(FRAME.to_owned()));
                self.spawns.push(Spawn { name, frame, position_m, yaw_deg });
            }
        }
    }
}
