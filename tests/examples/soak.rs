//! `make soak`: a demo with clients of all kinds that come and go, and what the gateway holds when all have gone.
//!
//! ```text
//! SOAK_MINUTES ── rounds of a minute: clients come and go ──▶ all leave ──▶ quiet ──▶ memory, handles, tasks: a row
//!                 fails if the last row is more than 10 % beyond that after five minutes
//! ```
//!
//! `SOAK_CLIENTS=misty,mqtt` lets only these come, to find out whose it is.
//!
//! Clients behave as programs do, and worse: some say goodbye, others are cut off.

use std::process::ExitCode;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt, StreamExt};
use latimer_core::Clock;
use latimer_e2e::mqtt::MqttClient;
use latimer_e2e::program::repository;
use latimer_e2e::{Gateway, MistyClient};
use serde_json::json;
use tokio::task::JoinSet;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// How long it lasts unless `SOAK_MINUTES` says otherwise.
const MINUTES: u64 = 30;
/// After so long everything that is made once is there, and the row to compare with is taken.
const SETTLED: Duration = Duration::from_secs(300);
/// How long clients come and go in a round.
const ROUND: Duration = Duration::from_secs(45);
/// How long nobody is there then: what was freed is given back to the system within some ten seconds.
const QUIET: Duration = Duration::from_secs(15);
/// How far the last row may be beyond the first, in percent.
const PERCENT: f64 = 10.0;
/// Handles and tasks may differ by so many in any case, e.g. for a connection that is made anew.
const FEW: f64 = 4.0;
/// Sessions at the broker that are kept; more would be growth that is meant.
const AWAY: usize = 64;

/// What a gateway holds.
#[derive(Clone, Copy, Debug)]
struct Row {
    memory_mib: f64,
    handles: f64,
    tasks: f64,
}

impl Row {
    async fn of(gateway: &Gateway) -> Self {
        let page = reqwest::get(format!("http://{}/metrics", gateway.http())).await.expect("it answers");
        let page = page.text().await.expect("it is text");
        let figure = |name: &str| -> f64 {
            let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.and_then(|value| value.trim().parse().ok())
                .unwrap_or_else(|| panic!("no {name} in:\n{page}"))
        };
        Self {
            memory_mib: figure("process_resident_memory_bytes") / f64::from(1 << 20),
            handles: figure("process_open_fds"),
            tasks: figure("latimer_tasks"),
        }
    }

    /// The least of several.
    fn least(self, other: Self) -> Self {
        Self {
            memory_mib: self.memory_mib.min(other.memory_mib),
            handles: self.handles.min(other.handles),
            tasks: self.tasks.min(other.tasks),
        }
    }

