//! The gatherer of logs: what all nodes say on `/rosout` goes out on `/rosout_agg`, so that a node that reads it
//! follows one node instead of all.

use std::collections::BTreeMap;
use std::net::IpAddr;

use latimer_listen::ListenerPolicy;
use tokio_util::sync::CancellationToken;

use crate::limits::ROSOUT_QUEUE_CAPACITY;
use crate::message::Catalog;
use crate::msgs::rosgraph_msgs::Log;
use crate::node::{Ended, Node, NodeError, Publisher, Running, Settings, Subscription};

use super::Clock;

/// The node's name, by which `roslaunch` knows that there is one.
pub const NODE: &str = "/rosout";
const FROM: &str = "/rosout";
const TO: &str = "/rosout_agg";
/// Longest message that is passed on, bytes; a thousand of them may wait for each reader.
const MESSAGE_BYTES: usize = 64 << 10;

/// A gatherer that holds its ports.
pub(super) struct Rosout {
    running: Running,
    from: Subscription,
    to: Publisher,
}

impl Rosout {
    /// A node of the master at `master`.
    pub(super) async fn bind(
        master: String,
        bind: IpAddr,
        (host, policy): (String, ListenerPolicy),
        now: Clock,
    ) -> Result<Option<Self>, NodeError> {
        let settings = Settings {
            name: NODE.to_owned(),
            master,
            bind,
            host: Some(host),
            policy,
            remap: BTreeMap::new(),
            now,
        };
        let (node, running) = Node::bind(settings).await?;
        let Ok(layout) = Catalog::common().layout_of::<Log>() else { return Ok(None) };
        let from = node.subscribe(FROM, None, ROSOUT_QUEUE_CAPACITY)?;
        let to = node.advertise(TO, layout, ROSOUT_QUEUE_CAPACITY, false)?;
        Ok(Some(Self { running, from, to }))
    }

    /// Gathers until `shutdown`, or until another gatherer takes its place.
    pub(super) async fn run(self, shutdown: CancellationToken) {
        let Self { running, mut from, to } = self;
        let pass_on = async {
            while let Some(message) = from.next().await {
                if message.bytes.len() > MESSAGE_BYTES {
                    tracing::debug!(node = %message.caller, "a log message that is too long to be passed on");
                    continue;
                }
                let passed = message.decode::<Log>().map(|log| to.publish(&log));
                if let Err(error) = passed {
                    tracing::debug!(node = %message.caller, %error, "a log message that is none");
                }
            }
        };
        let (ended, ()) = tokio::join!(running.run(shutdown), pass_on);
        if let Ended::ShutDown(reason) = ended {
            tracing::info!(reason, "another node gathers the logs of this master");
        }
    }
}
