//! `core/state`, `core/control`, `core/config`: the robot's own behaviour.

use latimer_core::Timestamp;
use latimer_core::model::signal::{self, ActionState, AttentionField, BehaviourState};
use latimer_ros1::msgs::geometry_msgs::{Point, Vector3};
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

use super::sensors::Share;
use super::signals::{ACTIONS, TIME_ROLLS_OVER_USEC};
use super::{Moment, usec};
use crate::describe::codec::{Codec, CodecInfo, Describe, codecs, finite};
use crate::describe::{Message, Translate as _};

/// How many actions a message has room for (published).
const ROOM: usize = 8;
/// The fields of attention, in the order of the wire.
const FIELDS: [AttentionField; 3] = [AttentionField::Left, AttentionField::Right, AttentionField::Wide];

/// `miro_msgs/affect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = signal::Affect, context = Moment)]
pub struct Affect {
    /// 0 bad, 1 good.
    #[field(valence_ratio, codec = Share, or = 0.0)]
    pub valence: f32,
    /// 0 calm, 1 excited.
    #[field(arousal_ratio, codec = Share, or = 0.0)]
    pub arousal: f32,
}

/// `miro_msgs/sleep`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = signal::Sleep, context = Moment)]
pub struct Sleep {
    /// 0 asleep, 1 awake.
    #[field(wakefulness_ratio, codec = Share, or = 0.0)]
    pub wakefulness: f32,
    /// 0 rested, 1 tired.
    #[field(pressure_ratio, codec = Share, or = 0.0)]
    pub pressure: f32,
}

/// `miro_msgs/priority_peak`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = signal::PriorityPeak, context = Moment, base = NO_PEAK, ignores(field))]
pub struct PriorityPeak {
    /// rad, counter-clockwise from where the head faces.
    #[field(azimuth_rad, codec = Angle, or = 0.0)]
    pub azim: f32,
    /// rad, up from where the head faces.
    #[field(elevation_rad, codec = Angle, or = 0.0)]
    pub elev: f32,
    /// How salient it is, 0 to 1.
    #[field(height_ratio, codec = Share, or = 0.0)]
    pub height: f32,
    /// Share of the field of view.
    #[field(size_ratio, codec = Share, or = 0.0)]
    pub size: f32,
    /// When it was made out, by the embedded clock; 0 is never.
    #[field(completed, codec = Embedded, note = EMBEDDED)]
    pub t_complete: i32,
}

const EMBEDDED: &str = "by the embedded clock on the wire, in microseconds";

const NO_PEAK: signal::PriorityPeak = signal::PriorityPeak {
    field: AttentionField::Left,
    azimuth_rad: 0.0,
    elevation_rad: 0.0,
    height_ratio: 0.0,
    size_ratio: 0.0,
    completed: None,
};

/// `miro_msgs/audio_event`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = signal::SoundEvent, context = Moment)]
pub struct AudioEvent {
    /// No flags are known.
    #[field(reserved)]
    pub flags: u32,
    /// The sample of `platform/mics` at which it was made out; 0 while nobody follows them.
    #[field(own)]
    pub sample_number: u32,
    /// rad, counter-clockwise from where the head faces.
    #[field(azimuth_rad, codec = Angle, or = 0.0)]
    pub azim: f32,
    /// rad, up from where the head faces.
    #[field(elevation_rad, codec = Angle, or = 0.0)]
    pub elev: f32,
    /// How loud it was, 0 to 1.
    #[field(magnitude_ratio, codec = Share, or = 0.0)]
    pub magnitude: f32,
    /// When it was made out, by the embedded clock; 0 is never.
    #[field(completed, codec = Embedded, required, note = EMBEDDED)]
    pub t_complete: i32,
}

