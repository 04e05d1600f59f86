//! `core/control` and `core/config` in the model's words, and back.
//!
//! The names of the fields are published; what some of them do is not. Programs of the maker leave what they do not use at zero, so zero
//! changes nothing, a scale included.

use latimer_core::PartName;
use latimer_core::model::signal::Switch;
use latimer_core::model::{ActionBias, AttentionTarget, BehaviourDrive, Pull, Push, PushWay};

use crate::describe::Translate;
use crate::miro::messages::signals::body_push;
use crate::miro::messages::{self, CoreConfig, CoreControl, Moment};

/// How many actions a message has room for (published).
const ROOM: usize = 8;
/// Most pushes that are taken of a message; those after them are left out, and named.
const MOST_PUSHES: usize = 8;
/// Links by their numbers, from 0 on.
const LINKS: [&str; 5] = ["foot", "body", "neck", "gimbal", "head"];
/// No bias is beyond this.
const MOST_BIAS: f32 = 100.0;

/// The influences that a message asks for, and what is wrong with it and left out.
pub(in crate::miro) fn drive_from_wire(message: &CoreControl) -> (BehaviourDrive, Vec<String>) {
    let CoreControl {
        header: _,
        msg_flags: _,
        priming_multiplicative,
        priming_additive,
        priority_peak,
        disinhibition,
        priority_scale,
        priority_offset,
        mood_drive_target,
        mood_drive_gamma,
        emotion_drive_target,
        emotion_drive_gamma,
        sleep_drive_target,
        sleep_drive_gamma,
        drive_vocal,
        body_push,
    } = message;
    let mut wrong = Vec::new();
    let mut number = |field: &str, values: &[f32], i: usize| {
        let value = values.get(i).copied().unwrap_or_default();
        if value.is_nan() {
            wrong.push(format!("{field} of core/control is no number; it was left out"));
            return 0.0;
        }
        f64::from(value.clamp(-MOST_BIAS, MOST_BIAS))
    };
    let mut actions: Vec<ActionBias> = (0..ROOM)
        .map(|i| ActionBias {
            priming_factor: number("priming_multiplicative", priming_multiplicative, i),
            priming_added: number("priming_additive", priming_additive, i),
            scale: match number("priority_scale", priority_scale, i) {
                0.0 => ActionBias::NONE.scale,
                scale => scale,
            },
            offset: number("priority_offset", priority_offset, i),
            disinhibition: number("disinhibition", disinhibition, i),
        })
        .collect();
    let used = actions.iter().rposition(|bias| *bias != ActionBias::NONE).map_or(0, |last| last + 1);
    actions.truncate(used);
    let mut gain =
        |field: &str, gamma: f32| Some(number(field, &[gamma], 0).clamp(0.0, 1.0)).filter(|it| *it > 0.0);
    let mood = gain("mood_drive_gamma", *mood_drive_gamma);
    let emotion = gain("emotion_drive_gamma", *emotion_drive_gamma);
    let sleep = gain("sleep_drive_gamma", *sleep_drive_gamma);
    let height_ratio = number("priority_peak", &[priority_peak.height], 0).clamp(0.0, 1.0);
    let attention = (height_ratio > 0.0).then(|| AttentionTarget {
        azimuth_rad: number("priority_peak", &[priority_peak.azim], 0).clamp(-4.0, 4.0),
        elevation_rad: number("priority_peak", &[priority_peak.elev], 0).clamp(-4.0, 4.0),
        height_ratio,
        size_ratio: number("priority_peak", &[priority_peak.size], 0).clamp(0.0, 1.0),
    });
    let vocal_ratio = number("drive_vocal", &[*drive_vocal], 0).clamp(0.0, 1.0);
    let mut pushes = Vec::new();
    for push in body_push {
        match push_from_wire(push) {
            Ok(Some(_)) if pushes.len() == MOST_PUSHES => {
                wrong.push(format!(
                    "body_push of core/control has more than {MOST_PUSHES} pushes; the rest was left out"
                ));
                break;
            }
            Ok(push) => pushes.extend(push),
            Err(reason) => wrong.push(reason),
        }
    }
    let drive = BehaviourDrive {
        emotion: pull(emotion, emotion_drive_target),
        mood: pull(mood, mood_drive_target),
        sleep: pull(sleep, sleep_drive_target),
        actions,
        attention,
        vocal_ratio,
        pushes,
    };
    (drive, wrong)
}

