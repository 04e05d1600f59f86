//! Texts: what robots note and what they say to each other.

use latimer_core::model::signal::{Text, TextChannel};
use latimer_core::{PartName, Value};

use super::units::{cm_from_m, m_from_cm};
use crate::pera::roster::SwarmId;
use crate::pera::topic::Reach;
use crate::pera::wire::comm::CommOut;
use crate::pera::wire::robot::Log;

/// How far a text is heard, beside it.
const REACH: &str = "reach_m";

/// What parts begin with that tell what a robot says.
const OUT: &str = "comm_out_";

/// What parts begin with that tell what a robot hears.
const IN: &str = "comm_in_";

fn text(channel: TextChannel, text: &str, data: Option<Value>) -> Text {
    Text { channel, text: text.into(), data, truncated: None }
}

/// The part that tells what a robot says.
pub(super) fn part_of_out(reach: Reach) -> String {
    format!("{OUT}{}", reach.as_str())
}

/// The part that tells what a robot hears.
pub(super) fn part_of_in(reach: Reach) -> String {
    format!("{IN}{}", reach.as_str())
}

/// What a robot notes.
pub(super) fn text_from_log(log: &Log) -> Text {
    let Log { id: _, msg } = log;
    text(TextChannel::Log, msg, None)
}

/// What a robot says.
pub(super) fn text_from_comm(comm: &CommOut) -> Text {
    let CommOut { id: _, msg, dist } = comm;
    let reach_m = dist.and_then(|dist| m_from_cm(dist.0));
    text(TextChannel::Chat, msg, reach_m.map(|m| Value::Map(vec![(REACH.into(), Value::Float(m))])))
}

/// What a robot hears.
pub(super) fn text_heard(msg: &str) -> Text {
    text(TextChannel::Chat, msg, None)
}

/// What a robot's text is in the swarm.
pub(super) enum Said {
    /// A note.
    Log(Log),
    /// Something for the others.
    Out(Reach, CommOut),
    /// Something that others said.
    In(Reach, String),
}

/// A robot's text in the words of the swarm; `None` for those that go elsewhere.
pub(super) fn said_from_text(id: SwarmId, part: Option<&PartName>, text: &Text) -> Option<Said> {
    let Text { channel, text: msg, data, truncated: _ } = text;
    let msg = msg.to_string();
    let part = part.map_or("", PartName::as_str);
    let reach_of = |word: &str| if word == Reach::Direct.as_str() { Reach::Direct } else { Reach::Simple };
    match channel {
        TextChannel::Log => Some(Said::Log(Log { id, msg })),
        TextChannel::Chat => match part.strip_prefix(IN) {
            Some(reach) => Some(Said::In(reach_of(reach), msg)),
            None => {
                let path = [REACH.into()];
                let reach_m = data.as_ref().and_then(|data| data.at(&path)).and_then(Value::as_f64);
                let comm = CommOut { id, msg, dist: reach_m.map(cm_from_m) };
                Some(Said::Out(reach_of(part.strip_prefix(OUT).unwrap_or_default()), comm))
            }
        },
        TextChannel::Serial | TextChannel::Skill => None,
    }
}
