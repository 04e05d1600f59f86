//! A robot's owner with a robot around it, and what must hold whatever happens: for the tests, and for a fuzz target.

use std::time::Duration;

use super::*;
use crate::authority::{Envelope, Policy, Seen};
use crate::model::signal::Velocity;
#[cfg(test)]
use crate::model::signal::{Task, TaskState};
use crate::model::{Destination, NavigationGoal, PartName, RobotId, Update};

pub(super) const STOP: Command = Command::Stop { hold: false };
pub(super) const BOUND_MPS: f64 = 0.2;

pub(super) fn drive(linear_mps: f64, duration: Option<Duration>) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration }
}

/// A robot, what it does really, and the gateway around it.
pub(super) struct Bench {
    pub(super) robot: Robot,
    pub(super) now: Timestamp,
    kept: Kept,
    /// How fast it really is.
    speed_mps: f64,
    /// It moves though nobody told it, of which the gateway may know nothing.
    by_itself: bool,
    /// When it stands of its own accord.
    ends_at: Option<Timestamp>,
    /// What was sent and is not answered, with when and by whom.
    pub(super) pending: Vec<(Command, Timestamp, bool)>,
    /// Everything that was sent so far.
    pub(super) sent: Vec<Command>,
    look_at: Option<Timestamp>,
    /// Authors whose connection is there.
    pub(super) is_there: bool,
    pub(super) policy: Policy,
    /// A stop was given, and nothing has happened that ends what it obliges to.
    owed: Option<Owed>,
    is_up: bool,
    /// The emergency stop is pressed.
    pressed: bool,
    /// It has reported motion although it owes a stop: by then another stop has to be sent, unless something ends the obligation.
    told_by: Option<Timestamp>,
    /// When a command to move was sent after the last stop, unless the robot did not take it.
    moved_on_at: Option<Timestamp>,
    /// When a stop was last sent.
    stopped_at: Timestamp,
    /// One was taken since the last that a client gave.
    is_taken: bool,
}

/// What the gateway owes a robot that was given a stop.
#[derive(Clone, Copy, Debug)]
struct Owed {
    given: Timestamp,
    /// It has reported since then that it stands, and nothing else after that.
    stands: bool,
}

impl Bench {
    pub(super) fn new(policy: Policy) -> Self {
        let mut it = Self {
            robot: Robot::new(Authority::new(policy.clone(), false, None), false, Kept::default(), at(0)),
            now: at(10_000),
            kept: Kept::default(),
            speed_mps: 0.0,
            by_itself: false,
            ends_at: None,
            pending: Vec::new(),
            sent: Vec::new(),
            look_at: None,
            is_there: true,
            policy,
            owed: None,
            is_up: false,
            pressed: false,
            told_by: None,
            moved_on_at: None,
            stopped_at: Timestamp::default(),
            is_taken: false,
        };
        it.link(true);
        it
    }

    pub(super) fn step(&mut self, event: Event<'_>) -> Option<Outcome> {
        let effects = self.robot.step(event, self.now);
        self.take_notes(&effects);
        let mut refused = None;
        for effect in effects {
            match effect {
                Effect::Send(command, _) => self.send(command.into_command(), false),
                Effect::Adjust(command) => self.send(command.into_command(), true),
                Effect::Refuse(outcome) => refused = Some(outcome),
                Effect::Stop(cause) => {
                    if cause.voids() {
                        let author = Author::gateway();
                        let stop = Event::Asked { author: &author, command: STOP, is_overtaken: false };
                        let effects = self.robot.step(stop, self.now);
                        assert!(matches!(effects.first(), Some(Effect::Send(stop, _)) if *stop == STOP));
                        self.take_notes(&effects);
                    }
                    self.send(STOP, true);
                }
                Effect::Done | Effect::Alerts | Effect::Reports | Effect::Keep | Effect::LookAt(_) => {}
            }
        }
        refused
    }

