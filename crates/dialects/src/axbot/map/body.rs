//! `/jack_state`, `/roller_state`, `/bumper_state`, `/io_pins_state`, `/robot_signal`.
//!
//! | wire | model |
//! |---|---|
//! | `state` of the jack | the sign of `velocity_ratiops` |
//! | `progress`, 0..1 | `position_ratio` |
//! | `self_check_state` `no_error`, `up`, `down`, `error` | `self_check` passed, up, down, failed |
//! | `front_bumper_pressed`, `rear_bumper_pressed` | contacts `bump_front`, `bump_rear` |

use latimer_core::model::signal::{Contact, ContactSensor, Frame, Indicators, Joint, Pins, SelfCheck};
use latimer_core::{PartName, Stamp, Timestamp};

use super::Received;
use super::units::{finite, tidy};
use super::words::{meaning_of, word_of};
use crate::axbot::wire::Extra;
use crate::axbot::wire::state::{BumperState, IoPinsState, JackState, RobotSignal, RollerState};

const JACK: &str = "jack";
const ROLLER: &str = "roller";

/// The parts of the bumpers.
pub(in crate::axbot) const BUMP_FRONT: &str = "bump_front";
pub(in crate::axbot) const BUMP_REAR: &str = "bump_rear";

/// About how fast jacks and rollers go, which take ten seconds: the wire tells the direction alone.
const RATE_RATIOPS: f64 = 0.1;

/// Words of a joint: for what is not known, for standing still, forth, back.
struct Directions {
    unknown: &'static str,
    hold: &'static str,
    up: &'static str,
    down: &'static str,
}

const JACKING: Directions =
    Directions { unknown: "unknown", hold: "hold", up: "jacking_up", down: "jacking_down" };

const ROLLING: Directions = Directions { unknown: "unknown", hold: "hold", up: "loading", down: "unloading" };

pub(in crate::axbot) const CHECKS: [(&str, SelfCheck); 5] = [
    ("no_error", SelfCheck::Passed),
    ("up", SelfCheck::Up),
    ("down", SelfCheck::Down),
    ("error", SelfCheck::Failed),
    ("unknown", SelfCheck::Unknown),
];

impl Directions {
    fn rate_from_word(&self, word: &str) -> Option<f64> {
        let Self { unknown: _, hold, up, down } = self;
        [(hold, 0.0), (up, RATE_RATIOPS), (down, -RATE_RATIOPS)]
            .into_iter()
            .find(|(known, _)| **known == word)
            .map(|(_, rate)| rate)
    }

    fn word_from_rate(&self, rate: Option<f64>) -> &'static str {
        match rate.and_then(finite) {
            None => self.unknown,
            Some(rate) if rate > 0.0 => self.up,
            Some(rate) if rate < 0.0 => self.down,
            Some(_) => self.hold,
        }
    }
}

/// The jack.
pub(super) fn heard_from_jack_state(message: &JackState, received: Timestamp) -> Received {
    let JackState { state, progress, self_checking, self_check_state, extra: _ } = message;
    let check = self_check_state.as_deref().and_then(|word| meaning_of(&CHECKS, word));
    let joint = Joint {
        position_ratio: *progress,
        velocity_ratiops: state.as_deref().and_then(|word| JACKING.rate_from_word(word)),
        self_check: check.or(self_checking.map(|_| SelfCheck::Unknown)),
        ..Joint::UNKNOWN
    };
    Received::of(JACK, Stamp::gateway(received), joint)
}

/// The jack.
pub(super) fn jack_state(joint: &Joint) -> JackState {
    let check = joint.self_check;
    JackState {
        state: Some(JACKING.word_from_rate(joint.velocity_ratiops).to_owned()),
        progress: joint.position_ratio.and_then(finite).map(tidy),
        self_checking: check.map(|check| matches!(check, SelfCheck::Up | SelfCheck::Down)),
        self_check_state: check.and_then(|check| word_of(&CHECKS, &check)).map(str::to_owned),
        extra: Extra::new(),
    }
}

