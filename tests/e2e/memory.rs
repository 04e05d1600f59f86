//! Clients that fill what they can: the gateway's memory has a bound, nobody else notices, and it is given back.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use futures_util::stream;
use latimer_e2e::PATIENCE;
use latimer_e2e::mqtt::MqttClient;
use latimer_e2e::{Gateway, MistyClient};
use serde_json::{Value, json};

const MIB: u64 = 1 << 20;
/// What the program may take beside: for its work, and for pieces that are not given back at once.
const BESIDE: u64 = 64 * MIB;
/// How long it may take until memory is given back.
const GIVEN_BACK: Duration = Duration::from_secs(60);

/// A gateway with the demo's robots, whose memory is looked at all the time, and a client that must not notice anything.
struct Watched {
    gateway: Gateway,
    other: MistyClient,
    before: u64,
}

impl Watched {
    /// The demo after `warm`, so that what is made once is no growth.
    async fn start(warm: impl AsyncFnOnce(&Gateway)) -> Self {
        let gateway = Gateway::demo().await;
        let mut other = MistyClient::connect(&gateway.misty()).await;
        other.subscribe("IMU", "other", json!({"DebounceMs": 0})).await;
        other.event("other").await;
        warm(&gateway).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let before = gateway.resident_bytes();
        Self { gateway, other, before }
    }

