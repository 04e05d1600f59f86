//! What a robot asks for, and waits for until it is its turn.

use std::collections::VecDeque;
use std::sync::Arc;

use latimer_core::model::Realities;
use latimer_mqtt::QueueItem;

use crate::pera::roster::SwarmId;
use crate::pera::topic::Reach;
use crate::pera::wire::Number;

/// What a robot asks for, and waits for until it is its turn.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) enum Request {
    /// A reading.
    Sense(Sense),
    /// Where it is.
    Localization,
    /// All that is known of it.
    Snapshot,
    /// That others hear what it says.
    Call(Call),
}

/// A reading that a robot wants to know.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) struct Sense {
    pub(in crate::pera::simulator) wish: Wish,
    pub(in crate::pera::simulator) realities: Realities,
}

/// Of which sensor.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) enum Wish {
    Distance,
    Color,
    Proximity(Vec<Number>),
    Compass,
}

/// What a robot says, and to whom it was not passed on yet.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) struct Call {
    pub(super) reach: Reach,
    /// The same text for all of them.
    pub(super) text: Arc<str>,
    pub(super) to: VecDeque<SwarmId>,
}

impl QueueItem for Request {
    fn bytes(&self) -> usize {
        match self {
            Self::Sense(Sense { wish: Wish::Proximity(angles), .. }) => size_of_val(&angles[..]),
            Self::Call(Call { text, to, .. }) => text.len() + to.len() * size_of::<SwarmId>(),
            Self::Sense(_) | Self::Localization | Self::Snapshot => 0,
        }
    }

    /// Each who is reached gets a message of its own.
    fn split(&mut self) -> Option<Self> {
        match self {
            Self::Call(Call { reach, text, to }) if to.len() > 1 => {
                let first = to.pop_front()?;
                Some(Self::Call(Call { reach: *reach, text: text.clone(), to: [first].into() }))
            }
            _ => None,
        }
    }
}
