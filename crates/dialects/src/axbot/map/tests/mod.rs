//! The translation against the specification's samples, and against robots that are none of the vendor's.

mod foreign;
mod golden;
mod hostile;
mod strange;

use bytes::Bytes;
use latimer_core::model::profile::Ray;
use latimer_core::model::signal::{MapInfo, Pose};
use latimer_core::{PartName, RobotId, Timestamp, Update};

use super::{Known, Received, message_from_update};
use crate::axbot::style::Style;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;

/// When messages arrive.
const RECEIVED: Timestamp = Timestamp::from_nanos(1_700_000_000_000_000_000);

fn update_from_heard(heard: &Received) -> Update {
    let Received { part, stamp, signal } = heard.clone();
    let robot = RobotId::new("chassis-1").unwrap();
    Update { robot, part, stamp, received: RECEIVED, signal, native: None }
}

/// What else is known in a test.
#[derive(Default)]
struct Beside {
    style: Style,
    pose: Option<Pose>,
    map: Option<MapInfo>,
    mapless: bool,
    sonar: Option<Ray>,
    bumpers: Vec<(PartName, bool)>,
}

impl Beside {
    fn message(&self, topic: Topic, update: &Update) -> Option<Message> {
        let keep = |word: &str, _: &Bytes| format!("static-files/{word}.png");
        let known = Known {
            style: self.style,
            pose: self.pose.as_ref(),
            mapless: self.mapless,
            sonar: self.sonar,
            map: self.map.as_ref(),
            bumpers: &self.bumpers,
            keep: &keep,
        };
        message_from_update(topic, update, &known)
    }
}
