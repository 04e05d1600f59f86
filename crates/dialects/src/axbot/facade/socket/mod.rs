//! One client's socket: one task that reads its requests, drains its mailbox and writes.
//!
//! ```text
//! client ──request──▶ handle ──▶ Enabled ──▶ hub
//!                       └──────▶ Orders ──▶ the robot, one command after the other
//! client ◀──frames, one flush per wake-up── deliver ◀── Sink::receive
//! ```
//!
//! [`crate::socket`] says when a client is let go.

mod handle;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, close_code};
use bytes::Bytes;
use foldhash::HashMap;
use futures_util::StreamExt;
use latimer_core::hub::{Delivery, Gap, GapReason, MailboxLimits, Sink};
use latimer_core::{Author, Timestamp};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::cameras::CameraDemand;
use super::enabled::{Enabled, ToSend};
use super::label;
use super::orders::Orders;
use super::request;
use super::robot::FacadeRobot;
use crate::axbot::NAME;
use crate::axbot::codec::Frame;
use crate::axbot::limits::REPEAT_LOOK_INTERVAL;
use crate::axbot::topic::Topic;
use crate::axbot::wire::MAX_FRAME_BYTES;
use crate::limits::PING_INTERVAL;
use crate::socket::{self, ClientFrame, Ended, PendingWrite};

/// Largest message that is read at all, bytes; a larger one ends the connection.
pub(super) const MAX_MESSAGE_BYTES: usize = request::MAX_BYTES;
/// Largest message that is written, bytes; a robot's own are no larger.
pub(super) const LARGEST_BYTES: usize = MAX_FRAME_BYTES;

/// Which words a client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `/ws/topics`, as apps of 2022 use it.
    V1,
    /// `/ws/v2/topics`.
    V2,
}

/// Serves one client until either side closes.
pub(super) async fn serve(
    mut stream: WebSocket,
    robot: Arc<FacadeRobot>,
    peer: SocketAddr,
    author: Author,
    version: Version,
    stop: CancellationToken,
) {
    // A message may hold any kind.
    let hub = robot.hub.seen_by(&author).of_whole_robots();
    let sink = hub.sink(NAME, peer.to_string(), MailboxLimits::default());
    let unread = PendingWrite::new(robot.hub.memory(), &author, &stop);
    let driver = robot.hub.connected_client(author.clone());
    let mut client = Client {
        author,
        sink,
        enabled: Enabled::new(robot.clone()),
        orders: Orders::new(robot.clone(), driver),
        wishes: CameraDemand::default(),
        throttled_warnings: HashMap::default(),
        incoming: robot.hub.clock().now(),
        robot,
        version,
        out: Vec::new(),
    };
    let over = client.run(&mut stream, &unread, &stop).await;
    if let Some(reason) = socket::end(&mut stream, over).await {
        tracing::info!(robot = %client.robot.robot, %peer, %reason, "closes an AutoXing client");
    }
}

struct Client {
    robot: Arc<FacadeRobot>,
    author: Author,
    sink: Sink,
    version: Version,
    enabled: Enabled,
    orders: Orders,
    wishes: CameraDemand,
    /// What was complained about, and when.
    throttled_warnings: HashMap<String, Timestamp>,
    /// When the client last sent anything.
    incoming: Timestamp,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl Client {
    async fn run(
        &mut self,
        stream: &mut WebSocket,
        unread: &PendingWrite,
        stop: &CancellationToken,
    ) -> Ended {
        let clock = self.robot.hub.clock();
        let mut restarts = self.robot.restarts.subscribe();
        let mut deliveries = Vec::new();
        let mut ping = tokio::time::interval(PING_INTERVAL);
        ping.reset();
        let mut look = tokio::time::interval(REPEAT_LOOK_INTERVAL);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let has_to_look = self.enabled.has_beat() || self.enabled.has(Topic::ExternalRgbCameraControl);
            let over = tokio::select! {
                () = stop.cancelled() => Some(Ended::Close(close_code::AWAY, "the gateway stops".into())),
                _ = restarts.changed() => {
                    Some(Ended::Close(close_code::RESTART, "the robot's programs are restarted".into()))
                }
                message = stream.next() => {
                    self.incoming = clock.now();
                    self.orders.received();
                    self.receive(message)
                }
                () = self.sink.receive(&mut deliveries) => self.deliver(deliveries.drain(..)),
                answer = self.orders.next() => {
                    self.send_answer(answer);
                    None
                }
                _ = look.tick(), if has_to_look => {
                    self.look();
                    None
                }
                _ = ping.tick() => socket::ask(clock.now().since(self.incoming), &mut self.out),
            };
            if let Err(over) = socket::write(stream, &mut self.out, unread).await {
                return over;
            }
            if let Some(over) = over {
                return over;
            }
        }
    }

