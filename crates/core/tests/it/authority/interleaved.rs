//! Drives, stops, emergency stops and disconnections of several authors, in any order.

use std::time::Duration;

use latimer_core::authority::Policy;
use latimer_core::hub::CommandClient;
use latimer_core::model::RefusalCode;
use latimer_core::{Author, Command, Outcome, Signal, Timestamp};
use proptest::prelude::*;
use tokio::task::JoinHandle;

use super::{Bench, code, drive, numbered};
use crate::rig::{PATIENCE, STOP, robot};

/// Something that one of three authors does; the third is the page, which has the highest priority.
#[derive(Clone, Debug)]
enum Step {
    Give(usize, Command),
    Leave(usize),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let command = prop_oneof![
        4 => Just(drive(0.2, None)),
        2 => Just(drive(0.2, Some(0.4))),
        2 => Just(STOP),
        1 => Just(Command::EmergencyStop(true)),
        1 => Just(Command::EmergencyStop(false)),
    ];
    prop_oneof![
        5 => (0_usize..3, command).prop_map(|(author, command)| Step::Give(author, command)),
        1 => (0_usize..3).prop_map(Step::Leave),
        2 => (0_u64..1_500).prop_map(Step::Wait),
    ]
}

/// A command that was given, and how things stood then.
struct Given {
    command: Command,
    /// Somebody else of a higher priority drove.
    held: bool,
    answer: JoinHandle<(Outcome, Timestamp)>,
}

fn is_drive(command: &Command) -> bool {
    matches!(command, Command::Drive { .. })
}

async fn interleaved(steps: Vec<Step>, takes: Duration) -> Result<(), TestCaseError> {
    let it = Bench::new(Policy::default(), takes, 1);
    let clock = it.hub.clock();
    let author = |i: usize| Author::new(["misty", "axbot", "page"][i], format!("{i}"));
    let mut drivers: Vec<Option<CommandClient>> = vec![None, None, None];
    let mut given: Vec<Given> = Vec::new();
    // Since when the emergency stop was pressed, or not.
    let mut pressed = vec![(clock.now(), false)];
    for step in steps {
        match step {
            Step::Wait(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            Step::Leave(i) => drivers[i] = None,
            Step::Give(i, command) => {
                let driver = drivers[i].get_or_insert_with(|| it.hub.connected_client(author(i)));
                let report = it.hub.robot(&robot()).unwrap();
                let held = i != 2
                    && report.is_driven
                    && report.driver.is_some_and(|lease| lease.author.dialect == "page");
                let command = numbered(command, given.len());
                let answer = driver.command(&robot(), command.clone(), PATIENCE);
                let answer = tokio::spawn(async move { (answer.await, clock.now()) });
                given.push(Given { command, held, answer });
                pressed.push((clock.now(), it.hub.robot(&robot()).unwrap().emergency_stop.is_some()));
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }
    let mut answered = Vec::new();
    for Given { command, held, answer } in given {
        let (outcome, at) = answer.await.unwrap();
        answered.push((command, held, outcome, at));
    }
    drop(drivers);
    // Leases of those that left are over by then, on the paused clock.
    tokio::time::sleep(Duration::from_secs(30)).await;
    let calls = it.calls.lock().unwrap().clone();

    for (call, at) in calls.iter().filter(|(call, _)| is_drive(call)) {
        let number = answered.iter().position(|(command, ..)| command == call).unwrap();
        let stop = answered[number..]
            .iter()
            .find(|(command, _, outcome, answered)| command.is_stop() && outcome.is_ok() && answered < at);
        prop_assert!(stop.is_none(), "{call:?} reached the robot at {at:?}, after {stop:?} was answered");
        let held = pressed.iter().rev().find(|(since, _)| since < at).is_some_and(|(_, pressed)| *pressed);
        let changes = pressed.iter().any(|(since, _)| since == at);
        prop_assert!(changes || !held, "{call:?} at {at:?} while the emergency stop is pressed");
    }
    for (command, held, outcome, _) in &answered {
        let refused = matches!(code(outcome), Some(RefusalCode::Owned | RefusalCode::Unsafe));
        prop_assert!(!(*held && is_drive(command)) || refused, "{command:?} was {outcome:?}");
    }
    let last = it.hub.last(&robot(), latimer_core::model::Kind::Velocity, None);
    let stands = matches!(last.as_ref().map(|it| &it.signal), Some(Signal::Velocity(it)) if it.linear_mps == Some(0.0));
    let timed = matches!(calls.last(), Some((Command::Drive { duration: Some(_), .. }, _)));
    prop_assert!(stands || timed, "all have left, and it drives: {calls:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(200)))]

    /// However drives, stops, emergency stops and disconnections of three authors interleave with a slow robot: nothing that was
    /// given before an answered stop reaches the robot after it, nothing drives while the emergency stop is pressed, nobody drives
    /// whom somebody of a higher priority keeps out, and when all have left it stands.
    #[test]
    fn nobody_moves_a_robot_that_is_not_theirs(steps in prop::collection::vec(step(), 1..40), takes_ms in 0_u64..500) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(interleaved(steps, Duration::from_millis(takes_ms)))?;
    }
}
