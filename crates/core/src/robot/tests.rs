//! Any interleaving of commands, answers, reports, links, looks and restarts, against what must hold of each.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::authority::{Area, Envelope};
use crate::model::signal::{Frame, Pose, Velocity};
use crate::model::{Destination, NavigationGoal, PartName, RobotId, Signal};

const STOP: Command = Command::Stop { hold: false };
const BOUND_MPS: f64 = 0.2;

/// Sequences of 100 steps on average.
const USUAL: u32 = 1_200;

fn drive(linear_mps: f64, duration: Option<Duration>) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration }
}

/// A robot, what it does really, and the gateway around it.
struct Bench {
    robot: Robot,
    now: Timestamp,
    kept: Kept,
    /// How fast it really is.
    speed_mps: f64,
    /// It moves though nobody told it, of which the gateway may know nothing.
    by_itself: bool,
    /// When it stands of its own accord.
    ends_at: Option<Timestamp>,
    /// What was sent and is not answered, with when and by whom.
    pending: Vec<(Command, Timestamp, bool)>,
    /// Everything that was sent so far.
    sent: Vec<Command>,
    look_at: Option<Timestamp>,
    /// Authors whose connection is there.
    is_there: bool,
    policy: Policy,
    /// A stop was given, and nothing has happened that ends what it obliges to.
    owed: Option<Owed>,
    is_up: bool,
    /// The emergency stop is pressed.
    pressed: bool,
    /// It has reported that it moves although it owes a stop: by then it is told again, unless something changes that.
    told_by: Option<Timestamp>,
    /// When a command to move was sent after the last stop, unless the robot did not take it.
    moved_on_at: Option<Timestamp>,
    /// When a stop was last sent.
    stopped_at: Timestamp,
}

/// What the gateway owes a robot that was given a stop.
#[derive(Clone, Copy, Debug)]
struct Owed {
    given: Timestamp,
    /// It has reported since then that it stands, and nothing else after that.
    stands: bool,
}

