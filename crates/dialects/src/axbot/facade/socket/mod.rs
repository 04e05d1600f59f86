//! One client's socket: one task that reads its requests, drains its mailbox and writes.
//!
//! ```text
//! client ──request──▶ handle ──▶ Enabled ──▶ hub
//!                       └──────▶ Orders ──▶ the robot, one command after the other
//! client ◀──frames, one flush per wake-up── deliver ◀── Sink::receive
//! ```
//!
//! A client that does not read is dropped when one write takes too long; one that is silent is asked
//! by a ping and dropped when nothing comes. Neither costs another client anything.

mod handle;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use bytes::Bytes;
use foldhash::HashMap;
use futures_util::{SinkExt, StreamExt};
use latimer_core::Timestamp;
use latimer_core::hub::{Delivery, EndReason, Gap, GapReason, MailboxLimits, Sink};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::cameras::Wishes;
use super::enabled::Enabled;
use super::label;
use super::orders::Orders;
use super::request;
use super::robot::FacadeRobot;
use crate::axbot::codec::Frame;
use crate::axbot::topic::Topic;

/// Largest message that is read at all, bytes; a larger one ends the connection.
pub(super) const MAX_MESSAGE_BYTES: usize = request::MAX_BYTES;
/// Room for what a client sends at a time, bytes; larger messages make it grow.
pub(super) const READ_BUFFER_BYTES: usize = 4 * 1024;
/// A client that takes no bytes for so long is dropped.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// How long a client may take to hear that it is over.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);
/// How often a silent client is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A client of which nothing is heard for so long is dropped.
const SILENCE: Duration = Duration::from_secs(65);
/// How often topics are looked at that are told though nothing comes.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Which words a client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `/ws/topics`, as apps of 2022 use it.
    V1,
    /// `/ws/v2/topics`.
    V2,
}

/// Why a connection is over.
enum Over {
    /// It broke.
    Gone,
    /// The client closed it, and waits for our half of that.
    Closed,
    /// We close it, with a code and a reason for the client.
    Close(u16, String),
}

/// Serves one client until either side closes.
pub(super) async fn serve(
    mut socket: WebSocket,
    robot: Arc<FacadeRobot>,
    peer: String,
    version: Version,
    stop: CancellationToken,
) {
    let sink = robot.hub.sink(crate::axbot::NAME, peer.clone(), MailboxLimits::default());
    let mut client = Client {
        sink,
        enabled: Enabled::new(robot.clone()),
        orders: Orders::new(robot.clone()),
        wishes: Wishes::default(),
        complaints: HashMap::default(),
        heard: robot.hub.clock().now(),
        robot,
        version,
        out: Vec::new(),
    };
    match client.run(&mut socket, &stop).await {
        Over::Gone => {}
        // The answer was put in line when the close was read.
        Over::Closed => _ = tokio::time::timeout(CLOSE_PATIENCE, socket.flush()).await,
        Over::Close(code, reason) => {
            tracing::info!(robot = %client.robot.robot, %peer, %reason, "closes an AutoXing client");
            let frame = CloseFrame { code, reason: Utf8Bytes::from(cut(reason)) };
            let _ = tokio::time::timeout(CLOSE_PATIENCE, socket.send(Message::Close(Some(frame)))).await;
        }
    }
}

/// A close frame holds at most 123 bytes of reason.
fn cut(mut reason: String) -> String {
    while reason.len() > 123 {
        reason.pop();
    }
    reason
}

