//! The limit of the fan-out: a server of nothing but tungstenite, in a process of its own, that sends texts of the same size.
//!
//! ```text
//! 50 Hz ──broadcast of 1,024──▶ a task for each socket: all that waits, then one flush
//! ```
//!
//! Nothing is chosen, encoded or copied for a client, and nobody is let go.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt};
use latimer_core::Clock;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::broadcast::{
    self, Receiver,
    error::{RecvError, TryRecvError},
};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::fan_out::{self, Plan, Run};
use crate::misty;

/// 50 Hz.
const PERIOD: Duration = Duration::from_millis(20);
/// Events that wait for a client that is slow.
const WAITING: usize = 1024;
/// As at the gateway; the default takes more memory.
const READ_BUFFER_BYTES: usize = 512;

/// The same fan-out as the gateway's.
pub(crate) async fn fan_out(plan: Plan, clock: Clock, payload_bytes: usize) -> anyhow::Result<Run> {
    let mut server = Command::new(std::env::current_exe()?)
        .args(["bare", &payload_bytes.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let address = address_of(&mut server).await?;
    let pid = server.id().context("the server runs")?;
    let (stop, readers) = misty::subscribers(&address, plan, clock).await?;
    fan_out::measure(plan, clock, pid, stop, readers).await
}

async fn address_of(server: &mut Child) -> anyhow::Result<String> {
    let mut lines = BufReader::new(server.stdout.take().context("stdout is piped")?).lines();
    lines.next_line().await?.context("the server ended")
}

/// Serves until it is killed.
pub(crate) async fn serve(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let bytes: usize = arguments.next().context("a size is missing")?.parse()?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let (events, _) = broadcast::channel(WAITING);
    tokio::spawn(publish(events.clone(), bytes));
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(client(stream, events.subscribe()));
    }
}

async fn publish(events: broadcast::Sender<Utf8Bytes>, bytes: usize) {
    let (clock, mut ticks) = (Clock::system(), tokio::time::interval(PERIOD));
    loop {
        ticks.tick().await;
        let created = jiff::Timestamp::from_nanosecond(clock.now().as_nanos().into()).unwrap_or_default();
        let event =
            |padding| json!({"eventName": "a", "message": {"created": created.to_string(), "x": padding}});
        let missing = bytes.saturating_sub(event(String::new()).to_string().len());
        // Nobody may be there.
        let _ = events.send(event("x".repeat(missing)).to_string().into());
    }
}

/// Answers one subscription as a robot does, and sends all events from then on.
async fn client(stream: TcpStream, mut events: Receiver<Utf8Bytes>) -> anyhow::Result<()> {
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER_BYTES);
    let mut socket = tokio_tungstenite::accept_async_with_config(stream, Some(config)).await?;
    let asked: Value = match socket.next().await {
        Some(Ok(Message::Text(text))) => serde_json::from_str(&text)?,
        _ => bail!("no subscription"),
    };
    let answer = json!({"eventName": asked["EventName"], "message": "API event registered."});
    socket.send(Message::text(answer.to_string())).await?;
    loop {
        let first = tokio::select! {
            // A client says nothing more; its end ends this.
            _ = socket.next() => return Ok(()),
            event = events.recv() => event,
        };
        let mut next = first.map_err(|error| match error {
            RecvError::Closed => TryRecvError::Closed,
            RecvError::Lagged(count) => TryRecvError::Lagged(count),
        });
        loop {
            match next {
                Ok(event) => socket.feed(Message::Text(event)).await?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Closed) => return Ok(()),
            }
            next = events.try_recv();
        }
        socket.flush().await?;
    }
}
