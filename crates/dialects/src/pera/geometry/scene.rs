//! All that stands in an arena, and what the three sensors read of it.

use latimer_simulator_api::{ArenaObstacle, ArenaShape};

use super::angle::normalized;
use super::cylinder::Cylinder;
use super::round::halves_up;
use super::wall::Wall;
use super::{Crowd, DIAMETER_CM};
use crate::pera::messages::localization::Localization;
use crate::pera::messages::sensor::{ColorReply, DistanceReply, ProximityReply};
use crate::pera::wire::Number;

/// What is read where nothing is.
const NOTHING_CM: f64 = 1_000.0;

/// How near a thing must be for the colour sensor, and for the colours of the proximity sensor.
const COLOR_CM: f64 = 30.0;
const PROXIMITY_COLOR_CM: f64 = 20.0;

/// What is seen where nothing is near.
const BLACK: &str = "#000000";

/// Obstacles as the reference meets them.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    obstacles: Vec<(Obstacle, String)>,
}

#[derive(Clone, Debug)]
enum Obstacle {
    Wall(Wall),
    Cylinder(Cylinder),
}

impl Obstacle {
    fn distance(&self, from: [f64; 2], heading: f64) -> Option<f64> {
        match self {
            Self::Wall(wall) => wall.distance(from, heading),
            Self::Cylinder(cylinder) => cylinder.distance(from, heading),
        }
    }
}

impl Scene {
    /// The obstacles of an arena; boxes are never met.
    pub fn new(obstacles: &[ArenaObstacle]) -> Self {
        let met = obstacles.iter().filter_map(|it| {
            let obstacle = match it.shape {
                ArenaShape::Wall { width_cm, .. } => {
                    Obstacle::Wall(Wall::new(it.at_cm, it.orientation_deg, width_cm))
                }
                ArenaShape::Cylinder { radius_cm, .. } => {
                    Obstacle::Cylinder(Cylinder { middle: it.at_cm, radius_cm })
                }
                ArenaShape::Box { .. } => return None,
            };
            Some((obstacle, it.color.clone()))
        });
        Self { obstacles: met.collect() }
    }

    /// What the distance sensor reads.
    pub(in crate::pera) fn distance(&self, at: Localization, crowd: &Crowd) -> DistanceReply {
        let Localization { x, y, heading } = pretty(at);
        let from = [x, y];
        DistanceReply(reading(self.obstacle_cm(from, heading), crowd.distance(from, heading)))
    }

    /// What the colour sensor reads; it takes the place without rounding.
    pub(in crate::pera) fn color(&self, at: Localization) -> ColorReply {
        let seen = self.seen([at.x, at.y], at.heading, COLOR_CM);
        let [red, green, blue] = rgb_from_hex(seen).unwrap_or_default();
        let sum = u16::from(red) + u16::from(green) + u16::from(blue);
        ColorReply { R: red, G: green, B: blue, ambient: (f64::from(sum) / 3.0).round() as u8 }
    }

    /// What the proximity sensor reads in some directions, of obstacles and of other robots.
    pub(in crate::pera) fn proximity(
        &self,
        at: Localization,
        crowd: &Crowd,
        angles: &[Number],
    ) -> ProximityReply {
        let Localization { x, y, heading } = pretty(at);
        let from = [x, y];
        let headings = angles.iter().map(|angle| normalized(heading - angle.0));
        let (distances, colors) = headings
            .map(|heading| {
                let distance = reading(self.obstacle_cm(from, heading), crowd.distance(from, heading));
                (distance, self.seen(from, heading, PROXIMITY_COLOR_CM).to_owned())
            })
            .unzip();
        ProximityReply { distances, colors }
    }

    /// How far the nearest obstacle is.
    fn obstacle_cm(&self, from: [f64; 2], heading: f64) -> f64 {
        let met = self.obstacles.iter().filter_map(|(it, _)| it.distance(from, heading));
        let nearest = met.filter(|cm| *cm >= 0.0).fold(f64::INFINITY, f64::min);
        if nearest.is_finite() { nearest } else { NOTHING_CM }
    }

    /// The colour of the nearest obstacle, if it is near; of two that are equally near the later one.
    fn seen(&self, from: [f64; 2], heading: f64, reach_cm: f64) -> &str {
        let (mut nearest, mut color) = (f64::INFINITY, BLACK);
        for (it, its_color) in &self.obstacles {
            if let Some(cm) = it.distance(from, heading).filter(|cm| *cm > 0.0 && *cm <= nearest) {
                (nearest, color) = (cm, its_color);
            }
        }
        if nearest > reach_cm { BLACK } else { color }
    }
}

/// The reference's last steps: less the diameter, and up to a whole number.
fn reading(obstacle_cm: f64, robot_cm: f64) -> f64 {
    (obstacle_cm - DIAMETER_CM).min(robot_cm - DIAMETER_CM).ceil()
}

/// The place as the distance and proximity sensors take it and snapshots show it: in hundredths, halves up.
pub(in crate::pera) fn pretty(Localization { x, y, heading }: Localization) -> Localization {
    Localization { x: halves_up(x), y: halves_up(y), heading: halves_up(heading) }
}

/// A colour of six digits, with or without `#`.
fn rgb_from_hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}