/// `miro_msgs/core_state` (Core Interface, Upstream, State).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout, record = BehaviourState, context = Moment, finish = actions, amend = header_and_actions)]
#[message(ignores(actions, switches))]
pub struct CoreState {
    /// When it was assembled, by the wall clock.
    #[field(model = "")]
    pub header: Header,
    /// No flags are known.
    #[field(reserved)]
    pub msg_flags: u32,
    /// The embedded clock in microseconds; it rolls over at 2^29.
    #[field(own = usec)]
    pub time_usec: i32,
    /// How it feels at the moment.
    #[field(emotion, nested, required)]
    pub emotion: Affect,
    /// How it feels in the long run.
    #[field(mood, nested, required)]
    pub mood: Affect,
    /// How awake it is.
    #[field(sleep, nested, required)]
    pub sleep: Sleep,
    /// How urgent each of eight actions is.
    #[field(
        model = "actions.priority_ratio",
        note = "mull, halt, orient, approach, flee, retreat, and two that are none"
    )]
    pub priority: Vec<f32>,
    /// The most salient things for the left eye, for the right one, and all around by ear.
    #[field(peaks, codec = Peaks, or = Vec::new())]
    pub priority_peak: Vec<PriorityPeak>,
    /// The last sound that stood out.
    #[field(sound_event, nested)]
    pub audio_event: AudioEvent,
    /// How much each action is chosen.
    #[field(model = "actions.selection_ratio", note = "in the order of `priority`")]
    pub selection: Vec<f32>,
    /// How much each action is let do what it wants.
    #[field(model = "actions.disinhibition_ratio", note = "in the order of `priority`")]
    pub disinhibition: Vec<f32>,
}

fn actions(message: &CoreState, _: &Moment, state: &mut BehaviourState) {
    let CoreState { priority, selection, disinhibition, .. } = message;
    let ratio = |numbers: &[f32], i: usize| {
        numbers.get(i).and_then(|number| Share.decode(number, &())).unwrap_or_default()
    };
    let action = |i: usize| ActionState {
        name: ACTIONS.get(i).map_or_else(|| format!("action_{i}"), |name| (*name).to_owned()),
        priority_ratio: ratio(priority, i),
        selection_ratio: ratio(selection, i),
        disinhibition_ratio: ratio(disinhibition, i),
    };
    state.actions = (0..priority.len().min(ROOM)).map(action).collect();
}

fn header_and_actions(state: &BehaviourState, at: &Moment, message: &mut CoreState) {
    let list = |value: fn(&ActionState) -> f64| {
        let numbers = state.actions.iter().map(|it| value(it) as f32).chain(std::iter::repeat(0.0));
        numbers.take(ROOM).collect()
    };
    message.header = at.header("head");
    message.priority = list(|it| it.priority_ratio);
    message.selection = list(|it| it.selection_ratio);
    message.disinhibition = list(|it| it.disinhibition_ratio);
}

codecs! {
    /// An angle as a float of 32 bits.
    Angle: f32, f64 { CodecInfo::default(), |wire| finite(f64::from(*wire)), |model| Some(*model as f32) }
}

/// A moment by the embedded clock, seen from that of the message; 0 is none.
struct Embedded;

impl Describe for Embedded {}

impl Codec<i32, Timestamp, Moment> for Embedded {
    fn decode(&self, wire: &i32, at: &Moment) -> Option<Timestamp> {
        let ago = (i64::from(at.usec) - i64::from(*wire)).rem_euclid(TIME_ROLLS_OVER_USEC);
        let ns = at.at.as_nanos().saturating_sub(ago * 1_000);
        (*wire != 0).then(|| Timestamp::from_nanos(ns))
    }

    fn encode(&self, model: &Timestamp, at: &Moment) -> Option<i32> {
        let ago_ns = at.at.as_nanos().saturating_sub(model.as_nanos());
        // Rounded as the clock itself is, so that each message tells the same.
        let since_usec = at.since_usec_ns.saturating_sub(ago_ns).div_euclid(1_000);
        i32::try_from(i64::from(at.usec).saturating_add(since_usec).rem_euclid(TIME_ROLLS_OVER_USEC)).ok()
    }
}

/// A peak for each field of attention, zero where there is none.
struct Peaks;

impl Describe for Peaks {}

impl Codec<Vec<PriorityPeak>, Vec<signal::PriorityPeak>, Moment> for Peaks {
    fn decode(&self, wire: &Vec<PriorityPeak>, at: &Moment) -> Option<Vec<signal::PriorityPeak>> {
        let peak =
            |(field, it): (_, &PriorityPeak)| Some(signal::PriorityPeak { field, ..it.decode(at).ok()? });
        FIELDS.into_iter().zip(wire).map(peak).collect()
    }

