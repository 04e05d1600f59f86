//! `core/state`, `core/control`, `core/config`: the robot's own behaviour.

use latimer_ros1::msgs::geometry_msgs::{Point, Vector3};
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

use crate::describe::Message;

/// `miro_msgs/affect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct Affect {
    /// 0 bad, 1 good.
    #[field(model = "valence_ratio")]
    pub valence: f32,
    /// 0 calm, 1 excited.
    #[field(model = "arousal_ratio")]
    pub arousal: f32,
}

/// `miro_msgs/sleep`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct Sleep {
    /// 0 asleep, 1 awake.
    #[field(model = "wakefulness_ratio")]
    pub wakefulness: f32,
    /// 0 rested, 1 tired.
    #[field(model = "pressure_ratio")]
    pub pressure: f32,
}

/// `miro_msgs/priority_peak`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct PriorityPeak {
    /// rad, counter-clockwise from where the head faces.
    #[field(model = "azimuth_rad")]
    pub azim: f32,
    /// rad, up from where the head faces.
    #[field(model = "elevation_rad")]
    pub elev: f32,
    /// How salient it is, 0 to 1.
    #[field(model = "height_ratio")]
    pub height: f32,
    /// Share of the field of view.
    #[field(model = "size_ratio")]
    pub size: f32,
    /// When it was made out, by the embedded clock; 0 is never.
    pub t_complete: i32,
}

/// `miro_msgs/audio_event`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct AudioEvent {
    /// No flags are known.
    #[field(reserved)]
    pub flags: u32,
    /// The sample of `platform/mics` at which it was made out; 0 while nobody follows them.
    pub sample_number: u32,
    /// rad, counter-clockwise from where the head faces.
    #[field(model = "azimuth_rad")]
    pub azim: f32,
    /// rad, up from where the head faces.
    #[field(model = "elevation_rad")]
    pub elev: f32,
    /// How loud it was, 0 to 1.
    #[field(model = "magnitude_ratio")]
    pub magnitude: f32,
    /// When it was made out, by the embedded clock; 0 is never.
    pub t_complete: i32,
}

/// `miro_msgs/core_state` (Core Interface, Upstream, State).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct CoreState {
    /// When it was assembled, by the wall clock.
    #[field(model = "")]
    pub header: Header,
    /// No flags are known.
    #[field(reserved)]
    pub msg_flags: u32,
    /// The embedded clock in microseconds; it rolls over at 2^29.
    pub time_usec: i32,
    /// How it feels at the moment.
    #[field(model = "emotion")]
    pub emotion: Affect,
    /// How it feels in the long run.
    #[field(model = "mood")]
    pub mood: Affect,
    /// How awake it is.
    #[field(model = "sleep")]
    pub sleep: Sleep,
    /// How urgent each of eight actions is.
    #[field(
        model = "actions.priority_ratio",
        note = "mull, halt, orient, approach, flee, retreat, and two that are none"
    )]
    pub priority: Vec<f32>,
    /// The most salient things for the left eye, for the right one, and all around by ear.
    #[field(model = "peaks")]
    pub priority_peak: Vec<PriorityPeak>,
    /// The last sound that stood out.
    #[field(model = "sound_event")]
    pub audio_event: AudioEvent,
    /// How much each action is chosen.
    #[field(model = "actions.selection_ratio", note = "in the order of `priority`")]
    pub selection: Vec<f32>,
    /// How much each action is let do what it wants.
    #[field(model = "actions.disinhibition_ratio", note = "in the order of `priority`")]
    pub disinhibition: Vec<f32>,
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
