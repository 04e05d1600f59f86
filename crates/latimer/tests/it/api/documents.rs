//! The descriptions of the API: served, sound, and the same as those in `docs/api`.

use std::collections::BTreeSet;
use std::path::Path;

use latimer::api;
use serde_json::Value;

use super::support::Api;

/// What to run when a document is out of date.
const UPDATE: &str = "UPDATE_DOCS=1 cargo nextest run -p latimer documents";

#[tokio::test]
async fn the_descriptions_are_served() {
    let api = Api::start().await;
    assert_eq!(api.get("/api/v1/openapi.json").await, serde_json::to_value(api::openapi()).unwrap());
    assert_eq!(api.get("/api/v1/asyncapi.json").await, api::asyncapi(&api.authority));
}

#[tokio::test]
async fn every_described_address_is_there() {
    let api = Api::start().await;
    let document = serde_json::to_value(api::openapi()).unwrap();
    let mut names = BTreeSet::new();
    for (address, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()), "two operations are called {name}");
            let explained = ["summary", "tags", "responses"].iter().all(|field| !operation[field].is_null());
            assert!(explained, "{method} {address} is not explained");
            // No robot is called so and no parameter either, so nothing goes on for ever.
            let address = address.replace("{robot}", "nobody");
            let method = method.to_uppercase().parse().unwrap();
            let request = reqwest::Client::new().request(method, api.url(&format!("{address}?nothing=1")));
            let answer = request.send().await.unwrap();
            let status = answer.status();
            let text = answer.text().await.unwrap();
            let missing = text.contains("nothing is at") || status == 405;
            assert!(!missing, "{address}: {status} {text}");
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    for document in [serde_json::to_value(api::openapi()).unwrap(), api::asyncapi(api::DEFAULT_HOST)] {
        let mut references = BTreeSet::new();
        collect(&document, &mut references);
        assert!(!references.is_empty());
        for reference in references {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some_and(|it| !it.is_null()), "{reference} is missing");
        }
    }
}

#[test]
fn the_descriptions_in_the_repository_are_up_to_date() {
    same("openapi.json", &serde_json::to_string_pretty(api::openapi()).unwrap());
    let streams = api::asyncapi(api::DEFAULT_HOST);
    same("asyncapi.json", &serde_json::to_string_pretty(&streams).unwrap());
    same("../matrix.md", latimer::matrix::page().trim_end());
}

#[test]
fn every_stream_and_dialect_has_a_channel_with_messages() {
    let document = api::asyncapi("gateway.lab:8080");
    assert_eq!(document["servers"]["gateway"]["host"], "gateway.lab:8080");
    for channel in ["updates", "world", "misty", "axbot"] {
        let messages = document["channels"][channel]["messages"].as_object().unwrap();
        assert!(messages.len() > 1, "{channel}");
        let sent = document["operations"][format!("send_{channel}")]["messages"].as_array().unwrap();
        assert_eq!(sent.len(), messages.len());
    }
    let range = &document["components"]["messages"]["misty.TimeOfFlight"]["payload"]["properties"]["message"];
    assert_eq!(range["properties"]["distanceInMeters"]["x-unit"], "m", "{range}");
    let pose = &document["components"]["messages"]["axbot.tracked_pose"];
    assert_eq!((&pose["title"], &pose["x-kinds"][0]), (&"/tracked_pose".into(), &"pose".into()));
    let status = &document["components"]["messages"]["misty.RegistrationStatus"]["payload"]["properties"];
    assert_eq!(status["message"]["type"], "string", "what answers a subscription is a text: {status}");
    assert!(status["message"]["examples"][0].as_str().unwrap().contains("registered"), "{status}");
    assert!(!document["channels"]["updates"]["bindings"]["ws"]["query"]["properties"]["batch"].is_null());
}

#[test]
fn topics_at_a_broker_are_channels_with_their_quality_of_service() {
    let document = api::asyncapi("gateway.lab:8080");
    let broker = &document["servers"]["broker"];
    assert_eq!((&broker["host"], &broker["protocol"]), (&"gateway.lab:{port}".into(), &"mqtt".into()));
    let reply = &document["channels"]["pera.sensor.distance.id"];
    assert_eq!(reply["address"], "{channel}/sensor/distance/{id}");
    assert_eq!(reply["parameters"]["channel"]["examples"][0], "v1");
    let sent = &document["operations"]["send_pera.sensor.distance.id"];
    assert_eq!(sent["bindings"]["mqtt"]["qos"], 2, "{sent}");
    let message = &document["components"]["messages"]["pera.sensor.distance.id"];
    assert_eq!(
        (&message["contentType"], &message["payload"]["type"]),
        (&"text/plain".into(), &"string".into())
    );
    let status = &document["components"]["messages"]["robotkoop.robots.status"];
    assert_eq!(status["title"], "/robots/status", "{status}");
    let kinds: Vec<&str> = status["payload"]["examples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["type"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"unkown") && kinds.contains(&"anomaly_detected"), "{kinds:?}");
    assert_eq!(document["operations"]["receive_robotkoop.dialogue.task"]["action"], "receive");
}

fn same(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api").join(name);
    let made = format!("{made}\n");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/api/{name} is not what the code makes; run `{UPDATE}` and look at the changes"
    );
}

fn collect<'a>(value: &'a Value, references: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}
