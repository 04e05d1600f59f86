//! Doors: leaves that slide along their own line and never crush a person.
//!
//! ```text
//!            person near, or opened by command
//!   ┌──────┐ ─────────────────────────────▶ ┌───────┐
//!   │Closed│                                │Opening│ ──slid away──▶ ┌────┐
//!   └──────┘ ◀──shut── ┌───────┐ ──────────▶└───────┘                │Open│
//!                      │Closing│  somebody or something in the way,  └────┘
//!                      └───────┘  or as above                           │
//!                          ▲                                            │
//!                          └── closed by command, or nobody near for hold_s ┘
//! ```
//!
//! A manual door knows no "near". A locked one opens by command only, but then closes as an automatic one. A lift's is locked, and
//! opens some time after a robot called it.

use latimer_core::model::Refusal;
use rapier2d::prelude::*;

use super::room::slab;
use super::surface::{Surface, Thing};
use super::{People, Physics, STEP_S, engine_pose};
use crate::config::{self, DoorMode, WorldFile};
use crate::distance::to_line;
use crate::geometry::Pose2;

/// Height of every door, metres.
const HEIGHT_M: f64 = 2.1;

/// Air that a closing door leaves before what is in its way, metres.
const GAP_M: f64 = 0.05;

/// What a door is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorState {
    /// It is shut.
    Closed,
    /// It slides away.
    Opening,
    /// It is out of the way.
    Open,
    /// It slides back.
    Closing,
}

/// A door in the world.
#[derive(Clone, Debug)]
pub struct Door {
    /// What the file says of it.
    pub file: config::Door,
    /// What it is doing.
    pub state: DoorState,
    /// 0 is shut, 1 is open.
    pub open_ratio: f64,
    /// How much longer an automatic door stays open without a person near, seconds.
    hold_s: f64,
    /// How long until it opens that was called, seconds.
    called_s: Option<f64>,
    body: RigidBodyHandle,
}

/// All doors of the world.
#[derive(Clone, Debug, Default)]
pub struct Doors(Vec<Door>);

impl Doors {
    /// The doors of a world file, shut, put into its physics.
    pub fn new(file: &WorldFile, physics: &mut Physics) -> Self {
        let door = |file: &config::Door| Door {
            body: physics.add_door(file),
            file: file.clone(),
            state: DoorState::Closed,
            open_ratio: 0.0,
            hold_s: 0.0,
            called_s: None,
        };
        Self(file.doors.iter().map(door).collect())
    }

    /// All doors, in the order of the world file.
    pub fn iter(&self) -> impl Iterator<Item = &Door> {
        self.0.iter()
    }

    /// Moves every door for a step.
    pub fn step(&mut self, physics: &mut Physics, people: &People) {
        for door in &mut self.0 {
            let before = door.open_ratio;
            door.step(physics, people);
            if door.open_ratio != before {
                physics.move_door(door.body, door.leaf());
            }
        }
    }

    /// What is said of a door that does not exist.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.0.iter().map(|door| door.file.name.as_str()).collect();
        match known.as_slice() {
            [] => format!("there is no door {name:?}; this world has no doors"),
            some => format!("there is no door {name:?}; the doors are: {}", some.join(", ")),
        }
    }

    /// Calls a lift to its door, which opens when the cabin is there; one that was called already comes as soon.
    pub fn call(&mut self, name: &str) {
        let shut = |it: &&mut Door| matches!(it.state, DoorState::Closed | DoorState::Closing);
        if let Some(door) = self.0.iter_mut().find(|door| door.file.name == name).filter(shut) {
            door.called_s.get_or_insert(door.file.call_s);
        }
    }

    /// Tells a door to open or to close, whatever moves it otherwise.
    pub fn command(&mut self, name: &str, open: bool) -> Result<(), Refusal> {
        let Some(door) = self.0.iter_mut().find(|door| door.file.name == name) else {
            return Err(Refusal::bad_argument(self.unknown(name)));
        };
        door.hold_s = door.file.hold_s;
        match (open, door.state) {
            (true, DoorState::Closed | DoorState::Closing) => door.state = DoorState::Opening,
            (false, DoorState::Open | DoorState::Opening) => door.state = DoorState::Closing,
            _ => {}
        }
        Ok(())
    }
}

impl Door {
    /// Corners of the door while it is shut, on the map.
    pub fn polygon(&self) -> [[f64; 2]; 4] {
        self.outline(self.leaf_at(0.0))
    }

    /// Corners of the door where it is now, on the map.
    pub fn polygon_now(&self) -> [[f64; 2]; 4] {
        self.outline(self.leaf())
    }

