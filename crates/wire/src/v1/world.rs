//! What the simulated world looks like, and what moves in it.

use latimer_core::model::Realities;
use latimer_simulator_api::{DoorAt, Outline, PersonAt, RobotAt, Scenery, SceneryNow, SceneryShape, ThingAt};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{End, Reality};

/// A point on the floor: x and y, metres.
#[derive(ToSchema)]
#[schema(min_items = 2, max_items = 2)]
pub struct Point(pub [f64; 2]);

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Circle {
    /// Its middle, east of the map's origin.
    pub x_m: f64,
    /// Its middle, north of the map's origin.
    pub y_m: f64,
    /// Its radius.
    pub radius_m: f64,
}

/// Something that is there to be seen.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Shape {
    /// What sort of thing it is, e.g. `wall`, `obstacle`, `furniture`, `charger`.
    pub layer: String,
    /// What it is called; layer and name together name one thing.
    #[schema(required)]
    pub name: Option<String>,
    /// A few words about it, e.g. `on` for a light.
    #[schema(required)]
    pub label: Option<String>,
    /// Its corners on the map.
    #[schema(required, value_type = Option<Vec<Point>>)]
    pub polygon_m: Option<Vec<[f64; 2]>>,
    /// Its outline, if it is round.
    #[schema(required)]
    pub circle: Option<Circle>,
    /// Its middle, east of the map's origin.
    pub x_m: f64,
    /// Its middle, north of the map's origin.
    pub y_m: f64,
    /// Counter-clockwise from +x.
    pub yaw_rad: f64,
    /// Red, green, blue.
    #[schema(required, min_items = 3, max_items = 3)]
    pub color: Option<[u8; 3]>,
    /// How tall it is, or how high above the floor if it is a light or a small object.
    #[schema(required)]
    pub height_m: Option<f64>,
    /// Whether it is real or virtual.
    pub reality: Reality,
    /// Whether robots can push or carry it.
    pub movable: bool,
}

/// A robot as it truly stands.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct RobotPose {
    /// Which one.
    pub robot: String,
    /// Its family.
    pub family: String,
    /// East of the map's origin.
    pub x_m: f64,
    /// North of the map's origin.
    pub y_m: f64,
    /// Counter-clockwise from +x.
    pub yaw_rad: f64,
}

/// Somebody in the room.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct PersonPose {
    /// Who; not everybody has a name.
    #[schema(required)]
    pub name: Option<String>,
    /// East of the map's origin.
    pub x_m: f64,
    /// North of the map's origin.
    pub y_m: f64,
    /// Where the walk leads, counter-clockwise from +x.
    pub yaw_rad: f64,
    /// How wide.
    pub radius_m: f64,
    /// Red, green, blue of the clothes.
    #[schema(min_items = 3, max_items = 3)]
    pub color: [u8; 3],
}

/// A door as it is.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct DoorLeaf {
    /// Which one.
    pub name: String,
    /// `open`, `opening`, `closing` or `closed`.
    pub state: String,
    /// The corners of its leaf on the map.
    #[schema(value_type = Vec<Point>)]
    pub polygon_m: Vec<[f64; 2]>,
}

/// Where a thing is that is pushed or carried about.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct ThingPose {
    /// Which one, of the shapes of its layer.
    pub name: String,
    /// What sort of thing it is.
    pub layer: String,
    /// East of the map's origin.
    pub x_m: f64,
    /// North of the map's origin.
    pub y_m: f64,
    /// Counter-clockwise from +x.
    pub yaw_rad: f64,
}

/// To a tenth of a millimetre or milliradian: what moves is sent many times a second, and every digit counts.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// What moves, as it is now.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct WorldNow {
    /// The world's time since it began.
    pub time_s: f64,
    /// How many times as fast as the clock it goes; while paused, as it will go on.
    pub speed: f64,
    /// Whether it stands still.
    pub paused: bool,
    /// Share of the time that its steps take.
    pub load_ratio: f64,
    /// Grows when shapes are put, changed, moved on request or taken away.
    pub revision: u64,
    /// Robots, simulated or with a body in the world.
    pub robots: Vec<RobotPose>,
    /// People.
    pub people: Vec<PersonPose>,
    /// Doors.
    pub doors: Vec<DoorLeaf>,
    /// What can be pushed, and what is carried.
    pub things: Vec<ThingPose>,
}

