//! Those who follow the publisher, and reconnect by themselves.

use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use latimer_core::{Clock, Timestamp};
use latimer_e2e::{Cable, program};
use latimer_mqtt::{Link, LinkEvent, Login, Qos};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::publisher::TOPIC;

/// As the swarm's links to a broker.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// One of them; it ends when this is dropped.
pub(super) struct Client {
    pub(super) name: &'static str,
    /// When each message was created, and when it was read.
    received: mpsc::UnboundedReceiver<(Timestamp, Timestamp)>,
    _running: Running,
}

enum Running {
    Link { _stop: DropGuard },
    Program { _process: Child },
}

impl Client {
    /// Those that this machine has, at a broker behind a cable.
    pub(super) async fn all(clock: Clock, cable: &Cable) -> anyhow::Result<Vec<Self>> {
        let port = cable.address().port.to_string();
        let mut all = vec![Self::link(clock, cable)];
        let mut mosquitto_sub = Command::new("stdbuf");
        mosquitto_sub.args(["-oL", "mosquitto_sub", "-p", &port, "-t", TOPIC]);
        all.push(Self::program("mosquitto_sub", mosquitto_sub, clock)?);
        if program::repository().join(".venv-mqtt/ready").exists() {
            let mut paho = Command::new(program::python("mqtt"));
            paho.arg(program::repository().join("tests/python/mqtt_follow.py")).args([&port, TOPIC]);
            all.push(Self::program("paho", paho, clock)?);
        } else {
            println!("paho is not measured; run `make setup`");
        }
        Ok(all)
    }

    fn link(clock: Clock, cable: &Cable) -> Self {
        let login = Login {
            address: cable.address(),
            client_id: "latimer-bench-follower".to_owned(),
            subscriptions: vec![(TOPIC.to_owned(), Qos::AtMostOnce)],
            will: None,
            keep_alive: KEEP_ALIVE,
            trust: Default::default(),
        };
        let stop = CancellationToken::new();
        let (mut link, _, running) = Link::new(login, clock, stop.clone());
        tokio::spawn(running);
        let (sender, received) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(event) = link.next().await {
                if let LinkEvent::Message(message) = event
                    && let Some(created) = created(&message.payload)
                {
                    let _ = sender.send((created, clock.now()));
                }
            }
        });
        Self { name: "latimer-mqtt", received, _running: Running::Link { _stop: stop.drop_guard() } }
    }

    /// A program that writes a line for each message.
    fn program(name: &'static str, mut command: Command, clock: Clock) -> anyhow::Result<Self> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.kill_on_drop(true).spawn().with_context(|| format!("{name} is missing"))?;
        let mut lines = BufReader::new(process.stdout.take().context("stdout is piped")?).lines();
        let (sender, received) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some(created) = created(line.as_bytes()) {
                    let _ = sender.send((created, clock.now()));
                }
            }
        });
        Ok(Self { name, received, _running: Running::Program { _process: process } })
    }

    /// When the first message was read that was created after a moment.
    pub(super) async fn received_after(
        &mut self,
        moment: Timestamp,
        patience: Duration,
    ) -> anyhow::Result<Timestamp> {
        let receiving = async {
            loop {
                let (created, read) = self.received.recv().await.context("it ended")?;
                if created >= moment {
                    return anyhow::Ok(read);
                }
            }
        };
        let received = tokio::time::timeout(patience, receiving).await;
        received.with_context(|| format!("{} does not receive again", self.name))?.context(self.name)
    }
}

/// The moment that a message holds.
fn created(payload: &[u8]) -> Option<Timestamp> {
    std::str::from_utf8(payload).ok()?.trim().parse().ok().map(Timestamp::from_nanos)
}
