//! A client that answers at once, in a process of its own as the simulator is.

use std::process::Stdio;

use anyhow::Context;
use rumqttc::{Event, Packet, PublishOptions, QoS};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::client;

/// What it answers.
const ANSWER: &str = "74";
/// Answers that may wait.
const WAITING: usize = 100_000;

/// Starts this program as an echo; it ends with the handle.
pub(super) async fn start(port: u16, channel: &str) -> anyhow::Result<Child> {
    let mut echo = Command::new(std::env::current_exe()?)
        .args(["echo", &port.to_string(), channel])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let mut lines = BufReader::new(echo.stdout.take().context("stdout is piped")?).lines();
    lines.next_line().await?.context("the echo ended")?;
    Ok(echo)
}

/// Answers until it is killed.
pub(crate) async fn run(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let port = arguments.next().context("a port is missing")?.parse()?;
    let channel = arguments.next().context("a channel is missing")?;
    let subscriptions = [(format!("{channel}/sensor/distance"), QoS::AtMostOnce)];
    let (client, mut events) = client::connect(port, "echo".to_owned(), WAITING, &subscriptions).await?;
    println!("ready");
    loop {
        if let Event::Incoming(Packet::Publish(request)) = events.poll().await? {
            let Some(id) = number_in(&request.payload) else { continue };
            let options = PublishOptions::new(QoS::ExactlyOnce);
            // In a flood some are left out, as the simulator leaves them out.
            let _ = client.try_publish(format!("{channel}/sensor/distance/{id}"), ANSWER, options);
        }
    }
}

/// The first number in a request; an echo reads no more than that.
fn number_in(payload: &[u8]) -> Option<&str> {
    let start = payload.iter().position(u8::is_ascii_digit)?;
    let digits = payload[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&payload[start..start + digits]).ok()
}
