//! Any interleaving of commands, answers, reports, links, looks and restarts, against what must hold of each.

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::bench::{BOUND_MPS, Bench, Op, STOP, drive};
use super::*;
use crate::authority::{Area, Envelope, Policy};
use crate::model::signal::{Frame, Pose, TaskState};
use crate::model::{RobotId, Signal, Update};

/// Sequences of 100 steps on average.
const USUAL: u32 = 1_200;

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
            it.apply(op);
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
fn a_robot_that_takes_no_stop_is_said_to_until_its_task_is_over() {
    let mut it = Bench::new(Policy::default());
    it.ask(0, STOP);
    it.answer(&Outcome::unsupported("it knows no word for a stop"));
    it.wait(Duration::from_secs(60));
    assert_eq!(it.sent.len(), 1, "the answer is the same each time");
    assert!(texts(&it.robot)[0].contains("takes no stop"), "{:?}", texts(&it.robot));
    let mut alerts_after = |state| {
        it.report_task(state);
        it.wait(Duration::from_secs(3));
        texts(&it.robot).len()
    };
    assert_eq!((alerts_after(TaskState::Progress), alerts_after(TaskState::Succeeded)), (1, 0));
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
fn a_robot_that_took_a_stop_when_it_was_sent_again_is_stopped_again_within_a_second() {
    let mut it = Bench::new(Policy::default());
    it.ask(0, STOP);
    it.answer(&Outcome::unreachable("500"));
    it.wait(Duration::from_millis(100));
    assert_eq!(it.sent.len(), 2, "at once");
    it.answer(&Outcome::Accepted);
    it.wait(Duration::from_millis(100));
    it.report(0.2);
    it.wait(Duration::from_secs(1));
    assert_eq!(it.sent.len(), 3);
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