    /// Does something while the other client gets its events; the most memory meanwhile beyond what it was.
    async fn during<T>(&mut self, what: &str, burst: impl AsyncFnOnce(&Gateway) -> T) -> (u64, T) {
        let Self { gateway, other, before } = self;
        let mut most = 0;
        let others = async {
            loop {
                other.event("other").await;
            }
        };
        let looks = async {
            loop {
                most = most.max(gateway.resident_bytes());
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let done = tokio::select! {
            done = burst(gateway) => done,
            () = async { tokio::join!(others, looks); } => unreachable!("both go on"),
        };
        let grown = most.saturating_sub(*before);
        eprintln!("{what}: {} MiB before, {} MiB more", *before / MIB, grown / MIB);
        (grown, done)
    }

    /// Waits until no more than 1.5 times of the memory before is in use.
    async fn until_given_back(&self, what: &str) {
        let most = self.before / 2 * 3;
        let back = async {
            while self.gateway.resident_bytes() > most {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        let done = tokio::time::timeout(GIVEN_BACK, back).await;
        let now = self.gateway.resident_bytes() / MIB;
        eprintln!("{what}: {now} MiB after, {} MiB before", self.before / MIB);
        assert!(done.is_ok(), "{what}: {now} MiB are left, {} MiB were there before", self.before / MIB);
    }
}

async fn refused(gateway: &Gateway, share: &str) -> f64 {
    gateway.figure(&format!("latimer_memory_refused_total{{share=\"{share}\"}}")).await
}

/// A burst fills a share and little more.
async fn assert_within(gateway: &Gateway, grown: u64, share: &str, what: &str) {
    let share = gateway.figure(&format!("latimer_memory_limit_bytes{{share=\"{share}\"}}")).await;
    let bound = share as u64 + BESIDE;
    assert!(grown < bound, "{what}: {} MiB more, {} MiB are allowed", grown / MIB, bound / MIB);
}

/// A map of so many cells a side, all free.
fn map(name: &str, side: u32) -> Value {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a picture has a header");
    let free = vec![0xff; (side.div_ceil(8) * side) as usize];
    writer.write_image_data(&free).expect("it has all its pixels");
    writer.finish().expect("it has an end");
    json!({
        "map_name": name,
        "occupancy_grid": STANDARD.encode(png),
        "grid_resolution": 0.05,
        "grid_origin_x": 0,
        "grid_origin_y": 0,
    })
}

/// The robots of the demo.
const ROBOTS: [&str; 8] =
    ["misty-1", "axbot-1", "pera-1", "pera-2", "pera-3", "pera-4", "miro-1", "robotkoop-1"];

fn maps_of(gateway: &Gateway, robot: &str) -> String {
    format!("http://{}/robots/{robot}/axbot/maps/", gateway.http())
}

/// 40 maps of 13 million cells each, four at a time.
#[tokio::test]
async fn forty_maps_do_not_fill_the_memory() {
    let client = reqwest::Client::new();
    let mut watched = Watched::start(async |gateway| {
        for robot in ROBOTS {
            let small = client.post(maps_of(gateway, robot)).json(&map("small", 8)).send().await;
            assert_eq!(small.expect("it answers").status(), 201, "{robot}");
        }
    })
    .await;
    let big = map("", 3_600);
    let burst = async |gateway: &Gateway| {
        let uploads = ROBOTS.iter().flat_map(|robot| (0..5).map(move |number| (robot, number)));
        let uploads = uploads.map(|(robot, number)| {
            let mut body = big.clone();
            body["map_name"] = json!(format!("big {number}"));
            client.post(maps_of(gateway, robot)).json(&body).send()
        });
        let answers = stream::iter(uploads).buffer_unordered(4).collect::<Vec<_>>().await;
        let mut statuses = [0; 2];
        for answer in answers {
            let answer = answer.expect("each is answered");
            match answer.status().as_u16() {
                201 => statuses[0] += 1,
                503 => {
                    assert_eq!(answer.headers()["retry-after"], "5");
                    let why: Value = answer.json().await.expect("it is JSON");
                    assert!(why["detail"].is_string(), "{why}");
                    statuses[1] += 1;
                }
                other => panic!("{other}: {}", answer.text().await.unwrap_or_default()),
            }
        }
        statuses
    };
    let (grown, [taken, not]) = watched.during("40 maps", burst).await;
    assert_within(&watched.gateway, grown, "maps", "40 maps").await;
    assert!(taken >= 4 && not >= 4, "{taken} are kept, {not} refused");
    assert!(refused(&watched.gateway, "maps").await >= 1.0);
    assert!(watched.gateway.said().contains("limits.memory"), "the log tells");
    for robot in ROBOTS {
        let cleared = client.delete(maps_of(&watched.gateway, robot)).send().await.expect("it answers");
        assert_eq!(cleared.status(), 204);
    }
    watched.until_given_back("40 maps").await;
}

/// 12 pictures of the largest size at once.
#[tokio::test]
async fn twelve_large_pictures_do_not_fill_the_memory() {
    let picture = async |gateway: &Gateway, side: u32| {
        let path = format!("robots/misty-1/misty/api/cameras/rgb?Width={side}&Height={side}");
        let answer = reqwest::get(format!("http://{}/{path}", gateway.http())).await.expect("it answers");
        (answer.status().as_u16(), answer.bytes().await.expect("it is complete").len())
    };
    let mut watched = Watched::start(async |gateway| {
        assert_eq!(picture(gateway, 64).await.0, 200);
    })
    .await;
    let burst = async |gateway: &Gateway| {
        let pictures = (0..12).map(|_| picture(gateway, 4_160));
        stream::iter(pictures).buffer_unordered(12).collect::<Vec<_>>().await
    };
    let (grown, answers) = watched.during("12 pictures", burst).await;
    assert_within(&watched.gateway, grown, "pictures", "12 pictures").await;
    let taken = answers.iter().filter(|(status, bytes)| *status == 200 && *bytes > 100_000).count();
    let refused = answers.iter().filter(|(status, _)| *status == 503).count();
    assert!(taken >= 1 && taken + refused == 12, "{answers:?}");
    watched.until_given_back("12 pictures").await;
}

/// A topic's payload of 64 KiB.
static PAYLOAD: [u8; 64 << 10] = [b'x'; 64 << 10];

/// One client's retained messages, 256 MiB.
#[tokio::test]
async fn retained_messages_do_not_fill_the_memory() {
    let mut watched = Watched::start(async |gateway| {
        let mut client = MqttClient::connect(&gateway.port(20), "warm", true).await;
        client.publish("warm", b"x", 1, false).await;
        client.settled().await;
    })
    .await;
    let held = "latimer_memory_bytes{share=\"retained\"}";
    let own = watched.gateway.figure(held).await;
    let burst = async |gateway: &Gateway| {
        let broker = gateway.port(20);
        let mut other = MqttClient::connect(&broker, "other", true).await;
        other.subscribe("other/#", 1).await;
        let mut flood = MqttClient::connect(&broker, "hoarder", true).await;
        for number in 0..4_096 {
            flood.publish(&format!("hoard/{number}"), &PAYLOAD, 1, true).await;
        }
        flood.settled().await;
        flood.publish("other/1", b"not retained", 1, false).await;
        assert_eq!(other.message().await, ("other/1".to_owned(), b"not retained".to_vec()));
        flood
    };
    let (grown, mut flood) = watched.during("retained", burst).await;
    assert_within(&watched.gateway, grown, "retained", "retained").await;
    assert!(refused(&watched.gateway, "retained").await >= 1.0);
    assert!(watched.gateway.said().contains("hoarder"), "the log names the client");
    // The first messages are there, and can be replaced.
    flood.publish("hoard/0", b"new", 1, true).await;
    flood.subscribe("hoard/0", 1).await;
    assert_eq!(flood.message().await, ("hoard/0".to_owned(), b"new".to_vec()));
    for number in 0..4_096 {
        flood.publish(&format!("hoard/{number}"), b"", 1, true).await;
    }
    flood.settled().await;
    flood.disconnect().await;
    // The gateway's own may have changed.
    assert!(watched.gateway.figure(held).await < own + 4_096.0);
    watched.until_given_back("retained").await;
}

/// 60 clients that subscribed to everything and went away; 16 MiB could wait for each.
#[tokio::test]
async fn absent_sessions_do_not_fill_the_memory() {
    let mut watched = Watched::start(async |gateway| {
        let mut client = MqttClient::connect(&gateway.port(20), "warm", true).await;
        client.publish("warm", b"x", 1, false).await;
        client.settled().await;
    })
    .await;
    let burst = async |gateway: &Gateway| {
        let broker = gateway.port(20);
        for number in 0..60 {
            let mut absent = MqttClient::connect(&broker, &format!("absent-{number}"), false).await;
            // Of its own: what several wait for is there once.
            absent.subscribe(&format!("everything/{number}/#"), 1).await;
            absent.disconnect().await;
        }
        let mut other = MqttClient::connect(&broker, "other", true).await;
        other.subscribe("everything/#", 1).await;
        let mut publisher = MqttClient::connect(&broker, "publisher", true).await;
        for number in 0..3_000_u32 {
            let topic = format!("everything/{}/{number}", number % 60);
            publisher.publish(&topic, &PAYLOAD, 1, false).await;
            assert_eq!(other.message().await.0, topic, "none is lost");
        }
    };
    let (grown, ()) = watched.during("absent sessions", burst).await;
    assert_within(&watched.gateway, grown, "sessions", "absent sessions").await;
    assert!(watched.gateway.figure("latimer_mqtt_sessions_forgotten_total").await >= 30.0);
    assert!(watched.gateway.said().contains("absent-"), "the log names a client");
    for number in 0..60 {
        let back = MqttClient::connect(&watched.gateway.port(20), &format!("absent-{number}"), true).await;
        back.disconnect().await;
    }
    watched.until_given_back("absent sessions").await;
}

/// 40 clients that subscribed with QoS 0 and read nothing; 256 MiB are published.
#[tokio::test]
async fn messages_of_qos_0_do_not_fill_the_memory() {
    let mut watched = Watched::start(async |gateway| {
        let mut client = MqttClient::connect(&gateway.port(20), "warm", true).await;
        client.publish("warm", b"x", 0, false).await;
        client.settled().await;
    })
    .await;
    let burst = async |gateway: &Gateway| {
        let broker = gateway.port(20);
        let mut deaf = Vec::new();
        for number in 0..40 {
            deaf.push(MqttClient::deaf(&broker, &format!("deaf-{number}"), "flood/#").await);
        }
        let mut other = MqttClient::connect(&broker, "other", true).await;
        other.subscribe("other", 0).await;
        let mut telemetry = MqttClient::connect(&broker, "telemetry", true).await;
        let mut flood = MqttClient::connect(&broker, "flood", true).await;
        for number in 0..4_096 {
            flood.publish(&format!("flood/{number}"), &PAYLOAD, 0, false).await;
            if number % 64 == 0 {
                telemetry.publish("other", &PAYLOAD[..2_048], 0, false).await;
                assert_eq!(other.message().await.1.len(), 2_048, "others' messages arrive");
            }
        }
        flood.settled().await;
        deaf
    };
    let (grown, deaf) = watched.during("QoS 0", burst).await;
    assert_within(&watched.gateway, grown, "qos0", "QoS 0").await;
    assert!(refused(&watched.gateway, "qos0").await >= 1.0);
    assert!(watched.gateway.said().contains("client=flood"), "the log names the client");
    drop(deaf);
    watched.until_given_back("QoS 0").await;
}

/// Clients that never come back under the same name.
#[tokio::test]
async fn sessions_under_changing_names_have_a_bound() {
    let gateway = Gateway::with_text(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\nlimits = { max_away = 20 }\n",
    )
    .await;
    let broker = gateway.port(20);
    for number in 0..100 {
        let mut client = MqttClient::connect(&broker, &format!("changing-{number}"), false).await;
        client.subscribe("news", 1).await;
        client.publish("news", b"x", 1, false).await;
        client.message().await;
        client.disconnect().await;
    }
    // The last one may be noted a moment after its connection was closed.
    let noted = async {
        while gateway.figure("latimer_mqtt_sessions_forgotten_total").await < 80.0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, noted).await.expect("80 sessions are forgotten");
    assert_eq!(gateway.figure("latimer_mqtt_sessions_away").await, 20.0);
    assert!(gateway.said().contains("changing-"), "the log names a client");
    // The newest are there still.
    let mut publisher = MqttClient::connect(&broker, "publisher", true).await;
    publisher.publish("news", b"for you", 1, false).await;
    publisher.settled().await;
    let mut newest = MqttClient::connect(&broker, "changing-99", false).await;
    loop {
        if newest.message().await.1 == b"for you" {
            break;
        }
    }
}