/// The simulated world.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct World {
    /// Its name.
    pub name: String,
    /// Least x and y, greatest x and y; outer walls stand around it.
    #[schema(min_items = 4, max_items = 4)]
    pub bounds_m: [f64; 4],
    /// Which shapes there are.
    pub revision: u64,
    /// What is there to be seen.
    pub shapes: Vec<Shape>,
    /// What moves.
    pub now: WorldNow,
}

/// One frame of the world's stream.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum WorldFrame {
    /// What moves.
    World(WorldNow),
    /// The end.
    End(End),
}

impl From<SceneryShape> for Shape {
    fn from(shape: SceneryShape) -> Self {
        let SceneryShape { layer, name, label, outline, pose, rgb, height_m, reality, movable } = shape;
        let [x_m, y_m, yaw_rad] = pose;
        let (polygon_m, circle) = match outline {
            Outline::Point => (None, None),
            Outline::Polygon(corners_m) => (Some(corners_m), None),
            Outline::Circle(radius_m) => (None, Some(Circle { x_m, y_m, radius_m })),
        };
        let reality = match reality {
            Realities::Real => Reality::Real,
            Realities::Virtual => Reality::Virtual,
            Realities::Mixed => Reality::Mixed,
        };
        let layer = layer.to_string();
        Self {
            layer,
            name,
            label,
            polygon_m,
            circle,
            x_m,
            y_m,
            yaw_rad,
            color: rgb,
            height_m,
            reality,
            movable,
        }
    }
}

impl From<RobotAt> for RobotPose {
    fn from(RobotAt { robot, family, pose: [x_m, y_m, yaw_rad] }: RobotAt) -> Self {
        let [x_m, y_m, yaw_rad] = [x_m, y_m, yaw_rad].map(rounded);
        Self { robot: robot.to_string(), family: family.to_owned(), x_m, y_m, yaw_rad }
    }
}

impl From<PersonAt> for PersonPose {
    fn from(PersonAt { name, pose: [x_m, y_m, yaw_rad], radius_m, rgb }: PersonAt) -> Self {
        let [x_m, y_m, yaw_rad] = [x_m, y_m, yaw_rad].map(rounded);
        Self { name, x_m, y_m, yaw_rad, radius_m, color: rgb }
    }
}

impl From<DoorAt> for DoorLeaf {
    fn from(DoorAt { name, state, corners_m }: DoorAt) -> Self {
        Self { name, state: state.to_string(), polygon_m: corners_m.to_vec() }
    }
}

impl From<ThingAt> for ThingPose {
    fn from(ThingAt { layer, name, pose: [x_m, y_m, yaw_rad] }: ThingAt) -> Self {
        let [x_m, y_m, yaw_rad] = [x_m, y_m, yaw_rad].map(rounded);
        Self { name, layer: layer.to_string(), x_m, y_m, yaw_rad }
    }
}

impl From<SceneryNow> for WorldNow {
    fn from(now: SceneryNow) -> Self {
        let SceneryNow { time_s, speed, paused, load_ratio, revision, robots, people, doors, things } = now;
        Self {
            time_s,
            speed,
            paused,
            load_ratio,
            revision,
            robots: robots.into_iter().map(Into::into).collect(),
            people: people.into_iter().map(Into::into).collect(),
            doors: doors.into_iter().map(Into::into).collect(),
            things: things.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Scenery> for World {
    fn from(Scenery { name, bounds_m, revision, shapes, now }: Scenery) -> Self {
        let shapes = shapes.into_iter().map(Into::into).collect();
        Self { name, bounds_m, revision, shapes, now: now.into() }
    }
}

impl WorldFrame {
    /// The frame's text.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self);
        json.unwrap_or_else(|error| unreachable!("a frame has text keys: {error}"))
    }
}
