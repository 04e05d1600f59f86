//! What it does: each action has a priority by what it perceives, and one of them is chosen and kept for a while.
//!
//! ```text
//!  mull     idles: what the robot does by habit            priority 0.1
//!  halt     stands, while it is helpless                   1
//!  orient   turns its head to the most salient thing       by salience, up to 0.5
//!  approach drives to it, if it feels well                 up to 0.75
//!  flee     drives away from it, if it does not            up to 0.75
//!  retreat  backs off from an edge                         0.9
//! ```
//!
//! Base priorities, hysteresis and durations are published. An action that took its time rests for a while (plausible), so that
//! the robot does not stare.

use latimer_core::model::ActionBias;
use latimer_core::model::signal::{ActionState, Affect, PriorityPeak};

use super::switches::{Part, Switches};

/// The actions, in the platform's order (published).
const NAMES: [&str; 6] = ["mull", "halt", "orient", "approach", "flee", "retreat"];

/// How many there are.
pub(super) const COUNT: usize = NAMES.len();

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bodies::miro) enum Action {
    Mull,
    Halt,
    Orient,
    Approach,
    Flee,
    Retreat,
}

const ACTIONS: [Action; COUNT] =
    [Action::Mull, Action::Halt, Action::Orient, Action::Approach, Action::Flee, Action::Retreat];

/// Priorities without more: of mulling, orienting, approaching and fleeing, of what cannot be interrupted (published); of
/// retreating (plausible).
const IDLE: f64 = 0.1;
const ORIENT: f64 = 0.5;
const APPROACH: f64 = 0.75;
const FLEE: f64 = 0.75;
const HALT: f64 = 1.0;
const RETREAT: f64 = 0.9;

/// By how much another must be more urgent than the chosen one (published).
const HYSTERESIS: f64 = 0.05;

/// How long an action goes on at most, seconds (published: 75 and 300 ticks), and how long it rests then (plausible).
const LONGEST_S: [f64; COUNT] = [f64::INFINITY, f64::INFINITY, 1.5, 6.0, 6.0, f64::INFINITY];
const RESTS_S: f64 = 8.0;

/// Within this of ahead a thing is fixated: half of the published region of 0.5 rad.
const FIXATED_RAD: f64 = 0.25;

/// Nearer than this the sonar weakens approaching, metres (published: 60 times 5 mm).
const SONAR_M: f64 = 0.3;

/// What actions are chosen by.
pub(super) struct Situation<'a> {
    pub(super) time_s: f64,
    pub(super) peak: &'a PriorityPeak,
    pub(super) emotion: &'a Affect,
    /// It cannot drive.
    pub(super) helpless: bool,
    pub(super) at_edge: bool,
    /// The nearest thing ahead, metres.
    pub(super) near_m: Option<f64>,
    pub(super) asleep: bool,
}

/// The priorities, and what is chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    priorities: [f64; COUNT],
    disinhibition: [f64; COUNT],
    chosen: Option<usize>,
    since_s: f64,
    rests_until_s: [f64; COUNT],
}

impl Choice {
    /// What it does.
    pub(super) fn action(&self) -> Option<Action> {
        self.chosen.and_then(|chosen| ACTIONS.get(chosen)).copied()
    }

    /// Nothing is chosen, and nothing urgent: the part that acts is off.
    pub(super) fn idle(&mut self) {
        *self = Self { rests_until_s: self.rests_until_s, ..Self::default() };
    }

    /// Reckons how urgent each action is, and chooses.
    pub(super) fn tick(&mut self, now: &Situation<'_>, biases: &[ActionBias], switches: &Switches) {
        let bias = |i: usize| biases.get(i).copied().unwrap_or(ActionBias::NONE);
        let own = priorities(now, switches);
        self.priorities = std::array::from_fn(|i| {
            let ActionBias { priming_factor, priming_added, scale, offset, disinhibition: _ } = bias(i);
            ((own[i] * (1.0 + priming_factor) + priming_added) * scale + offset).clamp(0.0, 1.0)
        });
        let chosen = if !switches.is_on(Part::Selection) {
            None
        } else if switches.is_on(Part::OwnSelection) {
            self.choose(now.time_s, switches.is_on(Part::ForceMull))
        } else {
            let most = (0..COUNT).max_by(|a, b| bias(*a).disinhibition.total_cmp(&bias(*b).disinhibition));
            most.filter(|i| bias(*i).disinhibition > 0.0)
        };
        if chosen != self.chosen {
            (self.chosen, self.since_s) = (chosen, now.time_s);
        }
        self.disinhibition = std::array::from_fn(|i| match switches.is_on(Part::OwnSelection) {
            true => f64::from(u8::from(chosen == Some(i))),
            false => bias(i).disinhibition.clamp(0.0, 1.0),
        });
    }

