//! An API with robots that a test plays.

use std::sync::Arc;

use futures_util::StreamExt;
use latimer::api::{self, ApiState, Phase};
use latimer::app::Reload;
use latimer::journal::Journal;
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::PartName;
use latimer_core::model::signal::Range;
use latimer_core::{Clock, Hub, RobotId, Update};
use latimer_dialects::DIALECTS;
use latimer_dialects::listen::{HttpPort, Ports};
use latimer_e2e::PATIENCE;
use latimer_mqtt::broker::Meter;
use latimer_simulator_api::SimulatorHandle;
use latimer_wire::v1::{Frame, Update as WireUpdate};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// Connections that its port serves at once.
pub(crate) const MAX_CONNECTIONS: usize = 100;

/// An API on a port of its own; it ends with the test.
pub(crate) struct Api {
    pub(crate) hub: Hub,
    pub(crate) clock: Clock,
    pub(crate) phase: Phase,
    pub(crate) shutdown: CancellationToken,
    journal: Journal,
    pub(crate) authority: String,
    _end: DropGuard,
}

/// A stream as any WebSocket client sees it.
pub(crate) struct Stream(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Api {
    pub(crate) async fn start() -> Self {
        Self::with_simulator(Clock::system(), None).await
    }

    /// An API over a simulated world that the test plays.
    pub(crate) async fn with_simulator(clock: Clock, simulator: Option<SimulatorHandle>) -> Self {
        Self::of(clock, simulator, None).await
    }

    /// An API beside a broker that the test runs.
    pub(crate) async fn of(clock: Clock, simulator: Option<SimulatorHandle>, broker: Option<Meter>) -> Self {
        Self::behind(Ports::default(), clock, simulator, broker).await
    }

    /// An API at a port with bounds, or users, of its own.
    pub(crate) async fn behind(
        ports: Ports,
        clock: Clock,
        simulator: Option<SimulatorHandle>,
        broker: Option<Meter>,
    ) -> Self {
        let hub = Hub::new(clock);
        let listen = "127.0.0.1:0".parse().unwrap();
        let port = HttpPort::bind(listen, "http.listen", MAX_CONNECTIONS, &ports).await.unwrap();
        let port = port.with_reserve(api::is_urgent).with_stops(api::stops);
        let authority = port.address().unwrap().to_string();
        let journal = Journal::default();
        let (phase, shutdown) = (Phase::default(), CancellationToken::new());
        let translators =
            api::Translators::of(&DIALECTS.iter().map(|entry| (entry.default)()).collect::<Vec<_>>());
        let state = ApiState {
            access: None,
            insecure: Arc::default(),
            reload: Reload::default(),
            hub: hub.clone(),
            clock,
            translators: translators.clone(),
            simulator,
            broker,
            journal: journal.clone(),
            started: clock.now(),
            endpoints: api::Endpoints::new(Vec::new(), translators),
            phase: phase.clone(),
            names: api::Names::new(std::net::Ipv4Addr::LOCALHOST.into(), Vec::new()),
            ports,
            shutdown: shutdown.clone(),
            streams: TaskTracker::new(),
        };
        let router =
            api::router(state, latimer::page::router(), axum::Router::new()).fallback(api::unknown_address);
        tokio::spawn(port.serve(router, shutdown.clone()));
        Self { hub, clock, phase, authority, journal, _end: shutdown.clone().drop_guard(), shutdown }
    }

    /// Begins the journal, as the gateway does.
    pub(crate) async fn keep_journal(&self) {
        tokio::spawn(self.journal.clone().run(self.hub.clone(), self.shutdown.clone()));
        while self.hub.sinks().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.authority)
    }

    pub(crate) async fn get(&self, path: &str) -> serde_json::Value {
        reqwest::get(self.url(path)).await.unwrap().json().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &serde_json::Value) -> (u16, serde_json::Value) {
        let response = reqwest::Client::new().post(self.url(path)).json(body).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// Opens a stream, which is subscribed before a client can know that it is open.
    pub(crate) async fn stream(&self, query: &str) -> Stream {
        let before = self.hub.sinks().len();
        let url = format!("ws://{}/api/v1/stream?{query}", self.authority);
        let (socket, _) = connect_async(url).await.unwrap();
        assert_eq!(self.hub.sinks().len(), before + 1, "it is subscribed");
        Stream(socket)
    }

    /// Opens a stream of Server-Sent Events, the same.
    pub(crate) async fn events(&self, query: &str) -> Events {
        let before = self.hub.sinks().len();
        let answer = reqwest::get(self.url(&format!("/api/v1/stream?{query}"))).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        assert_eq!(self.hub.sinks().len(), before + 1, "it is subscribed");
        Events { answer, read: String::new() }
    }

    /// A robot that the test plays.
    pub(crate) fn robot(&self, name: &str) -> Source {
        let info = RobotInfo::new(robot(name), "misty", Origin::Simulated);
        self.hub.register(info).unwrap()
    }
}

/// A stream of Server-Sent Events as any HTTP client sees it.
pub(crate) struct Events {
    answer: reqwest::Response,
    read: String,
}

impl Events {
    /// Name and data of the next event; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<(String, String)> {
        let wait = PATIENCE;
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let (name, data) = event.split_once('\n').expect("an event has a name and data");
                let field = |line: &str, name| line.strip_prefix(name).expect("a field").to_owned();
                let event = (field(name, "event: "), field(data, "data: "));
                self.read = rest.to_owned();
                return Some(event);
            }
            let chunk =
                tokio::time::timeout(wait, self.answer.chunk()).await.expect("something comes in time");
            self.read.push_str(std::str::from_utf8(&chunk.unwrap()?).unwrap());
        }
    }
}

impl Stream {
    /// The next text; `None` at the end.
    pub(crate) async fn next_text(&mut self) -> Option<String> {
        let wait = PATIENCE;
        loop {
            match tokio::time::timeout(wait, self.0.next()).await.expect("something comes in time") {
                Some(Ok(Message::Text(text))) => return Some(text.to_string()),
                Some(Ok(Message::Close(_))) | None => return None,
                Some(Ok(_)) => {}
                Some(Err(error)) => panic!("{error}"),
            }
        }
    }

    /// The next frame, which must be an update.
    pub(crate) async fn next_update(&mut self) -> WireUpdate {
        match Frame::parse(&self.next_text().await.expect("the stream goes on")).unwrap() {
            Frame::Update(update) => *update,
            other => panic!("no update: {other:?}"),
        }
    }
}

pub(crate) fn robot(name: &str) -> RobotId {
    RobotId::new(name).unwrap()
}

pub(crate) fn range(source: &Source, part: &str, distance_m: f64) -> Update {
    let now = Clock::system().now();
    Update::now(source.robot(), now, Range::valid(distance_m).into()).of_part(PartName::of(part))
}
