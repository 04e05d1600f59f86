//! Who may move a robot: leases, drives that end with their author, stops that are repeated, an emergency stop that holds.

mod authors;
mod bounds;
mod interleaved;
mod stops;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use latimer_core::authority::Policy;
use latimer_core::hub::{CommandClient, Origin, Policies, RobotInfo};
use latimer_core::model::signal::{Frame, LinkState, Pose, Velocity};
use latimer_core::model::{Refusal, RefusalCode};
use latimer_core::{Author, Clock, Command, Hub, Outcome, Signal, Timestamp, Update};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::rig::{PATIENCE, robot};

fn drive(linear_mps: f64, seconds: Option<f64>) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration: seconds.map(Duration::from_secs_f64) }
}

fn code(outcome: &Outcome) -> Option<RefusalCode> {
    match outcome {
        Outcome::Refused(Refusal { code, .. }) => Some(*code),
        _ => None,
    }
}

/// A robot that does as it is asked after a moment, and may need several stops.
struct Bench {
    hub: Hub,
    /// What reached the robot, and when.
    calls: Arc<Mutex<Vec<(Command, Timestamp)>>>,
    tasks: [JoinHandle<()>; 2],
}

impl Bench {
    fn new(policy: Policy, takes: Duration, stops_needed: usize) -> Self {
        Self::refusing(policy, takes, stops_needed, 0)
    }

    /// A robot that refuses so many stops first.
    fn refusing(policy: Policy, takes: Duration, stops_needed: usize, mut refused: usize) -> Self {
        let clock = Clock::starting_at(Timestamp::default());
        let hub = Hub::new(clock);
        hub.set_policies(Policies { others: policy, ..Policies::default() });
        let origin = Origin::Connected("host".into());
        let mut source = hub.register(RobotInfo::new(robot(), "test", origin)).unwrap();
        source.link(LinkState::Up, None);
        let calls = Arc::new(Mutex::new(Vec::new()));
        let noted = calls.clone();
        let session = tokio::spawn(async move {
            let (mut speed_mps, mut stops) = (0.0, 0);
            // It drives along a line.
            let (mut x_m, mut before) = (0.0, clock.now());
            loop {
                let report = clock.sleep(Duration::from_millis(100));
                let driven_mps = speed_mps;
                tokio::select! {
                    request = source.next_command() => {
                        clock.sleep(takes).await;
                        if let Err(outcome) = request.check() {
                            request.answer(outcome);
                            continue;
                        }
                        noted.lock().unwrap().push((request.command.clone(), clock.now()));
                        if request.command.is_stop() && refused > 0 {
                            refused -= 1;
                            request.answer(Outcome::unreachable("500"));
                            continue;
                        }
                        match *request.command {
                            Command::Drive { linear_mps, .. } => (speed_mps, stops) = (linear_mps, 0),
                            _ if request.command.is_stop() => {
                                stops += 1;
                                speed_mps = if stops >= stops_needed { 0.0 } else { speed_mps };
                            }
                            _ => {}
                        }
                        request.answer(Outcome::Accepted);
                    }
                    () = report => {}
                }
                let now = clock.now();
                x_m += driven_mps * now.since(before).as_secs_f64();
                before = now;
                source.publish(Update::now(&robot(), now, Velocity::of(speed_mps, 0.0).into()));
                source.publish(Update::now(&robot(), now, Pose::planar(Frame::Map, x_m, 0.0, 0.0).into()));
            }
        });
        let guard = tokio::spawn(hub.clone().guard(CancellationToken::new()));
        Self { hub, calls, tasks: [session, guard] }
    }

    fn program(&self, name: &str) -> CommandClient {
        self.hub.command_client(Author::new("misty", name))
    }

    fn connected(&self, name: &str) -> CommandClient {
        self.hub.connected_client(Author::new("misty", name))
    }

    fn names(&self) -> Vec<&'static str> {
        self.calls.lock().unwrap().iter().map(|(command, _)| command.name()).collect()
    }

    async fn alerts(&self) -> Vec<String> {
        let part = latimer_core::PartName::of("gateway");
        let last = self.hub.last(&robot(), latimer_core::model::Kind::Alerts, Some(&part));
        match last.as_ref().map(|it| &it.signal) {
            Some(Signal::Alerts(alerts)) => alerts.active.iter().map(|it| it.message.to_string()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn give(driver: &CommandClient, command: Command) -> Outcome {
    driver.command(&robot(), command, PATIENCE).await
}

/// Numbers drives by their speed, so that each is known where it arrives.
fn numbered(command: Command, number: usize) -> Command {
    match command {
        Command::Drive { duration, .. } => {
            Command::Drive { linear_mps: 0.2 + number as f64 * 1e-6, angular_radps: 0.0, duration }
        }
        command => command,
    }
}

/// Lets the paused clock go on, past a lease, a step of a drive or a repetition of a stop.
async fn wait(seconds: f64) {
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
}
