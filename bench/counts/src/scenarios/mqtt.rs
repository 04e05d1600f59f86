//! Messages that the broker within passes on: read, routed and written.

use anyhow::{Context as _, ensure};
use latimer_mqtt::broker::Limits;
use latimer_mqtt::{Broker, BrokerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::Run;

/// How many turns are counted, each of so many messages.
pub(super) const TURNS: u32 = 40;
const MESSAGES: usize = 25;
/// Clients that a message is passed on to.
const SUBSCRIBERS: usize = 10;

const TOPIC: &str = "sensor/distance";
const PAYLOAD: &[u8] = br#"{"id":0,"dist":12.5,"reality":"M"}"#;

const CONNECT: u8 = 0x10;
const PUBLISH: u8 = 0x30;
const SUBSCRIBE: u8 = 0x82;

/// Messages of one client to ten, all of QoS 0, over loopback and on one thread.
pub(super) fn route() -> anyhow::Result<Run> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (mut publisher, mut subscribers) = runtime.block_on(clients())?;
    let message = packet(PUBLISH, &[&text(TOPIC), PAYLOAD]);
    let (published, mut received) = (message.repeat(MESSAGES), vec![0; message.len() * MESSAGES]);
    let mut turn = move |runtime: &Runtime| {
        runtime.block_on(async {
            publisher.write_all(&published).await?;
            for subscriber in &mut subscribers {
                subscriber.read_exact(&mut received).await?;
                ensure!(received == published, "something else was passed on");
            }
            anyhow::Ok(())
        })
    };
    turn(&runtime)?;
    Ok(Box::new(move || {
        if let Err(error) = turn(&runtime) {
            panic!("the broker passed nothing on: {error:#}");
        }
    }))
}

/// Starts a broker; a client that publishes, and those that subscribe.
async fn clients() -> anyhow::Result<(TcpStream, Vec<TcpStream>)> {
    let limits = Limits { max_rate: 0, ..Limits::default() };
    let config = BrokerConfig { listen: Some(([127, 0, 0, 1], 0).into()), limits, ..BrokerConfig::default() };
    let broker = config.build(Default::default()).await?.context("a broker within")?;
    let address = Broker::listens(&broker).context("it listens")?;
    tokio::spawn(broker.run(CancellationToken::new()));
    let connect = async |name: &str| {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        // Level 4, clean session, no keep-alive; the answer says that the client is let in.
        stream.write_all(&packet(CONNECT, &[&text("MQTT"), &[4, 2, 0, 0], &text(name)])).await?;
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await?;
        ensure!(answer == [0x20, 2, 0, 0], "{name} is refused");
        anyhow::Ok(stream)
    };
    let mut subscribers = Vec::new();
    for number in 0..SUBSCRIBERS {
        let mut stream = connect(&format!("subscriber-{number}")).await?;
        stream.write_all(&packet(SUBSCRIBE, &[&[0, 1], &text(TOPIC), &[0]])).await?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer).await?;
        subscribers.push(stream);
    }
    Ok((connect("publisher").await?, subscribers))
}

/// A packet shorter than 128 bytes.
fn packet(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [&[kind, body.len() as u8][..], &body].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&[0, text.len() as u8], text.as_bytes()].concat()
}
