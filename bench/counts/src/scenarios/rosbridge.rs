//! What a client of a bridge publishes among a thousand robots.

use anyhow::{Context as _, ensure};
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::{Clock, Hub, RobotId};
use latimer_dialects::BuildContext;
use latimer_dialects::contract::Configured;
use latimer_dialects::rosbridge::RosbridgeConfig;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::Run;

/// How many turns are counted, each of so many messages.
pub(super) const TURNS: u32 = 20;
const MESSAGES: usize = 20;
const ROBOTS: usize = 1_000;

const TEXT: u8 = 0x81;
/// Clients must mask what they send; a mask of zeros leaves it as it is.
const MASKED: u8 = 0x80;

/// Speeds for a robot that is not there, over loopback and on one thread, until a call that comes behind them is answered.
pub(super) fn publish() -> anyhow::Result<Run> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let hub = Hub::new(Clock::system());
    let robots = (0..ROBOTS).map(|number| {
        let robot = RobotId::new(&format!("robot-{number}"))?;
        Ok(hub.register(RobotInfo::new(robot, "misty", Origin::Simulated))?)
    });
    let robots = robots.collect::<anyhow::Result<Vec<Source>>>()?;
    let mut client = runtime.block_on(client(&hub))?;
    let speed = json!({"op": "publish", "topic": "/nobody/cmd_vel", "msg": {"linear": {"x": 0.1}}});
    let call = json!({"op": "call_service", "id": "end", "service": "/rosapi/has_param", "args": ["/a"]});
    let sent = [frame(&speed.to_string()).repeat(MESSAGES), frame(&call.to_string())].concat();
    let mut turn = move |runtime: &Runtime| {
        runtime.block_on(async {
            client.write_all(&sent).await?;
            let mut head = [0; 2];
            client.read_exact(&mut head).await?;
            ensure!(head[0] == TEXT && head[1] < 126, "something else is answered");
            let mut answer = vec![0; usize::from(head[1])];
            client.read_exact(&mut answer).await?;
            // A publish that no robot takes is not answered.
            ensure!(answer.windows(5).any(|it| it == b"\"end\""), "something else is answered");
            anyhow::Ok(())
        })
    };
    turn(&runtime)?;
    Ok(Box::new(move || {
        let _ = (&hub, &robots);
        if let Err(error) = turn(&runtime) {
            panic!("the bridge did not answer: {error:#}");
        }
    }))
}

/// Starts a bridge, and a client of it.
async fn client(hub: &Hub) -> anyhow::Result<TcpStream> {
    let listen = Some(([127, 0, 0, 1], 0).into());
    let config: Box<dyn Configured> = Box::new(RosbridgeConfig { listen, ..RosbridgeConfig::default() });
    let built = config.build(BuildContext::new(hub)).await?;
    let url = built.endpoints.first().context("it listens")?.url.clone();
    tokio::spawn(built.service.run(CancellationToken::new()));
    let address = url.trim_start_matches("ws://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let request = format!(
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bGF0aW1lci1iZW5jaC0xNg==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    ensure!(head.starts_with(b"HTTP/1.1 101"), "it does not speak WebSocket");
    Ok(stream)
}

/// A frame shorter than 126 bytes.
fn frame(text: &str) -> Vec<u8> {
    [&[TEXT, MASKED | text.len() as u8, 0, 0, 0, 0], text.as_bytes()].concat()
}
