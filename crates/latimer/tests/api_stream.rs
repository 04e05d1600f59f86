//! What a stream can be asked for beyond updates one by one.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "each test uses some of it")]
#[path = "common/api.rs"]
mod common;

use std::time::Duration;

use common::{Api, Stream, range};
use latimer::wire::v1::{Frame, Problem};

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