struct Client {
    robot: Arc<FacadeRobot>,
    sink: Sink,
    version: Version,
    enabled: Enabled,
    orders: Orders,
    wishes: Wishes,
    /// What was complained about, and when.
    complaints: HashMap<String, Timestamp>,
    /// When anything was last heard of the client.
    heard: Timestamp,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl Client {
    async fn run(&mut self, socket: &mut WebSocket, stop: &CancellationToken) -> Over {
        let clock = self.robot.hub.clock();
        let mut restarts = self.robot.restarts.subscribe();
        let mut deliveries = Vec::new();
        let mut ping = tokio::time::interval(PING_EVERY);
        ping.reset();
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let has_to_look = self.enabled.has_beat() || self.enabled.has(Topic::ExternalRgbCameraControl);
            let over = tokio::select! {
                () = stop.cancelled() => Some(Over::Close(close_code::AWAY, "the gateway stops".into())),
                _ = restarts.changed() => {
                    Some(Over::Close(close_code::RESTART, "the robot's programs are restarted".into()))
                }
                message = socket.next() => {
                    self.heard = clock.now();
                    self.hear(message)
                }
                () = self.sink.receive(&mut deliveries) => self.deliver(deliveries.drain(..)),
                answer = self.orders.next() => {
                    self.tell_answer(answer);
                    None
                }
                _ = look.tick(), if has_to_look => {
                    self.look();
                    None
                }
                _ = ping.tick() => self.ping(clock.now()),
            };
            if let Err(over) = self.write(socket).await {
                return over;
            }
            if let Some(over) = over {
                return over;
            }
        }
    }

    fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Option<Over> {
        match message {
            None => Some(Over::Gone),
            Some(Ok(Message::Close(_))) => Some(Over::Closed),
            Some(Ok(Message::Text(text))) => {
                self.handle(&text);
                None
            }
            Some(Ok(Message::Binary(bytes))) => {
                match std::str::from_utf8(&bytes) {
                    Ok(text) => self.handle(text),
                    Err(_) => self.error("the message is no UTF-8 text; send JSON text"),
                }
                None
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
            Some(Err(error)) if error.to_string().to_ascii_lowercase().contains("too long") => {
                let reason = format!("a message may have {MAX_MESSAGE_BYTES} bytes at most");
                Some(Over::Close(close_code::SIZE, reason))
            }
            Some(Err(_)) => Some(Over::Gone),
        }
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
        match Frame::of(&frame) {
            Frame::Binary { .. } => self.out.push(Message::Binary(frame)),
            // It was looked at just now, hence it is UTF-8.
            Frame::Text(_) => self.out.extend(Utf8Bytes::try_from(frame).ok().map(Message::Text)),
            Frame::Garbage => {}
        }
    }

    fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Over> {
        let mut gaps = Vec::new();
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => {
                    if let Some((topic, frame)) = self.enabled.frame(id, &update) {
                        self.push_of(topic, frame);
                    }
                }
                Delivery::Gap(gap) => gaps.push(gap),
                Delivery::End(reason) => return Some(end(&reason)),
            }
        }
        self.tell_gaps(&gaps);
        None
    }

    /// Every subscription has its own gap when the robot is not heard; a client is told once.
    fn tell_gaps(&mut self, gaps: &[Gap]) {
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

    /// Tells what is told though nothing comes.
    fn look(&mut self) {
        if self.enabled.has(Topic::ExternalRgbCameraControl)
            && let Some(frame) = self.wishes.news(&self.robot, self.robot.hub.clock().now())
        {
            self.push(frame);
        }
        for (topic, frame) in self.enabled.again() {
            self.push_of(topic, frame);
        }
    }

    fn ping(&mut self, now: Timestamp) -> Option<Over> {
        if now.since(self.heard) > SILENCE {
            return Some(Over::Close(close_code::AWAY, "nothing was heard for a minute".into()));
        }
        self.out.push(Message::Ping(Bytes::new()));
        None
    }

    /// Writes all frames and flushes once.
    async fn write(&mut self, socket: &mut WebSocket) -> Result<(), Over> {
        if self.out.is_empty() {
            return Ok(());
        }
        let all = async {
            for message in self.out.drain(..) {
                socket.feed(message).await?;
            }
            socket.flush().await
        };
        match tokio::time::timeout(WRITE_PATIENCE, all).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Over::Gone),
            Err(_) => Err(Over::Close(close_code::POLICY, "the client reads too slowly".into())),
        }
    }
}

fn end(reason: &EndReason) -> Over {
    Over::Close(close_code::POLICY, reason.to_string())
}
