//! A plain client of `/pubsub`, for what the vendors' clients cannot do.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_testing::PATIENCE;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// One socket.
#[derive(Debug)]
pub struct MistyClient {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl MistyClient {
    /// Connects to `ws://address/pubsub`.
    pub async fn connect(address: &str) -> Self {
        let connected = connect_async(format!("ws://{address}/pubsub")).await;
        Self { socket: connected.expect("the facade takes connections").0 }
    }

    /// Sends a text as it stands.
    pub async fn send(&mut self, text: impl Into<String>) -> Result<(), Error> {
        self.socket.send(Message::text(text.into())).await
    }

    /// Subscribes to an event type under a name, with other keys beside; returns the robot's answer.
    pub async fn subscribe(&mut self, event_type: &str, name: &str, others: Value) -> String {
        let mut request = json!({"Operation": "subscribe", "Type": event_type, "EventName": name});
        if let (Value::Object(request), Value::Object(others)) = (&mut request, others) {
            request.extend(others);
        }
        self.send(request.to_string()).await.expect("the socket is open");
        self.status(name).await
    }

    /// The next status text for a name, events skipped.
    pub async fn status(&mut self, name: &str) -> String {
        loop {
            let frame = self.frame().await;
            if let (Some(event), Value::String(text)) = (frame["eventName"].as_str(), &frame["message"])
                && event == name
            {
                return text.clone();
            }
        }
    }

    /// The next event under a name, others skipped.
    pub async fn event(&mut self, name: &str) -> Value {
        loop {
            let mut frame = self.frame().await;
            if frame["eventName"] == name && frame["message"].is_object() {
                return frame["message"].take();
            }
        }
    }

    /// The next frame.
    pub async fn frame(&mut self) -> Value {
        let text = self.text().await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    /// The next frame as it came.
    pub async fn text(&mut self) -> String {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match next.unwrap_or_else(|_| panic!("nothing came for {PATIENCE:?}")) {
                Some(Ok(Message::Text(text))) => return text.to_string(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("expected a text, got {other:?}"),
            }
        }
    }

    /// Reads until the gateway closes; its close frame, if it sent one.
    pub async fn closed(&mut self, patience: Duration) -> Option<CloseFrame> {
        let reading = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Close(frame))) => return frame,
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return None,
                }
            }
        };
        let closed = tokio::time::timeout(patience, reading).await;
        closed.unwrap_or_else(|_| panic!("still open after {patience:?}"))
    }
}
