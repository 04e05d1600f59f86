//! `obstacles*` and `config/arena/`: what stands around, as three.js draws it.

use serde::{Deserialize, Serialize};

use crate::describe::Message;
use crate::describe::lenient::Lenient as _;
use crate::pera::wire::{Number, Reality, text};

/// `config/arena/`: how large the arena is.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[allow(non_snake_case, reason = "the reference's words")]
pub struct Arena {
    /// Centimetres.
    pub xMin: Number,
    /// Centimetres.
    pub xMax: Number,
    /// Centimetres.
    pub yMin: Number,
    /// Centimetres.
    pub yMax: Number,
    /// `virtual` in the reference.
    #[field(read = text::read, or = String::new())]
    pub units: String,
}

/// An item of `obstacles`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// A name of its own, with its kind behind it: `… (Wall)`.
    #[serde(deserialize_with = "text::plain")]
    pub id: String,
    /// Where it stands.
    #[serde(default, deserialize_with = "Reality::read", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
    /// Its shape.
    pub geometry: Geometry,
    /// What it is made of.
    pub material: Material,
    /// Its middle.
    pub position: Position,
    /// How it is turned.
    pub rotation: Rotation,
}

/// The shape of an obstacle; lengths in centimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[allow(non_snake_case, reason = "three.js's words")]
pub enum Geometry {
    /// A wall or a box.
    BoxGeometry {
        /// Along its own x.
        width: Number,
        /// Up.
        height: Number,
        /// Across.
        #[serde(default, deserialize_with = "Number::read", skip_serializing_if = "Option::is_none")]
        depth: Option<Number>,
    },
    /// A cylinder.
    CylinderGeometry {
        /// Radius above.
        radiusTop: Number,
        /// Radius below.
        radiusBottom: Number,
        /// Up.
        height: Number,
    },
}

/// What an obstacle is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// `MeshStandardMaterial`.
    #[serde(rename = "type")]
    pub kind: String,
    /// How it looks.
    pub properties: MaterialProperties,
}

/// How an obstacle looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialProperties {
    /// `#404040`.
    #[serde(deserialize_with = "text::plain")]
    pub color: String,
}

/// Where an obstacle's middle is, centimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// East.
    pub x: Number,
    /// North.
    pub y: Number,
}

/// How an obstacle is turned, degrees; y is up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rotation {
    /// About x.
    pub x: Number,
    /// About y, which points up.
    pub y: Number,
    /// About z.
    pub z: Number,
}

/// `obstacles/delete`: one is gone.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ObstacleDelete {
    /// Which.
    #[field(read = text::read)]
    pub id: String,
}
