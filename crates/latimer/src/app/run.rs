//! Running: everything starts, everything stops within a grace period.

use std::time::Duration;

use latimer_core::hub::{Origin, RobotReport};
use latimer_core::{Clock, Hub, Outcome, RobotId};
use latimer_mqtt::Broker;
use latimer_world::{Runtime, RuntimeHandle};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::build::{Gateway, Staged};
use super::{audit, broker};
use crate::api::{self, ApiState, Names, Phase};
use crate::journal::Journal;
use crate::limits::FINAL_STOP_FLUSH_TIME;
use crate::limits::SHUTDOWN_GRACE_TIME;
use crate::limits::{FINAL_STOP_TIMEOUT, FIRST_REPORTS_TIMEOUT, UNITS_END_TIMEOUT};
use crate::page;
use latimer_wire::v1::WALL;

/// Between two looks whether they did.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How the gateway ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Everything ended in time.
    Clean,
    /// What is named was left behind.
    Late(Vec<String>),
    /// These robots moved and did not take a stop: they may move still.
    Moving(Vec<String>),
    /// What is named failed, so that the rest was stopped.
    Broken(String),
}

impl Gateway {
    /// Runs until `shutdown`, or until `fault` is cancelled or a part fails. `ready` is called once every listener
    /// is up. Robots that move are stopped at the end, whatever it comes from.
    pub async fn run(
        self,
        shutdown: CancellationToken,
        fault: CancellationToken,
        ready: impl FnOnce(),
    ) -> Stopped {
        let Self {
            hub,
            clock,
            translators,
            http,
            ports,
            access,
            address,
            mounts,
            services,
            simulator,
            world,
            broker,
            endpoints,
            units,
            staged,
            reload,
            insecure,
            names,
            audit,
            state: folder,
        } = self;
        let phase = Phase::default();
        let streams = TaskTracker::new();
        // Cancelled after the robots were stopped.
        let end = CancellationToken::new();
        let journal = Journal::default();
        let state = ApiState {
            hub: hub.clone(),
            clock,
            translators,
            simulator,
            broker: broker.as_ref().and_then(Broker::meter),
            journal: journal.clone(),
            started: clock.now(),
            endpoints,
            phase: phase.clone(),
            names: Names::new(address.ip(), names),
            ports: ports.clone(),
            access: access.clone(),
            insecure: insecure.into(),
            reload: reload.clone(),
            shutdown: end.clone(),
            streams: streams.clone(),
        };
        let router = api::router(state, page::router(), mounts).fallback(api::unknown_address);

        let mut running = Running { tasks: JoinSet::new(), names: Vec::new() };
        let wall_end = end.clone();
        running.spawn("wall clock", async move { WALL.follow(clock, wall_end.cancelled()).await });
        running.spawn("journal", journal.run(hub.clone(), end.clone()));
        running.spawn("guard", hub.clone().guard(end.clone()));
        if let Some(file) = audit {
            running.spawn("audit", audit::run(file, hub.clone(), clock, end.clone()));
        }
        if let Some(tls) = ports.policy.tls() {
            running.spawn("certificates", tls.clone().watch(end.clone()));
        }
        if let Some(access) = access {
            let end = end.clone();
            running.spawn("users", access.watch(async move { end.cancelled().await }));
        }
        running.spawn("http", http.serve(router, end.clone()));
        let speak = TaskTracker::new();
        for (name, service) in services {
            running.spawn(name, speak.track_future(service.run(end.clone())));
        }
        for unit in staged {
            units.start(unit);
        }
        if let Some(broker) = broker {
            running.spawn("broker", broker::run(broker, speak, end.clone()));
        }
        let stands_still = world.as_ref().is_some_and(|staged| staged.speed <= 0.0);
        let world = world
            .map(|Staged { world, requests, speed }| Runtime::start(world, &hub, clock, requests, speed));
        let world = match world.transpose() {
            Ok(world) => world,
            Err(error) => {
                units.end_all(UNITS_END_TIMEOUT).await;
                end.cancel();
                return Stopped::Broken(format!("the world does not start: {error}"));
            }
        };
        if let Some(world) = &world {
            reload.with_population(world.population());
        }
        tokio::select! {
            // Robots of a world that stands still publish nothing.
            () = all_published(&hub, clock), if !stands_still => {}
            () = std::future::ready(()), if stands_still => {}
            () = clock.sleep(FIRST_REPORTS_TIMEOUT) => tracing::warn!("not every simulated robot has published yet"),
            () = shutdown.cancelled() => {}
        }
        phase.serving();
        running.spawn("config", reload.watch(end.clone()));
        ready();

        let broken = tokio::select! {
            () = shutdown.cancelled() => None,
            () = fault.cancelled() => Some("a part of the gateway failed; the log says which".to_owned()),
            broken = running.first_broken() => Some(broken),
        };
        phase.stopping();
        let moving = stop_robots(&hub, clock).await;
        // Before masters and brokers, of which links take their leave.
        let late_units = units.end_all(UNITS_END_TIMEOUT).await;
        end.cancel();
        streams.close();
        let world = async {
            if let Some(world) = world {
                stop_world(world).await;
            }
        };
        let all = async { tokio::join!(running.all_ended(), streams.wait(), world) };
        let in_time = tokio::time::timeout(SHUTDOWN_GRACE_TIME, all).await.is_ok();
        let is_written = match &folder {
            Some(folder) => tokio::time::timeout(SHUTDOWN_GRACE_TIME, folder.written()).await.is_ok(),
            None => true,
        };
        let mut late = running.names;
        let in_time = in_time && late_units.is_empty() && is_written;
        late.extend(late_units);
        if !streams.is_empty() {
            late.push("api streams".to_owned());
        }
        if !is_written {
            late.push("state folder".to_owned());
        }
        match broken {
            Some(broken) => Stopped::Broken(broken),
            None if !moving.is_empty() => Stopped::Moving(moving),
            None if in_time => Stopped::Clean,
            None => Stopped::Late(late),
        }
    }
}

