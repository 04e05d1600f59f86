//! Video of a connected chassis: the frames that come out of a gateway, beside a relay that passes messages on as they are.
//!
//! ```text
//! gateway (own process), a chassis with a camera ─┬──────────────────────────▶ one viewer, whom the others are compared with
//!                                                 ├─▶ gateway (own process) ─▶ 10 viewers
//!                                                 └─▶ relay (own process) ───▶ 10 viewers
//! ```
//!
//! A frame is known by its data. Its delay is the time from when the first viewer has read it until another has. All watch at
//! the same time, so that every way has the same frames and the same processor.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use latimer_core::{Clock, Timestamp};
use latimer_e2e::{Gateway, gateway};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinSet;

use super::audience::PATH;
use super::{CONFIG, VIDEO, VIEWERS, WARM_UP};
use crate::cpu;
use crate::websocket::WebSocket;

/// Frames at the ends of the measured time that may still be on their way.
const MARGIN: Duration = Duration::from_millis(500);
/// Messages that wait in the relay for a viewer.
const WAITING: usize = 64;
const TEXT: u8 = 0x81;

/// The gateway that is connected to the chassis.
fn config(chassis: &str) -> String {
    format!(
        "
[http]
listen = '127.0.0.1:8080'

[[axbot.connect]]
robot = 'axbot-1'
address = '{chassis}'

[[axbot.serve]]
robot = 'axbot-1'
listen = '127.0.0.1:8081'
"
    )
}

/// Each frame that a viewer read, and when it read it first.
type Seen = HashMap<u64, Timestamp>;

/// What came out of one way.
struct Way {
    name: &'static str,
    pid: u32,
    viewers: JoinSet<anyhow::Result<Seen>>,
    cpu_s: f64,
}

/// What it came to.
struct Outcome {
    cpu_s: f64,
    frames: usize,
    p50_ms: f64,
}

/// Both ways at once, as a table.
pub(crate) async fn run(clock: Clock, measured: Duration) -> anyhow::Result<()> {
    println!(
        "{VIEWERS} viewers of a connected chassis's camera, {} s; load of this machine before: {}\n",
        measured.as_secs(),
        cpu::load_average()
    );
    let chassis = Gateway::with_text(CONFIG).await;
    let source = chassis.misty();
    let connected = Gateway::with_text(&config(&source)).await;
    connected.until_up("axbot-1").await;
    let (relay, relayed) = start(&source).await?;
    let (stop, stopped) = watch::channel(false);
    let mut first = JoinSet::new();
    first.spawn(watch_video(source, clock, stopped.clone()));
    let mut ways = [
        Way { name: "latimer", pid: connected.pid(), viewers: JoinSet::new(), cpu_s: 0.0 },
        Way {
            name: "relay",
            pid: relay.id().context("the relay ended")?,
            viewers: JoinSet::new(),
            cpu_s: 0.0,
        },
    ];
    for (way, address) in ways.iter_mut().zip([connected.misty(), relayed]) {
        for _ in 0..VIEWERS {
            way.viewers.spawn(watch_video(address.clone(), clock, stopped.clone()));
        }
    }
    clock.sleep(WARM_UP).await;
    for way in &mut ways {
        way.cpu_s = -cpu::of_process(way.pid)?.as_secs_f64();
    }
    let start = clock.now();
    clock.sleep(measured).await;
    for way in &mut ways {
        way.cpu_s += cpu::of_process(way.pid)?.as_secs_f64();
    }
    let within = start.after(MARGIN)..start.after(measured.saturating_sub(MARGIN));
    stop.send(true)?;
    let mut made = seen(&mut first).await?.pop().context("nobody watched the chassis itself")?;
    made.retain(|_, at| within.contains(at));
    ensure!(!made.is_empty(), "the chassis showed no frame");

    println!(
        "{:<10} {:>9} {:>8} {:>9} {:>9} {:>7} {:>9}",
        "", "frames/s", "missed", "p50 ms", "p99 ms", "CPU %", "RSS MiB"
    );
    let [latimer, relay] = ways;
    let (latimer, relay) = (line(latimer, &made, measured).await?, line(relay, &made, measured).await?);
    println!(
        "\nlatimer to the relay: frames {:.2}, p50 {:.2}, processor's time {:.1}",
        latimer.frames as f64 / relay.frames as f64,
        latimer.p50_ms / relay.p50_ms,
        latimer.cpu_s / relay.cpu_s
    );
    println!("bar: frames out equal frames in: {}", super::yes(latimer.frames == VIEWERS * made.len()));
    Ok(())
}

