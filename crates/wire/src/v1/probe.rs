//! What a probe found of a robot.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a robot offers, and where its messages deviate from their description.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Probe {
    /// The dialect that was spoken.
    pub dialect: String,
    /// Where the robot is, as it was asked for, without a login.
    pub address: String,
    /// How long it was observed.
    pub observed_s: f64,
    /// What the robot is.
    pub device: ProbeDevice,
    /// How the connection was.
    pub link: ProbeLink,
    /// How the robot's clock stands.
    pub clock: ProbeClock,
    /// What came, by topic.
    pub topics: Vec<ProbeTopic>,
    /// Topics that are described and never came.
    pub silent: Vec<String>,
    /// What deviates, each once.
    pub deviations: Vec<ProbeDeviation>,
}

/// What a robot is, as far as it tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct ProbeDevice {
    /// Who made it.
    pub maker: Option<String>,
    /// Which model.
    pub model: Option<String>,
    /// Serial number.
    pub serial: Option<String>,
    /// Software version.
    pub firmware: Option<String>,
    /// Hardware version.
    pub hardware: Option<String>,
}

/// How a connection was.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct ProbeLink {
    /// Whether it was up at the end.
    pub up: bool,
    /// Why it was not.
    pub reason: Option<String>,
    /// How long a TCP connection took, which is one round trip.
    pub round_trip_s: f64,
    /// How long it took until the robot answered in its dialect.
    pub up_after_s: f64,
    /// How often it came back.
    pub reconnects: u32,
    /// The longest time in which nothing came.
    pub longest_silence_s: f64,
    /// Updates that came and were lost in this program, so that counts are too small.
    pub lost: u64,
}

/// How a robot's clock stands, by the times in its messages.
#[derive(Clone, Debug, Default, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct ProbeClock {
    /// This machine's clock minus the robot's, at least; `null` if no message has a time.
    pub skew_min_s: Option<f64>,
    /// The same at most: a stamp of whole seconds says no more than that.
    pub skew_max_s: Option<f64>,
    /// How much longer than the fastest message half of them took at most.
    pub delay_median_s: Option<f64>,
    /// The same of the slowest one.
    pub delay_max_s: Option<f64>,
}

/// What came of a topic.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct ProbeTopic {
    /// Event type or topic, as it is described; as it came if it is not.
    pub topic: String,
    /// Whether it is described.
    pub described: bool,
    /// Messages.
    pub count: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// How often they came; `null` of fewer than three.
    pub rate_hz: Option<f64>,
    /// How often the specification says that they come.
    pub specified_hz: Option<f64>,
    /// The shortest time between two messages.
    pub gap_min_s: Option<f64>,
    /// The longest time between two messages.
    pub gap_max_s: Option<f64>,
    /// Described fields that were in none of the messages and may be left out.
    pub absent: Vec<String>,
}

/// How messages deviate from their description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeFault {
    /// A field is not there.
    Missing,
    /// A field is there that nobody described.
    Extra,
    /// A value is of another type.
    Mistyped,
    /// A message is not understood as a whole.
    NotUnderstood,
    /// Messages come more than twice as often as specified, or less than half as often, also by the robot's own clock.
    Rate,
}

/// One deviation, of all messages that have it.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct ProbeDeviation {
    /// The topic, as in `topics`.
    pub topic: String,
    /// What is wrong.
    pub fault: ProbeFault,
    /// The field, with `[]` for each item of a list; empty for the message.
    pub path: String,
    /// What belongs there, if that is described.
    pub expected: Option<String>,
    /// What stood there in the first such message.
    pub found: Option<String>,
    /// Messages that deviate so.
    pub count: u64,
}

impl ProbeFault {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::Mistyped => "mistyped",
            Self::NotUnderstood => "not understood",
            Self::Rate => "rate",
        }
    }
}
