//! `/wheel_state`, `/sensor_manager_state`: two halves of who drives and whether anything is switched on.
//!
//! The model has both in one record, of which the first topic alone tells enough: whoever hears both puts
//! [`sleep_state`] of the second into the record of the first.

use latimer_core::model::signal::{Control, ControlMode, SleepState};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::words::{meaning_of, word_of};
use crate::axbot::wire::state::{SensorManagerState, WheelState};
use crate::axbot::wire::{Extra, Message};

pub(in crate::axbot) const MODES: [(&str, ControlMode); 3] =
    [("auto", ControlMode::Auto), ("manual", ControlMode::Manual), ("remote", ControlMode::Remote)];

pub(in crate::axbot) const POWER: [(&str, SleepState); 3] =
    [("awake", SleepState::Awake), ("awakening", SleepState::Awakening), ("sleeping", SleepState::Sleeping)];

/// Who drives; nothing if the robot does not know.
pub(super) fn heard_from_wheel_state(message: &WheelState, received: Timestamp) -> Option<Received> {
    let WheelState { control_mode, emergency_stop_pressed, wheels_released, extra: _ } = message;
    let control = Control {
        mode: meaning_of(&MODES, control_mode.as_deref()?)?,
        emergency_stop: (*emergency_stop_pressed)?,
        wheels_released: *wheels_released,
        power: None,
    };
    Some(Received::new(None, Stamp::gateway(received), control))
}

/// Whether sensors are switched on, if a message tells that.
pub fn sleep_state(message: &Message) -> Option<SleepState> {
    let Message::SensorManagerState(message) = message else { return None };
    let SensorManagerState { power_state, extra: _ } = &**message;
    meaning_of(&POWER, power_state.as_deref()?)
}

/// Who drives.
pub(super) fn wheel_state(control: &Control) -> WheelState {
    let Control { mode, emergency_stop, wheels_released, power: _ } = control;
    WheelState {
        control_mode: word_of(&MODES, mode).map(str::to_owned),
        emergency_stop_pressed: Some(*emergency_stop),
        wheels_released: *wheels_released,
        extra: Extra::new(),
    }
}

/// Whether sensors are switched on; `None` if that is not known.
pub(super) fn sensor_manager_state(control: &Control) -> Option<SensorManagerState> {
    let word = word_of(&POWER, control.power.as_ref()?)?;
    Some(SensorManagerState { power_state: Some(word.to_owned()), extra: Extra::new() })
}