/// The roller; how full it is is not told.
pub(super) fn heard_from_roller_state(message: &RollerState, received: Timestamp) -> Received {
    let RollerState { state, extra: _ } = message;
    let rate = state.as_deref().and_then(|word| ROLLING.rate_from_word(word));
    Received::of(ROLLER, Stamp::gateway(received), Joint { velocity_ratiops: rate, ..Joint::UNKNOWN })
}

/// The roller.
pub(super) fn roller_state(joint: &Joint) -> RollerState {
    let word = ROLLING.word_from_rate(joint.velocity_ratiops);
    RollerState { state: Some(word.to_owned()), extra: Extra::new() }
}

/// Each bumper that is told.
pub(super) fn heard_from_bumper_state(message: &BumperState, received: Timestamp) -> Vec<Received> {
    let BumperState { front_bumper_pressed, rear_bumper_pressed, extra: _ } = message;
    let bumpers = [(BUMP_FRONT, front_bumper_pressed), (BUMP_REAR, rear_bumper_pressed)];
    let heard = |(part, pressed): (&str, &Option<bool>)| {
        let contact = Contact {
            contacted: (*pressed)?,
            sensor: ContactSensor::Bumper,
            position: None,
            frame: Frame::BaseLink,
        };
        Some(Received::of(part, Stamp::gateway(received), contact))
    };
    bumpers.into_iter().filter_map(heard).collect()
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

/// Digital inputs and outputs.
pub(super) fn heard_from_io_pins_state(message: &IoPinsState, received: Timestamp) -> Received {
    let IoPinsState { inputs, outputs, extra: _ } = message;
    let pins = |boards: &Option<Vec<Vec<i64>>>| {
        let boards = boards.as_deref().unwrap_or_default();
        boards.iter().map(|board| board.iter().map(|pin| *pin != 0).collect()).collect()
    };
    Received::new(None, Stamp::gateway(received), Pins { inputs: pins(inputs), outputs: pins(outputs) })
}

/// Digital inputs and outputs.
pub(super) fn io_pins_state(pins: &Pins) -> IoPinsState {
    let Pins { inputs, outputs } = pins;
    let wire = |boards: &[Vec<bool>]| {
        Some(boards.iter().map(|board| board.iter().map(|pin| i64::from(*pin)).collect()).collect())
    };
    IoPinsState { inputs: wire(inputs), outputs: wire(outputs), extra: Extra::new() }
}

/// What the robot shows to others; nothing if one of the four is missing.
pub(super) fn heard_from_robot_signal(message: &RobotSignal, received: Timestamp) -> Option<Received> {
    let RobotSignal { turn_left, turn_right, brake, reverse, extra: _ } = message;
    let indicators = Indicators {
        turn_left: (*turn_left)?,
        turn_right: (*turn_right)?,
        brake: (*brake)?,
        reverse: (*reverse)?,
    };
    Some(Received::new(None, Stamp::gateway(received), indicators))
}

/// What the robot shows to others.
pub(super) fn robot_signal(indicators: &Indicators) -> RobotSignal {
    let Indicators { turn_left, turn_right, brake, reverse } = indicators;
    RobotSignal {
        turn_left: Some(*turn_left),
        turn_right: Some(*turn_right),
        brake: Some(*brake),
        reverse: Some(*reverse),
        extra: Extra::new(),
    }
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

    #[test]
    fn a_jack_tells_its_direction_and_its_check() {
        for word in ["hold", "jacking_up", "jacking_down", "unknown"] {
            for (check, _) in CHECKS {
                let message = JackState {
                    state: Some(word.into()),
                    progress: Some(0.35),
                    self_checking: Some(matches!(check, "up" | "down")),
                    self_check_state: Some(check.into()),
                    extra: Extra::new(),
                };
                let heard = heard_from_jack_state(&message, Timestamp::default());
                let latimer_core::Signal::Joint(joint) = heard.signal else { panic!() };
                assert_eq!(jack_state(&joint), message);
            }
        }
        assert_eq!(
            roller_state(&Joint { velocity_ratiops: Some(-0.2), ..Joint::UNKNOWN }).state.as_deref(),
            Some("unloading")
        );
    }
}
