//! What TLS and users cost: requests over a new connection each, requests over one, and events.
//!
//! ```text
//! gateway (own process) ──▶ one client that asks, one that publishes by MQTT, 100 sockets that follow a 50 Hz event (this process)
//!   plain                    neither                     what every request passes in any case is the guard
//!   users                    a password in each request, and with each socket
//!   TLS                      version 1.3, a client's certificate
//!   TLS and users            both
//! ```
//!
//! Generator and server share the machine, so the figures compare within one run only.

use std::hint::black_box;
use std::net::Ipv4Addr;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use http::{HeaderMap, HeaderValue, header};
use latimer_core::Clock;
use latimer_e2e::certificates::Folder;
use latimer_e2e::standing::MQTT;
use latimer_e2e::{Gateway, Mosquitto, users};
use latimer_http_guard::Guard;
use latimer_listen::{Named, Stream, Trust, TrustFiles};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use tokio::sync::watch;

use crate::load::Figures;
use crate::misty::{PATH, read, subscribe};
use crate::websocket::WebSocket;
use crate::{cpu, report};

/// Requests of each run, by how they come.
const NEW_CONNECTIONS: usize = 1_000;
const REQUESTS: usize = 5_000;
/// Checks of the guard.
const CHECKS: u32 = 1_000_000;
/// Messages that are published.
const MESSAGES: usize = 20_000;
/// Sockets that follow the event, and for how long.
const SUBSCRIBERS: usize = 100;
const MEASURED: Duration = Duration::from_secs(10);
const WARM_UP: Duration = Duration::from_secs(2);

/// What is asked for: small, and answered without the robot.
const ASKED: &str = "/api/battery";
/// `driver:driver`.
const LOGIN: &str = "Authorization: Basic ZHJpdmVyOmRyaXZlcg==\r\n";

/// What a gateway has.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    tls: bool,
    users: bool,
}

const KINDS: [Kind; 4] = [
    Kind { name: "plain", tls: false, users: false },
    Kind { name: "users", tls: false, users: true },
    Kind { name: "TLS", tls: true, users: false },
    Kind { name: "TLS and users", tls: true, users: true },
];

/// What came of one run: microseconds of a request at the median, and of events.
struct Run {
    new_us: f64,
    kept_us: f64,
    /// Messages of QoS 1 to a robot of the swarm, of one client, each second; `None` without mosquitto's clients.
    published_per_s: Option<f64>,
    events: Figures,
}

/// Every run of it, as a table.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!(
        "{NEW_CONNECTIONS} requests over a connection each, {REQUESTS} over one, {SUBSCRIBERS} subscribers for {} s; load before: {}\n",
        MEASURED.as_secs(),
        cpu::load_average()
    );
    let folder = Folder::with_certificates("bench").await;
    std::fs::write(folder.0.join("users.toml"), users::entry("driver", &["drive"]).await)?;
    let mut runs = Vec::new();
    for kind in KINDS {
        runs.push(measure(clock, &folder, kind).await.with_context(|| format!("with {}", kind.name))?);
    }
    println!("the guard takes {:.0} ns of each request\n", guard_ns(clock)?);
    println!("{:<20} {:>12} {:>12} {:>14}", "p50 of requests", "new, us", "kept, us", "MQTT, 1/s");
    for (kind, run) in KINDS.iter().zip(&runs) {
        let published = run.published_per_s.map_or("-".to_owned(), |it| format!("{it:.0}"));
        println!("{:<20} {:>12.0} {:>12.1} {published:>14}", kind.name, run.new_us, run.kept_us);
    }
    println!();
    report::head();
    for (kind, run) in KINDS.iter().zip(&runs) {
        report::line(kind.name, &run.events);
    }
    println!();
    for (kind, run) in KINDS.iter().zip(&runs).skip(1) {
        let (new, kept) = (run.new_us / runs[0].new_us, run.kept_us / runs[0].kept_us);
        println!(
            "{} to plain: request over a new connection {new:.2}, over one that is kept {kept:.2}",
            kind.name
        );
        report::ratio(&format!("{} to plain", kind.name), &run.events, &runs[0].events);
    }
    Ok(())
}

/// What looking at `Host` and `Origin` takes, which every request goes through.
fn guard_ns(clock: Clock) -> anyhow::Result<f64> {
    let guard = Guard::new(Ipv4Addr::LOCALHOST.into(), ["gateway.lab".to_owned()]);
    let mut headers = HeaderMap::new();
    headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8081"));
    headers.insert(header::ORIGIN, HeaderValue::from_static("http://127.0.0.1:8081"));
    let began = clock.now();
    for _ in 0..CHECKS {
        let checked = black_box(&guard).check(black_box(&headers));
        ensure!(black_box(checked).is_ok(), "the guard refuses its own page");
    }
    Ok(clock.now().since(began).as_secs_f64() * 1e9 / f64::from(CHECKS))
}

