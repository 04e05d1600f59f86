//! A rosbridge_suite with a robot behind it, as far as a client can tell: its nodes, their topics, the actions of ROS 2, and a rosapi that
//! answers, is missing or hangs. Messages go to clients that subscribed, in the text that a test gives. As it is launched by default it takes
//! nothing more from a client until the service that this called has answered, or the goal that it gave has its result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tokio_tungstenite::tungstenite::Message;

use crate::rig::in_time;

/// `action_msgs/GoalStatus`.
const CANCELED: u8 = 5;

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
    /// Actions that nodes of ROS 2 serve; rosapi lists none of their hidden topics.
    actions: Vec<&'static str>,
    /// Goals that are under way by their names, each with the client that gave it and its action.
    goals: BTreeMap<String, (usize, String)>,
    /// What its clients sent.
    frames: Vec<Value>,
    clients: Vec<Client>,
}

/// A connection.
struct Client {
    out: mpsc::UnboundedSender<String>,
    subscribed: BTreeSet<String>,
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
        let state = State {
            rosapi,
            topics,
            actions: Vec::new(),
            goals: BTreeMap::new(),
            frames: Vec::new(),
            clients: Vec::new(),
        };
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

    /// Nodes serve actions.
    pub(super) fn set_actions(&self, actions: &[&'static str]) {
        self.state.lock().unwrap().actions = actions.to_vec();
    }

    /// The next goal that a client gives to an action.
    pub(super) async fn goal(&self) -> Value {
        self.frame(|it| it["op"] == "send_action_goal").await
    }

    /// Tells how a goal goes.
    pub(super) fn feedback(&self, goal: &Value, values: Value) {
        let state = self.state.lock().unwrap();
        state.tell(goal["id"].as_str().unwrap(), json!({"op": "action_feedback", "values": values}));
    }

    /// Ends a goal, in the words of `action_msgs/GoalStatus`.
    pub(super) fn finish(&self, goal: &Value, status: u8, values: Value) {
        self.state.lock().unwrap().finish(goal["id"].as_str().unwrap(), status, values);
        self.changed.notify_waiters();
    }

    pub(super) fn set_rosapi(&self, rosapi: Rosapi) {
        self.state.lock().unwrap().rosapi = rosapi;
    }

    /// Waits until a client is subscribed to a topic.
    pub(super) async fn subscribed(&self, topic: &str) {
        self.until(|state| state.clients.iter().any(|it| it.subscribed.contains(topic)).then_some(())).await;
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

    /// Sends a frame to each client that subscribed to a topic.
    pub(super) fn send(&self, topic: &str, frame: &str) {
        let state = self.state.lock().unwrap();
        for client in state.clients.iter().filter(|it| it.subscribed.contains(topic)) {
            _ = client.out.send(frame.to_owned());
        }
    }

    /// Publishes a message, in its text, once somebody subscribed.
    pub(super) async fn publish(&self, topic: &str, message: &str) {
        self.subscribed(topic).await;
        self.send(topic, &publish(topic, message));
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
    let number = {
        let mut state = state.lock().unwrap();
        state.clients.push(Client { out: client, subscribed: BTreeSet::new() });
        state.clients.len() - 1
    };
    // Whether it waits for something that it was asked for.
    let mut waits_for = Wait::Nothing;
    loop {
        let notified = changed.notified();
        if let Wait::Goal(id) = &waits_for
            && !state.lock().unwrap().goals.contains_key(id)
        {
            waits_for = Wait::Nothing;
        }
        tokio::select! {
            frame = frames.next(), if matches!(waits_for, Wait::Nothing) => {
                let Some(Ok(frame)) = frame else { return };
                let Ok(frame) = serde_json::from_str::<Value>(frame.to_text().unwrap_or_default()) else { continue };
                let answer;
                (answer, waits_for) = state.lock().unwrap().take(number, frame);
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
            () = notified => {}
        }
    }
}

/// What keeps a connection from being read.
enum Wait {
    Nothing,
    /// A service that never answers.
    Service,
    Goal(String),
}

impl State {
    /// Takes a client's frame: the answer if it is a call, and what that client waits for then.
    fn take(&mut self, client: usize, frame: Value) -> (Option<Value>, Wait) {
        let topic = frame["topic"].as_str().unwrap_or_default().to_owned();
        let id = frame["id"].as_str().unwrap_or_default().to_owned();
        let subscribed = &mut self.clients[client].subscribed;
        let (mut answer, mut waits_for) = (None, Wait::Nothing);
        match frame["op"].as_str() {
            Some("call_service") => {
                answer = self.call(&frame);
                waits_for = if answer.is_none() { Wait::Service } else { Wait::Nothing };
            }
            Some("subscribe") => _ = subscribed.insert(topic),
            Some("unsubscribe") => _ = subscribed.remove(&topic),
            // Of an action that nobody serves nothing is ever told.
            Some("send_action_goal") => {
                let action = frame["action"].as_str().unwrap_or_default().to_owned();
                self.goals.insert(id.clone(), (client, action));
                waits_for = Wait::Goal(id);
            }
            Some("cancel_action_goal") if self.goals.contains_key(&id) => {
                self.finish(&id, CANCELED, json!({}))
            }
            _ => {}
        }
        self.frames.push(frame);
        (answer, waits_for)
    }

    /// Sends the client that gave a goal what there is to tell.
    fn tell(&self, goal: &str, mut frame: Value) {
        let (client, action) = &self.goals[goal];
        (frame["id"], frame["action"]) = (goal.into(), action.as_str().into());
        _ = self.clients[*client].out.send(frame.to_string());
    }

    fn finish(&mut self, goal: &str, status: u8, values: Value) {
        self.tell(goal, json!({"op": "action_result", "values": values, "status": status, "result": true}));
        self.goals.remove(goal);
    }

    fn call(&mut self, frame: &Value) -> Option<Value> {
        let service = frame["service"].as_str().unwrap_or_default();
        let values = match (self.rosapi, service.strip_prefix("/rosapi/")) {
            (Rosapi::Silent, Some(_)) => return None,
            (Rosapi::Answers, Some(asked)) => self.rosapi(asked, &frame["args"]),
            _ => service.strip_suffix("/_action/cancel_goal").and_then(|action| self.cancel_all(action)),
        };
        let result = values.is_some();
        let values = values.unwrap_or_else(|| json!(format!("Service {service} does not exist")));
        Some(
            json!({"op": "service_response", "id": frame["id"], "service": service, "values": values, "result": result}),
        )
    }

    /// Cancels the goals of an action, as its server does it without the name of one.
    fn cancel_all(&mut self, action: &str) -> Option<Value> {
        self.actions.contains(&action).then_some(())?;
        let goals = self.goals.iter().filter(|(_, (_, of))| of == action).map(|(id, _)| id.clone());
        for goal in goals.collect::<Vec<_>>() {
            self.finish(&goal, CANCELED, json!({}));
        }
        Some(json!({"return_code": 0, "goals_canceling": []}))
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
            "action_servers" => json!({"action_servers": self.actions}),
            _ => return None,
        })
    }
}
