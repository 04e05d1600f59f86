//! What happens to a robot, and what has to be done.

use crate::authority::{Bounded, Latch, Policy, Seen};
use crate::clock::Timestamp;
use crate::model::{Author, Command, Motion, Outcome, Update};

/// What happens to a robot.
pub(crate) enum Event<'a> {
    /// A client asks for something.
    Asked {
        author: &'a Author,
        command: Command,
        /// A stop came since it was decided on.
        is_overtaken: bool,
    },
    /// A command is in line for it: of a client, or of the gateway's own accord.
    Sent { command: &'a Command, by_gateway: bool },
    /// What became of a command that was sent then.
    Answered { motion: Motion, given: Timestamp, outcome: &'a Outcome, by_gateway: bool },
    /// It said something.
    Reported(&'a Update),
    /// It can be reached, or no more.
    Link { is_up: bool },
    /// What the config says of it.
    Policy(Policy),
    /// The navigator has brought it where it was to be.
    Arrived,
    /// Time passed. Tells when a connected author was there last.
    Look { seen: &'a dyn Fn(&Author) -> Seen },
    /// A person has seen that it stands.
    SeenToStand,
}

/// Why the gateway stops a robot of its own accord.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Who drove it has gone.
    Orphan(Author),
    /// It has left its area.
    Outside,
    /// It has an area, and nothing tells where it is.
    Lost,
    /// It is faster than its bounds.
    TooFast,
    /// It was stopped so many times before, and does not stand. The stop voids nothing that it was given since, but for what it did not
    /// answer.
    Again { repeats: u32, voids: bool },
}

impl Cause {
    /// Whether what the robot was given before is void by the stop.
    pub(crate) const fn voids(&self) -> bool {
        !matches!(self, Self::Again { voids: false, .. })
    }
}

/// What has to be done.
#[derive(Debug)]
pub(crate) enum Effect {
    /// The command that was asked for goes to the robot, limited perhaps, and this is what was changed.
    Send(Bounded, Option<String>),
    /// It is done without the robot.
    Done,
    /// It does not go.
    Refuse(Outcome),
    /// The robot has to be stopped.
    Stop(Cause),
    /// It gets another speed on the way to the one that was commanded.
    Adjust(Bounded),
    /// What is wrong with it has changed.
    Alerts,
    /// Whether its reports of motion are needed has changed.
    Reports,
    /// What a robot of this name must be held to after a restart has changed.
    Keep,
    /// It has to be looked at then, if not before.
    LookAt(Timestamp),
}

/// What outlives a robot's stay in the hub, and the gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The emergency stop is pressed.
    pub latch: Option<Latch>,
    /// It was set in motion, or given a stop, and nothing has shown since that it stands.
    pub may_move: bool,
}

/// A stop that a robot was given and that nothing shows it to have obeyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unstopped {
    /// When it was given.
    pub since: Timestamp,
    /// What is known, for people: it moves still, did not take it, or does not confirm that it stands.
    pub message: &'static str,
}

/// Whether a robot moves, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionKnown {
    /// It stands, which it reported lately.
    Standing,
    /// It moves, or may.
    Moving,
    /// Nothing shows it.
    Unknown,
}

impl MotionKnown {
    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standing => "standing",
            Self::Moving => "moving",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether a robot moves, and what shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionCondition {
    /// Whether it does.
    pub state: MotionKnown,
    /// What shows it, for people.
    pub reason: &'static str,
    /// When that was heard or commanded last, if ever.
    pub since: Option<Timestamp>,
}
