//! The translation against the specification's samples, and against robots that are none of the vendor's.

mod foreign;
mod golden;
mod hostile;

use latimer_core::{RobotId, Timestamp, Update};

use super::{Received, message_from_update};
use crate::axbot::messages::Context;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;

/// When messages arrive.
const RECEIVED: Timestamp = Timestamp::from_nanos(1_700_000_000_000_000_000);

fn update_from_received(incoming: &Received) -> Update {
    let Received { part, stamp, signal } = incoming.clone();
    let robot = RobotId::new("chassis-1").unwrap();
    Update { robot, part, stamp, received: RECEIVED, signal, native: None, provenance: None }
}

/// What a chassis would send for an update, when it is stamped.
fn encoded(topic: Topic, update: &Update, context: &Context) -> Option<Message> {
    message_from_update(topic, update, &Context { at: update.stamp.at, ..context.clone() })
}
