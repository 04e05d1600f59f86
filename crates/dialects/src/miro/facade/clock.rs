//! The world's time for all nodes at a master: `/clock`, and the parameter `/use_sim_time` that has them live by it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::rosgraph_msgs;
use latimer_ros1::node::{MasterLink, Node, NodeError};
use latimer_ros1::xmlrpc::Value;
use latimer_simulator_api::WorldClock;

use crate::miro::limits::{CLOCK_END_TIMEOUT, CLOCK_MIN_INTERVAL};
use crate::miro::node::time_from_timestamp;

/// The topic of the clock.
const TOPIC: &str = "/clock";

/// Whether nodes live by it.
pub(in crate::miro) const USE_SIM_TIME: &str = "/use_sim_time";

/// Tells the time of a world by a node.
pub(super) struct SimTime {
    node: Node,
    clock: WorldClock,
    /// Whether it was this program that set the parameter.
    set: AtomicBool,
}

impl SimTime {
    pub(super) const fn new(node: Node, clock: WorldClock) -> Self {
        Self { node, clock, set: AtomicBool::new(false) }
    }

    /// Tells it as long as the node lives.
    pub(super) async fn run(&self) {
        let publishing = async {
            if let Err(error) = self.tell().await {
                tracing::warn!(%error, "the world's time is not published");
            }
        };
        tokio::join!(publishing, self.announce());
    }

    async fn tell(&self) -> Result<(), NodeError> {
        let layout = Catalog::common().layout_of::<rosgraph_msgs::Clock>()?;
        // A subscriber that comes while the world is paused receives the last time at once.
        let publisher = self.node.advertise(TOPIC, layout, 1, true)?;
        let mut clock = self.clock.clone();
        loop {
            let now = clock.now();
            if let Err(error) = publisher.publish(&rosgraph_msgs::Clock { clock: time_from_timestamp(now) }) {
                tracing::debug!(%error, "the time cannot be published");
            }
            tokio::time::sleep(CLOCK_MIN_INTERVAL).await;
            clock.reach(now.after(Duration::from_nanos(1))).await;
        }
    }

    /// Sets the parameter whenever the master is there, as one that was started anew has forgotten it.
    async fn announce(&self) {
        let mut link = self.node.link();
        link.mark_changed();
        while link.changed().await.is_ok() {
            let is_up = matches!(*link.borrow_and_update(), MasterLink::Up);
            if !is_up || self.node.param(USE_SIM_TIME).await.is_ok_and(|it| it == Some(true_value())) {
                continue;
            }
            match self.node.set_param(USE_SIM_TIME, true_value()).await {
                Ok(()) => self.set.store(true, Ordering::Relaxed),
                Err(error) => tracing::warn!(%error, "{USE_SIM_TIME} is not set"),
            }
        }
    }

    /// Takes back the parameter, if it was set here: nodes would wait for ever for a time that nobody tells.
    pub(super) async fn end(&self) {
        if self.set.load(Ordering::Relaxed) {
            let forgotten =
                tokio::time::timeout(CLOCK_END_TIMEOUT, self.node.delete_param(USE_SIM_TIME)).await;
            if let Ok(Err(error)) = forgotten {
                tracing::debug!(%error, "{USE_SIM_TIME} is not taken back");
            }
        }
    }
}

pub(in crate::miro) const fn true_value() -> Value {
    Value::Boolean(true)
}
