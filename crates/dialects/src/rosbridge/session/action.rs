//! Goals of the actions of ROS 2, each over a connection of its own: a bridge as it is launched without further words takes nothing else from a
//! connection whose goal is under way, neither what cancels it nor a speed.
//!
//! ```text
//! goal ──▶ connection ──send_action_goal──▶ first feedback: accepted ──▶ feedback, result ──▶ navigation
//!                                       └─ a result that is none, or nothing in time: refused, and cancelled
//! ```

use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{CommandRequest, Source};
use latimer_core::model::signal::{
    Frame as ModelFrame, Navigation, NavigationFailure, NavigationKind, NavigationState, Pose,
};
use latimer_core::{Clock, Outcome, Timestamp, Update};
use latimer_listen::{Address, Trust};
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::lenient_json::{Bare, without_bare_numbers};
use crate::link::dial;
use crate::rosbridge::limits::{
    GOAL_BEGIN_TIMEOUT, GOAL_EVENTS, NAVIGATION_INTERVAL, RECEIVED_FRAME_MAX_BYTES, SENT_FRAME_MAX_BYTES,
};
use crate::rosbridge::protocol::Frame;
use crate::socket::connected;

/// Where a base drives that has no map.
const TO_POSITION: &str = "navigate_to_position";
/// How a goal ended, in the words of `action_msgs/GoalStatus`.
const SUCCEEDED: u64 = 4;
const CANCELED: u64 = 5;

/// An action that takes goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    name: String,
}

impl Action {
    /// The names of those that are known.
    pub(super) const TAKE_GOALS: [&str; 2] = ["navigate_to_pose", TO_POSITION];

    pub(super) fn of(name: &str) -> Self {
        Self { name: name.to_owned() }
    }

    /// Whether its goals are where the base's odometry has them.
    pub(super) fn is_in_odometry(&self) -> bool {
        self.name.ends_with(TO_POSITION)
    }

    /// The frame that gives a goal, which is a `geometry_msgs/PoseStamped`.
    fn goal(&self, id: &str, mut pose: Json, has_heading: bool) -> String {
        let (ros_type, args) = match self.is_in_odometry() {
            true => {
                pose["header"]["frame_id"] = ModelFrame::Odom.as_str().into();
                let args = json!({"goal_pose": pose, "achieve_goal_heading": has_heading});
                ("irobot_create_msgs/action/NavigateToPosition", args)
            }
            false => ("nav2_msgs/action/NavigateToPose", json!({"pose": pose, "behavior_tree": ""})),
        };
        json!({"op": "send_action_goal", "id": id, "action": self.name, "action_type": ros_type, "args": args, "feedback": true})
            .to_string()
    }
}

/// A bridge, as it is connected to.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: Address,
    pub(super) trust: Trust,
}

impl Peer {
    /// A bridge below the root of a server is at that path, without a slash behind it.
    pub(super) fn at(&self) -> (&Address, &'static str) {
        (&self.address, if self.address.has_path() { "" } else { "/" })
    }

    pub(super) fn config() -> WebSocketConfig {
        connected(SENT_FRAME_MAX_BYTES, RECEIVED_FRAME_MAX_BYTES)
    }
}

/// What is told of a goal that is under way.
pub(super) enum Told {
    Feedback(Json),
    /// With the state.
    Result(u64, Json),
    /// Its connection is gone.
    Lost(String),
    /// Nothing in time.
    Nothing,
}

/// A goal that is under way.
pub(super) struct Goal {
    id: String,
    action: Action,
    navigation: Navigation,
    /// Who gave it, until the robot begins.
    request: Option<CommandRequest>,
    /// When it is given up if it does not begin.
    deadline: Timestamp,
    published: Option<Timestamp>,
    told: mpsc::Receiver<Told>,
    /// Its connection, which ends with it.
    _connection: JoinSet<()>,
}

impl Goal {
    /// Gives a goal to a robot.
    pub(super) fn give(
        (action, peer): (Action, Peer),
        (number, id): (i64, String),
        (pose, target, has_heading): (Json, Pose, bool),
        request: CommandRequest,
        now: Timestamp,
    ) -> Self {
        let (tell, told) = mpsc::channel(GOAL_EVENTS);
        let (frame, mine) = (action.goal(&id, pose, has_heading), id.clone());
        let mut connection = JoinSet::new();
        connection.spawn(async move {
            if let Err(reason) = follow(peer, frame, &mine, &tell).await {
                _ = tell.send(Told::Lost(reason)).await;
            }
        });
        request.sent();
        let navigation = Navigation {
            target: Some(target),
            ..Navigation::new(number, NavigationKind::Goto, NavigationState::Moving)
        };
        let (request, deadline) = (Some(request), now.after(GOAL_BEGIN_TIMEOUT));
        Self { id, action, navigation, request, deadline, published: None, told, _connection: connection }
    }

    /// The frame that cancels it. Bridges know goals by their names, whichever connection gave them.
    pub(super) fn cancel(&self) -> String {
        json!({"op": "cancel_action_goal", "id": self.id, "action": self.action.name}).to_string()
    }

