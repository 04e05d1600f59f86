//! The commands that one family alone has, of every dialect: bounds, a pressed emergency stop, an area and a stop hold for each as its
//! description says what it does to the motion.

use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use latimer_core::authority::{Area, Envelope, Policy};
use latimer_core::hub::{Origin, Policies, RobotInfo};
use latimer_core::model::call::{Presence, Quantity};
use latimer_core::model::signal::{Frame, LinkState, Pose};
use latimer_core::model::{CallDescription, Motion, MotionEffect, RefusalCode};
use latimer_core::{Author, Clock, Command, Hub, Outcome, RobotId, Timestamp, Update};

const PATIENCE: Duration = Duration::from_secs(10);

fn robot() -> RobotId {
    RobotId::new("r").unwrap()
}

/// Each of every dialect, with all its words.
fn every_sample() -> impl Iterator<Item = (&'static CallDescription, Command)> {
    latimer_dialects::calls()
        .flat_map(|about| about.samples().into_iter().map(move |it| (about, Command::Native(it))))
}

/// What becomes of a command at a robot with a policy, and what the robot gets; it stands at a place.
async fn given(
    policy: Policy,
    place: [f64; 2],
    before: Option<Command>,
    command: Command,
) -> (Outcome, Vec<Command>) {
    let clock = Clock::starting_at(Timestamp::default());
    let hub = Hub::new(clock);
    hub.set_policies(Policies { others: policy, ..Policies::default() });
    let mut source = hub.register(RobotInfo::new(robot(), "test", Origin::Connected("host".into()))).unwrap();
    source.link(LinkState::Up, None);
    let [x_m, y_m] = place;
    source.publish(Update::now(&robot(), clock.now(), Pose::planar(Frame::Map, x_m, y_m, 0.0).into()));
    let got = Arc::new(Mutex::new(Vec::new()));
    let noted = got.clone();
    tokio::spawn(async move {
        loop {
            let request = source.next_command().await;
            noted.lock().unwrap().push(request.command.clone());
            request.answer(Outcome::Accepted);
        }
    });
    let driver = hub.command_client(Author::new("test", "a"));
    if let Some(before) = before {
        driver.command(&robot(), before, PATIENCE).await;
        got.lock().unwrap().clear();
    }
    let outcome = driver.command(&robot(), command, PATIENCE).await;
    let got = got.lock().unwrap().drain(..).collect();
    (outcome, got)
}

fn is_refused(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(refusal) if refusal.code == RefusalCode::Unsafe)
}

#[test]
fn each_has_a_name_of_its_own_and_says_what_its_motion_needs() {
    let mut names = BTreeSet::new();
    let mut words = BTreeSet::new();
    for about in latimer_dialects::calls() {
        assert!(names.insert(about.name), "two commands are called {}", about.name);
        assert!(
            about.word.is_none_or(|word| words.insert(word)),
            "two commands are written {:?}",
            about.word
        );
        assert!(about.summary.ends_with('.'), "{}", about.name);
        let mut arguments = about.arguments.iter().map(|it| it.name).collect::<Vec<_>>();
        arguments.dedup();
        assert_eq!(arguments.len(), about.arguments.len(), "{}", about.name);
        for argument in about.arguments {
            let default = match argument.presence {
                Presence::Number(number) => argument.quantity.holds(number),
                Presence::Flag(_) => matches!(argument.quantity, Quantity::Flag | Quantity::Switch),
                Presence::Required | Presence::Optional => true,
            };
            assert!(default, "{} of {} has a default out of its bounds", argument.name, about.name);
        }
        let samples = about.samples();
        assert!(!samples.is_empty(), "{} has no sample", about.name);
        let told = samples.iter().all(|call| match call.motion() {
            Motion::Heading { distance_m, duration, .. } => distance_m == 5.0 && duration.as_secs() == 5,
            Motion::Arc { radius_m, duration } => radius_m == 5.0 && duration.as_secs() == 5,
            Motion::Speed { is_zero, .. } => !is_zero,
            _ => true,
        });
        assert!(told, "the arguments of {} tell its motion", about.name);
    }
    assert!(names.len() > 9, "there are some");
}

#[tokio::test(start_paused = true)]
async fn a_pressed_emergency_stop_lets_none_begin_to_move() {
    for (about, command) in every_sample() {
        let may_move = command.motion_effect() == MotionEffect::Moves || command.motion() == Motion::Starts;
        let pressed = Some(Command::EmergencyStop(true));
        let (outcome, got) = given(Policy::default(), [0.0; 2], pressed, command).await;
        assert_eq!(is_refused(&outcome), may_move, "{}: {outcome:?}", about.name);
        assert_eq!(got.is_empty(), may_move, "{}: {got:?}", about.name);
    }
}

#[tokio::test(start_paused = true)]
async fn bounds_hold_for_each_that_drives() {
    let slow = Envelope { linear_mps: Some(0.1), ..Envelope::default() };
    let policy = Policy { envelope: slow, ..Policy::default() };
    for (about, command) in every_sample() {
        let (outcome, got) = given(policy.clone(), [0.0; 2], None, command.clone()).await;
        match (command.motion(), got.as_slice()) {
            (Motion::Heading { distance_m, .. }, [sent]) => {
                assert!(sent.motion().expires_after().unwrap().as_secs_f64() >= distance_m / 0.1, "{sent:?}");
            }
            (Motion::Arc { radius_m, .. }, [sent]) => {
                assert!(
                    sent.motion().expires_after().unwrap().as_secs_f64() > TAU * radius_m / 0.1 - 0.1,
                    "{sent:?}"
                );
            }
            (Motion::Speed { .. }, [Command::Drive { linear_mps, .. }]) => {
                assert!(linear_mps.abs() <= 0.1, "{}", about.name);
            }
            (_, [sent]) => assert_eq!(*sent, command),
            (_, other) => panic!("{}: {outcome:?}, {other:?}", about.name),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn outside_its_area_a_robot_does_what_does_not_drive_it_on() {
    let corners = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let policy = Policy { area: Some(Area::new(corners, 0.5, 0.1).unwrap()), ..Policy::default() };
    for (about, command) in every_sample() {
        let (outcome, _) = given(policy.clone(), [9.0, 2.0], None, command.clone()).await;
        let leads_back = match command.motion() {
            Motion::Heading { heading_rad, reverse, .. } => (heading_rad.cos() < 0.0) != reverse,
            _ => false,
        };
        let is_forbidden = command.moves_base() && !leads_back;
        assert_eq!(is_refused(&outcome), is_forbidden, "{}: {outcome:?}", about.name);
    }
}