    fn encode(&self, model: &Vec<signal::PriorityPeak>, at: &Moment) -> Option<Vec<PriorityPeak>> {
        let peak =
            |field| model.iter().find(|it| it.field == field).and_then(|it| PriorityPeak::encode(it, at));
        Some(FIELDS.map(|field| peak(field).unwrap_or_default()).to_vec())
    }
}

/// `miro_msgs/push`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Push {
    /// -1 world, 0 foot, 1 body, 2 neck, 3 gimbal, 4 head.
    pub link: i32,
    /// `BODY_PUSH_IMPULSE`, `BODY_PUSH_VELOCITY`, `BODY_PUSH_ZERO_POSE_DR`.
    pub flags: u32,
    /// mm, in the link's axes.
    pub pushpos: Point,
    /// mm or mm/s, in the link's axes.
    pub pushvec: Vector3,
}

/// `miro_msgs/core_control` (Core Interface, Downstream, Control).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoreControl {
    /// When it was sent.
    pub header: Header,
    /// `FLAG_SYNC_PLATFORM`, `FLAG_SYNC_CORE`.
    pub msg_flags: u32,
    /// The priority of each action grows by this share of itself.
    pub priming_multiplicative: [f32; 8],
    /// And by this.
    pub priming_additive: [f32; 8],
    /// Something to attend to; without a height there is none.
    pub priority_peak: PriorityPeak,
    /// How much each action is let do what it wants, while the core does not choose.
    pub disinhibition: [f32; 8],
    /// The priority of each action is taken times this; 0 leaves it.
    pub priority_scale: [f32; 8],
    /// And grows by this.
    pub priority_offset: [f32; 8],
    /// Where the mood is pulled to.
    pub mood_drive_target: Affect,
    /// By which share of the way, in each tick; 0 is not at all.
    pub mood_drive_gamma: f32,
    /// Where the emotion is pulled to.
    pub emotion_drive_target: Affect,
    /// By which share of the way.
    pub emotion_drive_gamma: f32,
    /// Where sleep is pulled to.
    pub sleep_drive_target: Sleep,
    /// By which share of the way.
    pub sleep_drive_gamma: f32,
    /// How loud it gives voice, 0 to 1.
    pub drive_vocal: f32,
    /// Pushes of its body.
    pub body_push: Vec<Push>,
}

/// `std_msgs/ByteMultiArray`, as far as it is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bytes {
    /// The bytes.
    pub data: Vec<i8>,
}

/// `miro_msgs/core_config` (Core Interface, Downstream, Config).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoreConfig {
    /// When it was sent.
    pub header: Header,
    /// `FLAG_UPDATE_SIGNALS`, without which the rest means nothing.
    pub msg_flags: u32,
    /// Signals to P1.
    pub P1_W_signals: u32,
    /// Signals to the selection of actions.
    pub P2B_W_signals: u32,
    /// Signals to affect and sleep.
    pub P2U_W_affect_signals: u32,
    /// Signals to what shows them.
    pub P2U_W_express_signals: u32,
    /// Signals to the actions.
    pub P2U_W_action_signals: u32,
    /// Signals to the body.
    pub P2U_W_body_signals: u32,
    /// Signals to the platform.
    pub P2L_W_signals: u32,
    /// Signals to attention.
    pub P2S_W_signals: u32,
    /// Parameters of the core's model.
    pub model_pars: Bytes,
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
            priority_peak: vec![PriorityPeak::default(); 3],
            selection: vec![0.0; 8],
            disinhibition: vec![0.0; 8],
            ..CoreState::default()
        };
        message.mood.valence = 0.75;
        message.priority_peak[1] =
            PriorityPeak { azim: -0.5, elev: 0.25, height: 1.0, size: 0.5, t_complete: 1_000 };
        message.audio_event.t_complete = (1 << 29) - 8_000;
        let at = Moment { at: assembled, usec: message.time_usec, ..Moment::default() };
        let state = message.decode(&at).unwrap();
        assert_eq!((state.mood.valence_ratio, state.actions[2].priority_ratio), (0.75, 0.5));
        assert_eq!((state.actions[2].name.as_str(), state.actions[7].name.as_str()), ("orient", "action_7"));
        assert_eq!((state.peaks[0].completed, state.peaks[1].completed), (None, Some(before(1))));
        assert_eq!(state.sound_event.as_ref().unwrap().completed, before(10));
        message.header = at.header("head");
        assert_eq!(CoreState::encode(&state, &at).unwrap(), message);
    }
}
