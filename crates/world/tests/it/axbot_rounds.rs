//! The patrol of a delivery chassis: each round is a move with a number, and a client's command ends it for a while.

use latimer_core::Outcome;
use latimer_core::model::signal::{ControlMode, Navigation, NavigationKind, NavigationState};
use latimer_core::model::{Command, Kind, NavigationGoal, Signal};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Habits, Pose2, Start, World, WorldFile};

use crate::axbot::point;
use crate::lab::{Lab, id};

use NavigationState::{Cancelled, Moving, Succeeded};

/// How long the patrol waits after a client, seconds.
const RESUME_AFTER_S: f64 = 30.0;

fn patrol(more: &str, habits: Habits) -> Lab {
    let file = WorldFile::parse(&format!("name = \"hall\"\nsize_m = [10.0, 6.0]\n{more}")).unwrap();
    let mut world = World::new(file, 42).unwrap();
    let route_m = vec![[3.5, 1.0], [3.5, 2.5], [1.5, 1.0]];
    let habits = Habits { behaviour: Behaviour::Patrol, route_m, resume_after_s: RESUME_AFTER_S, ..habits };
    world.add_robot(id("m"), "axbot", Start::At(Pose2::new(1.5, 1.0, 0.0)), habits).unwrap();
    Lab::of(world)
}

fn navigations(lab: &Lab) -> Vec<Navigation> {
    let of = |signal: &&Signal| match signal {
        Signal::Navigation(navigation) => Some(navigation.clone()),
        _ => None,
    };
    lab.all(Kind::Navigation, "").iter().filter_map(of).collect()
}

/// Numbers and states in their order, each once.
fn story(lab: &Lab) -> Vec<(i64, NavigationState)> {
    let mut story: Vec<_> = navigations(lab).iter().map(|it| (it.id, it.state)).collect();
    story.dedup();
    story
}

/// Runs until the number and state come.
fn until(lab: &mut Lab, last: (i64, NavigationState)) {
    let came = (0..120).any(|_| story(lab.run(0.5)).contains(&last));
    assert!(came, "{last:?} does not come: {:?}", story(lab));
}

#[test]
fn each_round_is_a_move_along_a_route() {
    let mut lab = patrol("", Habits::default());
    until(&mut lab, (2, Succeeded));
    lab.run(1.0);
    assert_eq!(story(&lab), [(1, Moving), (1, Succeeded), (2, Moving), (2, Succeeded), (3, Moving)]);
    let navigations = navigations(&lab);
    assert!(navigations.iter().all(|it| it.kind == NavigationKind::Route && it.target.is_some()));
    assert!(navigations[2].remaining_m.is_some_and(|m| m > 1.0), "{:?}", navigations[2]);
}

#[test]
fn a_commanded_chassis_goes_on_its_round_a_while_after_its_move() {
    let mut lab = patrol("", Habits::default());
    lab.run(3.0);
    let goal = NavigationGoal { id: Some(7), ..NavigationGoal::to(point(6.0, 4.0, None)) };
    assert_eq!(lab.ask(Command::Navigate(goal)), Outcome::Accepted);
    until(&mut lab, (7, Succeeded));
    assert_eq!(story(&lab), [(1, Moving), (1, Cancelled), (7, Moving), (7, Succeeded)]);
    let stands = lab.pose();
    lab.run(RESUME_AFTER_S - 1.0);
    assert!(lab.pose().distance_to(stands.x_m, stands.y_m) < 0.05, "it left for {:?}", lab.pose());
    assert_eq!(story(&lab).last(), Some(&(7, Succeeded)));
    lab.run(3.0);
    assert_eq!(story(&lab).last(), Some(&(8, Moving)), "its next round");
}

#[test]
fn a_client_cancels_a_round() {
    let mut lab = patrol("", Habits::default());
    lab.run(3.0);
    assert_eq!(lab.ask(Command::CancelNavigation), Outcome::Done);
    lab.run(RESUME_AFTER_S - 1.0);
    assert_eq!(story(&lab), [(1, Moving), (1, Cancelled)]);
    lab.run(2.0);
    assert_eq!(story(&lab).last(), Some(&(2, Moving)));
}

#[test]
fn a_client_that_drives_ends_the_round() {
    let mut lab = patrol("", Habits::default());
    lab.run(3.0);
    assert_eq!(lab.ask(Command::ControlMode(ControlMode::Remote)), Outcome::Done);
    assert_eq!(lab.drive(0.1, 0.0), Outcome::Accepted);
    lab.run(2.0);
    assert_eq!(lab.ask(Command::ControlMode(ControlMode::Auto)), Outcome::Done);
    lab.run(RESUME_AFTER_S - 5.0);
    assert_eq!(story(&lab), [(1, Moving), (1, Cancelled)]);
}

#[test]
fn rounds_end_for_a_move_to_the_charger() {
    let charger = "[[chargers]]\nname = \"home\"\nposition_m = [0.5, 3.0]\nyaw_deg = 180.0\n";
    let mut lab = patrol(charger, Habits { home_below_ratio: Some(0.3), ..Habits::default() });
    lab.run(3.0);
    assert_eq!(lab.poke(Stimulus::Battery(0.2)), Outcome::Done);
    let charging =
        |lab: &Lab| lab.last(Kind::Battery, "").field("state").unwrap().as_str() == Some("charging");
    assert!((0..120).any(|_| charging(lab.run(1.0))), "it does not reach the charger: {:?}", lab.pose());
    assert_eq!(story(&lab), [(1, Moving), (1, Cancelled), (2, Moving), (2, Succeeded)]);
    assert_eq!(navigations(&lab).last().unwrap().kind, NavigationKind::Charge);
    assert_eq!(lab.poke(Stimulus::Battery(0.95)), Outcome::Done);
    until(&mut lab, (3, Succeeded));
    assert_eq!(navigations(&lab).last().unwrap().kind, NavigationKind::Route);
}

#[test]
fn a_drive_that_is_asked_for_under_the_number_of_a_round_is_never_cancelled() {
    let mut lab = patrol("", Habits::default());
    lab.run(3.0);
    assert_eq!(story(&lab), [(1, Moving)]);
    let goal = NavigationGoal { id: Some(1), ..NavigationGoal::to(point(6.0, 4.0, None)) };
    assert_eq!(lab.ask(Command::Navigate(goal)), Outcome::Accepted);
    until(&mut lab, (1, Succeeded));
    assert_eq!(story(&lab), [(1, Moving), (1, Succeeded)]);
    let mut kinds: Vec<_> = navigations(&lab).iter().map(|it| it.kind).collect();
    kinds.dedup();
    assert_eq!(kinds, [NavigationKind::Route, NavigationKind::Goto]);
}
