//! What became of a command. A command is never dropped silently.

use super::navigation_goal::Reading;
use super::record::words;

/// The answer to a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The robot took it and is at it.
    Accepted,
    /// It is done.
    Done,
    /// It was measured.
    Sensed(Vec<Reading>),
    /// It will not be done.
    Refused(Refusal),
    /// The robot did not answer in time.
    TimedOut,
}

/// Why a command will not be done: a code for programs, a reason for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// What kind of reason it is.
    pub code: RefusalCode,
    /// What is wrong and what to do.
    pub reason: String,
}

words! {
    /// Kinds of reasons why a command is refused.
    pub enum RefusalCode {
        /// The robot has too much to do already; the same may be taken later.
        Busy = "busy",
        /// The robot cannot do it at all, or its dialect has no word for it.
        Unsupported = "unsupported",
        /// It would be dangerous as the robot is now.
        Unsafe = "unsafe",
        /// An argument is wrong: out of its bounds, or naming what is not there.
        BadArgument = "bad_argument",
        /// The robot is in a state in which it does not do it.
        NotNow = "not_now",
        /// Somebody else moves the robot.
        Owned = "owned",
        /// The robot does not get it: it is not connected, or left before it answered.
        Unreachable = "unreachable",
        /// The client has no role that allows it.
        Forbidden = "forbidden",
    }
}

impl Refusal {
    /// A refusal of a kind, with its reason.
    pub fn new(code: RefusalCode, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }
}

impl From<Refusal> for Outcome {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A constructor for each code.
macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $code:ident,)*) => {
        impl Refusal {
            $($(#[$doc])* pub fn $name(reason: impl Into<String>) -> Self {
                Self::new(RefusalCode::$code, reason)
            })*
        }

        impl Outcome {
            $($(#[$doc])* pub fn $name(reason: impl Into<String>) -> Self {
                Self::Refused(Refusal::$name(reason))
            })*
        }
    };
}

refusals! {
    /// The robot has too much to do already.
    busy = Busy,
    /// The robot cannot do it at all.
    unsupported = Unsupported,
    /// It would be dangerous as the robot is now.
    not_safe = Unsafe,
    /// An argument is wrong.
    bad_argument = BadArgument,
    /// The robot is in a state in which it does not do it.
    not_now = NotNow,
    /// Somebody else moves the robot.
    owned = Owned,
    /// The client has no role that allows it.
    forbidden = Forbidden,
    /// The robot does not get it.
    unreachable = Unreachable,
}

impl Outcome {
    /// What a command comes to that a stop overtook.
    pub const STOPPED: &str = "a stop came after it";

    /// Its word: `accepted`, `done`, `sensed`, `refused`, `timed_out`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Done => "done",
            Self::Sensed(_) => "sensed",
            Self::Refused(_) => "refused",
            Self::TimedOut => "timed_out",
        }
    }

    /// Whether the robot took the command.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Accepted | Self::Done | Self::Sensed(_))
    }

    /// The refusal of a command that a stop overtook.
    pub fn stopped() -> Self {
        Self::not_now(Self::STOPPED)
    }
}
