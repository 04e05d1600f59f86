//! Carries out what a task wants: drives, waits, looks, grasps, meets a person.
//!
//! ```text
//!            begin(act)              done · failed
//!  Nothing ─────────────▶ doing it ─────────────────▶ Nothing, and the job receives the event
//! ```
//!
//! While a client drives the robot, or an emergency stop is pressed, nothing goes on and nothing is
//! notified; afterwards it goes on from there.

use super::RobotKoop;
use super::arm::Grasp;
use super::parts::REACH_M;
use super::tasks::{Act, ActFailure, ArmPose, Event};
use crate::bodies::rover::Ended;
use crate::bodies::{Effect, Outbox};
use crate::config::Place;
use crate::geometry::Pose2;
use crate::nav::Goal;
use crate::physics::Surroundings;

/// How long a look takes, seconds (plausible).
const LOOK_S: f64 = 1.5;

/// How near is near enough to hand something over, and how near it may be if there is no nearer, metres.
const MEET_M: f64 = 1.0;
const MEET_AT_MOST_M: f64 = 1.35;

/// How near to a person's place the way shall end, metres.
const BESIDE_PERSON_M: f64 = 0.8;

/// A person who walks on by so much is followed, metres.
const FOLLOW_M: f64 = 0.4;

/// From how near a person is asked to stay, metres; for how long, and how often, seconds.
const BECKON_M: f64 = 3.5;
const STAY_S: f64 = 5.0;
const BECKON_PERIOD_S: f64 = 2.0;

/// How near to a place's pose it is there, metres.
const AT_M: f64 = 0.5;

/// How long it waits where a person was seen last, seconds.
const WAIT_S: f64 = 60.0;

/// What the robot is doing for its task.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Doing {
    Nothing,
    Thinking {
        until_s: f64,
    },
    Going {
        place: String,
    },
    Meeting {
        person: Option<usize>,
        came_s: Option<f64>,
        beckon_s: f64,
    },
    Looking {
        until_s: f64,
    },
    /// Reproduces a demonstration: the poses that are left, the next one last.
    Reproducing {
        poses: Vec<ArmPose>,
    },
    Picking {
        thing: String,
    },
    Putting {
        thing: String,
        place: Option<String>,
        to: Option<usize>,
    },
}

impl RobotKoop {
    /// Begins something in place of what it does.
    pub(super) fn begin(&mut self, act: Act) {
        self.rover.way.cancel();
        self.ended = None;
        self.arm.give_up();
        self.doing = match act {
            Act::Rest | Act::Ask | Act::End(_) => Doing::Nothing,
            Act::Think(seconds) => Doing::Thinking { until_s: self.state.time_s + seconds },
            Act::Look => Doing::Looking { until_s: self.state.time_s + LOOK_S },
            Act::Go(place) => {
                if let Some(goal) = self.memory.place(&place).map(standing_at) {
                    self.rover.way.go(goal, None, Some(place.clone()));
                }
                self.here = Some(place.clone());
                Doing::Going { place }
            }
            Act::Meet => self.begin_to_meet(),
            Act::Reproduce(mut poses) => {
                poses.reverse();
                Doing::Reproducing { poses }
            }
            Act::Pick(thing) => {
                self.arm.begin(true);
                Doing::Picking { thing }
            }
            Act::Put { thing, place } => {
                self.arm.begin(false);
                let to = if place.is_none() { self.recipient() } else { None };
                Doing::Putting { thing, place, to }
            }
        };
    }

    /// The person of a task: the one it names, or the asker.
    fn recipient(&self) -> Option<usize> {
        let named =
            self.agenda.running().and_then(|it| it.parameter("to")).and_then(|it| self.recognition.find(it));
        named.or_else(|| self.agenda.origin()?.person)
    }