fn pull<W: Translate<Context = Moment>>(gain_ratio: Option<f64>, target: &W) -> Option<Pull<W::Record>> {
    Some(Pull { gain_ratio: gain_ratio?, target: target.decode(&Moment::default()).ok()? })
}

fn target<W: Translate<Context = Moment> + Default>(pull: Option<&Pull<W::Record>>) -> W {
    pull.and_then(|it| W::encode(&it.target, &Moment::default())).unwrap_or_default()
}

/// A push; nothing if it pushes nothing.
fn push_from_wire(push: &messages::Push) -> Result<Option<Push>, String> {
    let messages::Push { link, flags, pushpos, pushvec } = push;
    let vector = [pushvec.x, pushvec.y, pushvec.z];
    let point_m = [pushpos.x, pushpos.y, pushpos.z].map(|it| it / 1e3);
    if !vector.iter().chain(&point_m).all(|it| it.is_finite()) {
        return Err("a push of core/control is no number; it was left out".to_owned());
    }
    if vector == [0.0; 3] {
        return Ok(None);
    }
    let name = usize::try_from(*link).ok().and_then(|link| LINKS.get(link));
    let name = name.ok_or_else(|| {
        format!("link {link} of a push of core/control cannot be pushed; there are 0 (foot) to 4 (head)")
    })?;
    let by = vector.map(|it| it / 1e3);
    let way = if flags & body_push::IMPULSE != 0 {
        PushWay::Impulse(by)
    } else if flags & body_push::VELOCITY != 0 {
        PushWay::Velocity(by)
    } else {
        return Err(
            "a push of core/control is neither an impulse nor a velocity by its flags; it was left out"
                .to_owned(),
        );
    };
    let on_the_spot = flags & body_push::ZERO_POSE_DR != 0;
    Ok(Some(Push { link: PartName::of(name), point_m, way, on_the_spot }))
}

/// The message that asks for influences.
pub(in crate::miro) fn control_from_drive(drive: &BehaviourDrive) -> CoreControl {
    let BehaviourDrive { emotion, mood, sleep, actions, attention, vocal_ratio, pushes } = drive;
    let list = |value: fn(&ActionBias) -> f64| {
        std::array::from_fn(|i| actions.get(i).map_or(0.0, |bias| value(bias) as f32))
    };
    let gain = |it: Option<f64>| it.unwrap_or_default() as f32;
    let peak = attention.map(|it| messages::PriorityPeak {
        azim: it.azimuth_rad as f32,
        elev: it.elevation_rad as f32,
        height: it.height_ratio as f32,
        size: it.size_ratio as f32,
        t_complete: 0,
    });
    CoreControl {
        priming_multiplicative: list(|it| it.priming_factor),
        priming_additive: list(|it| it.priming_added),
        priority_peak: peak.unwrap_or_default(),
        disinhibition: list(|it| it.disinhibition),
        priority_scale: list(|it| if it.scale == ActionBias::NONE.scale { 0.0 } else { it.scale }),
        priority_offset: list(|it| it.offset),
        mood_drive_target: target(mood.as_ref()),
        mood_drive_gamma: gain(mood.as_ref().map(|it| it.gain_ratio)),
        emotion_drive_target: target(emotion.as_ref()),
        emotion_drive_gamma: gain(emotion.as_ref().map(|it| it.gain_ratio)),
        sleep_drive_target: target(sleep.as_ref()),
        sleep_drive_gamma: gain(sleep.as_ref().map(|it| it.gain_ratio)),
        drive_vocal: *vocal_ratio as f32,
        body_push: pushes.iter().filter_map(push_to_wire).collect(),
        ..CoreControl::default()
    }
}

