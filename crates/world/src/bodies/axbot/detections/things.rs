//! Which things are in view of which of the robot's sensors.

use std::f64::consts::{FRAC_PI_3, FRAC_PI_4};

use latimer_core::model::signal::{Pockets, Size};

use crate::geometry::Pose2;
use crate::physics::{Rack, Surroundings, Walker};

/// How far off the middle of a rack is found by its legs, metres (plausible).
const RACK_REACH_M: f64 = 3.0;

/// Half the angle in which racks and pallets are looked for, radians (plausible).
const HALF_SEARCH_RAD: f64 = FRAC_PI_3;

/// A rack whose middle is so near is about the robot: its legs are on all sides, metres (plausible).
const BENEATH_M: f64 = 0.5;

/// How far off a pallet is found, metres (plausible).
const PALLET_REACH_M: f64 = 4.0;

/// How far off the robot's middle a code is read, metres (plausible).
const BARCODE_REACH_M: f64 = 0.6;

/// Range at which a pole's reflection is distinguished, metres (plausible).
const LANDMARK_REACH_M: f64 = 10.0;

/// Range at which the front camera detects people, metres, and half of what a row of it sees, radians (plausible).
const PERSON_REACH_M: f64 = 5.0;
const HALF_VIEW_RAD: f64 = FRAC_PI_4;

/// Published length and width of people, metres (plausible).
const PERSON_M: f64 = 0.4;

/// How sure the robot is of what is right before it, and how much less at the end of its reach
/// (plausible).
const SUREST_RATIO: f64 = 0.95;
const LESS_SURE_RATIO: f64 = 0.45;

/// Something in view.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    /// Its place among those of its kind in the world file.
    pub(super) number: usize,
    /// What it is.
    pub(super) class: &'static str,
    /// Which one it is, if that can be seen.
    pub(super) label: Option<String>,
    /// Where it truly is, on the map.
    pub(super) pose: Pose2,
    /// Whether it has a direction.
    pub(super) turned: bool,
    /// How big it looks.
    pub(super) size: Option<Size>,
    /// Where forks go in, if it has such.
    pub(super) pockets: Option<Pockets>,
    /// How sure the robot is, 0..1.
    pub(super) confidence_ratio: f64,
}

/// The racks that stand ahead.
pub(super) fn racks(around: &Surroundings<'_>) -> Vec<Seen> {
    let racks = around.racks.iter().enumerate().filter(|(_, rack)| sees_rack(around, rack));
    let seen = |(number, rack): (usize, &Rack)| Seen {
        number,
        class: "rack",
        label: Some(rack.file.name.clone()),
        pose: rack.pose,
        turned: true,
        size: Some(Size::flat(rack.file.size_m[0], rack.file.size_m[1])),
        pockets: None,
        confidence_ratio: confidence(around, rack.pose, RACK_REACH_M),
    };
    racks.map(seen).collect()
}

/// Whether a rack stands ahead, or about the robot.
pub(super) fn sees_rack(around: &Surroundings<'_>, rack: &Rack) -> bool {
    let beneath = around.pose.distance_to(rack.pose.x_m, rack.pose.y_m) < BENEATH_M;
    !rack.carried && (beneath || sees(around, rack.pose, RACK_REACH_M, HALF_SEARCH_RAD))
}

/// The pallets ahead.
pub(super) fn pallets(around: &Surroundings<'_>) -> Vec<Seen> {
    let pallets = around.file.pallets.iter().enumerate().map(|(number, pallet)| Seen {
        number,
        class: "pallet",
        label: Some(pallet.id.clone()),
        pose: pallet.pose(),
        turned: true,
        size: Some(Size {
            length_m: pallet.depth_m,
            width_m: pallet.width_m,
            height_m: Some(pallet.height_m),
        }),
        pockets: Some(Pockets {
            width_m: pallet.pocket_width_m,
            height_m: pallet.pocket_height_m,
            spacing_m: pallet.pocket_spacing_m,
        }),
        confidence_ratio: confidence(around, pallet.pose(), PALLET_REACH_M),
    });
    pallets.filter(|it| sees(around, it.pose, PALLET_REACH_M, HALF_SEARCH_RAD)).collect()
}

/// The codes near enough to be read; one that is read is read for sure.
pub(super) fn barcodes(around: &Surroundings<'_>) -> Vec<Seen> {
    let barcodes = around.file.barcodes.iter().enumerate().map(|(number, code)| Seen {
        number,
        class: "barcode",
        label: Some(code.id.clone()),
        pose: code.pose(),
        turned: true,
        size: None,
        pockets: None,
        confidence_ratio: 1.0,
    });
    barcodes.filter(|it| sees(around, it.pose, BARCODE_REACH_M, f64::INFINITY)).collect()
}

/// The poles that reflect the laser scanner's light, all around.
pub(super) fn landmarks(around: &Surroundings<'_>) -> Vec<Seen> {
    let landmarks = around.file.landmarks.iter().enumerate().map(|(number, pole)| {
        let pose = Pose2::new(pole.position_m[0], pole.position_m[1], 0.0);
        Seen {
            number,
            class: "landmark",
            label: Some(pole.id.clone()),
            pose,
            turned: false,
            size: None,
            pockets: None,
            confidence_ratio: confidence(around, pose, LANDMARK_REACH_M),
        }
    });
    landmarks.filter(|it| sees(around, it.pose, LANDMARK_REACH_M, f64::INFINITY)).collect()
}

/// The people in the front camera's picture; without their names.
pub(super) fn people(around: &Surroundings<'_>) -> Vec<Seen> {
    let seen = |(number, walker): (usize, &Walker)| {
        let pose = Pose2::new(walker.at[0], walker.at[1], 0.0);
        let height_m = Some(walker.person.height_m);
        Seen {
            number,
            class: "person",
            label: None,
            pose,
            turned: false,
            size: Some(Size { length_m: PERSON_M, width_m: PERSON_M, height_m }),
            pockets: None,
            confidence_ratio: confidence(around, pose, PERSON_REACH_M),
        }
    };
    let people = around.people.iter().enumerate().map(seen);
    people.filter(|it| sees(around, it.pose, PERSON_REACH_M, HALF_VIEW_RAD)).collect()
}

/// Whether something is within reach and an angle about ahead, and no wall or shut door is before it.
fn sees(around: &Surroundings<'_>, thing: Pose2, reach_m: f64, half_angle_rad: f64) -> bool {
    let [ahead, left] = around.pose.point_in(thing.x_m, thing.y_m);
    ahead.hypot(left) <= reach_m
        && left.atan2(ahead).abs() <= half_angle_rad
        && around.walls.between([around.pose.x_m, around.pose.y_m], [thing.x_m, thing.y_m]) == 0
}

/// How sure the robot is of something, which falls with its distance; in hundredths.
fn confidence(around: &Surroundings<'_>, thing: Pose2, reach_m: f64) -> f64 {
    let far = around.pose.distance_to(thing.x_m, thing.y_m) / reach_m;
    ((SUREST_RATIO - LESS_SURE_RATIO * far.min(1.0)) * 100.0).round() / 100.0
}