/// Stops the connected robots that move, while their links are still there; those that did not take a stop.
async fn stop_robots(hub: &Hub, clock: Clock) -> Vec<String> {
    let stopped = hub.stop_all(FINAL_STOP_TIMEOUT).await;
    if !stopped.is_empty() {
        clock.sleep(FINAL_STOP_FLUSH_TIME).await;
    }
    stopped.iter().for_each(|(robot, outcome)| log_stop(robot, outcome));
    let moving = stopped.into_iter().filter(|(_, outcome)| !outcome.is_ok());
    moving.map(|(robot, _)| robot.to_string()).collect()
}

/// Logs what became of a stop before the end.
pub(super) fn log_stop(robot: &RobotId, outcome: &Outcome) {
    match outcome {
        Outcome::Refused(reason) => {
            tracing::error!(%robot, %reason, "the robot moves and could not be stopped");
        }
        Outcome::TimedOut => tracing::error!(%robot, "the robot moves and did not answer the stop in time"),
        _ => tracing::info!(%robot, "the robot is stopped"),
    }
}

/// Waits until every simulated robot has published, so that the first clients see all of them.
async fn all_published(hub: &Hub, clock: Clock) {
    let silent = |report: &RobotReport| {
        // The link is the gateway's own word.
        report.info.origin == Origin::Simulated && hub.last_of_robot(&report.info.robot).len() < 2
    };
    while hub.robots().iter().any(silent) {
        clock.sleep(LOOK_EVERY).await;
    }
}

/// The world's thread ends after its step; it is waited for off the runtime's threads.
async fn stop_world(world: RuntimeHandle) {
    if let Err(panic) = latimer_panics::blocking("stopping the world", move || world.stop()).await {
        tracing::error!(%panic, "the world may not have stopped");
    }
}

/// Tasks by name.
struct Running {
    tasks: JoinSet<&'static str>,
    /// Those that run still.
    names: Vec<String>,
}

impl Running {
    fn spawn(&mut self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        self.names.push(name.to_owned());
        self.tasks.spawn(async move {
            task.await;
            name
        });
    }

    /// Waits until a task panics; one that merely has nothing more to do is no failure.
    async fn first_broken(&mut self) -> String {
        loop {
            match self.tasks.join_next().await {
                Some(Ok(name)) => self.ended(name),
                Some(Err(error)) => return format!("a part of the gateway failed: {error}"),
                None => std::future::pending().await,
            }
        }
    }

    async fn all_ended(&mut self) {
        while let Some(ended) = self.tasks.join_next().await {
            match ended {
                Ok(name) => self.ended(name),
                Err(error) => tracing::error!(%error, "a part of the gateway failed while stopping"),
            }
        }
    }

    fn ended(&mut self, name: &str) {
        if let Some(at) = self.names.iter().position(|known| known == name) {
            self.names.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::BoxFuture;
    use latimer_core::service::Service;

    use super::*;
    use crate::config::{Config, Overrides};

    /// A part that panics on a task of its own, which nobody waits for.
    struct Fragile;

    impl Service for Fragile {
        fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
            Box::pin(async move {
                tokio::spawn(async { panic!("unexpected") });
                shutdown.cancelled().await;
            })
        }
    }

    #[tokio::test]
    async fn a_panic_on_any_task_stops_the_gateway_and_is_no_clean_end() {
        let text = "[http]\nlisten = '127.0.0.1:0'\n";
        let config = Config::parse("test", text, &Overrides::default()).unwrap();
        let mut gateway = Box::pin(Gateway::build(config)).await.unwrap();
        gateway.services.push(("fragile", Box::new(Fragile)));
        let fault = CancellationToken::new();
        latimer_panics::watch(fault.clone());
        let stopped = Box::pin(gateway.run(CancellationToken::new(), fault, || {})).await;
        drop(std::panic::take_hook());
        assert_eq!(stopped, Stopped::Broken("a part of the gateway failed; the log says which".to_owned()));
    }
}