fn push_to_wire(push: &Push) -> Option<messages::Push> {
    let Push { link, point_m, way, on_the_spot } = push;
    let link = LINKS.iter().position(|it| *it == link.as_str())?;
    let (flag, by) = match way {
        PushWay::Impulse(by) => (body_push::IMPULSE, by),
        PushWay::Velocity(by) => (body_push::VELOCITY, by),
    };
    let [x, y, z] = point_m.map(|it| it * 1e3);
    let [by_x, by_y, by_z] = by.map(|it| it * 1e3);
    Some(messages::Push {
        link: i32::try_from(link).ok()?,
        flags: flag | if *on_the_spot { body_push::ZERO_POSE_DR } else { 0 },
        pushpos: latimer_ros1::msgs::geometry_msgs::Point { x, y, z },
        pushvec: latimer_ros1::msgs::geometry_msgs::Vector3 { x: by_x, y: by_y, z: by_z },
    })
}

/// The words of signals of `core/config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    P2B,
    Affect,
    Express,
    Action,
    Body,
    P2L,
    P2S,
}

impl Word {
    const ALL: [Self; 7] =
        [Self::P2B, Self::Affect, Self::Express, Self::Action, Self::Body, Self::P2L, Self::P2S];

    const fn field(self) -> &'static str {
        match self {
            Self::P2B => "P2B_W_signals",
            Self::Affect => "P2U_W_affect_signals",
            Self::Express => "P2U_W_express_signals",
            Self::Action => "P2U_W_action_signals",
            Self::Body => "P2U_W_body_signals",
            Self::P2L => "P2L_W_signals",
            Self::P2S => "P2S_W_signals",
        }
    }

    fn of(self, message: &mut CoreConfig) -> &mut u32 {
        match self {
            Self::P2B => &mut message.P2B_W_signals,
            Self::Affect => &mut message.P2U_W_affect_signals,
            Self::Express => &mut message.P2U_W_express_signals,
            Self::Action => &mut message.P2U_W_action_signals,
            Self::Body => &mut message.P2U_W_body_signals,
            Self::P2L => &mut message.P2L_W_signals,
            Self::P2S => &mut message.P2S_W_signals,
        }
    }
}

/// Bits that switch a part of the robot's own behaviour (published): the word, the bit, the part, and whether the bit switches it on.
const SWITCHES: [(Word, u32, &str, bool); 32] = [
    (Word::P2B, 0, "selection", true),
    (Word::P2B, 1, "own_selection", false),
    (Word::Affect, 0, "affect", true),
    (Word::Affect, 2, "valence_dynamics", true),
    (Word::Affect, 3, "arousal_dynamics", true),
    (Word::Affect, 4, "no_negative_valence", true),
    (Word::Affect, 8, "sleep", true),
    (Word::Affect, 13, "affect_wakefulness", true),
    (Word::Affect, 14, "affect_light", true),
    (Word::Affect, 16, "affect_touch", true),
    (Word::Affect, 17, "affect_sound", true),
    (Word::Affect, 18, "affect_accel", true),
    (Word::Affect, 25, "fast_sleep", true),
    (Word::Express, 0, "express", true),
    (Word::Express, 9, "express_vocal", true),
    (Word::Express, 10, "express_tail", true),
    (Word::Express, 11, "express_eyelids", true),
    (Word::Action, 0, "action", true),
    (Word::Action, 2, "force_mull", true),
    (Word::Action, 4, "halt", false),
    (Word::Action, 5, "modulate_by_sonar", true),
    (Word::Action, 6, "retreat", false),
    (Word::Action, 9, "flee", false),
    (Word::Body, 0, "body", true),
    (Word::Body, 8, "push", false),
    (Word::Body, 9, "push_motion", false),
    (Word::Body, 10, "push_translation", false),
    (Word::Body, 11, "push_modulate_by_sonar", true),
    (Word::P2L, 14, "cliff_reflex", true),
    (Word::P2S, 0, "attention", true),
    (Word::P2S, 1, "attention_sound", false),
    (Word::P2S, 2, "attention_vision", false),
];

