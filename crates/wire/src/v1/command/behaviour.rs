//! What can be asked of a robot's own behaviour.

use latimer_core::model::signal::{Affect, Sleep};
use latimer_core::model::{
    ActionBias as ModelBias, AttentionTarget as ModelTarget, BehaviourDrive as ModelDrive, PartName, Pull,
    Push as ModelPush, PushWay,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::field::InvalidField;
use super::super::quantity::{Checked as _, Number, Radians, Ratio, checked};

const AT_ONCE: Ratio = Ratio(1.0);

const fn at_once() -> Ratio {
    AT_ONCE
}

const fn zero() -> Ratio {
    Ratio(0.0)
}

const fn one() -> Number {
    Number(1.0)
}

/// How the robot shall feel.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AffectPull {
    /// From bad, 0, to good, 1.
    pub valence_ratio: Ratio,
    /// From calm, 0, to excited, 1.
    pub arousal_ratio: Ratio,
    /// Share of the way in each step of the robot's; 1 is at once.
    #[serde(default = "at_once")]
    pub gain_ratio: Ratio,
}

/// How awake the robot shall be.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SleepPull {
    /// From asleep, 0, to awake, 1.
    pub wakefulness_ratio: Ratio,
    /// From rested, 0, to tired, 1.
    pub pressure_ratio: Ratio,
    /// Share of the way in each step of the robot's; 1 is at once.
    #[serde(default = "at_once")]
    pub gain_ratio: Ratio,
}

/// How the priority of an action is changed: it is primed, then scaled, then shifted.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionBias {
    /// It grows by this share of itself.
    #[serde(default)]
    pub priming_factor: Number,
    /// And by this.
    #[serde(default)]
    pub priming_added: Number,
    /// It is taken times this.
    #[serde(default = "one")]
    pub scale: Number,
    /// And grows by this.
    #[serde(default)]
    pub offset: Number,
    /// How much the action is let do what it wants, if the robot does not choose by itself.
    #[serde(default)]
    pub disinhibition: Number,
}

/// Something to attend to, seen from the head.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttentionTarget {
    /// Counter-clockwise from where the head faces.
    pub azimuth_rad: Radians,
    /// Up from where the head faces.
    #[serde(default)]
    pub elevation_rad: Radians,
    /// How salient it is.
    #[serde(default = "at_once")]
    pub height_ratio: Ratio,
    /// How much of the field of view it takes up.
    #[serde(default = "zero")]
    pub size_ratio: Ratio,
}

/// A push of the body; exactly one of a way and a speed.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// The link in whose axes the rest is, e.g. `head`.
    pub link: String,
    /// Where, metres.
    #[schema(min_items = 3, max_items = 3)]
    pub point_m: Vec<Number>,
    /// Once, by so much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulse_m: Option<Vec<Number>>,
    /// While it holds, so fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_mps: Option<Vec<Number>>,
    /// The body may turn but not go forward or back.
    #[serde(default)]
    pub on_the_spot: bool,
}

/// Influences on the robot's own behaviour, which hold for a second; without any, those before end.
#[derive(Clone, Debug, Default, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviourDrive {
    /// How it shall feel at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotion: Option<AffectPull>,
    /// How it shall feel in the long run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<AffectPull>,
    /// How awake it shall be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleep: Option<SleepPull>,
    /// Biases of its actions, in the order of `behaviour_state`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionBias>,
    /// Something to attend to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention: Option<AttentionTarget>,
    /// How loud it shall give voice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocal_ratio: Option<Ratio>,
    /// Pushes of its body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushes: Vec<Push>,
}

fn affect(pull: AffectPull) -> Result<Pull<Affect>, InvalidField> {
    let AffectPull { valence_ratio, arousal_ratio, gain_ratio } = pull;
    let target = Affect { valence_ratio: checked!(valence_ratio), arousal_ratio: checked!(arousal_ratio) };
    Ok(Pull { target, gain_ratio: checked!(gain_ratio) })
}

fn sleep_pull(pull: SleepPull) -> Result<Pull<Sleep>, InvalidField> {
    let SleepPull { wakefulness_ratio, pressure_ratio, gain_ratio } = pull;
    let target =
        Sleep { wakefulness_ratio: checked!(wakefulness_ratio), pressure_ratio: checked!(pressure_ratio) };
    Ok(Pull { target, gain_ratio: checked!(gain_ratio) })
}

fn bias(bias: ActionBias) -> Result<ModelBias, InvalidField> {
    let ActionBias { priming_factor, priming_added, scale, offset, disinhibition } = bias;
    Ok(ModelBias {
        priming_factor: checked!(priming_factor),
        priming_added: checked!(priming_added),
        scale: checked!(scale),
        offset: checked!(offset),
        disinhibition: checked!(disinhibition),
    })
}

fn attention(target: AttentionTarget) -> Result<ModelTarget, InvalidField> {
    let AttentionTarget { azimuth_rad, elevation_rad, height_ratio, size_ratio } = target;
    Ok(ModelTarget {
        azimuth_rad: checked!(azimuth_rad),
        elevation_rad: checked!(elevation_rad),
        height_ratio: checked!(height_ratio),
        size_ratio: checked!(size_ratio),
    })
}

fn three(given: Vec<Number>, field: &'static str) -> Result<[f64; 3], InvalidField> {
    let given = given.checked(field)?;
    let count = given.len();
    given.try_into().map_err(|_| {
        InvalidField::new(field, format!("has {count} numbers"), "write three: forward, left, up")
    })
}

fn push(push: Push) -> Result<ModelPush, InvalidField> {
    let Push { link, point_m, impulse_m, velocity_mps, on_the_spot } = push;
    let way = match (impulse_m, velocity_mps) {
        (Some(by), None) => PushWay::Impulse(three(by, "impulse_m")?),
        (None, Some(by)) => PushWay::Velocity(three(by, "velocity_mps")?),
        _ => {
            let problem = "and `velocity_mps` are both given, or neither is";
            return Err(InvalidField::new("impulse_m", problem, "write one of them"));
        }
    };
    Ok(ModelPush { link: PartName::of(&link), point_m: three(point_m, "point_m")?, way, on_the_spot })
}

impl TryFrom<BehaviourDrive> for ModelDrive {
    type Error = InvalidField;

    fn try_from(drive: BehaviourDrive) -> Result<Self, InvalidField> {
        let BehaviourDrive { emotion, mood, sleep, actions, attention: target, vocal_ratio, pushes } = drive;
        let vocal_ratio: Option<f64> = checked!(vocal_ratio);
        Ok(Self {
            emotion: emotion.map(affect).transpose()?,
            mood: mood.map(affect).transpose()?,
            sleep: sleep.map(sleep_pull).transpose()?,
            actions: actions.into_iter().map(bias).collect::<Result<_, _>>()?,
            attention: target.map(attention).transpose()?,
            vocal_ratio: vocal_ratio.unwrap_or_default(),
            pushes: pushes.into_iter().map(push).collect::<Result<_, _>>()?,
        })
    }
}
