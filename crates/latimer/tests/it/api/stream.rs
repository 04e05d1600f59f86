//! What a stream can be asked for beyond updates one by one.

use std::time::Duration;

use latimer_core::Update;
use latimer_core::model::Kind;
use latimer_core::model::signal::Battery;
use latimer_core::model::signal::LinkState;
use latimer_core::model::signal::image::{Encoding, Image};
use latimer_dialects::DIALECTS;
use latimer_e2e::PATIENCE;
use latimer_wire::v1::{Frame, Problem};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::support::{Api, Stream, range};

#[tokio::test]
async fn what_comes_within_a_batch_is_one_message() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    let mut stream = api.stream("select=misty-1/range/**&batch=200ms&n=4").await;
    source.publish(range(&source, "front", 0.1));
    assert_eq!(distances(&mut stream).await, [0.1], "the first one does not wait");
    let began = api.clock.now();
    for i in 2..=9 {
        source.publish(range(&source, "front", f64::from(i) / 10.0));
    }
    source.publish(range(&source, "back", 1.0));
    assert_eq!(distances(&mut stream).await, [0.9, 1.0], "of each state the newest");
    assert!(api.clock.now().since(began) > Duration::from_millis(150));
    source.publish(range(&source, "front", 0.2));
    source.publish(range(&source, "back", 0.3));
    assert_eq!(distances(&mut stream).await, [0.2], "as many as were asked for");
    assert!(stream.next_text().await.unwrap().contains(r#""reason":"complete""#));
    for bad in ["0ms", "11s", "fast"] {
        let response = reqwest::get(api.url(&format!("/api/v1/stream?batch={bad}"))).await.unwrap();
        assert_eq!(response.status().as_u16(), 400, "{bad}");
        assert_eq!(response.json::<Problem>().await.unwrap().place.unwrap(), "batch");
    }
}

/// The distances of the next message, which must be a batch.
async fn distances(stream: &mut Stream) -> Vec<f64> {
    let text = stream.next_text().await.expect("the stream goes on");
    let frame = Frame::parse(&text).unwrap();
    assert_eq!(frame.to_json(), text);
    let Frame::Batch(frames) = frame else { panic!("no batch: {text}") };
    let distance = |frame: Frame| match frame {
        Frame::Update(update) => update.data.unwrap()["distance_m"].as_f64().unwrap(),
        other => panic!("no update: {other:?}"),
    };
    frames.into_iter().map(distance).collect()
}

#[tokio::test]
async fn all_dialects_at_once_and_pictures_as_base64() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    let mut all = api.stream("select=misty-1/battery&as=all&n=1").await;
    let battery = Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN };
    source.publish(Update::now(source.robot(), api.clock.now(), battery.into()));
    let update = all.next_update().await;
    assert_eq!(update.data.unwrap()["charge_ratio"], 0.5);
    let messages = update.messages.unwrap();
    let misty = messages.iter().find(|message| message.dialect == "misty").unwrap();
    assert_eq!(misty.topic, "BatteryCharge");
    assert!(misty.payload.as_ref().unwrap().get().contains("chargePercent"), "{misty:?}");

    let mut counted = api.stream("select=misty-1/image&n=1").await;
    let mut written = api.stream("select=misty-1/image&bytes=base64&n=1").await;
    let image = Image { encoding: Encoding::Rgb8, width: 1, height: 1, data: vec![0, 1, 2].into() };
    source.publish(Update::now(source.robot(), api.clock.now(), image.into()));
    assert_eq!(counted.next_update().await.data.unwrap()["data"], "<3 bytes>");
    assert_eq!(written.next_update().await.data.unwrap()["data"], "AAEC");
    let last = api.get("/api/v1/last?select=misty-1/image&bytes=base64").await;
    assert_eq!(last["updates"][0]["data"]["data"], "AAEC");
}

