//! The core: how the robot feels, how awake it is, what it attends to, and what it does by itself. Pure but for what it looks at.
//!
//! ```text
//!  touch, sound, light, motion ─▶ affect, sleep ─┐
//!  eyes, ears ─▶ attention ─────────────────────▶├─▶ actions ─▶ one is chosen ─▶ wheels, neck
//!  edges, sonar, stalls ────────────────────────▶┘
//!  clients ─▶ pulls, biases, switches, pushes
//! ```
//!
//! It runs in the platform's ticks, 50 a second. Its equations and numbers are those of the maker's demonstration as far as
//! they are public; what is not is plausible and marked so.

mod actions;
mod affect;
mod attention;
mod push;
mod sleep;
mod switches;

use latimer_core::model::signal::{self, BehaviourState, Switch};
use latimer_core::model::{BehaviourDrive, Kind, Push, PushWay};
use latimer_core::{Outcome, Timestamp};

use super::neck::{Angles, Link};
use crate::bodies::check;
use crate::bodies::moment::Moment;
use crate::drive::Speeds;
use crate::physics::Surroundings;
pub(super) use actions::Action;
use actions::{Choice, Situation};
use affect::{Events, Feelings};
use attention::Attention;
pub(super) use attention::Heard;
pub(super) use push::Yield;
use sleep::Sleep;
pub(super) use switches::{Part, Switches, still};

/// Length of a tick (published), seconds, and in steps of the world.
const TICK_S: f64 = 0.02;
const TICK: u64 = 2;

/// Steps between two looks around.
const LOOKS: u64 = 10;

/// How long a client's influence holds that is not renewed, seconds (published: 50 ticks).
const HELD_S: f64 = 1.0;

/// How long a hand's or a program's stir lasts, seconds.
const STIRRED_S: f64 = 0.5;

/// How it drives by itself: turn rates by bearing and at most, and speeds toward and away, 1/s, rad/s and m/s (plausible, below
/// the published 300 and 500 mm/s).
const TURN_GAIN: f64 = 1.5;
const TURN_RADPS: f64 = 0.8;
const APPROACH_MPS: f64 = 0.15;
const FLEE_MPS: f64 = 0.25;
const RETREAT_MPS: f64 = -0.15;

/// How far the neck turns; the body turns for the rest, radians.
const NECK_RAD: f64 = 1.0;

/// What the body perceives in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Percepts {
    pub(super) head_touched: bool,
    pub(super) body_touched: bool,
    /// Lifted or fallen.
    pub(super) shaken: bool,
    /// The wheels push in vain.
    pub(super) stalled: bool,
    pub(super) at_edge: bool,
    /// It cannot drive at all.
    pub(super) helpless: bool,
    /// The nearest thing ahead, metres.
    pub(super) near_m: Option<f64>,
    /// The mean of the light sensors, 0..1.
    pub(super) light: f64,
    /// Which eyes work.
    pub(super) eyes: [bool; 2],
    /// The loudest sound; measured at each look around.
    pub(super) heard: Option<Heard>,
    /// A habit of the robot's wants something.
    pub(super) has_habit: bool,
    /// Turn of the neck, radians.
    pub(super) neck_rad: f64,
}

/// What the chosen action wants of wheels and neck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Want {
    pub(super) speeds: Speeds,
    /// Where the neck shall turn to, if anywhere, radians.
    pub(super) yaw_rad: Option<f64>,
}

/// The core.
pub(super) struct Core {
    feelings: Feelings,
    sleep: Sleep,
    attention: Attention,
    choice: Choice,
    switches: Switches,
    /// What a client wants, and until when.
    held: Option<(BehaviourDrive, f64)>,
    /// Impulses, and until when each lasts.
    impulses: Vec<(Push, f64)>,
    stirred_until_s: f64,
    stalled: bool,
    /// The loudest sound at the last look around.
    loudness: f64,
    acts: bool,
    has_habit: bool,
    neck_rad: f64,
}

