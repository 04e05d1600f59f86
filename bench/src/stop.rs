//! How fast a stop reaches a robot's wheels: from the request until the robot's own web server has it.
//!
//! ```text
//! POST stop ──▶ a Misty (this process)                                  alone, beside nothing
//! POST stop ──▶ gateway (own process) ──▶ the same Misty                idle
//! the same, while the camera of a simulated chassis is encoded as video                        camera
//! the same, while 10,000 drives are posted to that robot and 1,000 sockets follow another      storm
//! the same over a new connection each, while 4,096 others hold the common port                 full
//! ```
//!
//! Generator, robot and gateway share the machine, so the figures compare within one run only.

use std::time::Duration;

use anyhow::{Context, ensure};
use futures_util::future;
use latimer_core::Clock;
use latimer_e2e::{Gateway, SlowRobot};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::axbot::VIDEO;
use crate::cpu;
use crate::websocket::WebSocket;

/// Stops of each run, and the time between two.
const STOPS: usize = 200;
const EVERY: Duration = Duration::from_millis(50);

/// Sockets that follow another robot, ten times a second each.
const FOLLOWERS: usize = 1_000;

/// Drives that are posted meanwhile, by so many clients.
const DRIVES: usize = 10_000;
const DRIVERS: usize = 32;

/// What tells a frame of video from the other messages of its socket.
const VIDEO_FRAME: &str = "\"data\"";

/// Connections that the common port takes; each is held by a client that asks for nothing.
const CONNECTIONS: usize = 4_096;

/// Within this time a stop is answered then, milliseconds.
const ANSWERED_WITHIN_MS: f64 = 100.0;

