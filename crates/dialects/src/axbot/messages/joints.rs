//! What moves on the chassis: a jack, a roller.

use latimer_core::model::signal::{Joint, SelfCheck};

use super::Context;
use super::codecs::{COMPUTED, Direction};
use crate::describe::codec::Words;
use crate::describe::{Extra, Message};

const CHECKS: Words<SelfCheck> = Words(&[
    ("no_error", SelfCheck::Passed),
    ("up", SelfCheck::Up),
    ("down", SelfCheck::Down),
    ("error", SelfCheck::Failed),
    ("unknown", SelfCheck::Unknown),
]);

const JACKING: Direction = Direction { hold: "hold", up: "jacking_up", down: "jacking_down" };
const ROLLING: Direction = Direction { hold: "hold", up: "loading", down: "unloading" };

/// Section "Jack State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Joint, context = Context, base = Joint::UNKNOWN, finish = checks_itself)]
#[message(ignores(position_rad, position_m, velocity_radps))]
pub struct JackState {
    /// Which way it goes; the wire does not tell how fast.
    #[field(velocity_ratiops, codec = JACKING, or = None)]
    pub state: Option<String>,
    /// Where it stands, 0 down to 1 up.
    #[field(position_ratio, codec = COMPUTED)]
    pub progress: Option<f64>,
    /// Whether it checks itself: `self_check_state` is `up` or `down`.
    #[field(computed = is_checking)]
    pub self_checking: Option<bool>,
    /// `no_error`, `up`, `down`, `error`, `unknown`.
    #[field(self_check, codec = CHECKS)]
    pub self_check_state: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "Roller State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Joint, context = Context, base = Joint::UNKNOWN)]
#[message(ignores(position_rad, position_m, position_ratio, velocity_radps, self_check))]
pub struct RollerState {
    /// Which way it goes; the wire does not tell how fast.
    #[field(velocity_ratiops, codec = ROLLING, or = None)]
    pub state: Option<String>,
    pub(crate) extra: Extra,
}

fn is_checking(joint: &Joint, _: &Context) -> Option<bool> {
    joint.self_check.map(|check| matches!(check, SelfCheck::Up | SelfCheck::Down))
}

fn checks_itself(message: &JackState, _: &Context, joint: &mut Joint) {
    joint.self_check = joint.self_check.or(message.self_checking.map(|_| SelfCheck::Unknown));
}
