//! A rosbridge_suite with a robot behind it, as far as a client can tell: its nodes, their topics, and a rosapi that answers, is missing or
//! hangs. Messages go to clients that subscribed, in the text that a test gives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tokio_tungstenite::tungstenite::Message;

use crate::rig::in_time;

/// What becomes of a call of rosapi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rosapi {
    Answers,
    /// No node of it was started.
    Missing,
    /// Its node hangs.
    Silent,
}

/// A topic by the nodes that publish it and subscribe to it.
#[derive(Clone, Debug)]
struct Topic {
    ros_type: &'static str,
    publishers: bool,
    subscribers: bool,
}

struct State {
    rosapi: Rosapi,
    topics: BTreeMap<String, Topic>,
    /// What its clients sent.
    frames: Vec<Value>,
    subscribed: BTreeSet<String>,
    clients: Vec<mpsc::UnboundedSender<String>>,
}

/// A bridge on a free port until it is dropped.
pub(super) struct RealBridge {
    pub(super) address: String,
    state: Arc<Mutex<State>>,
    changed: Arc<Notify>,
    server: JoinHandle<()>,
}

impl Drop for RealBridge {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl RealBridge {
    /// A bridge whose robot publishes some topics and subscribes to others, each with its type.
    pub(super) async fn start(
        rosapi: Rosapi,
        publishes: &[(&str, &'static str)],
        subscribes: &[(&str, &'static str)],
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let topic = |list: &[(&str, &'static str)], publishers: bool| {
            list.iter()
                .map(|(name, ros_type)| {
                    ((*name).to_owned(), Topic { ros_type, publishers, subscribers: !publishers })
                })
                .collect::<Vec<_>>()
        };
        let topics = topic(publishes, true).into_iter().chain(topic(subscribes, false)).collect();
        let state =
            State { rosapi, topics, frames: Vec::new(), subscribed: BTreeSet::new(), clients: Vec::new() };
        let (state, changed) = (Arc::new(Mutex::new(state)), Arc::new(Notify::new()));
        let (served, notify) = (state.clone(), changed.clone());
        let server = tokio::spawn(async move {
            let mut clients = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                clients.spawn(serve(stream, served.clone(), notify.clone()));
            }
        });
        Self { address, state, changed, server }
    }

    /// The nodes that publish a topic or subscribe to it are there, or not.
    pub(super) fn set_nodes(&self, name: &str, publishers: bool, subscribers: bool) {
        let mut state = self.state.lock().unwrap();
        let topic = state.topics.get_mut(name).expect("a topic that it has");
        (topic.publishers, topic.subscribers) = (publishers, subscribers);
    }

    pub(super) fn set_rosapi(&self, rosapi: Rosapi) {
        self.state.lock().unwrap().rosapi = rosapi;
    }

    /// Waits until a client is subscribed to a topic.
    pub(super) async fn subscribed(&self, topic: &str) {
        self.until(|state| state.subscribed.contains(topic).then_some(())).await;
    }

    /// The first frame of a sort that clients sent, once it is there, with all before it forgotten.
    pub(super) async fn frame(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.until(|state| {
            let at = state.frames.iter().position(&wanted)?;
            state.frames.drain(..=at).next_back()
        })
        .await
    }

    /// The message that is published next on a topic.
    pub(super) async fn published(&self, topic: &str) -> Value {
        self.frame(|it| it["op"] == "publish" && it["topic"] == topic).await["msg"].clone()
    }

    /// How many messages clients published so far on each topic; all is forgotten.
    pub(super) fn taken(&self, topics: &[&str]) -> Vec<usize> {
        let frames = std::mem::take(&mut self.state.lock().unwrap().frames);
        let on =
            |topic: &str| frames.iter().filter(|it| it["op"] == "publish" && it["topic"] == topic).count();
        topics.iter().map(|topic| on(topic)).collect()
    }

    async fn until<T>(&self, what: impl Fn(&mut State) -> Option<T>) -> T {
        in_time(async {
            loop {
                let changed = self.changed.notified();
                if let Some(found) = what(&mut self.state.lock().unwrap()) {
                    return found;
                }
                changed.await;
            }
        })
        .await
    }

    /// Sends a frame to each client.
    pub(super) fn send(&self, frame: &str) {
        self.state.lock().unwrap().clients.retain(|client| client.send(frame.to_owned()).is_ok());
    }

    /// Publishes a message, in its text, to those who subscribed.
    pub(super) async fn publish(&self, topic: &str, message: &str) {
        self.subscribed(topic).await;
        self.send(&publish(topic, message));
    }
}

/// The frame of a message.
pub(super) fn publish(topic: &str, message: &str) -> String {
    format!(r#"{{"op": "publish", "topic": "{topic}", "msg": {message}}}"#)
}

async fn serve(stream: TcpStream, state: Arc<Mutex<State>>, changed: Arc<Notify>) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let (mut out, mut frames) = socket.split();
    let (client, mut outbox) = mpsc::unbounded_channel();
    state.lock().unwrap().clients.push(client);
    loop {
        tokio::select! {
            frame = frames.next() => {
                let Some(Ok(frame)) = frame else { return };
                let Ok(frame) = serde_json::from_str::<Value>(frame.to_text().unwrap_or_default()) else { continue };
                let answer = state.lock().unwrap().take(frame);
                changed.notify_waiters();
                if let Some(answer) = answer && out.send(Message::text(answer.to_string())).await.is_err() {
                    return;
                }
            }
            frame = outbox.recv() => {
                let Some(frame) = frame else { return };
                if out.send(Message::text(frame)).await.is_err() {
                    return;
                }
            }
        }
    }
}

impl State {
    /// Takes a client's frame, and answers it if it is a call.
    fn take(&mut self, frame: Value) -> Option<Value> {
        let topic = frame["topic"].as_str().unwrap_or_default().to_owned();
        let answer = match frame["op"].as_str() {
            Some("call_service") => self.call(&frame),
            Some("subscribe") => {
                self.subscribed.insert(topic);
                None
            }
            Some("unsubscribe") => {
                self.subscribed.remove(&topic);
                None
            }
            _ => None,
        };
        self.frames.push(frame);
        answer
    }

    fn call(&self, frame: &Value) -> Option<Value> {
        let service = frame["service"].as_str().unwrap_or_default();
        let (values, result) = match (self.rosapi, service.strip_prefix("/rosapi/")) {
            (Rosapi::Silent, Some(_)) => return None,
            (Rosapi::Answers, Some(asked)) => (self.rosapi(asked, &frame["args"])?, true),
            _ => (json!(format!("Service {service} does not exist")), false),
        };
        Some(
            json!({"op": "service_response", "id": frame["id"], "service": service, "values": values, "result": result}),
        )
    }

    fn rosapi(&self, asked: &str, args: &Value) -> Option<Value> {
        let topic = || self.topics.get(args["topic"].as_str()?);
        let nodes = |are_there: bool| if are_there { json!(["/base"]) } else { json!([]) };
        Some(match asked {
            "topics" => {
                let types: Vec<_> = self.topics.values().map(|it| it.ros_type).collect();
                json!({"topics": self.topics.keys().collect::<Vec<_>>(), "types": types})
            }
            "publishers" => json!({"publishers": nodes(topic().is_some_and(|it| it.publishers))}),
            "subscribers" => json!({"subscribers": nodes(topic().is_some_and(|it| it.subscribers))}),
            "services" => json!({"services": []}),
            _ => return None,
        })
    }
}
