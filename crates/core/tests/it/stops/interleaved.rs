//! Drives, stops and a slow robot, in any order.

use std::time::Duration;

use latimer_core::{Command, Timestamp};
use proptest::prelude::*;

use super::{Bench, drive, give};
use crate::rig::{PATIENCE, STOP};

#[derive(Clone, Debug)]
enum Step {
    Give(Command, Duration),
    Wait(Duration),
}

fn step() -> impl Strategy<Value = Step> {
    let tracks = latimer_core::model::TrackSpeeds { left_mps: 1.0, right_mps: 1.0 };
    let stop = prop_oneof![
        Just(STOP),
        Just(Command::Halt { motor_mask: None }),
        Just(Command::EmergencyStop(true)),
    ];
    let patience = prop_oneof![Just(PATIENCE), (1_u64..900).prop_map(Duration::from_millis)];
    let command = prop_oneof![
        4 => Just(drive(1.0)),
        2 => Just(Command::DriveTracks(tracks)),
        1 => Just(Command::Volume(0.5)),
        1 => Just(Command::CancelNavigation),
        2 => stop,
    ];
    prop_oneof![
        3 => (command, patience).prop_map(|(command, patience)| Step::Give(command, patience)),
        1 => (0_u64..700).prop_map(|ms| Step::Wait(Duration::from_millis(ms))),
    ]
}

/// A command as it was given, when, and how long its caller waits.
#[derive(Debug)]
struct Given {
    command: Command,
    at: Timestamp,
    patience: Duration,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(256)))]

    /// However drives, stops and a slow robot interleave: nothing that was given before a stop is sent after it, a stop is
    /// the robot's last call unless something was given after it, nothing is sent late, and everybody is answered.
    #[test]
    fn a_stop_is_final(steps in prop::collection::vec(step(), 1..40), takes_ms in 0_u64..900) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (given, calls) = runtime.block_on(async {
            let it = Bench::new(Duration::from_millis(takes_ms));
            let clock = it.hub.clock();
            let (mut given, mut callers) = (Vec::new(), Vec::new());
            for step in steps {
                match step {
                    Step::Wait(duration) => tokio::time::sleep(duration).await,
                    Step::Give(command, patience) => {
                        // A moment of its own for each, from which their order is known.
                        tokio::time::sleep(Duration::from_millis(1)).await;
                        given.push(Given { command: command.clone(), at: clock.now(), patience });
                        callers.push(give(&it.hub, command, patience));
                    }
                }
            }
            for caller in callers {
                // All are answered: a caller that waits for ever would hang this test.
                caller.await.unwrap();
            }
            // What is still on its way to the robot arrives.
            tokio::time::sleep(Duration::from_secs(120)).await;
            (given, it.calls())
        });
        let stops: Vec<_> = given.iter().filter(|it| it.command.is_stop()).collect();
        let voided = |command: &Command| !command.is_stop() && *command != Command::CancelNavigation;
        for call in calls.iter().filter(|call| voided(&call.command)) {
            // It was one of those that were given before it was sent and after the last stop by then.
            let last_stop = stops.iter().map(|it| it.at).filter(|at| *at <= call.sent).max();
            let source = given.iter().find(|it| {
                it.command == call.command
                    && it.at <= call.sent
                    && last_stop.is_none_or(|stop| it.at > stop)
                    && call.sent < it.at.after(it.patience)
            });
            prop_assert!(source.is_some(), "{call:?} of {given:?}");
        }
        if let Some(last) = given.iter().rfind(|it| voided(&it.command) || it.command.is_stop())
            && last.command.is_stop()
        {
            let by_effect = calls.iter().filter(|it| voided(&it.command) || it.command.is_stop());
            let last_call = by_effect.max_by_key(|call| (call.done, call.command.is_stop()));
            prop_assert!(last_call.is_some_and(|it| it.command.is_stop()), "{calls:?} of {given:?}");
        }
    }
}
