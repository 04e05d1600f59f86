//! One client's socket: one task that reads its requests, drains its mailbox and writes.
//!
//! ```text
//! client ──request──▶ handle ──▶ Subscriptions ──▶ hub
//! client ◀──frames, one flush per wake-up── deliver ◀── Sink::receive
//! ```
//!
//! [`crate::socket`] says when a client is let go.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use latimer_core::Author;
use latimer_core::hub::{CommandClient, Delivery, Gap, MailboxLimits, Sink, SubscriptionId};
use tokio_util::sync::CancellationToken;

use super::request::{Request, RequestError};
use super::robot::FacadeRobot;
use super::subscriptions::{Refused, Subscriptions};
use crate::misty::NAME;
use crate::misty::limits::MAX_SUBSCRIPTIONS_PER_SOCKET;
use crate::misty::wire::envelope::{REGISTERED, name_taken, status_frame};
use crate::socket::{self, Ended, PendingWrite};

/// Largest message that is read at all, bytes; a larger one ends the connection.
pub(super) const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// Largest message that is written, bytes: twice what a robot sends at most, with the name that a client chose.
pub(super) const LARGEST_BYTES: usize = 4 << 20;

/// Serves one client until either side closes.
pub(super) async fn serve(
    mut stream: WebSocket,
    robot: Arc<FacadeRobot>,
    peer: SocketAddr,
    author: Author,
    stop: CancellationToken,
) {
    // An event may hold any kind.
    let hub = robot.hub.seen_by(&author).of_whole_robots();
    let sink = hub.sink(NAME, peer.to_string(), MailboxLimits::default());
    let unread = PendingWrite::new(robot.hub.memory(), &author, &stop);
    let driver = robot.hub.connected_client_of(author, &robot.robot);
    let mut client = Client {
        subscriptions: Subscriptions::new(robot.clone()),
        sink,
        deliveries: Vec::new(),
        robot: robot.clone(),
        driver,
        out: Vec::new(),
    };
    if let Some(reason) = socket::run(&mut stream, &mut client, &unread, robot.hub.clock()).await {
        tracing::info!(robot = %client.robot.robot, %peer, %reason, "closes a Misty client");
    }
}

struct Client {
    robot: Arc<FacadeRobot>,
    /// A program posts its commands; its socket says that it is there.
    driver: CommandClient,
    sink: Sink,
    subscriptions: Subscriptions,
    deliveries: Vec<Delivery>,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl socket::Client for Client {
    const MAX_MESSAGE_BYTES: usize = MAX_MESSAGE_BYTES;

    fn receive(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.handle(text),
            None => self.status("", "The message is no UTF-8 text. Send JSON text."),
        }
    }

    fn received(&mut self) {
        self.driver.received();
    }

    fn leaves(&mut self) {
        self.driver.leaves();
    }

    async fn wait(&mut self) -> Option<Ended> {
        self.sink.receive(&mut self.deliveries).await;
        let mut deliveries = std::mem::take(&mut self.deliveries);
        let over = self.deliver(deliveries.drain(..));
        deliveries.shrink_to(socket::KEPT_MESSAGES);
        self.deliveries = deliveries;
        over
    }

    fn out(&mut self) -> &mut Vec<Message> {
        &mut self.out
    }
}

impl Client {
    fn handle(&mut self, text: &str) {
        match Request::parse(text) {
            Ok(Request::Nothing) => {}
            Ok(Request::Subscribe(asked)) => {
                let (name, event_type) = (asked.event_name.clone(), asked.event_type);
                match self.subscriptions.add(&self.sink, asked) {
                    Ok(()) => self.status(&name, REGISTERED),
                    Err(Refused::Absent) => self.error(
                        &name,
                        &format!("{} has nothing that tells {event_type}; no such event will come.", self.robot.robot),
                    ),
                    Err(Refused::NameTaken) => self.status(&name, &name_taken(&name)),
                    Err(Refused::TooMany) => self.error(
                        &name,
                        &format!("This socket has {MAX_SUBSCRIPTIONS_PER_SOCKET} subscriptions, which is the limit. Unsubscribe one."),
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

    fn deliver(&mut self, deliveries: impl Iterator<Item = Delivery>) -> Option<Ended> {
        for delivery in deliveries {
            match delivery {
                Delivery::Update(id, update) => {
                    if let Some(frame) = self.subscriptions.frame(id, &update) {
                        match frame.len() {
                            ..=LARGEST_BYTES => self.push(frame),
                            bytes => self.send_left_out(id, bytes),
                        }
                    }
                }
                Delivery::Gap(gap) => self.send_gap(&gap),
                Delivery::End(reason) => return Some(Ended::from(&reason)),
            }
        }
        None
    }

    fn send_left_out(&mut self, id: SubscriptionId, bytes: usize) {
        let Some(name) = self.subscriptions.name(id).map(str::to_owned) else { return };
        let text = format!(
            "Event Status: an event of {bytes} bytes is left out; {LARGEST_BYTES} can be sent at most."
        );
        self.status(&name, &text);
    }

    fn send_gap(&mut self, gap: &Gap) {
        let Some(name) = self.subscriptions.name(gap.subscription).map(str::to_owned) else { return };
        let seconds = gap.to.since(gap.from).as_secs_f64();
        let what = match gap.lost {
            Some(lost) => format!("{lost} events were lost"),
            None => "events may be missing".to_owned(),
        };
        self.status(&name, &format!("Event Status: {what} in {seconds:.1} s, because {}.", gap.reason));
    }
}
