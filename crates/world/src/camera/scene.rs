//! What there is to see: a room that stays as it is, and what moves in it.

use std::sync::Arc;

use super::light::Lighting;
use super::room::Room;
use crate::config::{Box2, Color, Person, Rack, WorldFile};
use crate::geometry::Pose2;
use crate::physics::Footprint;

/// Radius of a lamp of a robot, metres (plausible).
const LAMP_M: f64 = 0.02;

/// How thick a rack's boards are, metres.
const BOARD_M: f64 = 0.03;

const SKIN: Color = Color([0xe8, 0xb8, 0x94]);
const HAIR: Color = Color([0x3a, 0x2a, 0x20]);
const TROUSERS: Color = Color([0x2b, 0x31, 0x42]);

/// Radius of a head, metres; the middle of the face is as far below the top.
const HEAD_M: f64 = 0.12;

/// All that a camera can see at one moment.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What never moves.
    pub room: Arc<Room>,
    /// Where light comes from.
    pub lighting: Lighting,
    /// What moves: people, robots, doors, what is pushed or carried.
    pub moving: Vec<Solid>,
}

/// A body with a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Its shape.
    pub shape: Shape,
    /// Its colour.
    pub color: Color,
    /// Whether it shines by itself, whatever light falls on it.
    pub glows: bool,
}

/// What a body is like.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Upright walls around a footprint.
    Prism {
        /// The footprint, counter-clockwise and without dents, metres on the map.
        corners_m: Vec<[f64; 2]>,
        /// From where to where above the floor, metres.
        height_m: [f64; 2],
    },
    /// An upright cylinder.
    Cylinder {
        /// Its axis, metres on the map.
        center_m: [f64; 2],
        /// Its radius, metres.
        radius_m: f64,
        /// From where to where above the floor, metres.
        height_m: [f64; 2],
    },
    /// A ball.
    Sphere {
        /// Its middle, on the map and above the floor, metres.
        center_m: [f64; 3],
        /// Its radius, metres.
        radius_m: f64,
    },
}

impl Scene {
    /// A room in which nothing moves, in its usual light.
    pub fn empty(room: Arc<Room>) -> Self {
        Self { lighting: Lighting::usual(room.size_m()), room, moving: Vec::new() }
    }

    /// A world as its file begins: people and movable boxes where they start.
    pub fn beginning(file: &WorldFile) -> Self {
        let mut scene = Self::empty(Arc::new(Room::new(file)));
        for it in file.boxes.iter().filter(|it| it.movable) {
            let [x, y] = it.center_m;
            scene.moving.push(Solid::furniture(it, Pose2::new(x, y, it.yaw_deg.to_radians())));
        }
        for person in &file.people {
            scene.moving.extend(Solid::person(person, person.start_m));
        }
        scene
    }
}

impl Solid {
    /// A box about a pose.
    pub fn cuboid(pose: Pose2, size_m: [f64; 2], height_m: [f64; 2], color: Color) -> Self {
        let [x, y] = size_m.map(|side| side / 2.0);
        let corners = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y));
        Self { shape: Shape::Prism { corners_m: corners.to_vec(), height_m }, color, glows: false }
    }

    /// Upright walls around a footprint, counter-clockwise and without dents.
    pub fn prism(corners_m: Vec<[f64; 2]>, height_m: [f64; 2], color: Color) -> Self {
        Self { shape: Shape::Prism { corners_m, height_m }, color, glows: false }
    }

    /// A rack: four legs and two boards.
    pub fn rack(it: &Rack, at: Pose2) -> Vec<Self> {
        let [x, y] = it.size_m.map(|side| (side - it.leg_m) / 2.0);
        let legs = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| {
            let [x_m, y_m] = at.point_out(x, y);
            let leg = Pose2::new(x_m, y_m, at.yaw_rad);
            Self::cuboid(leg, [it.leg_m; 2], [0.0, it.height_m], it.color)
        });
        let board = |height_m: f64| Self::cuboid(at, it.size_m, [height_m - BOARD_M, height_m], it.color);
        legs.into_iter().chain([board(it.height_m), board(0.5 * it.height_m)]).collect()
    }

    /// An upright cylinder.
    pub fn cylinder(center_m: [f64; 2], radius_m: f64, height_m: [f64; 2], color: Color) -> Self {
        Self { shape: Shape::Cylinder { center_m, radius_m, height_m }, color, glows: false }
    }

    /// A ball.
    pub fn sphere(center_m: [f64; 3], radius_m: f64, color: Color) -> Self {
        Self { shape: Shape::Sphere { center_m, radius_m }, color, glows: false }
    }

    /// A lamp of a robot.
    pub fn lamp(center_m: [f64; 3], color: Color) -> Self {
        Self { glows: true, ..Self::sphere(center_m, LAMP_M, color) }
    }

    /// A robot's body: its footprint, with the corners cut off where they are round.
    pub fn chassis(pose: Pose2, footprint: Footprint, height_m: [f64; 2], color: Color) -> Self {
        let (x, y) = (footprint.length_m / 2.0, footprint.width_m / 2.0);
        let cut = footprint.corner_m * 0.6;
        let corners = [
            [x, y - cut],
            [x - cut, y],
            [cut - x, y],
            [-x, y - cut],
            [-x, cut - y],
            [cut - x, -y],
            [x - cut, -y],
            [x, cut - y],
        ];
        let corners_m = corners.map(|[x, y]| pose.point_out(x, y)).to_vec();
        Self { shape: Shape::Prism { corners_m, height_m }, color, glows: false }
    }

    /// A box of a world file, wherever it was pushed.
    pub fn furniture(it: &Box2, at: Pose2) -> Self {
        Self::cuboid(at, it.size_m, [0.0, it.height_m], it.color)
    }

    /// A person who stands upright: legs, a trunk in the colour of the clothes, a head with hair.
    pub fn person(person: &Person, at_m: [f64; 2]) -> [Self; 5] {
        let [x, y] = at_m;
        let (tall, wide) = (person.height_m, person.radius_m);
        // Children have smaller heads, and no head is wider than the shoulders.
        let head = HEAD_M.min(tall / 8.0).min(wide);
        let (hips, chin) = (0.48 * tall, tall - 2.0 * head);
        [
            Self::cylinder(at_m, 0.6 * wide, [0.0, hips], TROUSERS),
            Self::cylinder(at_m, 0.9 * wide, [hips, chin - 0.3 * head], person.color),
            Self::cylinder(at_m, 0.45 * head, [chin - 0.3 * head, chin + 0.3 * head], SKIN),
            Self::sphere([x, y, tall - head], 0.97 * head, SKIN),
            // A cap from above the eyes, a little wider than the head.
            Self::sphere([x, y, tall - 0.72 * head], 0.72 * head * 1.12, HAIR),
        ]
    }
}
