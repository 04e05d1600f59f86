//! What a robot of a family looks like and what can be done with it, as data for drawing.
//!
//! Places are in the chassis's axes: forward, left, up, metres; what sits on a head is where it is while the
//! joints are neutral. The numbers are those that the sensors use.

use std::f64::consts::FRAC_PI_2;

use latimer_core::PartName;
use latimer_core::model::profile::{Ability, Mount, Place, PlacedSensor, RangeSensor};
use latimer_core::model::{Kind, RobotProfile};

use super::BodyKind;
use crate::physics::Footprint;

/// Points of a quarter of a round corner.
const CORNER_POINTS: u32 = 4;

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePart {
    /// What it publishes.
    pub kind: Kind,
    /// Its name.
    pub part: &'static str,
    /// Where it sits: forward, left, up.
    pub at_m: [f64; 3],
    /// Where it looks, counter-clockwise from ahead.
    pub yaw_rad: f64,
    /// How wide it looks, or the arc that it feels.
    pub field_of_view_rad: Option<f64>,
    /// Farthest distance measured.
    pub max_m: Option<f64>,
    /// Where a sensor for contacts or edges sits.
    pub place: Option<Place>,
}

/// How far a joint goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointRange {
    /// A hinge: lowest, highest and neutral angle, radians.
    Angle {
        /// Lowest.
        min_rad: f64,
        /// Highest.
        max_rad: f64,
        /// At rest.
        neutral_rad: f64,
    },
    /// A share of its range.
    Share {
        /// Lowest.
        min_ratio: f64,
        /// Highest.
        max_ratio: f64,
    },
}

/// A joint that can be moved by a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureJoint {
    /// Its name.
    pub part: &'static str,
    /// How far it goes.
    pub range: JointRange,
}

/// A lamp whose colour can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureLamp {
    /// Its name, if it needs one.
    pub part: Option<&'static str>,
    /// What people call it.
    pub label: &'static str,
}

/// A family's robot.
#[derive(Clone)]
pub struct Figure {
    /// What kind of body it is of.
    pub kind: &'static BodyKind,
    /// Its outline from above.
    pub outline_m: Vec<[f64; 2]>,
    /// Its sensors.
    pub parts: Vec<FigurePart>,
    /// Its joints.
    pub joints: Vec<FigureJoint>,
    /// Its lamps.
    pub lamps: Vec<FigureLamp>,
    /// Its picture streams: kind and camera.
    pub cameras: Vec<(Kind, &'static str)>,
    /// What it listens for.
    pub key_phrase: Option<&'static str>,
    /// The sounds that it can play.
    pub sounds: Vec<String>,
    /// The kinds that it may publish.
    pub kinds: &'static [Kind],
    /// What can happen to it, in the words of a poke.
    pub stimuli: &'static [&'static str],
    /// What can be asked of it, in the words of a command.
    pub commands: &'static [&'static str],
    /// Greatest speed, m/s.
    pub max_linear_mps: f64,
    /// Greatest turn rate, rad/s.
    pub max_angular_radps: f64,
}

impl FigurePart {
    /// A sensor that looks ahead, of which no more is known.
    pub(super) fn new(kind: Kind, part: &'static str, at_m: [f64; 3]) -> Self {
        Self { kind, part, at_m, yaw_rad: 0.0, field_of_view_rad: None, max_m: None, place: None }
    }

    /// The same, looking somewhere.
    pub(super) fn turned(self, yaw_rad: f64) -> Self {
        Self { yaw_rad, ..self }
    }

    /// A bumper or an edge sensor: ahead, or behind, left or right.
    pub(super) fn around(self, bearing_rad: f64) -> Self {
        self.placed(Place::around(bearing_rad))
    }

    /// The same at a place of the body.
    pub(super) fn placed(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The same, looking so wide.
    pub(super) fn wide(self, field_of_view_rad: f64) -> Self {
        Self { field_of_view_rad: Some(field_of_view_rad), ..self }
    }

    /// The same, looking so far.
    pub(super) fn far(self, max_m: f64) -> Self {
        Self { max_m: Some(max_m), ..self }
    }
}

impl FigureJoint {
    /// A hinge by its limits and its neutral angle in degrees.
    pub(super) fn degrees(part: &'static str, min: f64, max: f64, neutral: f64) -> Self {
        let [min_rad, max_rad, neutral_rad] = [min, max, neutral].map(f64::to_radians);
        Self { part, range: JointRange::Angle { min_rad, max_rad, neutral_rad } }
    }

