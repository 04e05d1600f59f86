//! What the robot sees around itself. The translation is in `map`: the wire has no numbers for things.

use latimer_core::model::signal::Frame;

use super::place::Pose;
use crate::axbot::wire::{FloorBox, Point};
use crate::describe::codec::Words;
use crate::describe::{Extra, Message};

pub(in crate::axbot) const FRAMES: Words<Frame> =
    Words(&[("map", Frame::Map), ("base_link", Frame::BaseLink)]);

/// Section "Vision Detected Objects".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct VisionDetectedObjects {
    /// Each of them.
    #[field(model = "objects")]
    pub boxes: Option<Vec<VisionBox>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Something that the camera makes out.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct VisionBox {
    /// Where it is.
    #[field(model = "pose")]
    pub pose: Option<Pose>,
    /// Width, length and height, metres; zeros if they are not known.
    #[field(items(size::width_m, size::length_m, size::height_m), note = "three zeros if nobody measured")]
    pub dimensions: Option<Vec<f64>>,
    /// How sure the robot is, 0..1.
    #[field(model = "confidence_ratio")]
    pub value: Option<f64>,
    /// 1 person, 2 platform_hand_truck, 3 scaffold, 4 queue_stand, 5 portable_grandstand, 0 anything else.
    #[field(model = "class")]
    pub label: Option<i64>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Collected Barcode".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct CollectedBarcode {
    /// `ok` if there is a code, else `no_result`; `unknown`, `not_unique`, `too_far` and `unaligned_with_robot` are read as none.
    #[field(own)]
    pub state: Option<String>,
    /// What was read.
    #[field(model = "objects")]
    pub barcode: Option<Barcode>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// A code.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Barcode {
    /// What it says.
    #[field(model = "label")]
    pub id: Option<String>,
    /// Where it is on the map.
    #[field(model = "pose")]
    pub pose: Option<Pose>,
    /// Where it is from the robot, since 2.9.1: made from its own pose, not read.
    #[field(own)]
    pub relative_pose: Option<Pose>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Detected Rack".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct DetectedRack {
    /// Whether there is one.
    #[field(own)]
    pub rack_detected: Option<bool>,
    /// `map` or `base_link`.
    #[field(model = "objects.pose.frame", codec = FRAMES)]
    pub frame: Option<String>,
    /// As it is seen.
    #[field(model = "objects")]
    pub rack_box: Option<FloorBox>,
    /// The size that is configured; not written.
    #[field(own)]
    pub rack_box_aligned: Option<FloorBox>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Detected Pallets".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct DetectedPallets {
    /// Each of them.
    #[field(model = "objects")]
    pub pallets: Option<Vec<Pallet>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// A pallet.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Pallet {
    /// `map`.
    #[field(model = "pose.frame", codec = FRAMES)]
    pub frame: Option<String>,
    /// Which one it is.
    #[field(model = "label")]
    pub pallet_id: Option<String>,
    /// Where it is.
    #[field(model = "pose")]
    pub pose: Option<Pose>,
    /// How big it is.
    #[field(model = "")]
    pub size: Option<PalletSize>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// How big a pallet is, metres.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct PalletSize {
    /// From side to side.
    #[field(model = "size.width_m")]
    pub width: Option<f64>,
    /// From front to back.
    #[field(model = "size.length_m")]
    pub depth: Option<f64>,
    /// From the floor up.
    #[field(model = "size.height_m")]
    pub height: Option<f64>,
    /// How wide each opening is.
    #[field(model = "pockets.width_m")]
    pub pocket_width: Option<f64>,
    /// How high each opening is.
    #[field(model = "pockets.height_m")]
    pub pocket_height: Option<f64>,
    /// How far the openings are apart.
    #[field(model = "pockets.spacing_m")]
    pub pocket_spacing: Option<f64>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// Section "Landmarks".
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Landmarks {
    /// Each of them.
    #[field(model = "objects")]
    pub landmarks: Option<Vec<Landmark>>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}

/// A pole that reflects the scanner's light.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Landmark {
    /// Its name.
    #[field(model = "label")]
    pub id: Option<String>,
    /// Where it is on the map.
    #[field(items(pose::x_m, pose::y_m))]
    pub pos: Option<Point>,
    /// Whether it is seen now.
    #[field(model = "sensed")]
    pub in_use: Option<bool>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}
