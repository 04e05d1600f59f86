//! The bridge as its clients see it.

mod clients;
mod connected;
mod frames;
mod goals;
mod grants;
mod names;
mod pace;
mod packing;
mod real;
mod refusals;
mod rosapi;
mod throttle;

use latimer_core::hub::Source;
use latimer_core::{Clock, Hub};
use latimer_dialects::BuildContext;
use latimer_dialects::listen::Ports;
use latimer_dialects::rosbridge::RosbridgeConfig;
use serde_json::{Value, json};

use crate::rig::{Running, Socket, play};

/// A bridge with one robot that a test plays.
pub(crate) struct Bridge {
    pub(crate) hub: Hub,
    pub(crate) source: Source,
    /// `host:port`.
    pub(crate) address: String,
    _running: Running,
}

/// Publishes a message.
pub(crate) fn publish(topic: &str, msg: Value) -> Value {
    json!({"op": "publish", "topic": topic, "msg": msg})
}

/// The answer to a call of a service.
pub(crate) async fn call(socket: &mut Socket, service: &str, args: Value) -> Value {
    let call = json!({"op": "call_service", "id": "call:1", "service": service, "args": args});
    socket.send(&call).await;
    loop {
        let frame = socket.json().await;
        if frame["op"] == "service_response" && frame["id"] == "call:1" {
            return frame;
        }
    }
}

/// Waits until all is done that a client sent before.
pub(crate) async fn settled(socket: &mut Socket) {
    call(socket, "/rosapi/nodes", json!({})).await;
}

impl Bridge {
    pub(crate) async fn start(ports: Ports) -> Self {
        let hub = Hub::new(Clock::system());
        let source = play(&hub, "rover", "test");
        let context = BuildContext { ports, ..BuildContext::new(&hub) };
        let listen = Some("127.0.0.1:0".parse().unwrap());
        let config = RosbridgeConfig { listen, ..RosbridgeConfig::default() };
        let running = Running::start(Box::new(config), context).await;
        Self { hub, source, address: running.authority(), _running: running }
    }
}
