//! Robot families: where their sensors sit, how they drive, what they say.
//!
//! A body has no pose of its own: the world owns the chassis, asks the body how it wants to move, moves
//! everything, and then lets the body sense what came of it. To add a family, write a folder and its line in
//! [`BODIES`].

mod axbot;
mod battery;
mod camera_driver;
mod check;
mod demand;
mod effect;
mod figure;
mod hinges;
mod identity;
mod kind;
mod lamps;
mod miro;
mod misty;
mod moment;
mod outbox;
mod pera;
mod reports;
mod robotkoop;
mod rover;
mod state;
mod wheels;

use std::sync::Arc;

use latimer_core::model::{Command, Kind};
use latimer_core::{Outcome, PartName, RobotId};
use latimer_simulator_api::Stimulus;

pub use camera_driver::{CameraMode, Exposure};
pub use demand::Demand;
pub use effect::Effect;
pub use figure::{Figure, FigureJoint, FigureLamp, FigurePart, JointRange, label};
pub use kind::BodyKind;
pub use outbox::{Outbox, Wishes};
pub use state::BodyState;

use crate::acoustics::Emission;
use crate::behaviour::{Intent, Senses, Vitals};
use crate::config::WorldFile;
use crate::geometry::Pose2;
use crate::physics::{Footprint, Motion2, Surroundings};
use crate::rng::Rng;
pub use lamps::Glow;

/// The kinds of body there are.
pub static BODIES: &[&BodyKind] = &[&misty::KIND, &axbot::KIND, &pera::KIND, &miro::KIND, &robotkoop::KIND];

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

/// A robot's body. Its [`BodyKind`] describes it, [`BodyState`] is what it has as every body; here it senses and acts.
pub trait Body: Send {
    /// What it has as every body.
    fn state(&mut self) -> &mut BodyState;

    /// Its streams: pictures, scans, sounds, maps, which are made only while they are subscribed to.
    fn streams(&self) -> &[(Kind, PartName)] {
        &[]
    }

    /// The outline of its chassis now, if it is not always that of its kind.
    fn outline(&self) -> Option<Footprint> {
        None
    }

    /// After the world moved: senses and reports.
    fn sense(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>);

    /// What its behaviour may know.
    fn senses(&self) -> Senses;

    /// How it is, as its behaviour may know.
    fn vitals(&self) -> Vitals;

    /// The robot was put elsewhere, turned by this much.
    fn placed(&mut self, _turned_rad: f64) {}

    /// Something happens to it while it truly is at a pose.
    fn poke(&mut self, stimulus: Stimulus, pose: Pose2) -> Result<Outcome, Outcome>;

    /// Takes what its behaviour wants.
    fn intend(&mut self, intent: &Intent);

    /// A command takes over: ends what its behaviour wanted and it does on its own.
    fn taken_over(&mut self) {}

    /// Takes a command; what it reports about it comes out of the next [`Body::sense`].
    fn command(&mut self, command: Command) -> Result<Outcome, Outcome>;

    /// Whether it carries out a drive command that has an end.
    fn is_busy(&self) -> bool;

    /// Before the world moves: how the chassis shall move.
    fn wish(&mut self, motion: Motion2, step_s: f64) -> Wish;

    /// Where it is about to go, if it drives by itself and knows that, on the map.
    fn trend(&self) -> Vec<[f64; 2]> {
        Vec::new()
    }

    /// What it sounds like now.
    fn emissions(&self) -> Vec<Emission> {
        Vec::new()
    }

    /// The lamps that are on.
    fn glows(&self) -> Vec<Glow> {
        Vec::new()
    }
}

impl dyn Body {
    /// The step after the world moved.
    pub fn live(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        self.state().begin(around);
        self.sense(around, out);
        self.state().reports.flush(out);
    }

    /// The robot was put elsewhere, turned by this much.
    pub fn put(&mut self, turned_rad: f64) {
        self.state().fallen = false;
        self.placed(turned_rad);
    }
}

/// The kind of body of a family, if there is one.
pub fn find(family: &str) -> Option<&'static BodyKind> {
    BODIES.iter().copied().find(|kind| kind.family == family)
}

/// The families that have a body, in the order of [`BODIES`].
pub fn families() -> impl Iterator<Item = &'static str> {
    BODIES.iter().map(|kind| kind.family)
}

/// No family has a body of this kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no body of kind {kind:?}; there are: {}", families().collect::<Vec<_>>().join(", "))]
pub struct UnknownKind {
    /// The kind asked for.
    pub kind: String,
}

/// The kind of body of a family.
pub(crate) fn known(family: &str) -> Result<&'static BodyKind, UnknownKind> {
    find(family).ok_or_else(|| UnknownKind { kind: family.to_owned() })
}
