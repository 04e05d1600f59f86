//! What it looks like and what can be done with it.

use latimer_core::model::Kind;

use super::LAMP;
use super::parts::{BEARINGS, COLOR_REACH_M, FOOTPRINT, LIGHT_HEIGHT_M, RADIUS_M, REACH_M, WHEELS};
use crate::bodies::figure::{Figure, FigureLamp, FigurePart, outline};
use crate::bodies::looks;

pub(in crate::bodies) fn figure() -> Figure {
    let (color, height_m) = looks("pera");
    let parts = BEARINGS.iter().flat_map(|(name, bearing_rad)| {
        let (sin, cos) = bearing_rad.sin_cos();
        let at_m = [RADIUS_M * cos, RADIUS_M * sin, LIGHT_HEIGHT_M];
        let range = FigurePart::new(Kind::Range, name, at_m).turned(*bearing_rad).far(REACH_M);
        let color = FigurePart::new(Kind::Color, name, at_m).turned(*bearing_rad).far(COLOR_REACH_M);
        [range, color]
    });
    Figure {
        family: "pera",
        title: "Pera Swarm robot",
        outline_m: outline(FOOTPRINT),
        height_m,
        color,
        parts: parts.collect(),
        joints: Vec::new(),
        lamps: vec![FigureLamp { part: Some(LAMP), label: "Lamp" }],
        cameras: Vec::new(),
        key_phrase: None,
        sounds: Vec::new(),
        stimuli: &["battery", "lift", "place"],
        commands: &["drive", "drive_tracks", "stop", "halt", "lamp", "skill_message"],
        max_linear_mps: WHEELS.max_mps,
        max_angular_radps: WHEELS.max_radps(),
    }
}
