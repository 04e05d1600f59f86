//! Texts: what robots note and what they say to each other.

use latimer_core::PartName;
use latimer_core::model::signal::{Text, TextChannel};

use crate::describe::Translate;
use crate::pera::messages::Context;
use crate::pera::messages::comm::{CommIn, CommOut};
use crate::pera::messages::robot::Log;
use crate::pera::topic::Reach;
use crate::pera::wire::Message;

/// What parts begin with that tell what a robot says.
const OUT: &str = "comm_out_";

/// What parts begin with of messages that reach a robot.
const IN: &str = "comm_in_";

/// The part that tells what a robot says.
pub(super) fn part_of_out(reach: Reach) -> String {
    format!("{OUT}{}", reach.as_str())
}

/// The part of messages that reach a robot.
pub(super) fn part_of_in(reach: Reach) -> String {
    format!("{IN}{}", reach.as_str())
}

/// A robot's text in the words of the swarm; `None` for those that go elsewhere.
pub(super) fn message_from_text(part: Option<&PartName>, text: &Text, context: &Context) -> Option<Message> {
    let part = part.map_or("", PartName::as_str);
    let reach_of = |word: &str| if word == Reach::Direct.as_str() { Reach::Direct } else { Reach::Simple };
    match text.channel {
        TextChannel::Log => Some(Message::Log(Log::encode(text, context)?)),
        TextChannel::Chat => match part.strip_prefix(IN) {
            Some(reach) => {
                let CommIn(msg) = CommIn::encode(text, context)?;
                Some(Message::CommIn(reach_of(reach), context.id, msg))
            }
            None => {
                let reach = reach_of(part.strip_prefix(OUT).unwrap_or_default());
                Some(Message::CommOut(reach, CommOut::encode(text, context)?))
            }
        },
        TextChannel::Serial | TextChannel::Skill => None,
    }
}