    /// Takes what is told of it; whether it is over.
    pub(super) fn take(&mut self, source: &Source, told: Told, now: Timestamp) -> bool {
        match told {
            Told::Feedback(values) => {
                if let Some(request) = self.request.take() {
                    request.answer(Outcome::Accepted);
                }
                let remaining = ["distance_remaining", "remaining_travel_distance"];
                let remaining = remaining.into_iter().find_map(|field| values[field].as_f64());
                self.navigation.remaining_m = remaining.filter(|it| it.is_finite());
                let is_due = |at: Timestamp| now.since(at) >= NAVIGATION_INTERVAL;
                if self.published.is_none_or(is_due) {
                    self.publish(source, now);
                }
                false
            }
            // In place of a result there is the reason why there was no goal.
            Told::Result(_, Json::String(reason)) => self.end(source, &reason, now),
            Told::Result(status, values) => {
                if let Some(request) = self.request.take() {
                    request.answer(Outcome::Accepted);
                }
                self.navigation.state = match status {
                    SUCCEEDED => NavigationState::Succeeded,
                    CANCELED => NavigationState::Cancelled,
                    _ => {
                        let said = values["error_msg"].as_str().filter(|it| !it.is_empty());
                        return self.fail(source, said, values["error_code"].as_i64(), now);
                    }
                };
                self.publish(source, now);
                true
            }
            Told::Lost(reason) => self.end(source, &reason, now),
            Told::Nothing => {
                let (name, within_s) = (&self.action.name, GOAL_BEGIN_TIMEOUT.as_secs());
                let reason = format!(
                    "the bridge told nothing of a goal of {name} within {within_s} s; rosbridge_suite takes them from 2.0 on"
                );
                self.end(source, &reason, now)
            }
        }
    }

    /// Another goal takes its place.
    pub(super) fn replace(mut self, source: &Source, now: Timestamp) {
        if let Some(request) = self.request.take() {
            request.answer(Outcome::not_now("another goal was given before this one began".to_owned()));
        }
        self.navigation.state = NavigationState::Cancelled;
        self.publish(source, now);
    }

    /// It is over without a word of the robot: refused if it did not begin.
    fn end(&mut self, source: &Source, reason: &str, now: Timestamp) -> bool {
        match self.request.take() {
            Some(request) => request.answer(Outcome::not_now(reason.to_owned())),
            None => _ = self.fail(source, Some(reason), None, now),
        }
        true
    }

    fn fail(&mut self, source: &Source, reason: Option<&str>, code: Option<i64>, now: Timestamp) -> bool {
        self.navigation.state = NavigationState::Failed;
        self.navigation.failure = Some(NavigationFailure::Other);
        self.navigation.failure_code = code.filter(|code| *code != 0);
        self.navigation.reason = reason.map(str::to_owned);
        self.publish(source, now);
        true
    }

    fn publish(&mut self, source: &Source, now: Timestamp) {
        self.published = Some(now);
        source.publish(Update::now(source.robot(), now, self.navigation.clone().into()));
    }
}

/// Gives a goal over a connection and tells what comes of it, until its result.
async fn follow(peer: Peer, goal: String, id: &str, tell: &mpsc::Sender<Told>) -> Result<(), String> {
    let mut socket = dial(peer.at(), &peer.trust, Peer::config()).await.map_err(|end| end.reason)?;
    let broke = |error| format!("the connection broke on which the goal was given: {error}");
    socket.send(Message::text(goal)).await.map_err(broke)?;
    while let Some(message) = socket.next().await {
        let message = message.map_err(broke)?;
        // Answers to pings.
        socket.flush().await.map_err(broke)?;
        let Message::Text(text) = message else { continue };
        let strict = without_bare_numbers(&text, Bare::Null);
        let text = strict.as_deref().unwrap_or(&text);
        let Ok(frame) = serde_json::from_str::<Frame<'_>>(text) else { continue };
        if frame.id.as_ref().and_then(Json::as_str) != Some(id) {
            continue;
        }
        let values = frame.values.unwrap_or_default();
        match frame.op.as_str() {
            // What comes faster than it is taken is old.
            "action_feedback" => _ = tell.try_send(Told::Feedback(values)),
            "action_result" => {
                let status = frame.status.and_then(|it| it.as_u64()).unwrap_or_default();
                _ = tell.send(Told::Result(status, values)).await;
                return Ok(());
            }
            _ => {}
        }
    }
    Err("the bridge closed the connection on which the goal was given".to_owned())
}

/// What is told next of a goal.
pub(super) async fn next_told(clock: Clock, goal: Option<&mut Goal>) -> Told {
    let Some(goal) = goal else { return std::future::pending().await };
    let is_open = goal.request.is_some();
    tokio::select! {
        told = goal.told.recv() => told.unwrap_or_else(|| Told::Lost("its connection is gone".to_owned())),
        () = clock.sleep_until(goal.deadline), if is_open => Told::Nothing,
    }
}