#[tokio::test]
async fn a_kind_that_a_dialect_has_no_message_for_is_refused_before_the_stream_begins() {
    let api = Api::start().await;
    let ask = async |select: &str, dialect: &str| {
        let path = format!("/api/v1/stream?select={select}&as={dialect}");
        reqwest::get(api.url(&path)).await.unwrap()
    };
    for entry in DIALECTS {
        for kind in Kind::ALL {
            let response = ask(&format!("rover-1/{kind}"), entry.name).await;
            if entry.has_message_of(*kind) {
                assert_eq!(response.status().as_u16(), 200, "{} {kind}", entry.name);
                continue;
            }
            assert_eq!(response.status().as_u16(), 400, "{} {kind}", entry.name);
            let problem = response.json::<Problem>().await.unwrap();
            assert_eq!(problem.place.as_deref(), Some("as"));
            assert_eq!(problem.detail, format!("{} has no message for {kind}", entry.name));
            let first = entry.messages.iter().flat_map(|message| message.kinds).min().unwrap();
            assert!(problem.advice.unwrap().contains(first.as_str()));
        }
    }
    for some in ["rover-1", "*/*/front", "rover-1/p*", "rover-1/pins,rover-1/battery"] {
        assert_eq!(ask(some, "misty").await.status().as_u16(), 200, "{some}");
    }
}

#[tokio::test]
async fn without_a_websocket_the_same_frames_are_events() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.link(LinkState::Up, None);
    let mut events = api.events("select=misty-1/range/**,misty-1/link&n=2").await;
    assert_eq!(events.next().await.unwrap().0, "update");
    source.link(LinkState::Down, Some("cable".into()));
    source.publish(range(&source, "front", 0.5));
    let mut names = Vec::new();
    while let Some((name, data)) = events.next().await {
        let frame: Value = serde_json::from_str(&data).unwrap();
        assert_eq!(frame["type"], name);
        names.push(name);
    }
    assert_eq!(names, ["update", "end"], "the second update, and that it was the last");
    while !api.hub.sinks().is_empty() {
        tokio::task::yield_now().await;
    }

    let mut batches = api.events("select=misty-1/range/**&batch=10ms").await;
    assert_eq!(batches.next().await.unwrap().0, "batch");
    api.shutdown.cancel();
    let (name, data) = batches.next().await.unwrap();
    assert!(name == "end" && data.contains("stopping"), "{name} {data}");
    assert_eq!(batches.next().await, None);
}

#[tokio::test]
async fn a_client_of_events_that_goes_or_does_not_read_is_let_go() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    drop(api.events("select=misty-1/image").await);
    let began = api.clock.now();
    while !api.hub.sinks().is_empty() {
        assert!(api.clock.now().since(began) < PATIENCE, "it is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    let mut frozen = TcpStream::connect(&api.authority).await.unwrap();
    let head = format!("GET /api/v1/stream?bytes=base64 HTTP/1.1\r\nHost: {}\r\n\r\n", api.authority);
    frozen.write_all(head.as_bytes()).await.unwrap();
    while api.hub.sinks().is_empty() {
        tokio::task::yield_now().await;
    }
    let began = api.clock.now();
    while !api.hub.sinks().is_empty() {
        let data = vec![0; 1 << 20].into();
        let image = Image { encoding: Encoding::Rgb8, width: 1, height: 1, data };
        source.publish(Update::now(source.robot(), api.clock.now(), image.into()));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(api.clock.now().since(began) < PATIENCE, "the frozen client is still there");
    }
    assert!(api.clock.now().since(began) > Duration::from_secs(8), "it was given time to read");
    // Reading earlier would let the gateway go on writing.
    tokio::time::sleep(Duration::from_secs(3)).await;
    // The gateway has closed it: what the system still holds comes, then the end.
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(2), frozen.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is still open");
    assert!(!rest.ends_with(b"0\r\n\r\n"), "it was cut in the middle");
}