    fn receive(&mut self, message: Option<Result<Message, axum::Error>>) -> Option<Ended> {
        match ClientFrame::of(message, MAX_MESSAGE_BYTES) {
            ClientFrame::Text(text) => self.handle(&text),
            ClientFrame::NoText => self.error("the message is no UTF-8 text; send JSON text"),
            ClientFrame::Sign => {}
            ClientFrame::Ended(over) => return Some(over),
        }
        None
    }

    fn error(&mut self, problem: &str) {
        self.push_json(&json!({ "error": problem }));
    }

    fn push_json(&mut self, json: &Value) {
        self.out.push(Message::text(json.to_string()));
    }

    fn push_of(&mut self, topic: Topic, frame: Bytes) {
        self.push(label::labelled(frame, topic, self.version));
    }

    fn push(&mut self, frame: Bytes) {
        if frame.len() > LARGEST_BYTES {
            let bytes = frame.len();
            return self.error(&format!(
                "a message of {bytes} bytes is left out; {LARGEST_BYTES} can be sent at most"
            ));
        }
        match Frame::of(&frame) {
            Frame::Binary { .. } => self.out.push(Message::Binary(frame)),
            // It was looked at just now, hence it is UTF-8.
            Frame::Text(_) => self.out.extend(Utf8Bytes::try_from(frame).ok().map(Message::Text)),
            Frame::Garbage => {}
        }
    }

    fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Ended> {
        let mut gaps = Vec::new();
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => match self.enabled.frame(id, &update) {
                    Some(ToSend::OfTopic(topic, frame)) => self.push_of(topic, frame),
                    Some(ToSend::PassedOn(frame)) => self.push(frame),
                    None => {}
                },
                Delivery::Gap(gap) => gaps.push(gap),
                Delivery::End(reason) => return Some(Ended::from(&reason)),
            }
        }
        self.send_gaps(&gaps);
        None
    }

    /// Every subscription has its own gap when nothing arrives from the robot; a client gets one message.
    fn send_gaps(&mut self, gaps: &[Gap]) {
        for reason in [GapReason::LinkLost, GapReason::QueueFull, GapReason::TooManyKeys] {
            let mut of_reason = gaps.iter().filter(|gap| gap.reason == reason).peekable();
            let Some(first) = of_reason.peek() else { continue };
            let seconds = first.to.since(first.from).as_secs_f64();
            let lost: u64 = of_reason.filter_map(|gap| gap.lost).sum();
            let what = if lost > 0 {
                format!("{lost} messages were lost")
            } else {
                "messages may be missing".into()
            };
            self.error(&format!("{what} in {seconds:.1} s, because {reason}"));
        }
    }

    /// Sends what is due though nothing comes.
    fn look(&mut self) {
        if self.enabled.has(Topic::ExternalRgbCameraControl)
            && let Some(frame) = self.wishes.changes(&self.robot, self.robot.hub.clock().now())
        {
            self.push(frame);
        }
        for (topic, frame) in self.enabled.again() {
            self.push_of(topic, frame);
        }
    }
}
