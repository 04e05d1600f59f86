//! A client that floods, talks nonsense, never acknowledges or announces thousands, in a process of its own, so that it takes
//! no turns from those whose answers are timed.
//!
//! ```text
//! parent ──"port channel hostile" (arguments), a line on stdin: begin──▶ intruder ──▶ broker
//!        ◀─"ready", then how many messages it has sent so far───────────────┘
//! ```

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use latimer_core::Clock;
use rumqttc::{PublishOptions, QoS};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::client;
use super::swarm::announcement;

/// Robots that announce themselves in one go.
const CROWD: u32 = 10_000;
/// The robot that floods for itself.
const FLOODER: u32 = 900;
/// Between two tellings of how much was sent.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// Topics that garbage goes to.
const TOPICS: [&str; 14] = [
    "robot/create",
    "robot/live",
    "robot/log",
    "localization",
    "localization/update",
    "localization/data/?",
    "sensor/distance",
    "sensor/color",
    "sensor/proximity",
    "comm/out/simple",
    "comm/out/direct",
    "output/neopixel",
    "obstacles/?",
    "mgt/robots/snapshot",
];
/// What a robot can ask in a row, for itself and of all.
const QUESTIONS: [(&str, &str); 8] = [
    ("sensor/distance", r#"{"id":ID,"reality":"M"}"#),
    ("sensor/color", r#"{"id":ID}"#),
    ("sensor/proximity", r#"{"id":ID,"angles":[-90,-45,0,45,90]}"#),
    ("sensor/compass", r#"{"id":ID}"#),
    ("localization", "ID"),
    ("mgt/robots/snapshot", r#"{"id":ID}"#),
    ("localization/data/?", "M"),
    ("obstacles/?", "M"),
];
/// What the topics carry that is none of theirs.
const GARBAGE: [&[u8]; 7] = [
    b"",
    b"\xff\xfe\x00\x01",
    b"{\"id\":",
    b"{\"id\":{\"id\":{\"id\":[]}}}",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    b"{\"id\":-1e999,\"reality\":Q}",
    b"null",
];

/// What somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hostile {
    Nobody,
    /// Somebody asks in the name of the first robot, which gets the answers.
    Flood,
    /// A robot like the others asks for itself, and gets the answers.
    RobotFloods,
    /// It asks whatever can be asked.
    AsksAll,
    /// It calls out to all the others.
    Calls,
    /// It is elsewhere and of another reality all the time.
    Moves,
    Garbage,
    NeverAcknowledges,
    /// Ten thousand robots announce themselves; the simulator takes in two thousand, by default.
    Crowd,
    /// Its configuration takes in all of them.
    Admitted,
}

impl Hostile {
    pub(super) const ALL: [Self; 10] = [
        Self::Nobody,
        Self::Flood,
        Self::RobotFloods,
        Self::AsksAll,
        Self::Calls,
        Self::Moves,
        Self::Garbage,
        Self::NeverAcknowledges,
        Self::Crowd,
        Self::Admitted,
    ];

    /// What tables and arguments call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nobody => "nobody is",
            Self::Flood => "one floods",
            Self::RobotFloods => "a robot floods",
            Self::AsksAll => "asks everything",
            Self::Calls => "calls to all",
            Self::Moves => "moves and turns",
            Self::Garbage => "garbage",
            Self::NeverAcknowledges => "never acknowledges",
            Self::Crowd => "10,000 announced",
            Self::Admitted => "10,000 taken in",
        }
    }

    /// The message of a number, if there is one.
    fn message(self, number: u64) -> Option<(&'static str, Vec<u8>)> {
        match self {
            Self::Crowd | Self::Admitted => {
                let number = u32::try_from(number).ok().filter(|number| *number < CROWD)?;
                Some(("robot/create", announcement(1_000 + number, 1_000 + CROWD).into_bytes()))
            }
            Self::Garbage => {
                let number = number as usize;
                let payload = GARBAGE[number / TOPICS.len() % GARBAGE.len()];
                Some((TOPICS[number % TOPICS.len()], payload.to_vec()))
            }
            Self::Flood => Some(("sensor/distance", br#"{"id":0,"reality":"M"}"#.to_vec())),
            Self::RobotFloods | Self::AsksAll | Self::Calls | Self::Moves if number == 0 => {
                Some(("robot/create", announcement(FLOODER, FLOODER + 1).into_bytes()))
            }
            Self::RobotFloods => {
                Some(("sensor/distance", format!(r#"{{"id":{FLOODER},"reality":"M"}}"#).into_bytes()))
            }
            Self::AsksAll => {
                let (topic, question) = QUESTIONS[number as usize % QUESTIONS.len()];
                Some((topic, question.replace("ID", &FLOODER.to_string()).into_bytes()))
            }
            // Farther than the arena is long.
            Self::Calls => {
                let call = format!(r#"{{"id":{FLOODER},"msg":"hello","dist":1000}}"#);
                Some(("comm/out/simple", call.into_bytes()))
            }
            Self::Moves => {
                let (x, reality) = (number % 50, if number.is_multiple_of(3) { "R" } else { "V" });
                let there =
                    format!(r#"[{{"id":{FLOODER},"x":{x},"y":0,"heading":0,"reality":"{reality}"}}]"#);
                Some(("localization/update", there.into_bytes()))
            }
            Self::Nobody | Self::NeverAcknowledges => None,
        }
    }
}

/// One at work; it ends with the handle.
pub(super) struct Intruder {
    child: Child,
    sent: Arc<AtomicU64>,
}

impl Intruder {
    /// Starts one, which has connected when this returns.
    pub(super) async fn start(hostile: Hostile, port: u16, channel: &str) -> anyhow::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["intruder", &port.to_string(), channel, hostile.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("stdout is piped")?).lines();
        lines.next_line().await?.context("the intruder ended")?;
        let sent = Arc::new(AtomicU64::new(0));
        let count = sent.clone();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                count.store(line.parse().unwrap_or_default(), Ordering::Relaxed);
            }
        });
        Ok(Self { child, sent })
    }

    /// Lets it do what it is there for.
    pub(super) async fn begin(&mut self) -> anyhow::Result<()> {
        let stdin = self.child.stdin.as_mut().context("stdin is piped")?;
        stdin.write_all(b"\n").await.context("the intruder ended")
    }

    /// How many messages it has sent.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Whether somebody has ended it.
    pub(super) fn was_thrown_out(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }
}

/// Is hostile until it is killed.
pub(crate) async fn run(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let port = arguments.next().context("a port is missing")?.parse()?;
    let channel = arguments.next().context("a channel is missing")?;
    let name = arguments.next().context("what to do is missing")?;
    let hostile = Hostile::ALL.into_iter().find(|it| it.name() == name).context("nobody does that")?;
    match hostile {
        Hostile::Nobody => {
            println!("ready");
            std::future::pending().await
        }
        Hostile::NeverAcknowledges => never_acknowledges(port).await,
        _ => publishes(hostile, port, &channel).await,
    }
}

async fn publishes(hostile: Hostile, port: u16, channel: &str) -> anyhow::Result<()> {
    let clock = Clock::system();
    let replies: &[&str] = match hostile {
        Hostile::RobotFloods => &["sensor/distance"],
        Hostile::AsksAll => &["sensor/distance", "sensor/color", "sensor/proximity", "localization"],
        _ => &[],
    };
    let reply = |topic: &&str| (format!("{channel}/{topic}/{FLOODER}"), QoS::AtLeastOnce);
    let replies: Vec<_> = replies.iter().map(reply).collect();
    let (client, mut events) = client::connect(port, "hostile".to_owned(), 100, &replies).await?;
    let sent = AtomicU64::new(0);
    let publishing = async {
        begin_signal().await?;
        for number in 0.. {
            let Some((topic, payload)) = hostile.message(number) else { break };
            let options = PublishOptions::new(QoS::AtMostOnce);
            client.publish(format!("{channel}/{topic}"), payload, options).await?;
            sent.fetch_add(1, Ordering::Relaxed);
        }
        std::future::pending().await
    };
    let polling = async {
        loop {
            events.poll().await?;
        }
    };
    let telling = async {
        loop {
            clock.sleep(TELL_EVERY).await;
            println!("{}", sent.load(Ordering::Relaxed));
        }
    };
    tokio::select! {
        ended = publishing => ended,
        ended = polling => ended,
        () = telling => Ok(()),
    }
}

/// Subscribes to everything with QoS 2, reads and answers nothing of it.
async fn never_acknowledges(port: u16) -> anyhow::Result<()> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    // CONNECT 3.1.1, clean session, no keep-alive, as `mute`; SUBSCRIBE to `#` with QoS 2.
    socket.write_all(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04mute").await?;
    let mut acknowledged = [0; 4];
    socket.read_exact(&mut acknowledged).await?;
    begin_signal().await?;
    socket.write_all(b"\x82\x06\x00\x01\x00\x01#\x02").await?;
    std::future::pending().await
}

/// Says that it is there, and waits for the line that lets it begin.
async fn begin_signal() -> anyhow::Result<()> {
    println!("ready");
    let mut line = String::new();
    BufReader::new(tokio::io::stdin()).read_line(&mut line).await?;
    Ok(())
}