    /// The most urgent one that does not rest; the present one is kept unless another is clearly more urgent.
    fn choose(&mut self, time_s: f64, force_mull: bool) -> Option<usize> {
        if force_mull {
            return Some(Action::Mull as usize);
        }
        if let Some(chosen) = self.chosen.filter(|i| time_s - self.since_s >= LONGEST_S[*i]) {
            self.rests_until_s[chosen] = time_s + RESTS_S;
        }
        let urgency = |i: &usize| {
            let kept = if self.chosen == Some(*i) { HYSTERESIS } else { 0.0 };
            if time_s < self.rests_until_s[*i] { 0.0 } else { self.priorities[*i] + kept }
        };
        (0..COUNT).max_by(|a, b| urgency(a).total_cmp(&urgency(b)))
    }

    /// As it is published.
    pub(super) fn published(&self) -> Vec<ActionState> {
        let action = |(i, name): (usize, &&str)| ActionState {
            name: (*name).to_owned(),
            priority_ratio: self.priorities[i],
            selection_ratio: if self.chosen == Some(i) { self.priorities[i] } else { 0.0 },
            disinhibition_ratio: self.disinhibition[i],
        };
        NAMES.iter().enumerate().map(action).collect()
    }
}

fn priorities(now: &Situation<'_>, switches: &Switches) -> [f64; COUNT] {
    let Situation { time_s: _, peak, emotion, helpless, at_edge, near_m, asleep } = *now;
    let when = |on: bool, priority: f64| if on { priority } else { 0.0 };
    // An excited robot attends to more.
    let salience = when(!asleep, (peak.height_ratio * (0.5 + emotion.arousal_ratio)).min(1.0));
    let fixated = if peak.azimuth_rad.abs() < FIXATED_RAD { 1.0 } else { 0.5 };
    let near = near_m.map_or(1.0, |m| (m / SONAR_M).min(1.0));
    let near = if switches.is_on(Part::ModulateBySonar) { near } else { 1.0 };
    let well = (2.0 * emotion.valence_ratio).min(1.0);
    let unwell = (1.0 - 2.0 * emotion.valence_ratio).max(0.0);
    [
        IDLE,
        when(helpless && switches.is_on(Part::Halt), HALT),
        ORIENT * salience * (1.5 - fixated),
        APPROACH * salience * well * fixated * near,
        when(switches.is_on(Part::Flee), FLEE * salience * unwell),
        when(at_edge && switches.is_on(Part::Retreat), RETREAT),
    ]
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::AttentionField;

    use super::*;

    fn peak(azimuth_rad: f64, height_ratio: f64) -> PriorityPeak {
        let field = AttentionField::Left;
        PriorityPeak {
            field,
            azimuth_rad,
            elevation_rad: 0.5,
            height_ratio,
            size_ratio: 0.05,
            completed: None,
        }
    }

    fn chosen(choice: &mut Choice, peak: &PriorityPeak, valence_ratio: f64, time_s: f64) -> Option<Action> {
        let emotion = Affect { valence_ratio, arousal_ratio: 0.5 };
        let now = Situation {
            time_s,
            peak,
            emotion: &emotion,
            helpless: false,
            at_edge: false,
            near_m: None,
            asleep: false,
        };
        choice.tick(&now, &[], &Switches::default());
        choice.action()
    }

    #[test]
    fn it_looks_at_what_is_aside_goes_to_what_is_ahead_and_flees_if_it_is_unwell() {
        let mut choice = Choice::default();
        assert_eq!(chosen(&mut choice, &peak(0.0, 0.0), 0.5, 0.0), Some(Action::Mull));
        assert_eq!(chosen(&mut choice, &peak(0.9, 0.8), 0.5, 1.0), Some(Action::Orient));
        assert_eq!(chosen(&mut choice, &peak(0.1, 0.8), 0.5, 1.1), Some(Action::Approach));
        assert_eq!(chosen(&mut choice, &peak(0.1, 0.8), 0.1, 1.2), Some(Action::Flee));
    }

    #[test]
    fn an_action_ends_and_rests() {
        let mut choice = Choice::default();
        let there = peak(0.1, 0.8);
        let actions: Vec<_> = (0..20).map(|s| chosen(&mut choice, &there, 0.5, f64::from(s))).collect();
        let approaching = actions.iter().filter(|it| **it == Some(Action::Approach)).count();
        assert!((6..13).contains(&approaching), "{actions:?}");
        assert_eq!(actions[0], Some(Action::Approach));
        assert!(actions[7..13].iter().all(|it| *it != Some(Action::Approach)), "{actions:?}");
    }
}