/// Compares what the viewers of one way read with the frames that were made, and prints the line.
async fn line(mut way: Way, made: &Seen, measured: Duration) -> anyhow::Result<Outcome> {
    let resident_bytes = gateway::resident_bytes(way.pid);
    let viewers = seen(&mut way.viewers).await?;
    let mut delays_ms: Vec<f64> = viewers
        .iter()
        .flat_map(|viewer| made.iter().filter_map(|(frame, at)| Some((viewer.get(frame)?, at))))
        // Who reads before the first viewer has waited for nothing.
        .map(|(read, at)| read.since(*at).as_secs_f64() * 1e3)
        .collect();
    delays_ms.sort_unstable_by(f64::total_cmp);
    let at =
        |share: f64| delays_ms.get((delays_ms.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
    let outcome = Outcome { cpu_s: way.cpu_s, frames: delays_ms.len(), p50_ms: at(0.5) };
    let seconds = measured.saturating_sub(2 * MARGIN).as_secs_f64();
    println!(
        "{:<10} {:>9.2} {:>8} {:>9.2} {:>9.2} {:>7.1} {:>9.1}",
        way.name,
        outcome.frames as f64 / VIEWERS as f64 / seconds,
        VIEWERS * made.len() - outcome.frames,
        outcome.p50_ms,
        at(0.99),
        100.0 * way.cpu_s / measured.as_secs_f64(),
        resident_bytes as f64 / f64::from(1 << 20),
    );
    Ok(outcome)
}

/// What each viewer read.
async fn seen(viewers: &mut JoinSet<anyhow::Result<Seen>>) -> anyhow::Result<Vec<Seen>> {
    let mut all = Vec::new();
    while let Some(viewer) = viewers.join_next().await {
        all.push(viewer.context("a viewer broke down")??);
    }
    Ok(all)
}

/// Watches the camera until `stopped`.
async fn watch_video(
    address: String,
    clock: Clock,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<Seen> {
    let mut socket = WebSocket::connect(&address, PATH, None).await?;
    socket.send(&request()).await?;
    let mut seen = Seen::new();
    loop {
        let text = tokio::select! {
            _ = stopped.changed() => return Ok(seen),
            text = socket.text() => text.with_context(|| format!("a viewer at {address}"))?,
        };
        let Some((_, data)) = text.split_once(r#""data":""#) else { continue };
        let mut hasher = DefaultHasher::new();
        data.trim_end_matches(['"', '}']).hash(&mut hasher);
        seen.entry(hasher.finish()).or_insert(clock.now());
    }
}

fn request() -> String {
    json!({"enable_topic": [VIDEO]}).to_string()
}

/// Starts this program as a relay of a chassis's video; the address at which it serves. It ends with the handle.
async fn start(chassis: &str) -> anyhow::Result<(Child, String)> {
    let mut relay = Command::new(std::env::current_exe()?)
        .args(["relay", chassis])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let mut lines = BufReader::new(relay.stdout.take().context("stdout is piped")?).lines();
    let address = lines.next_line().await?.context("the relay ended")?;
    Ok((relay, address))
}

/// Passes each message of a chassis's video on to everybody who connects, until it is killed.
pub(crate) async fn serve(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let chassis = arguments.next().context("the chassis's address is missing")?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let (messages, _) = broadcast::channel(WAITING);
    let mut socket = WebSocket::connect(&chassis, PATH, None).await?;
    socket.send(&request()).await?;
    loop {
        tokio::select! {
            came = listener.accept() => drop(tokio::spawn(pass_on(came?.0, messages.subscribe()))),
            // Nobody may be there yet.
            text = socket.text() => drop(messages.send(frame(text?))),
        }
    }
}

/// One message as a server's frame.
fn frame(text: &str) -> Vec<u8> {
    let mut frame = vec![TEXT];
    match text.len() {
        short @ 0..126 => frame.push(short as u8),
        length @ 126..65_536 => {
            frame.push(126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(text.as_bytes());
    frame
}

/// Serves one viewer. What it asks for is not read; the client of this program does not look at the key's answer.
async fn pass_on(stream: TcpStream, mut messages: broadcast::Receiver<Vec<u8>>) -> anyhow::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        ensure!(stream.read_line(&mut line).await? > 0, "the viewer left");
    }
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    loop {
        let frame = messages.recv().await?;
        stream.write_all(&frame).await?;
    }
}