impl Core {
    pub(super) fn new() -> Self {
        Self {
            feelings: Feelings::new(),
            sleep: Sleep::new(),
            attention: Attention::new(),
            choice: Choice::default(),
            switches: Switches::default(),
            held: None,
            impulses: Vec::new(),
            stirred_until_s: 0.0,
            stalled: false,
            loudness: 0.0,
            acts: false,
            has_habit: false,
            neck_rad: 0.0,
        }
    }

    pub(super) fn switches(&self) -> &Switches {
        &self.switches
    }

    /// Switches parts, all of them or none.
    pub(super) fn switch(&mut self, switches: &[Switch]) -> Result<(), Outcome> {
        self.switches.set_all(switches)
    }

    /// A client or a hand stirs it, which keeps it awake.
    pub(super) fn stir(&mut self, time_s: f64) {
        self.stirred_until_s = time_s + STIRRED_S;
    }

    /// Whether this is a step at which it looks around.
    pub(super) fn looks(now: &Moment<'_>) -> bool {
        now.every(LOOKS)
    }

    /// Takes a client's influence, in place of the one before.
    pub(super) fn drive(&mut self, drive: &BehaviourDrive, time_s: f64) -> Result<(), Outcome> {
        checked(drive)?;
        let lasts = |push: &&Push| matches!(push.way, PushWay::Impulse(_));
        let impulses = drive.pushes.iter().filter(lasts).map(|it| (it.clone(), time_s + push::IMPULSE_S));
        self.impulses.extend(impulses);
        let surplus = self.impulses.len().saturating_sub(push::MOST);
        self.impulses.drain(..surplus);
        let velocities = drive.pushes.iter().filter(|it| !lasts(it)).cloned().collect();
        self.held = Some((BehaviourDrive { pushes: velocities, ..drive.clone() }, time_s + HELD_S));
        Ok(())
    }

