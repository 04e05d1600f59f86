//! The parts of the core that can be switched.

use std::sync::{Arc, LazyLock};

use latimer_core::Outcome;
use latimer_core::model::signal::Switch;

/// Declares the parts: name, and whether it is on after power-up.
macro_rules! parts {
    ($($(#[doc = $doc:literal])* $part:ident = $name:literal, $on:literal;)*) => {
        /// A part of the core.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::bodies::miro) enum Part {
            $($(#[doc = $doc])* $part,)*
        }

        /// Names, and whether each is on after power-up: as in the maker's demonstration.
        const PARTS: &[(Part, &str, bool)] = &[$((Part::$part, $name, $on),)*];
    };
}

parts! {
    /// Emotion, mood and sleep go on.
    Affect = "affect", true;
    /// Valence returns to neutral.
    ValenceDynamics = "valence_dynamics", true;
    /// Arousal returns to what light and wakefulness make it.
    ArousalDynamics = "arousal_dynamics", true;
    /// Valence is never below neutral.
    NoNegativeValence = "no_negative_valence", false;
    /// It gets tired; without, it is wide awake.
    Sleep = "sleep", true;
    /// It gets tired 25 times as fast.
    FastSleep = "fast_sleep", false;
    /// Wakefulness changes arousal.
    AffectWakefulness = "affect_wakefulness", true;
    /// Light changes arousal.
    AffectLight = "affect_light", true;
    /// Touches change emotion.
    AffectTouch = "affect_touch", true;
    /// Sounds change emotion.
    AffectSound = "affect_sound", true;
    /// Being lifted, and bumps, change emotion.
    AffectAccel = "affect_accel", true;
    /// It shows how it feels.
    Express = "express", true;
    /// By giving voice.
    ExpressVocal = "express_vocal", true;
    /// By its tail.
    ExpressTail = "express_tail", true;
    /// By its eyelids.
    ExpressEyelids = "express_eyelids", true;
    /// It acts.
    Action = "action", true;
    /// It does nothing but idle.
    ForceMull = "force_mull", false;
    /// Stalls interrupt what it does.
    Halt = "halt", true;
    /// It approaches less what is near.
    ModulateBySonar = "modulate_by_sonar", true;
    /// It backs off from edges.
    Retreat = "retreat", true;
    /// It flees.
    Flee = "flee", true;
    /// Pushes move it, and body moves.
    Body = "body", true;
    /// Pushes count.
    Push = "push", true;
    /// Pushes move the wheels.
    PushMotion = "push_motion", true;
    /// Pushes move the body forward and back.
    PushTranslation = "push_translation", true;
    /// What the sonar sees near weakens pushes of the head forward.
    PushModulateBySonar = "push_modulate_by_sonar", true;
    /// An action is chosen.
    Selection = "selection", true;
    /// By the core itself, and not by the disinhibition that a client sends.
    OwnSelection = "own_selection", true;
    /// It attends to things.
    Attention = "attention", true;
    /// That it hears.
    AttentionSound = "attention_sound", true;
    /// That it sees.
    AttentionVision = "attention_vision", true;
    /// The wheels stop before an edge.
    CliffReflex = "cliff_reflex", true;
}

/// Parts by which it moves of its own accord.
const MOVING: [Part; 11] = [
    Part::Express,
    Part::ExpressTail,
    Part::ExpressEyelids,
    Part::Action,
    Part::Retreat,
    Part::Flee,
    Part::Body,
    Part::Push,
    Part::PushMotion,
    Part::PushTranslation,
    Part::PushModulateBySonar,
];

/// How they are switched so that it moves nothing of its own accord.
pub(in crate::bodies::miro) fn still() -> Vec<Switch> {
    let moving = PARTS.iter().filter(|(part, ..)| MOVING.contains(part));
    moving.map(|(_, name, _)| Switch { part: (*name).into(), enabled: false }).collect()
}

/// The names, to be shared.
static SHARED: LazyLock<Vec<Arc<str>>> =
    LazyLock::new(|| PARTS.iter().map(|(_, name, _)| Arc::from(*name)).collect());

/// Which parts are on.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bodies::miro) struct Switches {
    on: Vec<bool>,
    /// Whether somebody said if it is to act; until then it acts if it has a habit.
    pub(super) action_given: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { on: PARTS.iter().map(|(.., on)| *on).collect(), action_given: false }
    }
}

impl Switches {
    pub(in crate::bodies::miro) fn is_on(&self, part: Part) -> bool {
        // Parts are declared in the order of the list.
        self.on.get(part as usize).copied().unwrap_or_default()
    }

    /// Switches a part by its name; false if there is none.
    pub(super) fn set(&mut self, name: &str, on: bool) -> bool {
        let found = PARTS.iter().find(|(_, known, _)| *known == name);
        if let Some((part, ..)) = found {
            self.on[*part as usize] = on;
            self.action_given |= *part == Part::Action;
        }
        found.is_some()
    }

    /// Switches parts: all of them, or none if one is not known.
    pub(in crate::bodies::miro) fn set_all(&mut self, switches: &[Switch]) -> Result<(), Outcome> {
        let mut changed = self.clone();
        for Switch { part, enabled } in switches {
            if !changed.set(part, *enabled) {
                let shown: String = part.chars().take(40).collect();
                let known: Vec<&str> = PARTS.iter().map(|(_, name, _)| *name).collect();
                return Err(Outcome::bad_argument(format!(
                    "no part {shown:?} of the core to switch; there are: {}",
                    known.join(", ")
                )));
            }
        }
        *self = changed;
        Ok(())
    }

    /// All of them; the one for acting as it is in effect.
    pub(super) fn published(&self, acts: bool) -> Vec<Switch> {
        let switch = |((part, ..), name): (&(Part, &str, bool), &Arc<str>)| Switch {
            part: name.clone(),
            enabled: if *part == Part::Action { acts } else { self.is_on(*part) },
        };
        PARTS.iter().zip(SHARED.iter()).map(switch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_in_the_order_of_their_list_and_switched_all_or_none() {
        assert!(PARTS.iter().enumerate().all(|(i, (part, ..))| *part as usize == i));
        let mut switches = Switches::default();
        let switch = |part: &str, enabled| Switch { part: part.into(), enabled };
        assert!(switches.set_all(&[switch("flee", false), switch("nose", true)]).is_err());
        assert_eq!(switches, Switches::default());
        assert!(switches.set_all(&[switch("flee", false), switch("retreat", false)]).is_ok());
        assert!(!switches.is_on(Part::Flee) && !switches.is_on(Part::Retreat) && switches.is_on(Part::Halt));
    }
}
