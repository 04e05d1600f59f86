//! Robot families: where their sensors sit, how they drive, what they say.
//!
//! A body has no pose of its own: the world owns the chassis, asks the body how it wants to move, moves
//! everything, and then lets the body sense what came of it. To add a family, write a folder beside
//! `misty` and a line in [`make`].

mod axbot;
mod check;
mod deed;
mod demand;
mod eye;
mod figure;
mod lamps;
mod miro;
mod misty;
mod moment;
mod outbox;
mod papers;
mod pera;
mod reports;
mod robotkoop;
mod rover;
mod wheels;

use std::sync::Arc;

use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName, RobotId};

pub use axbot::Axbot;
pub use deed::Deed;
pub use demand::Demand;
pub use eye::{Exposure, EyeSettings};
pub use figure::{Figure, FigureJoint, FigureLamp, FigurePart, JointRange, label};
pub use miro::Miro;
pub use misty::Misty;
pub use outbox::{Outbox, Wishes};
pub use pera::Pera;
pub use robotkoop::RobotKoop;

use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::{Color, WorldFile};
use crate::geometry::Pose2;
use crate::physics::{Footprint, Motion2, Surroundings};
use crate::rng::Rng;

/// The kinds of body there are.
pub const KINDS: &[&str] = &["misty", "axbot", "pera", "miro", "robotkoop"];

/// What a body is made from.
pub struct Origin<'a> {
    /// Its name.
    pub robot: &'a RobotId,
    /// Its own chance.
    pub rng: Rng,
    /// The world that it wakes up in.
    pub file: &'a Arc<WorldFile>,
    /// Where it is, on the map.
    pub at: Pose2,
}

/// How a body wants its chassis to move in the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// Forward, m/s.
    pub forward_mps: f64,
    /// Counter-clockwise, rad/s.
    pub turn_radps: f64,
}

impl Wish {
    /// Stand.
    pub const STAND: Self = Self { forward_mps: 0.0, turn_radps: 0.0 };
}

/// A robot's body.
pub trait Body: Send {
    /// Its family, e.g. `misty`.
    fn family(&self) -> &'static str;

    /// The outline of its chassis.
    fn footprint(&self) -> Footprint;

    /// Its streams: pictures, scans, sounds, maps, which are made only while somebody wants them.
    fn streams(&self) -> &[(Kind, PartName)] {
        &[]
    }

    /// What its behaviour may know.
    fn senses(&self) -> Senses;

    /// How it is, as its behaviour may know.
    fn vitals(&self) -> Vitals {
        Vitals::default()
    }

    /// Takes what its behaviour wants.
    fn intend(&mut self, intent: &Intent);

    /// Whether it carries out a drive command that has an end.
    fn is_busy(&self) -> bool;

    /// Takes a command while it truly is at a pose; what it has to say about it is said at the next
    /// [`Body::sense`].
    fn command(&mut self, command: Command, pose: Pose2) -> Outcome;

    /// Before the world moves: how the chassis shall move.
    fn wish(&mut self, motion: Motion2, step_s: f64) -> Wish;

    /// After the world moved: senses and reports.
    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>);

    /// Where it is about to go, if it drives by itself and knows that, on the map.
    fn trend(&self) -> Vec<[f64; 2]> {
        Vec::new()
    }

    /// The robot was put elsewhere, turned by this much.
    fn placed(&mut self, turned_rad: f64);
}

/// The outline of a kind of body, if there is such a kind.
pub fn footprint(kind: &str) -> Option<Footprint> {
    match kind {
        "misty" => Some(Misty::FOOTPRINT),
        "axbot" => Some(Axbot::FOOTPRINT),
        "miro" => Some(Miro::FOOTPRINT),
        "pera" => Some(Pera::FOOTPRINT),
        "robotkoop" => Some(RobotKoop::FOOTPRINT),
        _ => None,
    }
}

/// What a robot of a family looks like to cameras: its colour and how tall it is, metres.
pub fn looks(family: &str) -> (Color, f64) {
    match family {
        "misty" => (Color([0xf2, 0xf2, 0xee]), 0.35),
        "axbot" => (Color([0x3b, 0x44, 0x52]), 1.05),
        "pera" => (Color([0x2d, 0x7d, 0x46]), 0.06),
        "miro" => (Color([0xe6, 0xe0, 0xd2]), 0.3),
        "robotkoop" => (Color([0xb5, 0x4d, 0x2e]), 1.2),
        _ => (Color::PLAIN, 0.35),
    }
}

/// What a robot of a kind looks like and what can be done with it, if there is such a kind.
pub fn figure(kind: &str) -> Option<Figure> {
    match kind {
        "misty" => Some(misty::figure()),
        "axbot" => Some(axbot::figure()),
        "miro" => Some(miro::figure()),
        "pera" => Some(pera::figure()),
        "robotkoop" => Some(robotkoop::figure()),
        _ => None,
    }
}

/// The figures of all kinds, in the order of [`KINDS`].
pub fn figures() -> impl Iterator<Item = Figure> {
    KINDS.iter().filter_map(|kind| figure(kind))
}

/// A body of a kind, if there is such a kind.
pub fn make(kind: &str, origin: Origin<'_>) -> Option<Box<dyn Body>> {
    match kind {
        "misty" => Some(Box::new(Misty::new(origin))),
        "axbot" => Some(Box::new(Axbot::new(origin))),
        "miro" => Some(Box::new(Miro::new(origin))),
        "pera" => Some(Box::new(Pera::new(origin))),
        "robotkoop" => Some(Box::new(RobotKoop::new(origin))),
        _ => None,
    }
}
