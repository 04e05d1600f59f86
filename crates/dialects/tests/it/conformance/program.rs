//! A program of a family: it sends what the dialect declares that such programs send, over the real wire.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::SinkExt;
use latimer_dialects::Sent;
use latimer_mqtt::{Connection, Message as MqttMessage, Qos};
use latimer_ros1::msgs::Time;
use latimer_ros1::node::{Ended, Node, Settings};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tokio_util::sync::CancellationToken;

use super::garbage::connect;
use super::house::{House, PATIENCE};

/// What it has open, which stays until it ends.
#[derive(Default)]
pub(super) struct Program {
    socket: Option<WebSocketStream<MaybeTlsStream<TcpStream>>>,
    broker: Option<Connection>,
    node: Option<RosNode>,
}

impl Program {
    pub(super) async fn send(&mut self, here: &House, sent: &Sent) {
        match sent {
            Sent::Request { method, path, body } => {
                let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
                let url = format!("http://{}/{path}", here.authority());
                let answer = reqwest::Client::new().request(method, url).body(body.clone()).send().await;
                let answer = answer.unwrap();
                assert!(answer.status().is_success(), "{path}: {}", answer.text().await.unwrap());
            }
            Sent::Text(text) => {
                if self.socket.is_none() {
                    self.socket = Some(tokio_tungstenite::connect_async(&here.urls[0]).await.unwrap().0);
                }
                self.socket.as_mut().unwrap().send(Message::text(text.clone())).await.unwrap();
            }
            Sent::Publication { topic, payload } => {
                if self.broker.is_none() {
                    self.broker = Some(connect(&here.authority(), "client", &[]).await);
                }
                let message = MqttMessage::new(topic.clone(), payload.clone().into_bytes(), Qos::AtLeastOnce);
                self.broker.as_mut().unwrap().publish(message).await.unwrap();
            }
            Sent::Ros { topic, layout, fields } => {
                if self.node.is_none() {
                    self.node = Some(RosNode::at(&here.urls[0], "/client").await);
                }
                let node = &self.node.as_ref().unwrap().node;
                let publisher = node.advertise(topic, layout.clone(), 64, false).unwrap();
                let mut followed = publisher.subscribers();
                let followed = followed.wait_for(|count| *count > 0);
                tokio::time::timeout(PATIENCE, followed).await.expect("the facade follows").unwrap();
                publisher.publish(fields).unwrap();
            }
        }
    }
}

/// A node of ROS.
pub(super) struct RosNode {
    pub(super) node: Node,
    stop: CancellationToken,
    running: JoinHandle<Ended>,
}

impl RosNode {
    pub(super) async fn at(master: &str, name: &str) -> Self {
        let settings = Settings {
            name: name.to_owned(),
            master: master.to_owned(),
            bind: [127, 0, 0, 1].into(),
            host: None,
            policy: Default::default(),
            remap: BTreeMap::new(),
            now: Arc::new(Time::default),
        };
        let (node, running) = Node::bind(settings).await.unwrap();
        let stop = CancellationToken::new();
        let running = tokio::spawn(running.run(stop.clone()));
        Self { node, stop, running }
    }

    pub(super) async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}
