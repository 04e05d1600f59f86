//! What can be asked of a robot's own behaviour.

use super::PartName;
use super::signal::{Affect, Sleep};

/// Influences on a robot's own behaviour; they hold for a second unless they are renewed, and one without any ends those before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BehaviourDrive {
    /// Pulls how it feels at the moment.
    pub emotion: Option<Pull<Affect>>,
    /// Pulls how it feels in the long run.
    pub mood: Option<Pull<Affect>>,
    /// Pulls how awake it is.
    pub sleep: Option<Pull<Sleep>>,
    /// Biases of its actions, in the robot's order; those that are missing have none.
    pub actions: Vec<ActionBias>,
    /// Something to attend to that the robot does not perceive by itself.
    pub attention: Option<AttentionTarget>,
    /// How loud it shall give voice; 0 is not at all.
    pub vocal_ratio: f64,
    /// Pushes of its body.
    pub pushes: Vec<Push>,
}

/// A target, and which share of the way to it is made in each step of the robot's.
#[derive(Clone, Debug, PartialEq)]
pub struct Pull<T> {
    /// Where to.
    pub target: T,
    /// 1 is at once.
    pub gain_ratio: f64,
}

/// How the priority of an action is changed, in this order: primed, scaled, shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionBias {
    /// The priority grows by this share of itself.
    pub priming_factor: f64,
    /// And by this.
    pub priming_added: f64,
    /// Then it is taken times this.
    pub scale: f64,
    /// And grows by this.
    pub offset: f64,
    /// How much the action is let do what it wants, if the robot does not choose by itself.
    pub disinhibition: f64,
}

impl ActionBias {
    /// Changes nothing.
    pub const NONE: Self =
        Self { priming_factor: 0.0, priming_added: 0.0, scale: 1.0, offset: 0.0, disinhibition: 0.0 };
}

/// Something to attend to, seen from the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionTarget {
    /// Counter-clockwise from where the head faces.
    pub azimuth_rad: f64,
    /// Up from where the head faces.
    pub elevation_rad: f64,
    /// How salient it is, 0..1.
    pub height_ratio: f64,
    /// How much of the field of view it takes up, 0..1.
    pub size_ratio: f64,
}

/// A push at a point of a link, which the joints and then the whole body give way to.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// The link in whose axes the rest is, e.g. `head`.
    pub link: PartName,
    /// Where, metres.
    pub point_m: [f64; 3],
    /// By how much.
    pub way: PushWay,
    /// The body may turn but not go forward or back.
    pub on_the_spot: bool,
}

/// How far a push goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PushWay {
    /// Once, by so many metres.
    Impulse([f64; 3]),
    /// While it holds, so fast, m/s.
    Velocity([f64; 3]),
}
