//! A robot served as a Misty, and a client that sends text and reads JSON.

use latimer_core::hub::Source;
use latimer_core::{Hub, RobotId, Update};
use latimer_dialects::BuildContext;
use latimer_dialects::listen::Ports;
use latimer_dialects::misty::MistyConfig;

pub(crate) use crate::rig::{Client, PATIENCE};
use crate::rig::{Refusal, Running, play, served};
use crate::time::Time;

pub(crate) const REGISTERED: &str = "Registration Status: API event registered.";

pub(crate) fn robot() -> RobotId {
    RobotId::new("misty-1").unwrap()
}

/// A gateway with one robot, served on a port of its own.
pub(crate) struct Misty {
    pub(crate) hub: Hub,
    pub(crate) source: Source,
    pub(crate) address: String,
    pub(crate) time: Time,
    _running: Running,
}

impl Misty {
    pub(crate) async fn start(config: MistyConfig) -> Self {
        Self::of("test", config).await
    }

    /// The same of a family.
    pub(crate) async fn of(family: &'static str, config: MistyConfig) -> Self {
        Self::serving(family, config, Ports::default()).await
    }

    /// The same behind ports that authenticate clients.
    pub(crate) async fn behind(ports: Ports) -> Self {
        Self::serving("test", MistyConfig::default(), ports).await
    }

    async fn serving(family: &'static str, config: MistyConfig, ports: Ports) -> Self {
        let hub = crate::deriving_hub();
        let source = play(&hub, "misty-1", family);
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let running =
            Running::start(Box::new(MistyConfig { serve: served(&robot()), ..config }), context).await;
        Self { hub, source, address: running.authority(), time: Time::standing(), _running: running }
    }

    pub(crate) fn publish(&self, update: Update) {
        self.source.publish(update);
    }

    pub(crate) async fn client(&self) -> Client {
        Client::open(format!("ws://{}/pubsub", self.address), self.time.clone(), REFUSAL).await
    }

    pub(crate) fn url(&self, endpoint: &str) -> String {
        format!("http://{}/api/{endpoint}", self.address)
    }
}

/// What a server answers to nonsense.
const REFUSAL: Refusal = Refusal { sent: "[]", key: "message", contains: "no JSON object" };

impl Client {
    /// Subscribes with more fields of the message, e.g. `"DebounceMs":0`, and takes the answer.
    pub(crate) async fn subscribe(&mut self, event_type: &str, name: &str, more: &str) {
        let comma = if more.is_empty() { "" } else { "," };
        let message =
            format!(r#"{{"Operation":"subscribe","Type":"{event_type}","EventName":"{name}"{comma}{more}}}"#);
        self.send(&message).await;
        let answer = self.text().await;
        assert_eq!(answer, format!(r#"{{"eventName":"{name}","message":"{REGISTERED}"}}"#));
    }
}
