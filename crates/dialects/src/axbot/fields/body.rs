//! What moves on the robot, touches it or shows on it.

use latimer_core::model::Kind;

use super::{message, ratio};
use crate::axbot::topic::Topic;
use crate::table::{FieldPair, Message};

pub(super) const JACK_STATE: Message = message(
    Topic::JackState,
    &[Kind::Joint],
    "The jack; the part is `jack`.",
    &[
        FieldPair::same("state", Kind::Joint, "velocity_ratiops")
            .note("`hold` is 0, `jacking_up` above, `jacking_down` below; the wire does not tell how fast"),
        ratio("progress", Kind::Joint, "position_ratio").note("1 is up"),
        FieldPair::own("self_checking", "whether `self_check_state` is `up` or `down`"),
        FieldPair::words(
            "self_check_state",
            Kind::Joint,
            "self_check",
            &[
                ("no_error", "passed"),
                ("up", "up"),
                ("down", "down"),
                ("error", "failed"),
                ("unknown", "unknown"),
            ],
        ),
    ],
);

pub(super) const ROLLER_STATE: Message = message(
    Topic::RollerState,
    &[Kind::Joint],
    "The roller on the deck; the part is `roller`.",
    &[FieldPair::same("state", Kind::Joint, "velocity_ratiops")
        .note("`hold` is 0, `loading` above, `unloading` below; the wire does not tell how fast")],
);

pub(super) const BUMPER_STATE: Message = message(
    Topic::BumperState,
    &[Kind::Contact],
    "The bumpers; the part is `bump_front` or `bump_rear`. Of other robots it tells every bumper of such a name.",
    &[
        FieldPair::same("front_bumper_pressed", Kind::Contact, "contacted"),
        FieldPair::same("rear_bumper_pressed", Kind::Contact, "contacted"),
    ],
);

pub(super) const IO_PINS_STATE: Message = message(
    Topic::IoPinsState,
    &[Kind::Pins],
    "Digital inputs and outputs, board by board.",
    &[
        FieldPair::same("inputs[][]", Kind::Pins, "inputs").note("0 or 1"),
        FieldPair::same("outputs[][]", Kind::Pins, "outputs").note("0 or 1"),
    ],
);

pub(super) const ROBOT_SIGNAL: Message = message(
    Topic::RobotSignal,
    &[Kind::Indicators],
    "What the robot shows to others.",
    &[
        FieldPair::same("turn_left", Kind::Indicators, "turn_left"),
        FieldPair::same("turn_right", Kind::Indicators, "turn_right"),
        FieldPair::same("brake", Kind::Indicators, "brake"),
        FieldPair::same("reverse", Kind::Indicators, "reverse"),
    ],
);