    fn begin_to_meet(&mut self) -> Doing {
        let person = self.recipient();
        let asked_at = self.agenda.origin().map_or(self.rover.bearings.pose(), |it| it.pose);
        let goal = match person.and_then(|it| self.recognition.last_seen(it)) {
            Some(at_m) => beside(at_m),
            None => Goal::point([asked_at.x_m, asked_at.y_m]),
        };
        self.rover.way.go(goal, None, None);
        self.here = None;
        Doing::Meeting { person, came_s: None, beckon_s: 0.0 }
    }

    /// Goes on; returns the event once it is over.
    pub(super) fn go_on(
        &mut self,
        ended: Option<Ended>,
        around: &Surroundings<'_>,
        out: &mut Outbox<'_>,
    ) -> Option<Event> {
        let event = match self.doing.clone() {
            Doing::Nothing => return None,
            Doing::Thinking { until_s } => (self.state.time_s >= until_s).then_some(Event::Done),
            Doing::Going { place } => match ended {
                Some(Ended::Arrived) => Some(Event::Done),
                Some(Ended::Failed(_, reason)) => Some(Event::Failed(ActFailure::Navigation(reason))),
                None if !self.rover.way.is_active() => Some(Event::Failed(ActFailure::UnknownPlace(place))),
                None => None,
            },
            Doing::Looking { until_s } => (self.state.time_s >= until_s).then(|| self.look(around)),
            Doing::Meeting { person, came_s, beckon_s } => self.meet(person, came_s, beckon_s, ended, out),
            Doing::Reproducing { poses } => self.reproduce(poses),
            Doing::Picking { thing } => self.pick(&thing, around, out),
            Doing::Putting { thing, place, to } => self.put(&thing, place, to, out),
        };
        if event.is_some() {
            self.doing = Doing::Nothing;
        }
        event
    }

    /// Whether it stands at a place.
    fn is_at(&self, place: &str) -> bool {
        let at = self.rover.bearings.pose();
        self.memory.place(place).is_some_and(|it| at.distance_to(it.position_m[0], it.position_m[1]) < AT_M)
    }

    fn look(&self, around: &Surroundings<'_>) -> Event {
        if self.recognition.is_blind() {
            return Event::Failed(ActFailure::Camera);
        }
        let place = self.here.as_deref().unwrap_or_default();
        if !self.is_at(place) {
            return Event::Failed(ActFailure::LedAway(place.to_owned()));
        }
        Event::Saw(self.recognition.look(place, around))
    }

    fn meet(
        &mut self,
        person: Option<usize>,
        mut came_s: Option<f64>,
        mut beckon_s: f64,
        ended: Option<Ended>,
        out: &mut Outbox<'_>,
    ) -> Option<Event> {
        let Some(person) = person else {
            return ended.map(|it| match it {
                Ended::Arrived => Event::Done,
                Ended::Failed(_, reason) => Event::Failed(ActFailure::Navigation(reason)),
            });
        };
        let distance_m = self.recognition.distance_m(person);
        let near = |limit_m: f64| distance_m.is_some_and(|it| it <= limit_m);
        if near(BECKON_M) && self.state.time_s >= beckon_s {
            beckon_s = self.state.time_s + BECKON_PERIOD_S;
            out.act(Effect::AskToStay { person, seconds: STAY_S });
        }
        if near(MEET_M) || ended.is_some() && near(MEET_AT_MOST_M) {
            self.rover.way.cancel();
            return Some(Event::Met(self.memory.recognize(self.recognition.name_of(person))));
        }
        if let Some(Ended::Failed(_, reason)) = ended {
            return Some(Event::Failed(ActFailure::Navigation(reason)));
        }
        if ended.is_some() && came_s.is_none() {
            came_s = Some(self.state.time_s);
        }
        if let Some([x_m, y_m]) = distance_m.and_then(|_| self.recognition.last_seen(person)) {
            let goal = beside([x_m, y_m]);
            let off_m = |it: &Goal| (it.at_m[0] - x_m).hypot(it.at_m[1] - y_m);
            match self.rover.way.goal().map(off_m) {
                Some(off_m) if off_m > FOLLOW_M => self.rover.way.adjust(goal),
                Some(_) => {}
                None => self.rover.way.go(goal, None, None),
            }
        }
        self.doing = Doing::Meeting { person: Some(person), came_s, beckon_s };
        let gone = came_s.is_some_and(|it| self.state.time_s - it > WAIT_S);
        gone.then(|| {
            self.rover.way.cancel();
            Event::Silence
        })
    }

