//! One client's socket: one task that reads its requests, drains its mailbox and writes.
//!
//! ```text
//! client ──request──▶ handle ──▶ Subscriptions ──▶ hub
//! client ◀──frames, one flush per wake-up── deliver ◀── Sink::receive
//! ```
//!
//! A client that does not read is dropped when one write takes too long; one that is silent is asked
//! by a ping and dropped when nothing comes. Neither costs another client anything.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::{SinkExt, StreamExt};
use latimer_core::Timestamp;
use latimer_core::hub::{Delivery, EndReason, Gap, MailboxLimits, Sink};
use tokio_util::sync::CancellationToken;

use super::request::{Request, RequestError};
use super::robot::FacadeRobot;
use super::subscriptions::{MAX_PER_SOCKET, Refused, Subscriptions};
use crate::misty::wire::envelope::{REGISTERED, name_taken, status_frame};

/// Largest message that is read at all, bytes; a larger one ends the connection.
pub(super) const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// Room for what a client sends at a time, bytes; larger messages make it grow.
pub(super) const READ_BUFFER_BYTES: usize = 4 * 1024;
/// A client that takes no bytes for so long is dropped.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// How often a silent client is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A client of which nothing is heard for so long is dropped.
const SILENCE: Duration = Duration::from_secs(65);

/// Why a connection is over.
enum Over {
    /// The client closed it, or it broke.
    Gone,
    /// We close it, with a code and a reason for the client.
    Close(u16, String),
}

/// Serves one client until either side closes.
pub(super) async fn serve(
    mut socket: WebSocket,
    robot: Arc<FacadeRobot>,
    peer: String,
    stop: CancellationToken,
) {
    let sink = robot.hub.sink(crate::misty::NAME, peer.clone(), MailboxLimits::default());
    let mut client = Client {
        subscriptions: Subscriptions::new(robot.clone()),
        sink,
        heard: robot.hub.clock().now(),
        robot,
        out: Vec::new(),
    };
    let over = client.run(&mut socket, &stop).await;
    if let Over::Close(code, reason) = over {
        tracing::info!(robot = %client.robot.robot, %peer, %reason, "closes a Misty client");
        let frame = CloseFrame { code, reason: Utf8Bytes::from(cut(reason)) };
        let _ = tokio::time::timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
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
    subscriptions: Subscriptions,
    /// When anything was last heard of the client.
    heard: Timestamp,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl Client {
    async fn run(&mut self, socket: &mut WebSocket, stop: &CancellationToken) -> Over {
        let clock = self.robot.hub.clock();
        let mut deliveries = Vec::new();
        let mut ping = tokio::time::interval(PING_EVERY);
        ping.reset();
        loop {
            let over = tokio::select! {
                () = stop.cancelled() => Some(Over::Close(close_code::AWAY, "the gateway stops".into())),
                message = socket.next() => {
                    self.heard = clock.now();
                    self.hear(message)
                }
                () = self.sink.receive(&mut deliveries) => self.deliver(deliveries.drain(..)),
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
            None | Some(Ok(Message::Close(_))) => Some(Over::Gone),
            Some(Ok(Message::Text(text))) => {
                self.handle(&text);
                None
            }
            Some(Ok(Message::Binary(bytes))) => {
                match std::str::from_utf8(&bytes) {
                    Ok(text) => self.handle(text),
                    Err(_) => self.status("", "The message is no UTF-8 text. Send JSON text."),
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

    fn handle(&mut self, text: &str) {
        match Request::parse(text) {
            Ok(Request::Nothing) => {}
            Ok(Request::Subscribe(asked)) => {
                let name = asked.event_name.clone();
                match self.subscriptions.add(&self.sink, asked) {
                    Ok(()) => self.status(&name, REGISTERED),
                    Err(Refused::NameTaken) => self.status(&name, &name_taken(&name)),
                    Err(Refused::TooMany) => self.error(
                        &name,
                        &format!("This socket has {MAX_PER_SOCKET} subscriptions, which is the limit. Unsubscribe one."),
                    ),
                }
            }
            Ok(Request::Unsubscribe { event_name }) => {
                if !self.subscriptions.remove(&self.sink, &event_name) {
                    self.error(&event_name, "This socket has no subscription of that name.");
                }
            }
            Err(RequestError { event_name, problem }) => self.error(&event_name, &problem),
        }
    }

    fn status(&mut self, event_name: &str, text: &str) {
        self.push(status_frame(event_name, text));
    }

    fn error(&mut self, event_name: &str, problem: &str) {
        self.status(event_name, &format!("Registration Status: {problem}"));
    }

    fn push(&mut self, frame: Vec<u8>) {
        // Frames are JSON that we wrote, hence UTF-8.
        if let Ok(text) = Utf8Bytes::try_from(frame) {
            self.out.push(Message::Text(text));
        }
    }

    fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Over> {
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => {
                    if let Some(frame) = self.subscriptions.frame(id, &update) {
                        self.push(frame);
                    }
                }
                Delivery::Gap(gap) => self.tell_gap(&gap),
                Delivery::End(reason) => return Some(end(&reason)),
            }
        }
        None
    }

    fn tell_gap(&mut self, gap: &Gap) {
        let Some(name) = self.subscriptions.name(gap.subscription).map(str::to_owned) else { return };
        let seconds = gap.to.since(gap.from).as_secs_f64();
        let what = match gap.lost {
            Some(lost) => format!("{lost} events were lost"),
            None => "events may be missing".to_owned(),
        };
        self.status(&name, &format!("Event Status: {what} in {seconds:.1} s, because {}.", gap.reason));
    }

    fn ping(&mut self, now: Timestamp) -> Option<Over> {
        if now.since(self.heard) > SILENCE {
            return Some(Over::Close(close_code::AWAY, "nothing was heard for a minute".into()));
        }
        self.out.push(Message::Ping(Vec::new().into()));
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