    fn take_notes(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Keep => self.kept = self.robot.kept(),
                Effect::LookAt(at) => self.look_at = Some(self.look_at.map_or(*at, |known| known.min(*at))),
                _ => {}
            }
        }
    }

    fn send(&mut self, command: Command, by_gateway: bool) {
        // What is sent is within bounds, and sets nothing in motion while the emergency stop is pressed.
        let motion = command.motion();
        if let (Command::Drive { linear_mps, .. }, Some(most)) = (&command, self.policy.envelope.linear_mps) {
            assert!(linear_mps.abs() <= most + 1e-9, "{command:?} is faster than {most}");
        }
        assert!(!(self.pressed && motion.moves_base()), "{command:?} under an emergency stop");
        if command.is_stop() {
            let counts_with = self.owed.filter(|_| by_gateway && !self.has_moved_on());
            self.is_taken &= counts_with.is_some();
            self.owed = Some(counts_with.unwrap_or(Owed { given: self.now, stands: false }));
            (self.stopped_at, self.told_by, self.moved_on_at) = (self.now, None, None);
        } else if motion.moves_base() {
            self.moved_on_at = Some(self.now);
        }
        let effects = self.robot.step(Event::Sent { command: &command, by_gateway }, self.now);
        self.take_notes(&effects);
        self.sent.push(command.clone());
        self.pending.push((command, self.now, by_gateway));
    }

    pub(super) fn ask(&mut self, client: u8, command: Command) -> Option<Outcome> {
        // No two at once.
        self.wait(Duration::from_micros(1));
        let author = Author::new("one", ["a", "b"][usize::from(client % 2)]);
        match command {
            Command::EmergencyStop(true) => self.pressed = true,
            Command::EmergencyStop(false) => {
                let refused = self.step(Event::Asked { author: &author, command, is_overtaken: false });
                self.pressed &= refused.is_some();
                return refused;
            }
            _ => {}
        }
        self.step(Event::Asked { author: &author, command, is_overtaken: false })
    }

    /// The robot deals with the oldest command, or with none.
    pub(super) fn answer(&mut self, outcome: &Outcome) {
        if self.pending.is_empty() {
            return;
        }
        let (command, given, by_gateway) = self.pending.remove(0);
        let motion = command.motion();
        if outcome.is_ok() {
            self.by_itself &= !(motion.moves_base() || motion == Motion::Stop);
            match command {
                Command::Drive { linear_mps, duration, .. } => {
                    self.speed_mps = linear_mps;
                    self.ends_at = duration.map(|it| self.now.after(it));
                }
                // What it reported before shows nothing of what it does now.
                _ if motion == Motion::Stop => {
                    (self.speed_mps, self.ends_at, self.told_by) = (0.0, None, None);
                    self.is_taken |= self.owed.is_some_and(|owed| given >= owed.given);
                }
                _ if motion.moves_base() => (self.speed_mps, self.ends_at) = (0.1, None),
                _ => {}
            }
            // One of before the stop, of which the robot has to be stopped again.
            self.is_taken &= !(motion.moves_base() && given < self.stopped_at);
            // A later motion that the robot took.
            if motion.moves_base() && self.owed.is_some_and(|owed| given > owed.given) {
                self.owed = None;
            }
        }
        if !outcome.is_ok() && motion.moves_base() {
            self.moved_on_at = self.moved_on_at.filter(|at| *at != given);
            // From now on it counts again.
            self.told_by = None;
        }
        self.step(Event::Answered { motion, given, outcome, by_gateway });
    }

    pub(super) fn report(&mut self, speed_mps: f64) {
        let name = RobotId::new("r").expect("a name");
        let velocity = Update::now(&name, self.now, Velocity::of(speed_mps, 0.0).into());
        let update = Update { part: Some(PartName::of(Velocity::MEASURED)), ..velocity };
        if let Some(owed) = &mut self.owed
            && self.now > owed.given
        {
            owed.stands = speed_mps.abs() < evidence::STANDS;
        }
        let owes = self.owed.is_some_and(|owed| self.now > owed.given) && self.is_up && !self.has_moved_on();
        self.told_by = match speed_mps.abs() >= evidence::STANDS && owes {
            // It may brake, and may answer.
            true => {
                let soonest = self.now.after(Duration::from_millis(1_100));
                let unanswered = self.stopped_at.after(Duration::from_millis(2_200));
                self.told_by.or(Some(if self.is_taken { soonest } else { soonest.max(unanswered) }))
            }
            false => None,
        };
        self.step(Event::Reported(&update));
    }

    /// The robot reports on a task; when that is over it stands.
    #[cfg(test)]
    pub(super) fn report_task(&mut self, state: TaskState) {
        let task = Task::new("T", "bring", state);
        let update = Update::now(&RobotId::new("r").expect("a name"), self.now, task.into());
        if let Some(owed) = self.owed.as_mut().filter(|owed| self.now > owed.given) {
            owed.stands |= matches!(state, TaskState::Succeeded | TaskState::Failed | TaskState::Cancelled);
        }
        self.step(Event::Reported(&update));
    }

    fn link(&mut self, is_up: bool) {
        (self.is_up, self.told_by) = (is_up, None);
        self.step(Event::Link { is_up });
    }

    /// Lets time pass, with every look that was asked for.
    pub(super) fn wait(&mut self, duration: Duration) {
        let end = self.now.after(duration);
        while let Some(at) = self.look_at.filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.look_at = None;
            self.look();
        }
        self.now = end;
        if self.ends_at.is_some_and(|ends| ends <= end) {
            (self.speed_mps, self.ends_at) = (0.0, None);
        }
    }

    fn look(&mut self) {
        let (is_there, now) = (self.is_there, self.now);
        let was_owed = self.robot.owes_stop();
        self.step(Event::Look { seen: &|_| Seen { at: is_there.then_some(now), ..Seen::default() } });
        if was_owed && !self.robot.owes_stop() {
            let shown = self.owed.is_none_or(|owed| owed.stands);
            assert!(self.has_moved_on() || shown, "what it owed was forgotten: {:?}", self.owed);
            self.owed = None;
        }
    }

    /// The gateway starts again, with what it kept.
    fn restart(&mut self) {
        let was_pressed = self.robot.latch().is_some();
        let authority = Authority::new(self.policy.clone(), false, None);
        self.robot = Robot::new(authority, false, self.kept.clone(), self.now);
        self.pending.clear();
        (self.look_at, self.is_up, self.is_taken) = (Some(self.now), false, false);
        assert_eq!(self.robot.latch().is_some(), was_pressed, "the emergency stop outlives it");
        self.link(true);
        if self.owed.is_some() || self.speed_mps != 0.0 && !self.by_itself {
            // It moves, or may: whatever was open is now a stop.
            assert!(self.robot.owes_stop(), "it is stopped first");
            self.owed = Some(Owed { given: self.now, stands: false });
        }
    }

    /// Lets it happen, and checks what must hold then.
    pub(super) fn apply(&mut self, op: Op) {
        match op {
            Op::Drive(client, speed, millis) => {
                self.ask(client, drive(speed, millis.map(Duration::from_millis)));
            }
            Op::Navigate(client) => {
                self.ask(client, Command::Navigate(NavigationGoal::to(Destination::Target)));
            }
            Op::Stop(client) => {
                assert_eq!(self.ask(client, STOP), None);
            }
            Op::Press(client) => {
                assert_eq!(self.ask(client, Command::EmergencyStop(true)), None);
            }
            Op::Release(client) => {
                self.ask(client, Command::EmergencyStop(false));
            }
            Op::Answer(true) => self.answer(&Outcome::Accepted),
            Op::Answer(false) => self.answer(&Outcome::unreachable("500")),
            Op::NoAnswer => self.pending.clear(),
            Op::Report => self.report(self.speed_mps),
            Op::Wait(millis) => self.wait(Duration::from_millis(millis)),
            Op::Link(is_up) => self.link(is_up),
            Op::There(is_there) => self.is_there = is_there,
            Op::Bound(is_bounded) => {
                let envelope =
                    Envelope { linear_mps: is_bounded.then_some(BOUND_MPS), ..Envelope::default() };
                self.policy = Policy { envelope, ..Policy::default() };
                self.step(Event::Policy(self.policy.clone()));
            }
            Op::Restart => self.restart(),
            Op::Itself => (self.speed_mps, self.ends_at, self.by_itself) = (0.3, None, true),
            Op::Seen => {
                self.step(Event::SeenToStand);
                (self.owed, self.speed_mps, self.told_by) = (None, 0.0, None);
                self.pending.clear();
            }
        }
        self.check();
    }

    /// What must hold at each moment.
    fn check(&self) {
        assert_eq!(self.robot.latch().is_some(), self.pressed);
        if self.owed.is_some_and(|owed| !owed.stands) && !self.has_moved_on() {
            assert!(self.robot.owes_stop(), "what it owed was forgotten: {:?}", self.owed);
        }
        let told_by = self.told_by.filter(|_| self.is_up && !self.has_moved_on());
        assert!(
            told_by.is_none_or(|by| self.now <= by),
            "it moves, was stopped at {:?}, and it is {:?}",
            self.stopped_at,
            self.now
        );
    }

    /// A command to move was given after the last stop, and may end what that obliged to.
    const fn has_moved_on(&self) -> bool {
        self.moved_on_at.is_some()
    }
}

