//! How it feels: an emotion that events change within seconds, and a mood that follows it and that it returns to.
//!
//! ```text
//!  events ──▶ emotion ◀──4 s──▶ mood ──600 s awake, 120 s asleep──▶ neutral valence
//!                                └─────────4 s─────────▶ arousal by light and wakefulness
//! ```
//!
//! Time constants and gains are those of the platform's model parameters (published); how often a gain counts is not, so it
//! counts ten times a second (plausible).

use latimer_core::model::Pull;
use latimer_core::model::signal::Affect;

use super::TICK_S;
use super::switches::{Part, Switches};

/// Time constants of emotion and mood, and of mood to neutral valence awake and asleep, seconds (published).
const FOLLOWS_S: f64 = 4.0;
const NEUTRAL_S: [f64; 2] = [600.0, 120.0];

/// How long an event takes to be felt, seconds (published).
const FELT_S: f64 = 1.0;

/// What an event of a second changes: valence and arousal.
const PETTED: [f64; 2] = [0.25, 0.25];
const STROKED: [f64; 2] = [0.25, 0.0];
const SHAKEN: [f64; 2] = [-1.0, 0.5];
const SOUND_AROUSAL: f64 = 0.25;
const NOISE_VALENCE: f64 = -0.5;

/// What a bump changes, at once (plausible).
const BUMPED: [f64; 2] = [-0.3, 0.3];

/// Sounds louder than this are unpleasant, 0..1 (plausible).
const LOUD: f64 = 0.6;

/// Arousal without anything, what light adds to it, and from which light on (published).
const NOMINAL_AROUSAL: f64 = 0.5;
const LIGHT_GAIN: f64 = 0.1;
const LIGHT_OFFSET: f64 = 0.2;

/// How much more the emotion counts for arousal than what it is drawn to (published).
const EMOTION_WEIGHT: f64 = 2.0;

/// Neither good nor bad, neither calm nor excited.
const NEUTRAL: Affect = Affect { valence_ratio: 0.5, arousal_ratio: 0.5 };

/// What happens to it, as far as that is felt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Events {
    pub(super) head_touched: bool,
    pub(super) body_touched: bool,
    /// Lifted or fallen.
    pub(super) shaken: bool,
    /// It ran into something, just now.
    pub(super) bumped: bool,
    /// The loudest sound, 0..1.
    pub(super) loudness: f64,
    /// The mean of the light sensors, 0..1.
    pub(super) light: f64,
}

/// Emotion and mood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Feelings {
    pub(super) emotion: Affect,
    pub(super) mood: Affect,
    /// Changes that are not felt yet: valence and arousal.
    pending: [f64; 2],
}

impl Feelings {
    pub(super) fn new() -> Self {
        Self { emotion: NEUTRAL, mood: NEUTRAL, pending: [0.0; 2] }
    }

    /// Lives through a tick.
    pub(super) fn tick(&mut self, events: &Events, switches: &Switches, wakefulness: f64) {
        if !switches.is_on(Part::Affect) {
            return;
        }
        self.feel(events, switches);
        if switches.is_on(Part::ValenceDynamics) {
            let (emotion, mood) = (&mut self.emotion.valence_ratio, &mut self.mood.valence_ratio);
            *mood += share(FOLLOWS_S) * (*emotion - *mood);
            *emotion += share(FOLLOWS_S) * (*mood - *emotion);
            let [awake, asleep] = NEUTRAL_S.map(share);
            let pace = asleep + wakefulness * (awake - asleep);
            *mood += pace * (NEUTRAL.valence_ratio - *mood);
        }
        if switches.is_on(Part::ArousalDynamics) {
            let drawn_to = drawn_to(events, switches, wakefulness);
            let (emotion, mood) = (&mut self.emotion.arousal_ratio, &mut self.mood.arousal_ratio);
            let target = (drawn_to + EMOTION_WEIGHT * *emotion) / (1.0 + EMOTION_WEIGHT);
            *mood += share(FOLLOWS_S) * (target - *mood);
            *emotion += share(FOLLOWS_S) * (*mood - *emotion);
        }
        self.hold(switches);
    }

    /// Lets events change the emotion, over a second.
    fn feel(&mut self, events: &Events, switches: &Switches) {
        let Events { head_touched, body_touched, shaken, bumped, loudness, light: _ } = *events;
        let mut add = |part, on: bool, [valence, arousal]: [f64; 2], times: f64| {
            if on && switches.is_on(part) {
                self.pending[0] += valence * times;
                self.pending[1] += arousal * times;
            }
        };
        add(Part::AffectTouch, head_touched, PETTED, TICK_S);
        add(Part::AffectTouch, body_touched, STROKED, TICK_S);
        add(Part::AffectAccel, shaken, SHAKEN, TICK_S);
        add(Part::AffectAccel, bumped, BUMPED, 1.0);
        let noise = ((loudness - LOUD) / (1.0 - LOUD)).clamp(0.0, 1.0);
        add(Part::AffectSound, loudness > 0.0, [NOISE_VALENCE * noise, SOUND_AROUSAL * loudness], TICK_S);
        let felt = self.pending.map(|it| it * share(FELT_S));
        self.emotion.valence_ratio += felt[0];
        self.emotion.arousal_ratio += felt[1];
        // A hand that stays for an hour is not felt for another.
        self.pending = [self.pending[0] - felt[0], self.pending[1] - felt[1]].map(|it| it.clamp(-1.0, 1.0));
    }

    /// Pulls emotion and mood, by a share of what is missing.
    pub(super) fn pull(&mut self, emotion: Option<&Pull<Affect>>, mood: Option<&Pull<Affect>>) {
        for (state, pull) in [(&mut self.emotion, emotion), (&mut self.mood, mood)] {
            let Some(Pull { target, gain_ratio }) = pull else { continue };
            state.valence_ratio += gain_ratio * (target.valence_ratio - state.valence_ratio);
            state.arousal_ratio += gain_ratio * (target.arousal_ratio - state.arousal_ratio);
        }
    }

    fn hold(&mut self, switches: &Switches) {
        let worst = if switches.is_on(Part::NoNegativeValence) { NEUTRAL.valence_ratio } else { 0.0 };
        for state in [&mut self.emotion, &mut self.mood] {
            state.valence_ratio = state.valence_ratio.clamp(worst, 1.0);
            state.arousal_ratio = state.arousal_ratio.clamp(0.0, 1.0);
        }
    }
}

/// The arousal that it is drawn to by how it is around it.
fn drawn_to(events: &Events, switches: &Switches, wakefulness: f64) -> f64 {
    let awake = if switches.is_on(Part::AffectWakefulness) { wakefulness } else { 1.0 };
    let light =
        if switches.is_on(Part::AffectLight) { LIGHT_GAIN * (events.light - LIGHT_OFFSET) } else { 0.0 };
    (NOMINAL_AROUSAL * awake + light).clamp(0.0, 1.0)
}

/// The share of a way that is made in a tick with a time constant.
fn share(time_constant_s: f64) -> f64 {
    1.0 - (-TICK_S / time_constant_s).exp()
}
