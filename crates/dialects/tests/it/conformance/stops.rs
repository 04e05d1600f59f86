//! A stop is final in every dialect: a robot that takes its time is set in motion by nothing that was given before.

use std::time::Duration;

use futures_util::future::join_all;
use latimer_core::hub::Source;
use latimer_core::model::signal::LinkState;
use latimer_core::model::{Destination, NavigationGoal};
use latimer_core::{Command, Outcome};
use latimer_dialects::{Entry, Offers};
use tokio::sync::watch;

use super::house::{Loopback, Observer, PATIENCE, robot};

/// How long the robot takes for each command.
const TAKES: Duration = Duration::from_millis(400);

/// How long what was given before the stop may take to show up, if it does.
const AFTERMATH: Duration = Duration::from_millis(1500);

/// Takes commands for ever, one after the other, slowly, and notes them.
async fn obey(source: &mut Source, log: &watch::Sender<Vec<Command>>) {
    loop {
        let request = source.next_command().await;
        log.send_modify(|log| log.push(request.command.clone()));
        tokio::time::sleep(TAKES).await;
        request.answer(Outcome::Accepted);
    }
}

fn moves(command: &Command) -> bool {
    match command {
        Command::Drive { linear_mps, angular_radps, .. } => *linear_mps != 0.0 || *angular_radps != 0.0,
        Command::Navigate(_) => true,
        _ => false,
    }
}

/// A dialect may say a stop as the end of what it knows.
fn ends_motion(command: &Command) -> bool {
    let stands = matches!(command, Command::Drive { linear_mps: 0.0, angular_radps: 0.0, .. });
    command.is_stop() || stands || *command == Command::CancelNavigation
}

pub(super) async fn nothing_that_was_given_before_a_stop_moves_the_robot_after_it(entry: &'static Entry) {
    if entry.offers != Offers::Both {
        return;
    }
    let mut loopback = Loopback::start(entry, None).await;
    Observer::of(&loopback.there).link(|link| link.state == LinkState::Up).await;
    let (hub, log) = (loopback.there.hub.clone(), watch::Sender::default());
    let given = async {
        let drives = (1..=10).map(|i| {
            let command = match i % 2 {
                0 => Command::Navigate(NavigationGoal::to(Destination::Point {
                    x_m: f64::from(i),
                    y_m: 0.0,
                    yaw_rad: None,
                })),
                _ => Command::Drive { linear_mps: 0.02 * f64::from(i), angular_radps: 0.0, duration: None },
            };
            tokio::spawn(hub.command(&robot(), command, PATIENCE))
        });
        let mut drives = join_all(drives.collect::<Vec<_>>());
        // The stop comes while the robot moves and more waits; what no dialect can say is refused at once.
        let mut seen = log.subscribe();
        let are_refused = tokio::select! {
            _ = seen.wait_for(|log: &Vec<_>| log.iter().any(moves)) => false,
            _ = &mut drives => true,
        };
        tokio::time::sleep(TAKES / 2).await;
        let stop = hub.command(&robot(), Command::Stop { hold: false }, PATIENCE).await;
        if !are_refused {
            drives.await;
        }
        tokio::time::sleep(AFTERMATH).await;
        stop
    };
    let stop = tokio::select! {
        stop = given => stop,
        () = obey(&mut loopback.source, &log) => unreachable!("it obeys for ever"),
    };
    let log = log.borrow().clone();
    eprintln!("{stop:?} {log:?}");
    let (has, is_moved) = (|name: &str| entry.command_names().any(|it| it == name), log.iter().any(moves));
    assert!(
        is_moved || !has("drive"),
        "{}: its programs drive robots, and no drive of ours comes",
        entry.name
    );
    let must_stop = is_moved || has("drive") || has("stop");
    assert!(stop.is_ok() || !must_stop, "{}: {stop:?}", entry.name);
    if must_stop {
        let ended = log.iter().position(ends_motion);
        let ended = ended.unwrap_or_else(|| panic!("{}: no stop in {log:?}", entry.name));
        // What was on its way may come after the first; then another follows.
        let last_move = log.iter().rposition(moves).unwrap_or_default();
        assert!(last_move <= ended + 1, "{}: {log:?}", entry.name);
        assert!(log.iter().skip(last_move).any(ends_motion), "{}: {log:?}", entry.name);
    }
    loopback.stop().await;
}
