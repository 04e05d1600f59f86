//! The gateway as an example robot: any robot of the hub, on a port of its own.
//!
//! ```text
//! program ──follow, drive, stop──▶ Client ──▶ hub
//! program ◀──messages, answers──── Client ◀── Sink::receive, outcomes
//! ```

use std::net::SocketAddr;

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::Extensions;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use latimer_core::access::Role;
use latimer_core::hub::{
    CommandClient, Delivery, Encoding, MailboxLimits, Selection, Shared, Sink, Subscription, SubscriptionId,
};
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_core::{Author, Hub, RobotId};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::limits::{FRAME_MAX_BYTES, MAX_PENDING_COMMANDS};
use super::messages::{MESSAGES, encode};
use super::protocol::{Answer, Request};
use super::{NAME, SOCKET};
use crate::entrance;
use crate::pace::Allowance;
use crate::socket::{self, Ended, PendingWrite};

/// What all robots share.
#[derive(Clone)]
pub(super) struct Facade {
    pub(super) hub: Hub,
    /// The tasks of the clients.
    pub(super) clients: TaskTracker,
}

/// One robot on its port.
#[derive(Clone)]
struct Served {
    facade: Facade,
    robot: RobotId,
    stop: CancellationToken,
}

impl Facade {
    /// The routes of one robot on a port of its own.
    pub(super) fn own_port(&self, robot: RobotId, stop: CancellationToken) -> Router {
        let served = Served { facade: self.clone(), robot, stop };
        Router::new().route(SOCKET, any(open)).with_state(served)
    }
}

async fn open(
    State(served): State<Served>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    extensions: Extensions,
    upgrade: WebSocketUpgrade,
) -> Response {
    let author = entrance::author(NAME, &extensions);
    if let Err(forbidden) = entrance::permit(&author, Role::See, &served.robot) {
        return forbidden.into_response();
    }
    let clients = served.facade.clients.clone();
    let session = served.facade.hub.sessions().of(&author, peer);
    socket::served(upgrade, FRAME_MAX_BYTES, FRAME_MAX_BYTES).on_upgrade(move |socket| {
        clients.track_future(socket::serve_session(session, serve(socket, served, peer, author)))
    })
}

async fn serve(mut stream: WebSocket, served: Served, peer: SocketAddr, author: Author) {
    let Served { facade: Facade { hub, .. }, robot, stop } = served;
    let (clock, unread) = (hub.clock(), PendingWrite::new(hub.memory(), &author, &stop));
    let hub = hub.seen_by(&author);
    let mut client = Client {
        sink: hub.sink(NAME, peer.to_string(), MailboxLimits::default()),
        driver: hub.connected_client(author),
        allowance: Allowance::new(MAX_PENDING_COMMANDS, MAX_PENDING_COMMANDS),
        robot,
        followed: Vec::new(),
        deliveries: Vec::new(),
        commands: FuturesUnordered::new(),
        out: Vec::new(),
    };
    if let Some(reason) = socket::run(&mut stream, &mut client, &unread, clock).await {
        tracing::info!(%peer, %reason, "closes a client of an example robot");
    }
}

/// One client: what it follows, and its commands on their way.
struct Client {
    robot: RobotId,
    driver: CommandClient,
    sink: Sink,
    followed: Vec<SubscriptionId>,
    deliveries: Vec<Delivery>,
    allowance: Allowance,
    /// Each ends with its answer.
    commands: FuturesUnordered<BoxFuture<'static, Answer>>,
    /// Frames to write at the next flush.
    out: Vec<Message>,
}

impl socket::Client for Client {
    const MAX_MESSAGE_BYTES: usize = FRAME_MAX_BYTES;

    fn receive(&mut self, text: Option<&str>) {
        match serde_json::from_str::<Request>(text.unwrap_or_default()) {
            Ok(request) => self.request(request),
            Err(error) => self.refuse(None, format!("the frame is no request: {error}")),
        }
    }

    fn received(&mut self) {
        self.driver.received();
    }

    async fn wait(&mut self) -> Option<Ended> {
        tokio::select! {
            () = self.sink.receive(&mut self.deliveries) => {
                for delivery in self.deliveries.drain(..) {
                    match delivery {
                        Delivery::Update(_, update) => self.out.extend(message(&update)),
                        // The protocol has no word for it.
                        Delivery::Gap(gap) => tracing::debug!(lost = ?gap.lost, "a client misses messages"),
                        Delivery::End(reason) => return Some(Ended::from(&reason)),
                    }
                }
                None
            }
            Some(answer) = self.commands.next() => {
                self.answer(&answer);
                None
            }
        }
    }

    fn out(&mut self) -> &mut Vec<Message> {
        &mut self.out
    }
}

impl Client {
    fn request(&mut self, request: Request) {
        let command = request.command();
        if let Some(topics) = request.follow {
            self.followed.drain(..).for_each(|before| self.sink.unsubscribe(before));
            for message in MESSAGES.iter().filter(|it| topics.iter().any(|topic| topic == it.topic)) {
                let select = Selection::of_kinds(&self.robot, message.kinds);
                self.followed.push(self.sink.subscribe(Subscription::to(select)));
            }
            return;
        }
        let Some(command) = command else {
            return self.refuse(request.id, "the request has no `follow`, `drive` or `stop`".to_owned());
        };
        let Some(taken) = self.allowance.take(&self.robot, &command) else {
            return self.refuse(request.id, format!("{MAX_PENDING_COMMANDS} commands wait for the robot"));
        };
        let outcome = self.driver.command(&self.robot, command, COMMAND_TIMEOUT);
        self.commands.push(Box::pin(async move {
            let outcome = outcome.await;
            drop(taken);
            Answer::of(request.id, &outcome)
        }));
    }

    fn refuse(&mut self, id: Option<u64>, why: String) {
        self.answer(&Answer { id, done: false, why: Some(why) });
    }

    fn answer(&mut self, answer: &Answer) {
        self.out.extend(serde_json::to_string(answer).map(Message::text));
    }
}

/// An update as a message.
#[derive(PartialEq)]
struct AsMessage;

impl Encoding for AsMessage {
    const DIALECT: &'static str = NAME;
    type Output = Option<String>;
}

/// The message of an update, encoded once for all clients.
fn message(update: &Shared) -> Option<Message> {
    let text = update.derived(AsMessage, |plain| encode(plain).map(|(_, text)| text));
    (*text).clone().map(Message::text)
}
