//! The gateway as a program of a real MiRo: a node at the robot's master until its bridge is gone; it never retries.
//!
//! ```text
//! bind ─▶ follow sensors, state, log ─▶ first sensors ─▶ up
//!   bridge ──messages──▶ ear ──signals──▶ hub
//!          ──pictures, sound──▶ senses ──▶ hub     only while somebody follows them there
//!          ◀──control, config, stream── control ◀── commands
//!   no sensors for a while ─▶ end
//! ```

mod control;
mod frames;
mod receiver;
mod senses;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_core::hub::Source;
use latimer_core::model::signal::LinkState;
use latimer_core::supervisor::{Reach, Session, SessionEnd};
use latimer_core::{Clock, Timestamp};
use latimer_listen::Address;
use latimer_ros1::node::{Ended, MasterLink, Node, NodeError, Running};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::node::{NodeAddress, bind, wall};
use super::topic::Topic;
use super::types::Types;
use crate::link::reach;
use crate::miro::limits::{FIRST_MESSAGE_TIMEOUT, ROBOT_SILENCE_TIMEOUT};
use control::Control;
use receiver::Receiver;
use senses::Senses;

/// Messages that may wait to be read; older ones say nothing new.
const QUEUE: usize = 8;

/// Which robot, and by which node.
pub(super) struct Settings {
    pub(super) node: String,
    pub(super) place: NodeAddress,
    /// What ROS calls the robot.
    pub(super) name: String,
    pub(super) types: Types,
    /// What its bridge plays, numbered from 1.
    pub(super) sounds: Arc<[String]>,
    /// Where nodes take their leave of the master.
    pub(super) leaving: TaskTracker,
}

/// A connection to one robot.
pub(super) struct MiroSession {
    settings: Settings,
    clock: Clock,
}

impl MiroSession {
    pub(super) const fn new(settings: Settings, clock: Clock) -> Self {
        Self { settings, clock }
    }

    async fn serve(&self, source: &mut Source, node: &Node) -> Result<SessionEnd, NodeError> {
        let settings = &self.settings;
        let follow =
            |topic: Topic| node.subscribe_like(&topic.of(&settings.name), settings.types.of(topic), QUEUE);
        let mut sensors = follow(Topic::Sensors)?;
        let mut state = follow(Topic::State)?;
        let mut log = follow(Topic::Log)?;
        let mut odom = follow(Topic::Odom)?;
        let mut senses = Senses::default();
        let mut receiver = Receiver::new(self.clock);
        let mut control = Control::advertise(node, settings, self.clock)?;
        let mut demand = source.demand();
        let mut look = tokio::time::interval(Duration::from_secs(1));
        let began = self.clock.now();
        let mut received: Option<Timestamp> = None;
        let end = loop {
            if let Some(name) = control.begun_sound() {
                receiver.plays(name);
            }
            tokio::select! {
                biased;
                request = source.next_command() => control.obey(request),
                () = control.tick() => {}
                Some(message) = sensors.next() => match receiver.sensors(source, &message) {
                    Some(decoded) => {
                        if received.replace(self.clock.now()).is_none() {
                            source.link(LinkState::Up, None);
                            senses.follow(source, node, settings)?;
                        }
                        control.decoded(&decoded);
                    }
                    None => continue,
                },
                Some(message) = state.next() => receiver.state(source, &message),
                Some(message) = log.next() => receiver.log(source, &message),
                Some(message) = odom.next() => receiver.odometry(source, &message),
                (sense, message) = senses.next() => receiver.sense(source, sense, &message),
                Ok(()) = demand.changed(), if received.is_some() => senses.follow(source, node, settings)?,
                _ = look.tick() => {
                    source.refresh_link();
                    let (since, patience) = received.map_or((began, FIRST_MESSAGE_TIMEOUT), |received| (received, ROBOT_SILENCE_TIMEOUT));
                    if self.clock.now().since(since) >= patience {
                        break self.missing(node, received.is_some(), receiver.problem());
                    }
                }
            }
        };
        control.hang_up(&end.reason);
        Ok(end)
    }

    /// Why nothing is received, and what to do.
    fn missing(&self, node: &Node, was_received: bool, problem: Option<&str>) -> SessionEnd {
        let (topic, master) = (Topic::Sensors.of(&self.settings.name), &self.settings.place.master);
        match (&*node.link().borrow(), problem) {
            (MasterLink::Waiting(reason), _) => {
                SessionEnd::retry(format!("the master {master} is not reached: {reason}"))
            }
            (MasterLink::Up, Some(problem)) => {
                SessionEnd::retry(format!("what comes on {topic} is not understood: {problem}"))
            }
            (MasterLink::Up, None) if was_received => {
                SessionEnd::away(format!("nothing comes on {topic} any more"))
            }
            (MasterLink::Up, None) => SessionEnd::away(format!(
                "nobody publishes {topic} at {master}; start the robot's bridge, or set the robot's name"
            )),
        }
    }
}

impl Session for MiroSession {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            let Settings { node, place, leaving, .. } = &self.settings;
            let (node, running): (Node, Running) = match bind(node, place, wall(self.clock)).await {
                Ok(bound) => bound,
                Err(error) => return SessionEnd::retry(error),
            };
            // Whatever ends this, the node takes its leave of the master in a task of its own.
            let stop = CancellationToken::new();
            let _stops = stop.clone().drop_guard();
            let mut running = leaving.spawn(running.run(stop));
            tokio::select! {
                ended = &mut running => match ended {
                    Ok(Ended::ShutDown(reason)) => SessionEnd::retry(format!("the node was shut down: {reason}")),
                    Ok(Ended::Stopped) => SessionEnd::retry("the node stopped"),
                    Err(error) => SessionEnd::retry(format!("the node broke: {error}")),
                },
                end = self.serve(source, &node) => end.unwrap_or_else(SessionEnd::retry),
            }
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move {
            let master = Address::parse(&self.settings.place.master, None).ok()?;
            reach(master.accepts().await)
        })
    }
}
