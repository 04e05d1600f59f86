//! What it looks like and what can be done with it.

use latimer_core::model::Kind;

use super::eyes::{CAMERAS, Eyes};
use super::neck::{self, Angles};
use super::parts::{
    BODY_TOUCHES, CLIFFS, COSMETICS, EYE_FIELD_RAD, FOOTPRINT, HEAD_TOUCHES, JOINTS, LAMPS, LIGHTS, NOSE_M,
    RIGHT_EAR_M, SONAR_FIELD_RAD, SONAR_M, WHEELS,
};
use super::voice;
use crate::bodies::figure::{Figure, FigureJoint, FigureLamp, FigurePart, outline};
use crate::bodies::looks;

/// What people call the lamps, numbered as the parts are.
const LAMP_LABELS: [&str; 6] = ["Lamp 0", "Lamp 1", "Lamp 2", "Lamp 3", "Lamp 4", "Lamp 5"];

/// Height of the cliff sensors above the floor, metres (plausible).
const CLIFF_M: f64 = 0.03;

pub(in crate::bodies) fn figure() -> Figure {
    let (color, height_m) = looks("miro");
    let joints = JOINTS.map(|(part, min, max, first, _)| FigureJoint::degrees(part, min, max, first));
    let cosmetics = COSMETICS.map(|(part, lowest, _)| FigureJoint::share(part, lowest));
    let lamps = LAMPS.iter().zip(LAMP_LABELS).map(|(part, label)| FigureLamp { part: Some(part), label });
    Figure {
        family: "miro",
        title: "MiRo",
        outline_m: outline(FOOTPRINT),
        height_m,
        color,
        parts: parts(),
        joints: joints.into_iter().chain(cosmetics).collect(),
        lamps: lamps.collect(),
        cameras: CAMERAS.iter().flat_map(|name| Eyes::KINDS.map(|kind| (kind, *name))).collect(),
        key_phrase: None,
        sounds: voice::names().collect(),
        stimuli: &["touch", "sound", "battery", "lift", "place", "fail", "heat"],
        commands: &[
            "drive",
            "drive_tracks",
            "stop",
            "halt",
            "joints",
            "lamp",
            "play",
            "hazard_settings",
            "camera",
        ],
        max_linear_mps: WHEELS.max_mps,
        max_angular_radps: WHEELS.max_radps(),
    }
}

fn parts() -> Vec<FigurePart> {
    let [tilt, lift, yaw, pitch] = JOINTS.map(|(_, _, _, first, _)| first.to_radians());
    let head = neck::head(Angles { tilt, lift, yaw, pitch });
    let sonar =
        FigurePart::new(Kind::Range, "sonar", head.point_out(NOSE_M)).wide(SONAR_FIELD_RAD).far(SONAR_M[1]);
    let cliffs =
        CLIFFS.iter().map(|(name, x_m, y_m)| FigurePart::new(Kind::Cliff, name, [*x_m, *y_m, CLIFF_M]));
    let lights =
        LIGHTS.iter().map(|(name, at_m, yaw_rad)| FigurePart::new(Kind::Light, name, *at_m).turned(*yaw_rad));
    let head_touches =
        HEAD_TOUCHES.iter().map(|(name, at_m)| FigurePart::new(Kind::Contact, name, head.point_out(*at_m)));
    let body_touches = BODY_TOUCHES.iter().map(|(name, at_m)| FigurePart::new(Kind::Contact, name, *at_m));
    let eyes = CAMERAS.iter().zip([true, false]).map(|(name, left)| {
        let eye = neck::eye(head, left);
        let [_, _, yaw_rad] = eye.roll_pitch_yaw();
        FigurePart::new(Kind::Image, name, eye.at_m).turned(yaw_rad).wide(EYE_FIELD_RAD)
    });
    // The microphones are told as one stream: between the ears.
    let [x_m, _, z_m] = RIGHT_EAR_M;
    let ears = FigurePart::new(Kind::Audio, "mics", head.point_out([x_m, 0.0, z_m]));
    let all = [sonar].into_iter().chain(cliffs).chain(lights).chain(head_touches).chain(body_touches);
    all.chain(eyes).chain([ears]).collect()
}
