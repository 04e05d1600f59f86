//! What the robot sees around itself.

use super::record::record;
use super::{FloorBox, Point, Pose};

record! {
    /// Section "Vision Detected Objects".
    pub struct VisionDetectedObjects {
        /// Each of them.
        boxes: Vec<VisionBox>,
    }
}

record! {
    /// Something that the camera makes out.
    pub struct VisionBox {
        /// Where it is.
        pose: Pose,
        /// Width, length and height, metres; zeros if they are not known.
        dimensions: Vec<f64>,
        /// How sure the robot is, 0..1.
        value: f64,
        /// `VisualObjectLabel`.
        label: i64,
    }
}

record! {
    /// Section "Collected Barcode".
    pub struct CollectedBarcode {
        /// `unknown`, `ok`, `no_result`, `not_unique`, `too_far`, `unaligned_with_robot`.
        state: String,
        /// What was read.
        barcode: Barcode,
    }
}

record! {
    /// A code.
    pub struct Barcode {
        /// What it says.
        id: String,
        /// Where it is on the map.
        pose: Pose,
        /// Where it is from the robot, since 2.9.1.
        relative_pose: Pose,
    }
}

record! {
    /// Section "Detected Rack".
    pub struct DetectedRack {
        /// Whether there is one.
        rack_detected: bool,
        /// `map` or `base_link`.
        frame: String,
        /// As it is seen.
        rack_box: FloorBox,
        /// As it should be.
        rack_box_aligned: FloorBox,
    }
}

record! {
    /// Section "Detected Pallets".
    pub struct DetectedPallets {
        /// Each of them.
        pallets: Vec<Pallet>,
    }
}

record! {
    /// A pallet.
    pub struct Pallet {
        /// `map`.
        frame: String,
        /// Which one it is.
        pallet_id: String,
        /// Where it is.
        pose: Pose,
        /// How big it is.
        size: PalletSize,
    }
}

record! {
    /// How big a pallet is, metres.
    pub struct PalletSize {
        /// From side to side.
        width: f64,
        /// From front to back.
        depth: f64,
        /// From the floor up.
        height: f64,
        /// How wide each opening is.
        pocket_width: f64,
        /// How high each opening is.
        pocket_height: f64,
        /// How far the openings are apart.
        pocket_spacing: f64,
    }
}

record! {
    /// Section "Landmarks".
    pub struct Landmarks {
        /// Each of them.
        landmarks: Vec<Landmark>,
    }
}

record! {
    /// A pole that reflects the scanner's light.
    pub struct Landmark {
        /// Its name.
        id: String,
        /// Where it is on the map.
        pos: Point,
        /// Whether it is seen now.
        in_use: bool,
    }
}
