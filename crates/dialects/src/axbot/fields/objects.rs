//! What the robot sees around itself.

use latimer_core::model::Kind;

use super::{message, metres, radians, ratio};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message, WordPair};

const FRAMES: &[WordPair] = &[("map", "map"), ("base_link", "base_link")];

pub(super) const VISION_DETECTED_OBJECTS: Message = message(
    Topic::VisionDetectedObjects,
    &[Kind::Objects],
    "What the camera makes out; the part is `vision`.",
    &[
        metres("boxes[].pose.pos[]", Kind::Objects, "objects.pose.x_m").note("the first number"),
        metres("boxes[].pose.pos[]", Kind::Objects, "objects.pose.y_m").note("the second number"),
        radians("boxes[].pose.ori", Kind::Objects, "objects.pose.yaw_rad"),
        metres("boxes[].dimensions[]", Kind::Objects, "objects.size.width_m")
            .note("the first number; three zeros if nobody measured"),
        metres("boxes[].dimensions[]", Kind::Objects, "objects.size.length_m").note("the second number"),
        metres("boxes[].dimensions[]", Kind::Objects, "objects.size.height_m").note("the third number"),
        ratio("boxes[].value", Kind::Objects, "objects.confidence_ratio"),
        FieldPair::same("boxes[].label", Kind::Objects, "objects.class").note(
            "1 person, 2 platform_hand_truck, 3 scaffold, 4 queue_stand, 5 portable_grandstand, 0 anything else",
        ),
    ],
);

pub(super) const COLLECTED_BARCODE: Message = message(
    Topic::CollectedBarcode,
    &[Kind::Objects],
    "The code that the robot reads; the part is `barcodes`. Of several it tells the nearest.",
    &[
        FieldPair::own("state", "`ok` if there is a code, else `no_result`; others are read as none"),
        FieldPair::same("barcode.id", Kind::Objects, "objects.label"),
        metres("barcode.pose.pos[]", Kind::Objects, "objects.pose.x_m").note("the first number"),
        metres("barcode.pose.pos[]", Kind::Objects, "objects.pose.y_m").note("the second number"),
        radians("barcode.pose.ori", Kind::Objects, "objects.pose.yaw_rad"),
        FieldPair::own("barcode.relative_pose.**", "the pose from the robot, made from its own; not read"),
    ],
);

pub(super) const DETECTED_RACK: Message = message(
    Topic::DetectedRack,
    &[Kind::Objects],
    "The rack before the robot; the part is `racks`. Of several it tells the nearest.",
    &[
        FieldPair::own("rack_detected", "whether there is a rack at all"),
        FieldPair::words("frame", Kind::Objects, "objects.pose.frame", FRAMES),
        metres("rack_box.pose.pos[]", Kind::Objects, "objects.pose.x_m").note("the first number"),
        metres("rack_box.pose.pos[]", Kind::Objects, "objects.pose.y_m").note("the second number"),
        radians("rack_box.pose.ori", Kind::Objects, "objects.pose.yaw_rad"),
        metres("rack_box.width", Kind::Objects, "objects.size.width_m"),
        metres("rack_box.height", Kind::Objects, "objects.size.length_m").note("from front to back"),
        FieldPair::own("rack_box_aligned.**", "the size that is configured; not written"),
    ],
);

pub(super) const DETECTED_PALLETS: Message = message(
    Topic::DetectedPallets,
    &[Kind::Objects],
    "Pallets before the robot; the part is `pallets`.",
    &[
        FieldPair::words("pallets[].frame", Kind::Objects, "objects.pose.frame", FRAMES),
        FieldPair::same("pallets[].pallet_id", Kind::Objects, "objects.label"),
        metres("pallets[].pose.pos[]", Kind::Objects, "objects.pose.x_m").note("the first number"),
        metres("pallets[].pose.pos[]", Kind::Objects, "objects.pose.y_m").note("the second number"),
        radians("pallets[].pose.ori", Kind::Objects, "objects.pose.yaw_rad"),
        metres("pallets[].size.width", Kind::Objects, "objects.size.width_m"),
        metres("pallets[].size.depth", Kind::Objects, "objects.size.length_m"),
        metres("pallets[].size.height", Kind::Objects, "objects.size.height_m"),
        metres("pallets[].size.pocket_width", Kind::Objects, "objects.pockets.width_m"),
        metres("pallets[].size.pocket_height", Kind::Objects, "objects.pockets.height_m"),
        metres("pallets[].size.pocket_spacing", Kind::Objects, "objects.pockets.spacing_m"),
    ],
);

pub(super) const LANDMARKS: Message = message(
    Topic::Landmarks,
    &[Kind::Objects],
    "Poles that reflect the scanner's light; the part is `landmarks`.",
    &[
        FieldPair::same("landmarks[].id", Kind::Objects, "objects.label"),
        metres("landmarks[].pos[]", Kind::Objects, "objects.pose.x_m").note("the first number"),
        metres("landmarks[].pos[]", Kind::Objects, "objects.pose.y_m").note("the second number"),
        FieldPair::same("landmarks[].in_use", Kind::Objects, "objects.sensed"),
    ],
);
