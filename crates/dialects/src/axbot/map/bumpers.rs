//! `/bumper_state`: two contacts in one message.

use latimer_core::model::signal::{Contact, ContactSensor, Frame};
use latimer_core::{PartName, Stamp, Timestamp};

use super::Received;
use crate::axbot::messages::state::BumperState;
use crate::axbot::wire::Extra;

/// The parts of the bumpers.
pub(in crate::axbot) const BUMP_FRONT: &str = "bump_front";
pub(in crate::axbot) const BUMP_REAR: &str = "bump_rear";

/// A contact for each bumper in the message.
pub(super) fn received_from_bumper_state(message: &BumperState, received: Timestamp) -> Vec<Received> {
    let BumperState { front_bumper_pressed, rear_bumper_pressed, extra: _ } = message;
    let bumpers = [(BUMP_FRONT, front_bumper_pressed), (BUMP_REAR, rear_bumper_pressed)];
    let received_from = |(part, pressed): (&str, &Option<bool>)| {
        let contact = Contact {
            contacted: (*pressed)?,
            sensor: ContactSensor::Bumper,
            position: None,
            frame: Frame::BaseLink,
        };
        Some(Received::of(part, Stamp::gateway(received), contact))
    };
    bumpers.into_iter().filter_map(received_from).collect()
}

/// The bumpers in front and behind, by their names; `None` if there are none such.
pub(super) fn bumper_state(bumpers: &[(PartName, bool)]) -> Option<BumperState> {
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
