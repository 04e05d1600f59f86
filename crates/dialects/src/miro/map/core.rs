//! `core/state`, from what a robot tells of its own behaviour, and as a signal.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::signal::{
    ActionState, Affect, AttentionField, BehaviourState, PriorityPeak, Sleep, SoundEvent,
};

use crate::miro::messages::signals::{ACTIONS, TIME_ROLLS_OVER_USEC};
use crate::miro::messages::{self, CoreState, Moment};

/// How many actions a message has room for (published).
const ROOM: usize = 8;
/// The fields of attention, in the order of the wire.
const FIELDS: [AttentionField; 3] = [AttentionField::Left, AttentionField::Right, AttentionField::Wide];

/// The state of a robot's own behaviour; `usec` is the embedded clock at a time, and `sample` the number of the sample that was heard then.
pub fn core_from_state(
    state: &BehaviourState,
    at: &Moment,
    usec: impl Fn(Timestamp) -> i32,
    sample: impl Fn(Timestamp) -> u32,
) -> CoreState {
    let BehaviourState { emotion, mood, sleep, actions, peaks, sound_event, switches: _ } = state;
    let list = |value: fn(&ActionState) -> f64| {
        let numbers = actions.iter().map(|it| value(it) as f32).chain(std::iter::repeat(0.0));
        numbers.take(ROOM).collect()
    };
    let peak = |field| {
        let found = peaks.iter().find(|it| it.field == field);
        found.map_or_else(messages::PriorityPeak::default, |it| messages::PriorityPeak {
            azim: it.azimuth_rad as f32,
            elev: it.elevation_rad as f32,
            height: it.height_ratio as f32,
            size: it.size_ratio as f32,
            t_complete: it.completed.map_or(0, &usec),
        })
    };
    let event = sound_event.as_ref().map(|it| messages::AudioEvent {
        flags: 0,
        sample_number: sample(it.completed),
        azim: it.azimuth_rad as f32,
        elev: it.elevation_rad as f32,
        magnitude: it.magnitude_ratio as f32,
        t_complete: usec(it.completed),
    });
    CoreState {
        header: at.header("head"),
        msg_flags: 0,
        time_usec: at.usec,
        emotion: affect_to_wire(emotion),
        mood: affect_to_wire(mood),
        sleep: sleep_to_wire(sleep),
        priority: list(|it| it.priority_ratio),
        priority_peak: FIELDS.map(peak).to_vec(),
        audio_event: event.unwrap_or_default(),
        selection: list(|it| it.selection_ratio),
        disinhibition: list(|it| it.disinhibition_ratio),
    }
}

pub(super) fn affect_to_wire(it: &Affect) -> messages::Affect {
    messages::Affect { valence: it.valence_ratio as f32, arousal: it.arousal_ratio as f32 }
}

pub(super) fn sleep_to_wire(it: &Sleep) -> messages::Sleep {
    messages::Sleep { wakefulness: it.wakefulness_ratio as f32, pressure: it.pressure_ratio as f32 }
}

/// What a message tells that was assembled at a time.
pub fn state_from_core(message: &CoreState, assembled: Timestamp) -> BehaviourState {
    let completed = |t_complete: i32| {
        let ago = i64::from(message.time_usec) - i64::from(t_complete);
        let ago = Duration::from_micros(ago.rem_euclid(TIME_ROLLS_OVER_USEC).unsigned_abs());
        let ns = assembled.as_nanos().saturating_sub(i64::try_from(ago.as_nanos()).unwrap_or_default());
        (t_complete != 0).then(|| Timestamp::from_nanos(ns))
    };
    let CoreState { emotion, mood, sleep, priority, priority_peak, audio_event, .. } = message;
    let action = |(i, priority): (usize, &f32)| ActionState {
        name: ACTIONS.get(i).map_or_else(|| format!("action_{i}"), |name| (*name).to_owned()),
        priority_ratio: ratio(*priority),
        selection_ratio: ratio(message.selection.get(i).copied().unwrap_or_default()),
        disinhibition_ratio: ratio(message.disinhibition.get(i).copied().unwrap_or_default()),
    };
    let peak = |(field, it): (AttentionField, &messages::PriorityPeak)| PriorityPeak {
        field,
        azimuth_rad: finite(it.azim),
        elevation_rad: finite(it.elev),
        height_ratio: ratio(it.height),
        size_ratio: ratio(it.size),
        completed: completed(it.t_complete),
    };
    BehaviourState {
        emotion: affect_from_wire(*emotion),
        mood: affect_from_wire(*mood),
        sleep: sleep_from_wire(*sleep),
        actions: priority.iter().take(ROOM).enumerate().map(action).collect(),
        peaks: FIELDS.into_iter().zip(priority_peak).map(peak).collect(),
        sound_event: completed(audio_event.t_complete).map(|completed| SoundEvent {
            azimuth_rad: finite(audio_event.azim),
            elevation_rad: finite(audio_event.elev),
            magnitude_ratio: ratio(audio_event.magnitude),
            completed,
        }),
        switches: Vec::new(),
    }
}

pub(super) fn affect_from_wire(it: messages::Affect) -> Affect {
    Affect { valence_ratio: ratio(it.valence), arousal_ratio: ratio(it.arousal) }
}

pub(super) fn sleep_from_wire(it: messages::Sleep) -> Sleep {
    Sleep { wakefulness_ratio: ratio(it.wakefulness), pressure_ratio: ratio(it.pressure) }
}

/// A number of 0 to 1; what is none is 0.
fn ratio(value: f32) -> f64 {
    finite(value).clamp(0.0, 1.0)
}

fn finite(value: f32) -> f64 {
    let value = f64::from(value);
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_goes_both_ways_over_the_end_of_the_embedded_clock() {
        let assembled = Timestamp::from_nanos(1_700_000_000_000_000_000);
        let before = |ms: i64| Timestamp::from_nanos(assembled.as_nanos() - ms * 1_000_000);
        let mut message = CoreState {
            // The clock began anew 2 ms ago.
            time_usec: 2_000,
            priority: vec![0.125, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0],
            priority_peak: vec![messages::PriorityPeak::default(); 3],
            selection: vec![0.0; 8],
            disinhibition: vec![0.0; 8],
            ..CoreState::default()
        };
        message.mood.valence = 0.75;
        message.priority_peak[1] =
            messages::PriorityPeak { azim: -0.5, elev: 0.25, height: 1.0, size: 0.5, t_complete: 1_000 };
        message.audio_event.t_complete = (1 << 29) - 8_000;
        let state = state_from_core(&message, assembled);
        assert_eq!((state.mood.valence_ratio, state.actions[2].priority_ratio), (0.75, 0.5));
        assert_eq!((state.actions[2].name.as_str(), state.actions[7].name.as_str()), ("orient", "action_7"));
        assert_eq!((state.peaks[0].completed, state.peaks[1].completed), (None, Some(before(1))));
        assert_eq!(state.sound_event.as_ref().unwrap().completed, before(10));
        let usec = |at: Timestamp| {
            let ago = assembled.since(at).as_micros() as i64;
            (2_000 - ago).rem_euclid(1 << 29) as i32
        };
        let at = Moment { usec: 2_000, ..Moment::default() };
        message.header = at.header("head");
        assert_eq!(core_from_state(&state, &at, usec, |_| 0), message);
    }
}
