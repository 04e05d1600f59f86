//! A stream of updates from a gateway.

use std::collections::VecDeque;

use form_urlencoded::Serializer;
use futures_util::StreamExt;
use latimer_dialects::socket::{Socket, connected, open};
use latimer_listen::limits::HTTP_CONNECT_TIMEOUT;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use super::http::{Gateway, failure_from_problem};
use crate::exit::{Exit, Failure};
use crate::limits::CLIENT_STREAM_SILENCE_TIMEOUT;
use latimer_wire::v1::{End, EndWhy, Frame, MAX_MESSAGE_BYTES};

/// Largest message to a gateway, bytes: a ping or a pong.
const LARGEST_BYTES: usize = 1024;

/// A stream of updates.
#[derive(Debug)]
pub struct Stream {
    gateway: Gateway,
    socket: Socket,
    /// Frames of a batch that were not asked for yet.
    waiting: VecDeque<Frame>,
}

/// What a stream brought.
#[derive(Debug)]
pub enum Streamed {
    /// A frame, and its text as it came.
    Frame(Frame, Utf8Bytes),
    /// All that was asked for came.
    Complete,
}

impl Gateway {
    /// Opens a stream with the parameters of `/api/v1/stream`.
    pub async fn stream(&self, params: &[(&str, String)]) -> Result<Stream, Failure> {
        self.stream_at("/api/v1/stream", params).await
    }

    /// Opens any stream of the API, whose frames are [`Stream::text`]s.
    pub async fn stream_at(&self, path: &str, params: &[(&str, String)]) -> Result<Stream, Failure> {
        let query = Serializer::new(String::new()).extend_pairs(params).finish();
        let url = format!("{}?{query}", self.address.ws(path));
        // It is sent nothing but signs of life.
        let config = connected(LARGEST_BYTES, MAX_MESSAGE_BYTES + LARGEST_BYTES);
        let request = url.into_client_request().map(|mut request| {
            self.show_login(&mut request);
            request
        });
        let request = request.map_err(|error| self.unreachable(&error.to_string()))?;
        let connecting = open(request, &self.trust, config);
        match tokio::time::timeout(HTTP_CONNECT_TIMEOUT, connecting).await {
            Ok(Ok(socket)) => Ok(Stream { gateway: self.clone(), socket, waiting: VecDeque::new() }),
            Ok(Err(Error::Http(response))) => {
                let body = response.body().as_deref().unwrap_or_default();
                Err(match serde_json::from_slice(body) {
                    Ok(problem) => failure_from_problem(&problem),
                    Err(_) => self.stranger(response.status(), body),
                })
            }
            Ok(Err(error)) => Err(match self.trust.explain_tls(&error) {
                Some(reason) => self.not_spoken_to(&reason),
                None => self.unreachable(&self.trust.explain(&error)),
            }),
            Err(elapsed) => Err(self.unreachable(&elapsed.to_string())),
        }
    }
}

impl Stream {
    /// The next frame. Cancel safe.
    pub async fn next(&mut self) -> Result<Streamed, Failure> {
        loop {
            if let Some(frame) = self.waiting.pop_front() {
                let text = frame.to_json().into();
                return Ok(Streamed::Frame(frame, text));
            }
            let text = self.text().await?;
            let frame = Frame::parse(&text);
            let frame = frame.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
            return match frame {
                Frame::Batch(frames) => {
                    self.waiting.extend(frames);
                    continue;
                }
                Frame::End(End { reason: EndWhy::Complete, .. }) => Ok(Streamed::Complete),
                Frame::End(End { reason: EndWhy::TooSlow, detail }) => {
                    Err(Failure::new(Exit::Failed, format!("the gateway ended the stream: {detail}")))
                }
                Frame::End(End { reason: EndWhy::Stopping, detail }) => Err(self.gone(&detail)),
                frame => Ok(Streamed::Frame(frame, text)),
            };
        }
    }

    /// The next frame as it came. Cancel safe.
    pub async fn text(&mut self) -> Result<Utf8Bytes, Failure> {
        loop {
            return match tokio::time::timeout(CLIENT_STREAM_SILENCE_TIMEOUT, self.socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => Ok(text),
                Ok(Some(Ok(Message::Close(_)))) => Err(self.gone("it closed the stream")),
                Ok(Some(Ok(_))) => continue,
                Ok(Some(Err(error))) => Err(self.gone(&error.to_string())),
                Ok(None) => Err(self.gone("the connection ended")),
                Err(_) => Err(self.gone("it is silent")),
            };
        }
    }

    fn gone(&self, why: &str) -> Failure {
        Failure::new(Exit::Unreachable, format!("the gateway at {} went away: {why}", self.gateway.address))
    }
}