fn config(folder: &Folder, kind: Kind) -> String {
    let mut config = "[broker]\nlisten = '127.0.0.1:1883'\nlimits = { max_rate = 0 }\n[pera]\nserve_all = true\n[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'empty'\n[[simulate]]\nrobot = 'misty-1'\n\
                      body = 'misty'\nposition_m = [3.0, 3.0]\n[[misty.serve]]\nrobot = 'misty-1'\nlisten = '127.0.0.1:8081'\n"
        .to_owned();
    if kind.tls {
        let [certificate, key, ca] =
            ["gateway.test.pem", "gateway.test.key", "ca.pem"].map(|it| folder.file(it));
        config += &format!("[tls]\ncertificate = '{certificate}'\nkey = '{key}'\nclient_ca = '{ca}'\n");
    }
    if kind.users {
        config += &format!("[access]\nusers = '{}'\n", folder.file("users.toml"));
    }
    config
}

/// Where requests go, and how.
struct Client {
    trust: Trust,
    address: String,
    port: u16,
    kind: Kind,
}

impl Client {
    async fn connect(&self) -> anyhow::Result<Stream> {
        Ok(self.trust.connect("127.0.0.1", self.port, self.kind.tls).await?)
    }

    fn login(&self) -> &'static str {
        if self.kind.users { LOGIN } else { "" }
    }

    /// Asks once.
    async fn ask(&self, stream: &mut BufReader<Stream>) -> anyhow::Result<()> {
        let request = format!("GET {ASKED} HTTP/1.1\r\nHost: {}\r\n{}\r\n", self.address, self.login());
        stream.write_all(request.as_bytes()).await?;
        stream.flush().await?;
        let (mut line, mut length) = (String::new(), 0);
        stream.read_line(&mut line).await?;
        ensure!(line.contains(" 200 "), "it answers {line}");
        while line.trim_end() != "" {
            line.clear();
            stream.read_line(&mut line).await?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        stream.read_exact(&mut vec![0; length]).await?;
        Ok(())
    }
}

async fn measure(clock: Clock, folder: &Folder, kind: Kind) -> anyhow::Result<Run> {
    let gateway = Gateway::with_text(&config(folder, kind)).await;
    let files = TrustFiles {
        roots: Some(folder.file("ca.pem").into()),
        identity: Some((folder.file("anna.pem").into(), folder.file("anna.key").into())),
    };
    let address = gateway.misty();
    let port = address.rsplit_once(':').context("host and port")?.1.parse()?;
    let client = Client { trust: Trust::load(files, Named::default())?, address, port, kind };

    let mut new = Vec::new();
    for _ in 0..NEW_CONNECTIONS {
        let began = clock.now();
        client.ask(&mut BufReader::new(client.connect().await?)).await?;
        new.push(clock.now().since(began).as_secs_f64() * 1e6);
    }
    let (mut stream, mut kept) = (BufReader::new(client.connect().await?), Vec::new());
    for _ in 0..REQUESTS {
        let began = clock.now();
        client.ask(&mut stream).await?;
        kept.push(clock.now().since(began).as_secs_f64() * 1e6);
    }

    let published_per_s = publish(clock, &gateway.port(MQTT), kind.users).await?;
    let (stop, stopped) = watch::channel(false);
    let mut readers = Vec::new();
    for number in 0..SUBSCRIBERS {
        let stream = client.connect().await?;
        let mut socket = WebSocket::over(stream, &client.address, PATH, client.login()).await?;
        subscribe(&mut socket, &format!("subscriber-{number}")).await?;
        readers.push(tokio::spawn(read(socket, clock, stopped.clone())));
    }
    clock.sleep(WARM_UP).await;
    let start = clock.now();
    clock.sleep(MEASURED).await;
    let end = clock.now();
    // What was made just before the end is still on its way.
    clock.sleep(Duration::from_secs(1)).await;
    let resident_bytes = gateway.resident_bytes();
    stop.send(true)?;
    let mut received = Vec::new();
    for reader in readers {
        received.push(reader.await.context("a subscriber broke down")??.0);
    }
    let events = Figures::of(&received, &(start..end), resident_bytes);
    Ok(Run { new_us: median(new), kept_us: median(kept), published_per_s, events })
}

/// Publishes to a robot's topic by plain MQTT, as fast as one client can.
async fn publish(clock: Clock, broker: &str, users: bool) -> anyhow::Result<Option<f64>> {
    if !Mosquitto::is_installed() {
        return Ok(None);
    }
    let (host, port) = broker.split_once(':').context("host and port")?;
    let mut command = Command::new("mosquitto_pub");
    command.args(["-h", host, "-p", port, "-q", "1", "-l", "-t", "v1/sensor/distance/1"]);
    if users {
        command.args(["-u", "driver", "-P", "driver"]);
    }
    let began = clock.now();
    let mut client = command.stdin(Stdio::piped()).spawn()?;
    let mut lines = client.stdin.take().context("it is piped")?;
    lines.write_all("12\n".repeat(MESSAGES).as_bytes()).await?;
    drop(lines);
    ensure!(client.wait().await?.success(), "mosquitto_pub failed");
    Ok(Some(MESSAGES as f64 / clock.now().since(began).as_secs_f64()))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
