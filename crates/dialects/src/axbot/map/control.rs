//! `/sensor_manager_state`: the half of the model's control that `/wheel_state` does not tell.

use latimer_core::model::signal::{Control, SleepState};

use crate::axbot::messages::state::{POWER, SensorManagerState};
use crate::axbot::wire::{Extra, Message};

/// Whether sensors are switched on, if a message tells that.
pub fn sleep_state(message: &Message) -> Option<SleepState> {
    let Message::SensorManagerState(message) = message else { return None };
    let SensorManagerState { power_state, extra: _ } = &**message;
    POWER.meaning(power_state.as_deref()?)
}

/// Whether sensors are switched on; `None` if that is not known.
pub(super) fn sensor_manager_state(control: &Control) -> Option<SensorManagerState> {
    let word = POWER.word(control.power.as_ref()?)?;
    Some(SensorManagerState { power_state: Some(word.to_owned()), extra: Extra::new() })
}