    fn outline(&self, leaf: Pose2) -> [[f64; 2]; 4] {
        let (x, y) = (self.file.length_m() / 2.0, self.file.thickness_m / 2.0);
        [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| leaf.point_out(x, y))
    }

    /// Where the middle of the leaf is.
    fn leaf(&self) -> Pose2 {
        self.leaf_at(self.open_ratio)
    }

    fn leaf_at(&self, open_ratio: f64) -> Pose2 {
        let line = along(&self.file);
        let [x, y] = line.point_out(self.file.length_m() * (0.5 - open_ratio), 0.0);
        Pose2::new(x, y, line.yaw_rad)
    }

    fn step(&mut self, physics: &Physics, people: &People) {
        if let Some(left_s) = self.called_s.as_mut() {
            *left_s -= STEP_S;
            if *left_s <= 0.0 {
                (self.called_s, self.hold_s) = (None, self.file.hold_s);
                self.state = if self.open_ratio == 1.0 { DoorState::Open } else { DoorState::Opening };
            }
        }
        let stride = STEP_S / self.file.open_s;
        let automatic = self.file.mode == DoorMode::Auto;
        // A locked door that was opened stays so for those people.
        let watches = automatic && (!self.file.locked || self.state != DoorState::Closed);
        if watches && self.is_near(physics, people) {
            self.hold_s = self.file.hold_s;
            if matches!(self.state, DoorState::Closed | DoorState::Closing) {
                self.state = DoorState::Opening;
            }
        }
        match self.state {
            DoorState::Closed => {}
            DoorState::Opening => {
                self.open_ratio = (self.open_ratio + stride).min(1.0);
                if self.open_ratio == 1.0 {
                    self.state = DoorState::Open;
                }
            }
            DoorState::Open if automatic => {
                if self.hold_s <= 0.0 {
                    self.state = DoorState::Closing;
                }
                self.hold_s -= STEP_S;
            }
            DoorState::Open => {}
            DoorState::Closing => {
                let next = (self.open_ratio - stride).max(0.0);
                if self.is_blocked(physics, next) {
                    self.hold_s = self.file.hold_s;
                    self.state = DoorState::Opening;
                } else {
                    self.open_ratio = next;
                    if next == 0.0 {
                        self.state = DoorState::Closed;
                    }
                }
            }
        }
    }

    fn is_near(&self, physics: &Physics, people: &People) -> bool {
        let (line, sense_m) = (self.file.points_m, self.file.sense_m);
        let near = |at, radius_m| to_line(at, line) < sense_m + radius_m;
        physics.robots_near_line(line, sense_m) || people.iter().any(|it| near(it.at, it.person.radius_m))
    }

    /// Whether anything is in the part of the opening that the door would fill. What is beside the opening,
    /// as the wall that it slides along, is none of its business.
    fn is_blocked(&self, physics: &Physics, open_ratio: f64) -> bool {
        let shut_m = (self.file.length_m() * (1.0 - open_ratio) + GAP_M).min(self.file.length_m());
        let line = along(&self.file);
        let [x, y] = line.point_out(shut_m / 2.0, 0.0);
        let half = (self.file.thickness_m / 2.0 + GAP_M) as f32;
        let shape = SharedShape::cuboid((shut_m / 2.0) as f32, half);
        let solid = |_, it: &Collider| !matches!(Surface::of(it).thing, Thing::Wall | Thing::Door);
        physics.overlaps(&shape, Pose2::new(x, y, line.yaw_rad), solid).is_some()
    }
}

/// The first point of a door, turned towards the second.
fn along(door: &config::Door) -> Pose2 {
    let [[x1, y1], [x2, y2]] = door.points_m;
    Pose2::new(x1, y1, (y2 - y1).atan2(x2 - x1))
}

impl Physics {
    fn add_door(&mut self, door: &config::Door) -> RigidBodyHandle {
        let line = along(door);
        let [x, y] = line.point_out(door.length_m() / 2.0, 0.0);
        let leaf =
            RigidBodyBuilder::kinematic_position_based().pose(engine_pose(Pose2::new(x, y, line.yaw_rad)));
        let size = [door.length_m(), door.thickness_m];
        let shape = slab(Pose2::default(), size, Surface::plain(Thing::Door, door.color, HEIGHT_M));
        let body = self.engine.insert(leaf, shape).0;
        self.leaves.push((body, size));
        body
    }

    fn move_door(&mut self, body: RigidBodyHandle, leaf: Pose2) {
        if let Some(body) = self.engine.bodies.get_mut(body) {
            body.set_next_kinematic_position(engine_pose(leaf));
        }
    }
}