fn at(millis: u64) -> Timestamp {
    Timestamp::default().after(Duration::from_millis(millis))
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Drive(u8, f64, Option<u64>),
    Navigate(u8),
    Stop(u8),
    Press(u8),
    Release(u8),
    Answer(bool),
    NoAnswer,
    Report,
    Wait(u64),
    Link(bool),
    There(bool),
    Bound(bool),
    Restart,
    Seen,
    Itself,
}

/// Lets happen what the bytes say, three for each event; panics if something does not hold.
#[cfg(feature = "fuzzing")]
pub fn fuzz(bytes: &[u8]) {
    let mut bench = Bench::new(Policy::default());
    for event in bytes.chunks_exact(3).take(2_000) {
        let (what, client, how) = (event[0] % 15, event[1] & 1, event[2]);
        let (millis, is_so) = (u64::from(u16::from_be_bytes([event[1], how])) / 16, how & 1 == 1);
        bench.apply(match what {
            0 => Op::Drive(client, f64::from(how) / 200.0 - 0.6, (event[1] > 127).then_some(millis.max(100))),
            1 => Op::Navigate(client),
            2 => Op::Stop(client),
            3 => Op::Press(client),
            4 => Op::Release(client),
            5 => Op::Answer(is_so),
            6 => Op::NoAnswer,
            7 => Op::Report,
            8 => Op::Wait(millis.max(1)),
            9 => Op::Link(is_so),
            10 => Op::There(is_so),
            11 => Op::Bound(is_so),
            12 => Op::Restart,
            13 => Op::Seen,
            _ => Op::Itself,
        });
    }
}