    /// One of which only the share of its range is known.
    pub(super) fn share(part: &'static str, min_ratio: f64) -> Self {
        Self { part, range: JointRange::Share { min_ratio, max_ratio: 1.0 } }
    }
}

/// What a robot can do that takes a command, by the command's word.
const ABILITIES: [(&str, Ability); 11] = [
    ("drive", Ability::Drive),
    ("navigate", Ability::Navigate),
    ("follow", Ability::Follow),
    ("carry", Ability::Carry),
    ("task", Ability::DoTasks),
    ("play", Ability::PlaySounds),
    ("emergency_stop", Ability::EmergencyStop),
    ("control_mode", Ability::ChangeMode),
    ("wake_up", Ability::Sleep),
    ("maintain", Ability::Maintain),
    ("picture", Ability::TakePictures),
];

impl Figure {
    /// The part of a profile that the figure determines; the roles of cameras and joints are not in it.
    pub(super) fn profile(&self) -> RobotProfile {
        let measures = |it: &&FigurePart| matches!(it.kind, Kind::Range | Kind::Scan);
        let range = |it: &FigurePart| RangeSensor {
            mount: Some(Mount::fixed(it.at_m, it.yaw_rad)),
            field_rad: it.field_of_view_rad,
            max_m: it.max_m,
            ..RangeSensor::new(it.kind, Some(it.part))
        };
        let placed = |it: &FigurePart| {
            let place = it.place?;
            Some(PlacedSensor { kind: it.kind, part: PartName::of(it.part), place })
        };
        let able = ABILITIES.iter().filter(|(word, _)| self.commands.contains(word));
        RobotProfile {
            footprint_m: self.outline_m.clone(),
            lamps: self.lamps.iter().map(|it| it.part.map(PartName::of)).collect(),
            sounds: self.sounds.clone(),
            ranges: self.parts.iter().filter(measures).map(range).collect(),
            placed: self.parts.iter().filter_map(placed).collect(),
            kinds: self.kinds.iter().copied().collect(),
            abilities: able.map(|(_, ability)| *ability).collect(),
            ..RobotProfile::default()
        }
    }
}

/// The outline of a chassis, counter-clockwise.
pub(super) fn outline(footprint: Footprint) -> Vec<[f64; 2]> {
    let Footprint { length_m, width_m, corner_m, mass_kg: _ } = footprint;
    let (x, y) = (length_m / 2.0 - corner_m, width_m / 2.0 - corner_m);
    let middles = [[x, y], [-x, y], [-x, -y], [x, -y]];
    let corners = middles.into_iter().zip(0_u32..).flat_map(|([x, y], quarter)| {
        (0..=CORNER_POINTS).map(move |point| {
            let turn = f64::from(quarter) + f64::from(point) / f64::from(CORNER_POINTS);
            let (sin, cos) = (turn * FRAC_PI_2).sin_cos();
            [x + corner_m * cos, y + corner_m * sin]
        })
    });
    corners.collect()
}

/// What people call a part: its name with spaces and a capital letter.
pub fn label(part: &str) -> String {
    let mut letters = part.chars().map(|letter| if letter == '_' { ' ' } else { letter });
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_as_long_and_wide_as_the_chassis() {
        let footprint = Footprint { length_m: 0.4, width_m: 0.2, corner_m: 0.05, mass_kg: 1.0 };
        let points = outline(footprint);
        let most = |axis: usize| points.iter().map(|point| point[axis]).fold(0.0, f64::max);
        assert!((most(0) - 0.2).abs() < 1e-9 && (most(1) - 0.1).abs() < 1e-9, "{points:?}");
        assert!(points.iter().all(|[x, y]| x.hypot(*y) < footprint.reach_m() + 1e-9));
    }

    #[test]
    fn labels_are_words() {
        assert_eq!(label("touch_head_front"), "Touch head front");
        assert_eq!(label(""), "");
    }
}