    /// What grew by more than it may.
    fn grown(self, last: Self) -> Vec<String> {
        let figures = [
            ("memory, MiB", self.memory_mib, last.memory_mib, 0.0),
            ("handles", self.handles, last.handles, FEW),
            ("tasks", self.tasks, last.tasks, FEW),
        ];
        let far = |(_, before, after, few): &(&str, f64, f64, f64)| {
            after - before > (before * PERCENT / 100.0).max(*few)
        };
        let grown = figures.iter().filter(|it| far(it));
        grown.map(|(what, before, after, _)| format!("{what}: {before:.0} became {after:.0}")).collect()
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let minutes = match std::env::var("SOAK_MINUTES").map(|minutes| minutes.parse::<u64>()) {
        Err(_) => MINUTES,
        Ok(Ok(minutes)) if minutes > 1 => minutes,
        Ok(_) => {
            eprintln!("SOAK_MINUTES is a number of minutes, from 2");
            return ExitCode::from(2);
        }
    };
    let whole = Duration::from_secs(60 * minutes);
    // A short run compares with its middle.
    let settled = SETTLED.min(whole / 2);
    let demo = std::fs::read_to_string(repository().join("config/demo.toml")).expect("the demo is there");
    let gateway = Gateway::with_text(&format!("{demo}\n[broker.limits]\nmax_away = {AWAY}\n")).await;
    let clock = Clock::system();
    let began = clock.now();
    println!("{:>8} {:>12} {:>8} {:>6} {:>8}", "minute", "memory, MiB", "handles", "tasks", "clients");
    let (mut first, mut last, mut round) = (None, None, 0);
    while clock.now().since(began) < whole {
        let clients = come_and_go(&gateway, clock, round).await;
        let row = quiet(&gateway, clock).await;
        let passed = clock.now().since(began);
        let minute = passed.as_secs_f64() / 60.0;
        println!("{minute:>8.1} {:>12.0} {:>8} {:>6} {clients:>8}", row.memory_mib, row.handles, row.tasks);
        if first.is_none() && passed >= settled {
            first = Some(row);
        }
        last = Some(row);
        round += 1;
    }
    let said = gateway.said();
    let faults = said.lines().filter(|line| line.contains("panicked") || line.contains(" ERROR "));
    faults.clone().take(10).for_each(|line| eprintln!("the gateway said: {line}"));
    let grown = first.zip(last).map(|(first, last)| first.grown(last)).unwrap_or_default();
    grown.iter().for_each(|line| eprintln!("more than {PERCENT} % beyond what it was: {line}"));
    if grown.is_empty() && faults.count() == 0 {
        println!("the gateway holds what it held after {:.0} minutes", settled.as_secs_f64() / 60.0);
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}

/// What the gateway holds while nobody is there: the least of a few looks.
async fn quiet(gateway: &Gateway, clock: Clock) -> Row {
    clock.sleep(QUIET).await;
    let mut row = Row::of(gateway).await;
    for _ in 0..5 {
        clock.sleep(Duration::from_secs(1)).await;
        row = row.least(Row::of(gateway).await);
    }
    row
}

/// Where a gateway is.
#[derive(Clone)]
struct At {
    http: String,
    misty: String,
    broker: String,
    master: String,
    clock: Clock,
    web: reqwest::Client,
}

/// A round: clients of all kinds, each again and again; how many there were.
async fn come_and_go(gateway: &Gateway, clock: Clock, round: u64) -> u64 {
    let at = At {
        http: gateway.http(),
        misty: gateway.misty(),
        broker: gateway.port(20),
        master: gateway.port(30),
        clock,
        // Its connections end with the round.
        web: reqwest::Client::new(),
    };
    let until = clock.now().after(ROUND);
    let only = std::env::var("SOAK_CLIENTS").ok();
    let mut kinds = JoinSet::new();
    macro_rules! again {
        ($client:ident, $count:expr) => {
            let is_there =
                only.as_ref().is_none_or(|only| only.split(',').any(|it| it == stringify!($client)));
            for number in (0..$count).filter(|_| is_there) {
                let at = at.clone();
                kinds.spawn(async move {
                    let mut times = 0;
                    while at.clock.now() < until {
                        $client(&at, round * 1_000_000 + number * 10_000 + times).await;
                        times += 1;
                    }
                    times
                });
            }
        };
    }
    again!(streams, 3);
    again!(misty, 3);
    again!(chassis, 2);
    again!(mqtt, 3);
    again!(ros, 1);
    again!(pictures, 1);
    again!(maps, 1);
    again!(requests, 2);
    again!(broken, 1);
    kinds.join_all().await.into_iter().sum()
}

/// Reads a socket for a while; then says goodbye, or is cut off.
async fn follow(url: String, greeting: Option<String>, number: u64) {
    let (mut socket, _) = connect_async(&url).await.unwrap_or_else(|error| panic!("{url}: {error}"));
    if let Some(greeting) = greeting {
        socket.send(Message::text(greeting)).await.expect("the socket is open");
    }
    let reads = async { while socket.next().await.is_some() {} };
    let _ = tokio::time::timeout(Duration::from_millis(300 + number % 7 * 200), reads).await;
    if number.is_multiple_of(2) {
        let _ = socket.close(None).await;
    }
}

async fn streams(at: &At, number: u64) {
    let select = ["**", "*/pose", "misty-1/imu", "axbot-1/**"][(number % 4) as usize];
    follow(format!("ws://{}/api/v1/stream?select={select}&every=50ms", at.http), None, number).await;
}

async fn misty(at: &At, number: u64) {
    let mut client = MistyClient::connect(&at.misty).await;
    // A robot knows each name once, whoever gave it.
    let name = |kind: &str| format!("{kind} {number}");
    for kind in ["IMU", "SelfState", "TimeOfFlight"] {
        client.subscribe(kind, &name(kind), json!({"DebounceMs": 0})).await;
    }
    for _ in 0..5 + number % 20 {
        client.event(&name("IMU")).await;
    }
}

async fn chassis(at: &At, number: u64) {
    let topics = ["/tracked_pose", "/scan_matched_points2", "/battery_state", "/wheel_state", "/map"];
    let greeting = json!({ "enable_topic": topics }).to_string();
    let url = format!("ws://{}/robots/axbot-1/axbot/ws/v2/topics", at.http);
    follow(url, Some(greeting), number).await;
}

/// A client whose session stays, under a name that never comes back.
async fn mqtt(at: &At, number: u64) {
    let mut client = MqttClient::connect(&at.broker, &format!("soak-{number}"), false).await;
    client.subscribe("soak/#", (number % 2) as u8).await;
    for message in 0..20 {
        client.publish(&format!("soak/{message}"), &[b'x'; 2_000], (message % 2) as u8, message == 0).await;
    }
    for _ in 0..5 {
        client.message().await;
    }
    at.clock.sleep(Duration::from_millis(200)).await;
    if number.is_multiple_of(2) {
        client.disconnect().await;
    }
}

/// A node that registers, and takes its leave.
async fn ros(at: &At, number: u64) {
    let (node, uri) = (format!("/soak_{number}"), "http://127.0.0.1:9/");
    for (method, params) in [
        ("registerPublisher", vec![&node, "/soak", "std_msgs/String", uri]),
        ("registerSubscriber", vec![&node, "/miro_1/sensors/odom", "*", uri]),
        ("getSystemState", vec![&node]),
        ("unregisterSubscriber", vec![&node, "/miro_1/sensors/odom", uri]),
        ("unregisterPublisher", vec![&node, "/soak", uri]),
    ] {
        let params = params.iter().map(|param| format!("<param><value>{param}</value></param>"));
        let call = format!(
            "<?xml version=\"1.0\"?><methodCall><methodName>{method}</methodName><params>{}</params></methodCall>",
            params.collect::<String>()
        );
        let sent =
            at.web.post(format!("http://{}/", at.master)).header("content-type", "text/xml").body(call);
        let answer = sent.send().await.expect("the master answers").text().await.expect("it is text");
        assert!(answer.contains("methodResponse"), "{method}: {answer}");
    }
    at.clock.sleep(Duration::from_millis(100)).await;
}

async fn pictures(at: &At, number: u64) {
    let side = 64 + number % 8 * 64;
    let path = format!("robots/misty-1/misty/api/cameras/rgb?Width={side}&Height={side}");
    let answer = at.web.get(format!("http://{}/{path}", at.http)).send().await.expect("it answers");
    let _ = answer.bytes().await.expect("it is complete");
}

/// A map that is uploaded, looked at and deleted.
async fn maps(at: &At, number: u64) {
    let side = 200 + (number % 10) as u32 * 40;
    let maps = format!("http://{}/robots/axbot-1/axbot/maps/", at.http);
    let map = json!({
        "map_name": format!("soak {number}"),
        "occupancy_grid": STANDARD.encode(picture(side)),
        "grid_resolution": 0.05,
        "grid_origin_x": 0,
        "grid_origin_y": 0,
    });
    let made = at.web.post(&maps).json(&map).send().await.expect("it answers");
    assert_eq!(made.status(), 201, "a map is made");
    let _ = at.web.get(&maps).send().await.expect("it answers").bytes().await;
    let cleared = at.web.delete(&maps).send().await.expect("it answers");
    assert_eq!(cleared.status(), 204, "maps are deleted");
    at.clock.sleep(Duration::from_millis(200)).await;
}

/// A picture of free cells.
fn picture(side: u32) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a picture has a header");
    let free = vec![0xff; (side.div_ceil(8) * side) as usize];
    writer.write_image_data(&free).expect("it has all its pixels");
    writer.finish().expect("it has an end");
    png
}

async fn requests(at: &At, number: u64) {
    let addresses =
        ["/api/v1/robots", "/api/v1/commands", "/api/v1/history", "/metrics", "/api/v1/nothing", "/"];
    let address = addresses[(number % addresses.len() as u64) as usize];
    let answer = at.web.get(format!("http://{}{address}", at.http)).send().await.expect("it answers");
    let _ = answer.bytes().await.expect("it is complete");
    let led = json!({"red": number % 256, "green": 0, "blue": 0});
    let led = at.web.post(format!("http://{}/api/led", at.misty)).json(&led).send().await;
    let _ = led.expect("it answers").bytes().await;
    at.clock.sleep(Duration::from_millis(50)).await;
}

/// One that begins a request, a handshake or a packet, and goes.
async fn broken(at: &At, number: u64) {
    use tokio::io::AsyncWriteExt as _;
    let (address, begun): (&str, &[u8]) = match number % 3 {
        0 => (&at.http, b"POST /api/v1/robots HTTP/1.1\r\nContent-Length: 1000\r\n\r\nhalf"),
        1 => (&at.misty, b"GET /pubsub HTTP/1.1\r\nUpgrade: websocket\r\n"),
        _ => (&at.broker, b"\x10\xff\x01"),
    };
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("it listens");
    let _ = stream.write_all(begun).await;
    at.clock.sleep(Duration::from_millis(100)).await;
}
