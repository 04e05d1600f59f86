//! `/bumper_state`: two contacts in one message.

use latimer_core::model::signal::{Contact, ContactSensor, Frame};
use latimer_core::{PartName, Stamp};

use super::{FromRecord, Received, ToSignals};
use crate::axbot::messages::Context;
use crate::axbot::messages::state::BumperState;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Extra;
use crate::describe::Incomplete;

impl ToSignals for BumperState {
    /// A contact for each bumper in the message.
    fn signals(&self, _: Topic, context: &Context) -> Result<Vec<Received>, Incomplete> {
        let Self { front_bumper_pressed, rear_bumper_pressed, extra: _ } = self;
        let bumpers = [("bump_front", front_bumper_pressed), ("bump_rear", rear_bumper_pressed)];
        let received_from = |(part, pressed): (&str, &Option<bool>)| {
            let contact = Contact {
                contacted: (*pressed)?,
                sensor: ContactSensor::Bumper,
                position: None,
                frame: Frame::BaseLink,
            };
            Some(Received::of(part, Stamp::gateway(context.at), contact))
        };
        Ok(bumpers.into_iter().filter_map(received_from).collect())
    }
}

impl FromRecord<Contact> for BumperState {
    fn from_record(contact: &Contact, _: Topic, context: &Context) -> Option<Self> {
        (contact.sensor == ContactSensor::Bumper).then(|| bumper_state(&context.bumpers))?
    }
}

/// The bumpers in front and behind, by their names; `None` if there are none such.
fn bumper_state(bumpers: &[(PartName, bool)]) -> Option<BumperState> {
    let pressed = |names: &[&str]| {
        let mut there =
            bumpers.iter().filter(|(part, _)| names.iter().any(|name| part.as_str().contains(name)));
        let first = there.next().map(|(_, pressed)| *pressed)?;
        Some(there.fold(first, |any, (_, pressed)| any | *pressed))
    };
    let (front, rear) = (pressed(&["front"]), pressed(&["rear", "back"]));
    front.or(rear)?;
    Some(BumperState { front_bumper_pressed: front, rear_bumper_pressed: rear, extra: Extra::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bumpers_count_by_where_they_are() {
        let bumpers = |all: &[(&str, bool)]| {
            let all: Vec<_> = all.iter().map(|(part, pressed)| (PartName::of(part), *pressed)).collect();
            bumper_state(&all).map(|it| (it.front_bumper_pressed, it.rear_bumper_pressed))
        };
        assert_eq!(
            bumpers(&[("bump_front_left", false), ("bump_front_right", true)]),
            Some((Some(true), None))
        );
        assert_eq!(
            bumpers(&[("bump_back_left", false), ("bump_front", false)]),
            Some((Some(false), Some(false)))
        );
        assert_eq!(bumpers(&[("skirt", true)]), None);
        assert_eq!(bumpers(&[]), None);
    }
}