/// Parts by which it moves of its own accord.
const MOVING: [&str; 11] = [
    "express",
    "express_tail",
    "express_eyelids",
    "action",
    "retreat",
    "flee",
    "body",
    "push",
    "push_motion",
    "push_translation",
    "push_modulate_by_sonar",
];

/// Parts that are off after power-up, as in the maker's demonstration.
const OFF_AT_FIRST: [&str; 3] = ["no_negative_valence", "fast_sleep", "force_mull"];

/// How all parts are switched so that it moves nothing of its own accord: the robot takes all of them at once, and tells none.
pub(in crate::miro) fn still() -> Vec<Switch> {
    let is_on = |part: &str| !MOVING.contains(&part) && !OFF_AT_FIRST.contains(&part);
    SWITCHES.iter().map(|(_, _, part, _)| Switch { part: (*part).into(), enabled: is_on(part) }).collect()
}

/// The bit that has the neck go back to how it stands at first, and is acknowledged.
const RESET: (Word, u32) = (Word::Body, 1);

/// What `core/config` asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::miro) struct Configured {
    /// Every part that can be switched.
    pub(in crate::miro) switches: Vec<Switch>,
    /// The neck is to go back to how it stands at first.
    pub(in crate::miro) resets: bool,
    /// What is set and has no effect, for a person to read.
    pub(in crate::miro) without_effect: Vec<String>,
}

/// What a message asks for, whose signals are to be taken over.
pub(in crate::miro) fn configured_from_wire(message: &CoreConfig) -> Configured {
    let mut message = message.clone();
    let mut without_effect = Vec::new();
    let mut reset = false;
    let mut is_set = |word: Word, bit: u32| *word.of(&mut message) >> bit & 1 == 1;
    let switch = |(word, bit, part, on): (Word, u32, &str, bool)| Switch {
        part: part.into(),
        enabled: is_set(word, bit) == on,
    };
    let switches = SWITCHES.into_iter().map(switch).collect();
    for word in Word::ALL {
        let bits = *word.of(&mut message);
        let known = |bit: u32| SWITCHES.iter().any(|(it, known, ..)| *it == word && *known == bit);
        reset |= RESET.0 == word && bits >> RESET.1 & 1 == 1;
        let others =
            (0..u32::BITS).filter(|bit| bits >> bit & 1 == 1 && !known(*bit) && (word, *bit) != RESET);
        let others: Vec<String> = others.map(|bit| bit.to_string()).collect();
        if !others.is_empty() {
            without_effect.push(format!("bits {} of {}", others.join(", "), word.field()));
        }
    }
    if message.P1_W_signals != 0 {
        without_effect.push("P1_W_signals".to_owned());
    }
    if !message.model_pars.data.is_empty() {
        without_effect.push("model_pars".to_owned());
    }
    Configured { switches, resets: reset, without_effect }
}

/// Why parts cannot be switched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::miro) enum SwitchError {
    /// It is not known.
    #[error("a MiRo has no part {0:?} to switch")]
    Unknown(String),
    /// A message says all of them.
    #[error("a message to a MiRo switches all its parts at once; these are missing: {0}")]
    Missing(String),
}

/// The message that switches parts, of which none may be left out.
pub(in crate::miro) fn config_from_switches(switches: &[Switch]) -> Result<CoreConfig, SwitchError> {
    let mut message = CoreConfig { msg_flags: messages::signals::UPDATE_SIGNALS, ..CoreConfig::default() };
    for Switch { part, enabled: _ } in switches {
        if SWITCHES.iter().all(|(_, _, known, _)| *known != &**part) {
            return Err(SwitchError::Unknown(part.chars().take(40).collect()));
        }
    }
    let mut missing = Vec::new();
    for (word, bit, part, on) in SWITCHES {
        match switches.iter().rev().find(|it| &*it.part == part) {
            Some(switch) => *word.of(&mut message) |= u32::from(switch.enabled == on) << bit,
            None => missing.push(part),
        }
    }
    if missing.is_empty() { Ok(message) } else { Err(SwitchError::Missing(missing.join(", "))) }
}

#[cfg(test)]
mod tests;