/// The address of a stop at a Misty, and its request to a gateway.
const AT_ROBOT: (&str, &str) = ("/api/drive/stop", "{}");
const AT_GATEWAY: (&str, &str) = ("/api/v1/robots/far/commands", r#"{"command":"stop"}"#);
const DRIVE: (&str, &str) =
    ("/api/v1/robots/far/commands", r#"{"command":"drive","linear_mps":0.1,"duration_s":1}"#);

/// Every run of it, as a table.
pub(crate) async fn run(clock: Clock) -> anyhow::Result<()> {
    println!("{STOPS} stops each; load of this machine before: {}\n", cpu::load_average());
    head("");
    let robot = SlowRobot::start(Duration::ZERO).await;
    line("straight to the robot", &measure(clock, &robot, robot.address(), AT_ROBOT).await?);
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\nmax_connections = {CONNECTIONS}\n[[misty.connect]]\nrobot = 'far'\naddress = '{}'\n\
         [world]\nfile = 'empty'\n[[simulate]]\nrobot = 'near'\nbody = 'misty'\nposition_m = [1.0, 1.0]\n\
         [[simulate]]\nrobot = 'films'\nbody = 'axbot'\nposition_m = [4.0, 4.0]\n",
        robot.address()
    );
    let gateway = Gateway::with_text(&config).await;
    gateway.until_up("far").await;
    let idle = measure(clock, &robot, &gateway.http(), AT_GATEWAY).await?;
    line("latimer, idle", &idle);

    let (end, ended) = watch::channel(());
    let mut viewer = WebSocket::connect(&gateway.http(), "/robots/films/axbot/ws/v2/topics", None).await?;
    viewer.send(&serde_json::json!({"enable_topic": [VIDEO]}).to_string()).await?;
    while !viewer.text().await?.contains(VIDEO_FRAME) {}
    let mut followers = vec![tokio::spawn(follow(viewer, ended.clone()))];
    line("latimer, a camera is encoded", &measure(clock, &robot, &gateway.http(), AT_GATEWAY).await?);
    for _ in 0..FOLLOWERS {
        let path = "/api/v1/stream?select=near/imu&every=100ms";
        let socket = WebSocket::connect(&gateway.http(), path, None).await?;
        followers.push(tokio::spawn(follow(socket, ended.clone())));
    }
    let storm = (0..DRIVERS).map(|_| tokio::spawn(drive(gateway.http(), DRIVES / DRIVERS)));
    let storm: Vec<_> = storm.collect();
    let began = clock.now();
    let stops = measure(clock, &robot, &gateway.http(), AT_GATEWAY).await?;
    let mut answered = 0;
    for drives in future::join_all(storm).await {
        answered += drives??;
    }
    let took = clock.now().since(began);
    line(&format!("latimer, {FOLLOWERS} followers and drives"), &stops);
    drop(end);
    for follower in future::join_all(followers).await {
        follower?.context("a follower broke down")?;
    }
    let polite = fill(&gateway.http()).await?;
    let full = measure_anew(clock, &robot, &gateway.http()).await?;
    line(&format!("latimer, {CONNECTIONS} connections held"), &full);
    drop(polite);
    println!(
        "\n{answered} drives were answered in {:.1} s; p99 beside them is {:.2} ms over the idle one",
        took.as_secs_f64(),
        stops.p99_ms - idle.p99_ms
    );
    ensure!(
        full.max_ms < ANSWERED_WITHIN_MS,
        "a stop took {:.1} ms while all connections were held",
        full.max_ms
    );
    Ok(())
}

/// Connections until the common port takes no more.
async fn fill(address: &str) -> anyhow::Result<Vec<TcpStream>> {
    let mut polite = Vec::new();
    for _ in 0..CONNECTIONS {
        polite.push(TcpStream::connect(address).await.context("ulimit -n 10000")?);
    }
    // Those that follow the robot had places until now, which are free by and by.
    while Http::connect(address).await?.request("GET", "/api/v1/robots", "").await? == 200 {
        polite.push(TcpStream::connect(address).await?);
    }
    Ok(polite)
}

/// Stops one after another, each over a connection of its own: the connecting counts.
async fn measure_anew(clock: Clock, robot: &SlowRobot, address: &str) -> anyhow::Result<Figures> {
    let (path, body) = AT_GATEWAY;
    let mut took_ms = Vec::new();
    for _ in 0..STOPS {
        clock.sleep(EVERY).await;
        let sent = clock.now();
        let status = Http::connect(address).await?.request("POST", path, body).await?;
        ensure!(status == 200, "a stop was answered {status}");
        robot.received("POST drive/stop", sent).context("a stop was answered and not received")?;
        took_ms.push(clock.now().since(sent).as_secs_f64() * 1e3);
    }
    Ok(Figures::of(took_ms))
}

/// How long something took, of many times.
pub(crate) struct Figures {
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

impl Figures {
    /// Of one time at least.
    pub(crate) fn of(mut took_ms: Vec<f64>) -> Self {
        took_ms.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| took_ms[((took_ms.len() as f64 * share) as usize).min(took_ms.len() - 1)];
        Self { p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1.0) }
    }
}

/// The table's head.
pub(crate) fn head(what: &str) {
    println!("{what:<34} {:>8} {:>8} {:>8}", "p50 ms", "p99 ms", "max ms");
}

/// One line of it.
pub(crate) fn line(name: &str, Figures { p50_ms, p99_ms, max_ms }: &Figures) {
    println!("{name:<34} {p50_ms:>8.2} {p99_ms:>8.2} {max_ms:>8.2}");
}

/// Stops one after another; each from before it is written until the robot has it.
async fn measure(
    clock: Clock,
    robot: &SlowRobot,
    address: &str,
    (path, body): (&str, &str),
) -> anyhow::Result<Figures> {
    let mut client = Http::connect(address).await?;
    let mut took_ms = Vec::new();
    for _ in 0..STOPS {
        clock.sleep(EVERY).await;
        let sent = clock.now();
        let status = client.post(path, body).await?;
        ensure!(status == 200, "a stop was answered {status}");
        // A stop may come twice, the second after what was on its way.
        let received =
            robot.received("POST drive/stop", sent).context("a stop was answered and not received")?;
        took_ms.push(received.since(sent).as_secs_f64() * 1e3);
    }
    Ok(Figures::of(took_ms))
}

/// Posts drives as fast as they are answered, by whatever; how many were.
async fn drive(address: String, count: usize) -> anyhow::Result<usize> {
    let mut client = Http::connect(&address).await?;
    let (path, body) = DRIVE;
    for _ in 0..count {
        let status = client.post(path, body).await?;
        // A stop came after it, or too many wait.
        ensure!([200, 409, 503].contains(&status), "a drive was answered {status}");
    }
    Ok(count)
}

async fn follow(mut socket: WebSocket, mut ended: watch::Receiver<()>) -> anyhow::Result<()> {
    loop {
        tokio::select! {
            text = socket.text() => drop(text?),
            _ = ended.changed() => return Ok(()),
        }
    }
}

/// As much of an HTTP client as this needs.
struct Http {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Http {
    async fn connect(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address: address.to_owned() })
    }

    async fn post(&mut self, path: &str, body: &str) -> anyhow::Result<u16> {
        self.request("POST", path, body).await
    }

    /// The status of the answer, whose body is read and forgotten.
    async fn request(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<u16> {
        let Self { stream, address } = self;
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let status =
            line.split(' ').nth(1).and_then(|word| word.parse().ok()).context("no answer of HTTP")?;
        let mut length = 0;
        while line.trim_end() != "" {
            line.clear();
            stream.read_line(&mut line).await?;
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        Ok(status)
    }
}
