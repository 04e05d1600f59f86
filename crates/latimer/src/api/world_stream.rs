//! What moves in the simulated world, over and over: as a WebSocket, or as Server-Sent Events for whoever
//! asks for no upgrade. One task owns one stream.
//!
//! ```text
//! asked ──▶ a frame at each tick ──┬─ gateway or world stops ──▶ end "stopping" ──▶ closed
//!                                  ├─ nothing read for WRITE_WITHIN ──▶ cut
//!                                  └─ client goes, or is silent for ALIVE_WITHIN ──▶ closed
//! ```

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt, stream};
use latimer_core::stage::{Answer, Ask, StageError};
use latimer_core::{Clock, Stage, Timestamp};
use tokio::sync::mpsc;

use super::params::Params;
use super::stream::{ALIVE_WITHIN, FAREWELL_WITHIN, MAX_INCOMING, PING_EVERY, WRITE_WITHIN};
use super::world::staged;
use super::{ApiState, Rejection};
use crate::wire::v1::{End, EndWhy, WorldFrame};

/// Time between two frames, unless told otherwise.
const EVERY: Duration = Duration::from_millis(100);

/// Least and most time between two frames: the world goes on by steps of 10 ms.
const LEAST: Duration = Duration::from_millis(10);
const MOST: Duration = Duration::from_secs(60);

/// How long the world may take to answer before a frame is left out.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) async fn stream(
    State(state): State<ApiState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Rejection> {
    let every = every(&uri)?;
    let stage = staged(&state, "world, stream")?.clone();
    let ticker = Ticker { stage, clock: state.clock, every, next: state.clock.now() };
    let streams = state.streams.clone();
    if !headers.contains_key(header::UPGRADE) {
        let (sender, receiver) = mpsc::channel(1);
        streams.spawn(async move {
            let how = pour(&state, ticker, sender).await;
            tracing::debug!(%peer, how, "a stream of the world ended");
        });
        return Ok(events(receiver).into_response());
    }
    let upgrade = upgrade.map_err(|error| {
        Rejection::new(StatusCode::UPGRADE_REQUIRED, error.body_text())
            .at(uri.path())
            .advice("use WebSocket, or no Upgrade header for Server-Sent Events")
    })?;
    let upgrade =
        upgrade.read_buffer_size(MAX_INCOMING).max_message_size(MAX_INCOMING).max_frame_size(MAX_INCOMING);
    Ok(upgrade.on_upgrade(move |socket| {
        streams.track_future(async move {
            let how = flow(&state, ticker, socket).await;
            tracing::debug!(%peer, how, "a stream of the world ended");
        })
    }))
}

fn every(uri: &Uri) -> Result<Duration, Rejection> {
    let mut params = Params::of(uri)?;
    let every = params.duration("every")?.unwrap_or(EVERY);
    params.finish()?;
    if (LEAST..=MOST).contains(&every) {
        return Ok(every);
    }
    Err(Rejection::bad("the world is not told that often, or that seldom")
        .at("every")
        .advice("write from 10ms to 60s"))
}

/// Asks the world at each tick.
struct Ticker {
    stage: Stage,
    clock: Clock,
    every: Duration,
    next: Timestamp,
}

impl Ticker {
    /// The next frame; the end once the world is gone. Whoever drops it in between loses no frame.
    async fn frame(&mut self) -> WorldFrame {
        loop {
            self.clock.sleep_until(self.next).await;
            let answer = self.stage.ask(Ask::Glance, PATIENCE).await;
            // A late tick is not caught up.
            self.next = self.next.after(self.every).max(self.clock.now());
            match answer {
                Ok(Answer::Glimpsed(now)) => return WorldFrame::World((*now).into()),
                Err(StageError::Gone) => return ending("the simulated world has stopped"),
                // It is busy; there will be another tick.
                Ok(_) | Err(StageError::Busy | StageError::TimedOut(_) | StageError::Refused(_)) => {}
            }
        }
    }
}

fn ending(detail: &str) -> WorldFrame {
    WorldFrame::End(End { reason: EndWhy::Stopping, detail: detail.to_owned() })
}

/// Serves one WebSocket until it ends; tells why.
async fn flow(state: &ApiState, mut ticker: Ticker, socket: WebSocket) -> &'static str {
    let (mut out, mut incoming) = socket.split();
    let mut heard = state.clock.now();
    let mut ping_at = heard.after(PING_EVERY);
    let farewell = loop {
        let message = tokio::select! {
            biased;
            () = state.shutdown.cancelled() => break ending("the gateway stops"),
            message = incoming.next() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return "the client went",
                Some(Ok(_)) => {
                    heard = state.clock.now();
                    continue;
                }
            },
            () = state.clock.sleep_until(ping_at) => {
                let now = state.clock.now();
                if now.since(heard) > ALIVE_WITHIN {
                    return "the client is silent";
                }
                ping_at = now.after(PING_EVERY);
                Message::Ping(bytes::Bytes::new())
            }
            frame = ticker.frame() => match frame {
                end @ WorldFrame::End(_) => break end,
                frame => Message::Text(frame.to_json().into()),
            },
        };
        match tokio::time::timeout(WRITE_WITHIN, out.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return "the client went",
            Err(_) => return "the client does not read",
        }
    };
    let last_words = async {
        out.feed(Message::Text(farewell.to_json().into())).await?;
        let close = CloseFrame { code: close_code::AWAY, reason: "stopping".into() };
        out.send(Message::Close(Some(close))).await?;
        while let Some(Ok(_)) = incoming.next().await {}
        Ok::<(), axum::Error>(())
    };
    let _ = tokio::time::timeout(FAREWELL_WITHIN, last_words).await;
    "the world or the gateway stops"
}

/// Pours frames into a response of Server-Sent Events until it ends; tells why.
async fn pour(state: &ApiState, mut ticker: Ticker, sender: mpsc::Sender<WorldFrame>) -> &'static str {
    let farewell = loop {
        let frame = tokio::select! {
            biased;
            () = state.shutdown.cancelled() => break ending("the gateway stops"),
            () = sender.closed() => return "the client went",
            frame = ticker.frame() => frame,
        };
        if matches!(frame, WorldFrame::End(_)) {
            break frame;
        }
        let written = tokio::select! {
            biased;
            () = state.shutdown.cancelled() => break ending("the gateway stops"),
            written = tokio::time::timeout(WRITE_WITHIN, sender.send(frame)) => written,
        };
        match written {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return "the client went",
            Err(_) => return "the client does not read",
        }
    };
    let _ = tokio::time::timeout(FAREWELL_WITHIN, sender.send(farewell)).await;
    "the world or the gateway stops"
}

fn events(
    receiver: mpsc::Receiver<WorldFrame>,
) -> Sse<impl futures_util::Stream<Item = Result<Event, Infallible>>> {
    let frames = stream::unfold(receiver, |mut receiver| async {
        let frame = receiver.recv().await?;
        let name = match &frame {
            WorldFrame::World(_) => "world",
            WorldFrame::End(_) => "end",
        };
        Some((Ok(Event::default().event(name).data(frame.to_json())), receiver))
    });
    Sse::new(frames).keep_alive(KeepAlive::new().interval(PING_EVERY))
}