    /// Lives through a step and reports.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        head: &Link,
        percepts: &Percepts,
    ) {
        self.held.take_if(|(_, until_s)| now.time_s >= *until_s);
        self.impulses.retain(|(_, until_s)| now.time_s < *until_s);
        if Self::looks(now) {
            let awake = self.closure() < 0.8;
            self.attention.look(around, head, percepts.eyes.map(|works| works && awake), &self.switches);
            let passed_s = LOOKS as f64 * TICK_S / TICK as f64;
            let times = [now.time_s, passed_s];
            self.attention.listen(percepts.heard, head, times, around.now, &self.switches);
            self.loudness = percepts.heard.map_or(0.0, |it| it.level);
        }
        if now.every(TICK) {
            self.tick(now.time_s, around.now, percepts);
        }
        if now.due(Kind::BehaviourState, TICK) {
            now.reports.publish(self.published());
        }
    }

    fn tick(&mut self, time_s: f64, now: Timestamp, percepts: &Percepts) {
        let Percepts {
            head_touched, body_touched, shaken, stalled, at_edge, helpless, near_m, light, ..
        } = *percepts;
        (self.neck_rad, self.has_habit) = (percepts.neck_rad, percepts.has_habit);
        let bumped = stalled && !std::mem::replace(&mut self.stalled, stalled);
        let loudness = self.loudness;
        let events = Events { head_touched, body_touched, shaken, bumped, loudness, light };
        let heard = loudness > 0.1 && self.switches.is_on(Part::AttentionSound);
        let stirred = time_s < self.stirred_until_s;
        let stimulated = head_touched || body_touched || shaken || bumped || heard || stirred;
        self.sleep.tick(stimulated, &self.switches);
        self.feelings.tick(&events, &self.switches, self.sleep.wakefulness);
        let held = self.held.as_ref().map(|(drive, _)| drive);
        if let Some(drive) = held {
            self.feelings.pull(drive.emotion.as_ref(), drive.mood.as_ref());
            drive.sleep.iter().for_each(|pull| self.sleep.pull(pull));
            drive.attention.iter().for_each(|target| self.attention.direct(target, now));
        }
        let given = self.switches.action_given;
        self.acts = if given { self.switches.is_on(Part::Action) } else { percepts.has_habit };
        if !self.acts {
            return self.choice.idle();
        }
        let situation = Situation {
            time_s,
            peak: self.attention.highest(),
            emotion: &self.feelings.emotion,
            helpless,
            at_edge,
            near_m,
            asleep: self.sleep.is_asleep(),
        };
        self.choice.tick(&situation, held.map_or(&[], |drive| &drive.actions), &self.switches);
    }

    /// Whether a habit may move the body: it idles and is awake.
    pub(super) fn lets_habits(&self) -> bool {
        let off = self.switches.action_given && !self.acts;
        let free = match self.choice.action() {
            Some(Action::Mull | Action::Retreat) => true,
            Some(_) => false,
            // Nothing is chosen yet, or ever: then nobody may.
            None => !self.acts,
        };
        free && !off && !self.sleep.is_asleep()
    }

    /// What the chosen action wants of wheels and neck; nothing while the robot idles.
    pub(super) fn wants(&self) -> Option<Want> {
        let peak = self.attention.highest();
        let bearing_rad = peak.azimuth_rad + self.neck_rad;
        let turn = |by_rad: f64| (TURN_GAIN * by_rad).clamp(-TURN_RADPS, TURN_RADPS);
        let go = |linear_mps, angular_radps| Speeds { linear_mps, angular_radps };
        let yaw_rad = Some(bearing_rad.clamp(-NECK_RAD, NECK_RAD));
        Some(match self.choice.action()? {
            Action::Mull => return None,
            // A habit knows how to get away from an edge.
            Action::Retreat if self.has_habit => return None,
            Action::Halt => Want { speeds: Speeds::REST, yaw_rad: None },
            Action::Orient => {
                let beyond = bearing_rad - bearing_rad.clamp(-NECK_RAD, NECK_RAD);
                Want { speeds: go(0.0, turn(beyond)), yaw_rad }
            }
            Action::Approach => {
                let ahead = bearing_rad.cos().max(0.0);
                Want { speeds: go(APPROACH_MPS * ahead, turn(bearing_rad)), yaw_rad }
            }
            Action::Flee => {
                let away = crate::geometry::wrap_angle(bearing_rad + std::f64::consts::PI);
                Want { speeds: go(FLEE_MPS * away.cos().max(0.0), turn(away)), yaw_rad: Some(0.0) }
            }
            Action::Retreat => Want { speeds: go(RETREAT_MPS, 0.0), yaw_rad: None },
        })
    }

    /// How joints and wheels give way to pushes; nothing if nobody pushes.
    pub(super) fn gives_way(&self, angles: Angles, near_m: Option<f64>) -> Option<Yield> {
        let on = |part| self.switches.is_on(part);
        if !(on(Part::Body) && on(Part::Push)) {
            return None;
        }
        let wheels = push::Wheels {
            forward: on(Part::PushMotion) && on(Part::PushTranslation),
            turn: on(Part::PushMotion),
        };
        let velocities = self.held.iter().flat_map(|(drive, _)| &drive.pushes);
        let mut pushes = velocities.chain(self.impulses.iter().map(|(push, _)| push)).peekable();
        pushes.peek()?;
        let mut sum = Yield::default();
        for push in pushes {
            let mut one = push::give_way(push, angles, wheels);
            let into = on(Part::PushModulateBySonar) && push.link.as_str() == "head";
            if let Some(near_m) = near_m.filter(|_| into && one.forward_mps > 0.0) {
                let [least_m, most_m] = push::SONAR_M;
                one.forward_mps *= ((near_m - least_m) / (most_m - least_m)).clamp(0.0, 1.0);
            }
            sum.lift_radps += one.lift_radps;
            sum.yaw_radps += one.yaw_radps;
            sum.pitch_radps += one.pitch_radps;
            sum.forward_mps += one.forward_mps;
            sum.turn_radps += one.turn_radps;
        }
        Some(sum)
    }

    /// How far the lids are closed by how tired it is, 0..1.
    pub(super) fn closure(&self) -> f64 {
        let shows = self.switches.is_on(Part::Express) && self.switches.is_on(Part::ExpressEyelids);
        if shows { self.sleep.closure() } else { 0.0 }
    }

    /// How the tail stands by how it feels, -1..1, while it acts.
    pub(super) fn tail(&self) -> Option<f64> {
        let shows = self.acts && self.switches.is_on(Part::Express) && self.switches.is_on(Part::ExpressTail);
        shows.then(|| (2.0 * self.feelings.emotion.valence_ratio - 1.0).clamp(-1.0, 1.0))
    }

    /// How loud a client has it give voice, 0..1, and how excited it is; nothing if it shall not.
    pub(super) fn voice(&self) -> Option<[f64; 2]> {
        let loud = self.held.as_ref().map_or(0.0, |(drive, _)| drive.vocal_ratio);
        let shows = self.switches.is_on(Part::Express) && self.switches.is_on(Part::ExpressVocal);
        (loud > 0.0 && shows).then_some([loud, self.feelings.emotion.arousal_ratio])
    }

    fn published(&self) -> BehaviourState {
        BehaviourState {
            emotion: self.feelings.emotion.clone(),
            mood: self.feelings.mood.clone(),
            sleep: signal::Sleep {
                wakefulness_ratio: self.sleep.wakefulness,
                pressure_ratio: self.sleep.pressure,
            },
            actions: self.choice.published(),
            peaks: self.attention.peaks().to_vec(),
            sound_event: self.attention.sound().cloned(),
            switches: self.switches.published(self.acts),
        }
    }
}

