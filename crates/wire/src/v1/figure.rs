//! What a family's robot looks like and what can be done with it.

use latimer_world::bodies::{
    Figure as ModelFigure, FigureJoint as ModelJoint, FigureLamp as ModelLamp, FigurePart as ModelPart,
    JointRange, label,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::world::Point;

/// A sensor.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct FigurePart {
    /// What it measures, e.g. `range`.
    pub kind: String,
    /// Its name.
    pub part: String,
    /// Forward of the robot's middle.
    pub x_m: f64,
    /// Left of the robot's middle.
    pub y_m: f64,
    /// Above the floor.
    pub z_m: f64,
    /// Where it looks, counter-clockwise from ahead.
    pub yaw_rad: f64,
    /// How wide it looks, or the arc that it feels.
    #[schema(required)]
    pub field_of_view_rad: Option<f64>,
    /// Farthest distance measured.
    #[schema(required)]
    pub max_m: Option<f64>,
    /// What people call it.
    pub label: String,
}

/// A joint that can be moved by a command: a hinge has angles, any other joint shares of its range.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct FigureJoint {
    /// Its name.
    pub part: String,
    /// What people call it.
    pub label: String,
    /// Lowest angle.
    #[schema(required)]
    pub min_rad: Option<f64>,
    /// Highest angle.
    #[schema(required)]
    pub max_rad: Option<f64>,
    /// Angle at rest.
    #[schema(required)]
    pub neutral_rad: Option<f64>,
    /// Lowest share.
    #[schema(required)]
    pub min_ratio: Option<f64>,
    /// Highest share.
    #[schema(required)]
    pub max_ratio: Option<f64>,
}

/// A lamp whose colour can be set.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct FigureLamp {
    /// Its name, if it needs one.
    #[schema(required)]
    pub part: Option<String>,
    /// What people call it.
    pub label: String,
}

/// A picture stream.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct FigureCamera {
    /// `image`, `compressed_image` or `video`.
    pub kind: String,
    /// Which camera.
    pub part: String,
}

/// What a family's robot looks like and what can be done with it.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Figure {
    /// The family.
    pub family: String,
    /// What such a robot is called in full.
    pub title: String,
    /// Its outline from above, in its own axes.
    #[schema(value_type = Vec<Point>)]
    pub outline_m: Vec<[f64; 2]>,
    /// How tall it is.
    pub height_m: f64,
    /// Red, green, blue.
    #[schema(min_items = 3, max_items = 3)]
    pub color: [u8; 3],
    /// Its sensors.
    pub parts: Vec<FigurePart>,
    /// Its joints.
    pub joints: Vec<FigureJoint>,
    /// Its lamps.
    pub lamps: Vec<FigureLamp>,
    /// Its picture streams.
    pub cameras: Vec<FigureCamera>,
    /// What it listens for, if it listens.
    #[schema(required)]
    pub key_phrase: Option<String>,
    /// The sounds that it can play.
    pub sounds: Vec<String>,
    /// What can happen to it: words for `stimulus` in a poke.
    pub stimuli: Vec<String>,
    /// What can be asked of it: words for `command`.
    pub commands: Vec<String>,
    /// Greatest speed.
    pub max_linear_mps: f64,
    /// Greatest turn rate.
    pub max_angular_radps: f64,
}

impl From<ModelPart> for FigurePart {
    fn from(part: ModelPart) -> Self {
        let ModelPart { kind, part, at_m: [x_m, y_m, z_m], yaw_rad, field_of_view_rad, max_m, place: _ } =
            part;
        let (kind, label, part) = (kind.to_string(), label(part), part.to_owned());
        Self { kind, part, x_m, y_m, z_m, yaw_rad, field_of_view_rad, max_m, label }
    }
}

impl From<ModelJoint> for FigureJoint {
    fn from(ModelJoint { part, range }: ModelJoint) -> Self {
        let none = Self {
            part: part.to_owned(),
            label: label(part),
            min_rad: None,
            max_rad: None,
            neutral_rad: None,
            min_ratio: None,
            max_ratio: None,
        };
        match range {
            JointRange::Angle { min_rad, max_rad, neutral_rad } => Self {
                min_rad: Some(min_rad),
                max_rad: Some(max_rad),
                neutral_rad: Some(neutral_rad),
                ..none
            },
            JointRange::Share { min_ratio, max_ratio } => {
                Self { min_ratio: Some(min_ratio), max_ratio: Some(max_ratio), ..none }
            }
        }
    }
}

impl From<ModelLamp> for FigureLamp {
    fn from(ModelLamp { part, label }: ModelLamp) -> Self {
        Self { part: part.map(str::to_owned), label: label.to_owned() }
    }
}

impl From<ModelFigure> for Figure {
    fn from(figure: ModelFigure) -> Self {
        let ModelFigure { kind, outline_m, parts, joints, lamps, .. } = figure;
        let ModelFigure {
            cameras,
            key_phrase,
            sounds,
            stimuli,
            commands,
            max_linear_mps,
            max_angular_radps,
            ..
        } = figure;
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let camera = |(kind, part): (_, &str)| FigureCamera {
            kind: latimer_core::model::Kind::to_string(&kind),
            part: part.to_owned(),
        };
        Self {
            family: kind.family.to_owned(),
            title: kind.title.to_owned(),
            outline_m,
            height_m: kind.height_m,
            color: kind.color.0,
            parts: parts.into_iter().map(Into::into).collect(),
            joints: joints.into_iter().map(Into::into).collect(),
            lamps: lamps.into_iter().map(Into::into).collect(),
            cameras: cameras.into_iter().map(camera).collect(),
            key_phrase: key_phrase.map(str::to_owned),
            sounds,
            stimuli: words(stimuli),
            commands: words(commands),
            max_linear_mps,
            max_angular_radps,
        }
    }
}
