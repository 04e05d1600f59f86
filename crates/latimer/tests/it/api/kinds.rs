//! What the API tells of itself: kinds, dialects, lines to copy.

use latimer_core::model::Kind;
use latimer_wire::v1::{Dialect, KindShape, Line, Problem};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::support::{Api, range};

/// A list in an answer, read as its wire type.
async fn list<T: DeserializeOwned>(api: &Api, path: &str, name: &str) -> Vec<T> {
    let answer: Value = api.get(path).await;
    serde_json::from_value(answer[name].clone()).unwrap_or_else(|error| panic!("{path}: {error}: {answer}"))
}

#[tokio::test]
async fn a_record_has_the_fields_that_its_kind_tells() {
    let api = Api::start().await;
    let kinds: Vec<KindShape> = list(&api, "/api/v1/kinds", "kinds").await;
    assert_eq!(kinds.len(), Kind::ALL.len());
    let source = api.robot("misty-1");
    source.publish(range(&source, "front", 0.25));
    let last = api.get("/api/v1/last?select=misty-1/range").await;
    let range = kinds.iter().find(|kind| kind.kind == "range").unwrap();
    assert_eq!(
        (range.class.as_str(), range.summary.as_str()),
        ("state", "Distance to the nearest obstacle.")
    );
    let mut names: Vec<&str> = range.fields.iter().map(|field| field.name.as_str()).collect();
    let data = last["updates"][0]["data"].as_object().unwrap();
    assert_eq!(data.len(), names.len());
    names.retain(|name| !data.contains_key(*name));
    assert!(names.is_empty(), "{names:?}");
    let distance = &range.fields[0];
    assert_eq!((distance.unit.as_deref(), distance.form.type_.as_str()), (Some("m"), "number"));
    let status = range.fields.iter().find(|field| field.name == "status").unwrap();
    let words = status.form.words.as_ref().unwrap();
    assert!(words.iter().any(|word| *word == data["status"].as_str().unwrap()));
    assert_eq!(words.len(), status.form.meanings.as_ref().unwrap().len());
}

#[tokio::test]
async fn every_dialect_tells_what_its_fields_are() {
    let api = Api::start().await;
    let dialects: Vec<Dialect> = list(&api, "/api/v1/dialects", "dialects").await;
    let misty = dialects.iter().find(|dialect| dialect.name == "misty").unwrap();
    let encoders = misty.messages.iter().find(|message| message.topic == "DriveEncoders").unwrap();
    assert_eq!(encoders.kinds, ["encoders"]);
    let left = encoders.fields.iter().find(|field| field.wire == "leftDistance").unwrap();
    assert_eq!((left.unit.as_deref(), left.model.as_deref()), (Some("°"), Some("left.rotation_rad")));
    assert!((left.factor.unwrap() * std::f64::consts::PI - 180.0).abs() < 1e-9);
}

#[tokio::test]
async fn lines_are_filled_in() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.publish(range(&source, "front_left", 0.25));
    let lines: Vec<Line> = list(&api, "/api/v1/lines?key=misty-1/range/front_left", "lines").await;
    let of = |dialect: &str, tool: &str| {
        let found = lines.iter().find(|it| it.dialect == dialect && it.tool == tool);
        found.unwrap_or_else(|| panic!("{dialect} {tool}: {lines:?}")).line.clone()
    };
    let stream = api.url("/api/v1/stream?select=misty-1/range/front_left");
    assert_eq!(of("latimer", "curl"), format!("curl -N '{stream}'"));
    assert!(of("latimer", "wscat").contains(&stream.replace("http://", "ws://")));
    assert!(of("latimer", "latimer").starts_with("latimer echo misty-1/range/front_left --gateway 127."));
    assert!(of("misty", "wscat").contains(r#""Property":"SensorPosition","Inequality":"=","Value":"Left""#));
    // The line for the last value answers with it.
    let last = lines.iter().find(|it| it.line.contains("/api/v1/last")).unwrap();
    let url = last.line.split('\'').nth(1).unwrap();
    let answer: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    assert_eq!(answer["updates"][0]["data"]["distance_m"], 0.25);
    let mut stream = api.stream("select=misty-1/range/front_left&n=1").await;
    assert_eq!(stream.next_update().await.key, "misty-1/range/front_left");
}

#[tokio::test]
async fn a_key_that_is_not_there_is_answered_with_the_nearest_one() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.publish(range(&source, "front_left", 0.25));
    for (query, status, advice) in [
        ("", 400, "key=misty-1/range/front_left"),
        ("?kye=a", 400, "`key`"),
        ("?key=misty-2/range", 404, "misty-1"),
        ("?key=misty-1", 404, "there are: alerts"),
        ("?key=misty-1/rnge", 404, "`range`"),
        ("?key=misty-1/range/front_lef", 404, "`front_left`"),
        ("?key=a%20b/range", 400, ""),
        ("?key=misty-1/range/a'b", 400, ""),
    ] {
        let response = reqwest::get(api.url(&format!("/api/v1/lines{query}"))).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{query}");
        let problem: Problem = response.json().await.unwrap();
        assert!(problem.advice.as_deref().unwrap_or_default().contains(advice), "{query}: {problem:?}");
    }
    // What events are about is not known before they happen.
    let contact = reqwest::get(api.url("/api/v1/lines?key=misty-1/contact/touch_chin")).await.unwrap();
    assert_eq!(contact.status().as_u16(), 200);
}