/// Whether all numbers of an influence mean something.
fn checked(drive: &BehaviourDrive) -> Result<(), Outcome> {
    let BehaviourDrive { emotion, mood, sleep, actions, attention, vocal_ratio, pushes } = drive;
    let ratio = |what: &str, value: f64| check::within(what, value, 0.0, 1.0).map(drop);
    for pull in [emotion, mood].into_iter().flatten() {
        ratio("valence", pull.target.valence_ratio)?;
        ratio("arousal", pull.target.arousal_ratio)?;
        ratio("gain of a pull", pull.gain_ratio)?;
    }
    if let Some(pull) = sleep {
        ratio("wakefulness", pull.target.wakefulness_ratio)?;
        ratio("sleep pressure", pull.target.pressure_ratio)?;
        ratio("gain of a pull", pull.gain_ratio)?;
    }
    if actions.len() > actions::COUNT {
        return Err(Outcome::bad_argument(format!(
            "{} biases of actions, but there are {} actions",
            actions.len(),
            actions::COUNT
        )));
    }
    for bias in actions.iter() {
        let all = [bias.priming_factor, bias.priming_added, bias.scale, bias.offset, bias.disinhibition];
        for number in all {
            check::within("a bias of an action", number, -100.0, 100.0)?;
        }
    }
    if let Some(target) = attention {
        check::within("azimuth in radians", target.azimuth_rad, -10.0, 10.0)?;
        check::within("elevation in radians", target.elevation_rad, -10.0, 10.0)?;
        ratio("height of a peak", target.height_ratio)?;
        ratio("size of a peak", target.size_ratio)?;
    }
    ratio("loudness of the voice", *vocal_ratio)?;
    if pushes.len() > push::MOST {
        return Err(Outcome::bad_argument(format!("{} pushes; {} at most", pushes.len(), push::MOST)));
    }
    for Push { link, point_m, way, on_the_spot: _ } in pushes {
        if push::link(link.as_str()).is_none() {
            return Err(Outcome::bad_argument(format!(
                "no link {link} to push; there are foot, body, neck, gimbal and head"
            )));
        }
        let (vector, most) = match way {
            PushWay::Impulse(by_m) => (by_m, push::FASTEST_MPS * push::IMPULSE_S),
            PushWay::Velocity(by_mps) => (by_mps, push::FASTEST_MPS),
        };
        for it in point_m {
            check::within("a push's point in metres", *it, -1.0, 1.0)?;
        }
        for it in vector {
            check::within("a push", *it, -most, most)?;
        }
    }
    Ok(())
}
