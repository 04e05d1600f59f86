//! What it looks like and what can be done with it.

use latimer_core::model::profile::MapUse;
use latimer_core::model::signal::TextChannel;
use latimer_core::model::{Kind, RobotProfile};

use super::parts::{BEARINGS, COLOR_REACH_M, FOOTPRINT, LIGHT_HEIGHT_M, RADIUS_M, REACH_M, WHEELS};
use super::{KIND, LAMP};
use crate::bodies::figure::{Figure, FigureLamp, FigurePart, outline};

pub(super) fn figure() -> Figure {
    let parts = BEARINGS.iter().flat_map(|(name, bearing_rad)| {
        let (sin, cos) = bearing_rad.sin_cos();
        let at_m = [RADIUS_M * cos, RADIUS_M * sin, LIGHT_HEIGHT_M];
        let range = FigurePart::new(Kind::Range, name, at_m).turned(*bearing_rad).far(REACH_M);
        let color = FigurePart::new(Kind::Color, name, at_m).turned(*bearing_rad).far(COLOR_REACH_M);
        [range, color]
    });
    Figure {
        kind: &KIND,
        outline_m: outline(FOOTPRINT),
        parts: parts.collect(),
        joints: Vec::new(),
        lamps: vec![FigureLamp { part: Some(LAMP.0), label: "Lamp" }],
        cameras: Vec::new(),
        key_phrase: None,
        sounds: Vec::new(),
        kinds: &[
            Kind::Battery,
            Kind::Color,
            Kind::Device,
            Kind::Imu,
            Kind::Lamp,
            Kind::Link,
            Kind::Pose,
            Kind::Range,
            Kind::Text,
            Kind::Velocity,
        ],
        stimuli: &["skill_message", "battery", "lift", "place"],
        commands: &["drive", "drive_tracks", "stop", "halt", "lamp", "skill_message"],
        max_linear_mps: WHEELS.max_mps,
        max_angular_radps: WHEELS.max_radps(),
    }
}

/// What it has and can.
pub(super) fn profile() -> RobotProfile {
    RobotProfile {
        attitude: true,
        texts: vec![TextChannel::Chat, TextChannel::Log],
        map: MapUse::Localizes,
        ..figure().profile()
    }
}