    /// Sends the arm to the next pose when it has reached the last.
    fn reproduce(&mut self, mut poses: Vec<ArmPose>) -> Option<Event> {
        if self.arm.is_moving() {
            return None;
        }
        let Some(pose) = poses.pop() else { return Some(Event::Done) };
        self.arm.pose(pose);
        self.doing = Doing::Reproducing { poses };
        None
    }

    fn pick(&mut self, thing: &str, around: &Surroundings<'_>, out: &mut Outbox<'_>) -> Option<Event> {
        if self.state.time_s < self.gripper_failed_until_s {
            self.arm.give_up();
            return Some(Event::Failed(ActFailure::Gripper));
        }
        match self.arm.go_on() {
            Grasp::Busy => None,
            Grasp::Now => {
                let placed = around.household.placed(around.file, |_| None, |_| None);
                let at = placed.into_iter().find(|(item, _)| item.object.name == thing).map(|(_, at)| at);
                if at.is_some_and(|[x_m, y_m, _]| around.pose.distance_to(x_m, y_m) <= REACH_M) {
                    out.act(Effect::TakeObject(thing.to_owned()));
                }
                None
            }
            Grasp::Over if self.carried.iter().any(|it| it == thing) => Some(Event::Done),
            Grasp::Over => Some(Event::Failed(ActFailure::Missed(thing.to_owned()))),
        }
    }

    fn put(
        &mut self,
        thing: &str,
        place: Option<String>,
        to: Option<usize>,
        out: &mut Outbox<'_>,
    ) -> Option<Event> {
        if self.state.time_s < self.gripper_failed_until_s {
            self.arm.give_up();
            return Some(Event::Failed(ActFailure::Gripper));
        }
        if let Some(person) = to {
            out.act(Effect::AskToStay { person, seconds: 1.0 });
        }
        match self.arm.go_on() {
            Grasp::Busy => None,
            Grasp::Now => {
                let away =
                    |person: usize| self.recognition.distance_m(person).is_none_or(|it| it > MEET_AT_MOST_M);
                if to.is_some_and(away) {
                    self.arm.give_up();
                    return Some(Event::Failed(ActFailure::NotTaken(thing.to_owned())));
                }
                if let Some(place) = place.as_ref().filter(|it| !self.is_at(it)) {
                    let failure = ActFailure::LedAway(place.clone());
                    self.arm.give_up();
                    return Some(Event::Failed(failure));
                }
                out.act(Effect::PutObject { name: thing.to_owned(), place });
                None
            }
            Grasp::Over if self.carried.iter().any(|it| it == thing) => {
                Some(Event::Failed(ActFailure::Stuck(thing.to_owned())))
            }
            Grasp::Over => Some(Event::Done),
        }
    }
}

/// How to stand beside a person: on the side from which the robot comes.
fn beside(at_m: [f64; 2]) -> Goal {
    Goal { zone: true, ..Goal::point(at_m).within(BESIDE_PERSON_M) }
}

/// How to stand at a place: as it says, or facing what lies there.
pub(super) fn standing_at(place: &Place) -> Goal {
    let pose = place.pose();
    let [x_m, y_m] = place.surface();
    if pose.distance_to(x_m, y_m) < 0.05 {
        return Goal::pose(pose);
    }
    Goal::pose(Pose2::new(pose.x_m, pose.y_m, (y_m - pose.y_m).atan2(x_m - pose.x_m)))
}