impl Bench {
    fn new(policy: Policy) -> Self {
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
        };
        it.link(true);
        it
    }

    fn step(&mut self, event: Event<'_>) -> Option<Outcome> {
        let effects = self.robot.step(event, self.now);
        self.take_notes(&effects);
        let mut refused = None;
        for effect in effects {
            match effect {
                Effect::Send(command, _) => self.send(command, false),
                Effect::Adjust(command) => self.send(command, true),
                Effect::Refuse(outcome) => refused = Some(outcome),
                Effect::Stop(_) => {
                    let author = Author::gateway();
                    let stop = Event::Asked { author: &author, command: STOP, is_overtaken: false };
                    let effects = self.robot.step(stop, self.now);
                    assert!(matches!(effects.first(), Some(Effect::Send(Command::Stop { .. }, _))));
                    self.take_notes(&effects);
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

    fn ask(&mut self, client: u8, command: Command) -> Option<Outcome> {
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
    fn answer(&mut self, outcome: &Outcome) {
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
                }
                _ if motion.moves_base() => (self.speed_mps, self.ends_at) = (0.1, None),
                _ => {}
            }
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

    fn report(&mut self, speed_mps: f64) {
        let name = RobotId::new("r").expect("a name");
        let velocity = Update::now(&name, self.now, Velocity::of(speed_mps, 0.0).into());
        let update = Update { part: Some(PartName::of(Velocity::MEASURED)), ..velocity };
        if let Some(owed) = &mut self.owed
            && self.now > owed.given
        {
            owed.stands = speed_mps == 0.0;
        }
        let owes = self.owed.is_some_and(|owed| self.now > owed.given) && self.is_up && !self.has_moved_on();
        self.told_by = match speed_mps != 0.0 && owes {
            // It may brake, and may answer.
            true => {
                let soonest = self.now.after(Duration::from_millis(1_100));
                self.told_by.or(Some(soonest.max(self.stopped_at.after(Duration::from_millis(2_200)))))
            }
            false => None,
        };
        self.step(Event::Reported(&update));
    }

    fn link(&mut self, is_up: bool) {
        (self.is_up, self.told_by) = (is_up, None);
        self.step(Event::Link { is_up });
    }

    /// Lets time pass, with every look that was asked for.
    fn wait(&mut self, duration: Duration) {
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
        self.step(Event::Look { seen: &|_| is_there.then_some(now) });
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
        (self.look_at, self.is_up) = (Some(self.now), false);
        assert_eq!(self.robot.latch().is_some(), was_pressed, "the emergency stop outlives it");
        self.link(true);
        if self.owed.is_some() || self.speed_mps != 0.0 && !self.by_itself {
            // It moves, or may: whatever was open is now a stop.
            assert!(self.robot.owes_stop(), "it is stopped first");
            self.owed = Some(Owed { given: self.now, stands: false });
        }
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

#[derive(Clone, Debug)]
enum Op {
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

/// Some 120,000 steps, the same each day; by hand, with `LATIMER_ROUNDS`, as many times more and others each time.
fn config() -> ProptestConfig {
    let cases = latimer_testing::rounds(USUAL);
    let rng_seed = if cases == USUAL { RngSeed::Fixed(2) } else { RngSeed::Random };
    ProptestConfig { cases, rng_seed, ..ProptestConfig::default() }
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let client = 0..2_u8;
    let op = prop_oneof![
        3 => (client.clone(), -0.6..0.6_f64, proptest::option::of(100..4_000_u64)).prop_map(|(a, v, d)| Op::Drive(a, v, d)),
        1 => client.clone().prop_map(Op::Navigate),
        3 => client.clone().prop_map(Op::Stop),
        1 => client.clone().prop_map(Op::Press),
        2 => client.prop_map(Op::Release),
        6 => any::<bool>().prop_map(Op::Answer),
        1 => Just(Op::NoAnswer),
        6 => Just(Op::Report),
        8 => (1..3_000_u64).prop_map(Op::Wait),
        1 => any::<bool>().prop_map(Op::Link),
        1 => any::<bool>().prop_map(Op::There),
        1 => any::<bool>().prop_map(Op::Bound),
        1 => Just(Op::Restart),
        1 => Just(Op::Seen),
        1 => Just(Op::Itself),
    ];
    proptest::collection::vec(op, 1..200)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_must_hold_does_whatever_happens(ops in ops()) {
        let mut it = Bench::new(Policy::default());
        for op in ops {
            match op {
                Op::Drive(client, speed, millis) => {
                    it.ask(client, drive(speed, millis.map(Duration::from_millis)));
                }
                Op::Navigate(client) => {
                    it.ask(client, Command::Navigate(NavigationGoal::to(Destination::Target)));
                }
                Op::Stop(client) => {
                    prop_assert_eq!(it.ask(client, STOP), None);
                }
                Op::Press(client) => {
                    prop_assert_eq!(it.ask(client, Command::EmergencyStop(true)), None);
                }
                Op::Release(client) => {
                    it.ask(client, Command::EmergencyStop(false));
                }
                Op::Answer(true) => it.answer(&Outcome::Accepted),
                Op::Answer(false) => it.answer(&Outcome::unreachable("500")),
                Op::NoAnswer => it.pending.clear(),
                Op::Report => it.report(it.speed_mps),
                Op::Wait(millis) => it.wait(Duration::from_millis(millis)),
                Op::Link(is_up) => it.link(is_up),
                Op::There(is_there) => it.is_there = is_there,
                Op::Bound(is_bounded) => {
                    let envelope =
                        Envelope { linear_mps: is_bounded.then_some(BOUND_MPS), ..Envelope::default() };
                    it.policy = Policy { envelope, ..Policy::default() };
                    it.step(Event::Policy(it.policy.clone()));
                }
                Op::Restart => it.restart(),
                Op::Itself => (it.speed_mps, it.ends_at, it.by_itself) = (0.3, None, true),
                Op::Seen => {
                    it.step(Event::SeenToStand);
                    (it.owed, it.speed_mps, it.told_by) = (None, 0.0, None);
                    it.pending.clear();
                }
            }
            it.check();
        }
    }
}

fn texts(robot: &Robot) -> Vec<String> {
    robot.alerts().into_iter().map(|it| it.message).collect()
}

#[test]
fn a_robot_that_reports_nothing_does_not_confirm_that_it_stands() {
    let mut it = Bench::new(Policy::default());
    it.ask(0, drive(0.1, None));
    it.answer(&Outcome::Accepted);
    it.wait(Duration::from_secs(2));
    it.ask(0, STOP);
    it.answer(&Outcome::Accepted);
    it.wait(Duration::from_secs(60));
    assert_eq!(it.sent.iter().filter(|it| it.is_stop()).count(), 1, "it took it, so that it is sent no more");
    assert!(texts(&it.robot)[0].contains("does not confirm"), "{:?}", texts(&it.robot));
    it.report(0.0);
    it.wait(Duration::from_secs(4));
    assert_eq!(texts(&it.robot), [""; 0]);
}

#[test]
fn a_robot_that_begins_to_report_motion_long_after_it_took_a_stop_is_stopped_within_half_a_second() {
    let mut it = Bench::new(Policy::default());
    it.ask(0, STOP);
    it.answer(&Outcome::Accepted);
    it.wait(Duration::from_secs(20));
    assert_eq!((it.sent.len(), it.robot.owes_stop()), (1, true), "it has reported nothing since");
    it.report(0.2);
    it.wait(Duration::from_millis(450));
    assert_eq!(it.sent.len(), 2);
}

#[test]
fn a_client_that_leaves_right_after_its_drive_leaves_no_robot_driving() {
    let mut it = Bench::new(Policy::default());
    it.ask(0, drive(0.1, None));
    it.wait(Duration::from_millis(2));
    it.is_there = false;
    it.wait(Duration::from_millis(200));
    assert_eq!(it.sent.last(), Some(&STOP));
}

#[test]
fn a_person_may_confirm_that_it_stands() {
    let mut it = Bench::new(Policy::default());
    it.ask(0, STOP);
    it.wait(Duration::from_secs(60));
    assert!(it.robot.owes_stop() && it.sent.len() > 20, "it never answered: {}", it.sent.len());
    it.step(Event::SeenToStand);
    assert!(!it.robot.owes_stop());
    assert_eq!(texts(&it.robot), [""; 0]);
}

#[test]
fn a_measured_speed_beyond_the_bound_is_a_stop() {
    let envelope = Envelope { linear_mps: Some(BOUND_MPS), ..Envelope::default() };
    let mut it = Bench::new(Policy { envelope, ..Policy::default() });
    it.step(Event::Policy(it.policy.clone()));
    for _ in 0..4 {
        it.report(0.26);
        it.wait(Duration::from_millis(200));
    }
    assert_eq!(it.sent, [], "noise");
    for _ in 0..8 {
        it.report(0.5);
        it.wait(Duration::from_millis(200));
    }
    assert_eq!(it.sent.first(), Some(&STOP));
    assert!(texts(&it.robot).contains(&"it is faster than the gateway's config allows".to_owned()));
}

#[test]
fn a_robot_with_an_area_that_does_not_say_where_it_is_is_stopped_and_not_driven() {
    let corners = vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let area = Area::new(corners, 0.0, 0.1).expect("a polygon");
    let mut it = Bench::new(Policy { area: Some(area), ..Policy::default() });
    it.step(Event::Policy(it.policy.clone()));
    let pose = |it: &mut Bench, x_m: f64| {
        let name = RobotId::new("r").expect("a name");
        let signal: Signal = Pose::planar(Frame::Odom, x_m, 0.0, 0.0).into();
        let update = Update::now(&name, it.now, signal);
        it.step(Event::Reported(&update));
    };
    assert!(it.ask(0, drive(0.1, None)).is_some(), "it never said where it is");
    pose(&mut it, 0.0);
    // It stands for an hour, and says nothing of it.
    it.wait(Duration::from_secs(3_600));
    assert_eq!(it.ask(0, drive(0.1, None)), None);
    it.answer(&Outcome::Accepted);
    for step in 1..20 {
        it.wait(Duration::from_millis(200));
        pose(&mut it, f64::from(step) * 0.02);
    }
    assert!(it.sent.iter().all(|it| !it.is_stop()));
    it.wait(Duration::from_secs(4));
    assert_eq!(it.sent.last(), Some(&STOP), "its poses stopped");
    it.answer(&Outcome::Accepted);
    it.wait(Duration::from_secs(5));
    assert!(it.ask(0, drive(0.1, None)).is_some(), "it may be anywhere by now");
    assert!(texts(&it.robot).iter().any(|it| it.contains("where it is")), "{:?}", texts(&it.robot));
    pose(&mut it, 0.5);
    assert_eq!(it.ask(0, drive(0.1, None)), None);
}
