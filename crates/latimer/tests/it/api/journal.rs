//! Tasks, alerts and events over real sockets.

use std::time::Duration;

use latimer_core::hub::Source;
use latimer_core::model::Kind;
use latimer_core::model::signal::{
    Alerts, Battery, Control, ControlMode, KeyPhrase, LinkState, Range, RangeStatus, Severity, SleepState,
    Task, TaskState, Text, TextChannel,
};
use latimer_core::{PartName, Signal, Update};
use latimer_e2e::PATIENCE;
use latimer_wire::v1::{Alert, PROBLEM_MEDIA_TYPE, TaskRecord};
use serde_json::Value;

use super::support::Api;

fn say(api: &Api, source: &Source, signal: impl Into<Signal>) {
    source.publish(Update::now(source.robot(), api.clock.now(), signal.into()));
}

/// A list of the journal, once it has as many items as it shall have.
async fn list(api: &Api, path: &str, field: &str, length: usize) -> Vec<Value> {
    let mut answer = Value::Null;
    for _ in 0..500 {
        answer = api.get(path).await;
        if answer[field].as_array().is_some_and(|items| items.len() == length) {
            return answer[field].as_array().cloned().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{path}: {answer}");
}

#[tokio::test]
async fn tasks_alerts_and_events_are_kept_for_whoever_asks_later() {
    let api = Api::start().await;
    api.keep_journal().await;
    let source = api.robot("koop-1");
    source.link(LinkState::Up, None);
    say(&api, &source, Task::new("t1", "bring", TaskState::Confirmed));
    say(&api, &source, Task::new("t2", "clean", TaskState::Confirmed));
    say(&api, &source, Task::new("t1", "bring", TaskState::Failed));
    let active = vec![latimer_core::model::signal::Alert {
        code: 9002,
        severity: Severity::Error,
        message: "the emergency stop is pressed".into(),
    }];
    say(&api, &source, Alerts { active });
    let text = Text { channel: TextChannel::Log, text: "hello".into(), data: None, truncated: None };
    say(&api, &source, text);

    let events = list(&api, "/api/v1/events", "updates", 7).await;
    let kinds: Vec<&str> = events.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["link", "link", "task", "task", "task", "alerts", "text"]);
    assert_eq!(events[6]["data"]["text"], "hello");
    let last = list(&api, "/api/v1/events?n=1&select=*/task", "updates", 1).await;
    assert_eq!((&last[0]["data"]["state"], &last[0]["messages"]), (&"failed".into(), &Value::Null));
    let last = list(&api, "/api/v1/events?n=1&select=*/task&as=all", "updates", 1).await;
    let dialects: Vec<_> = last[0]["messages"].as_array().unwrap().iter().map(|it| &it["dialect"]).collect();
    assert!(dialects.contains(&&"robotkoop".into()), "{last:?}");

    let tasks = list(&api, "/api/v1/tasks?robot=koop-1", "tasks", 2).await;
    let first: TaskRecord = serde_json::from_value(tasks[1].clone()).unwrap();
    assert_eq!((first.id.as_str(), first.state.as_str(), first.reports.len()), ("t1", "failed", 2));
    assert!(first.ended.is_some() && tasks[0]["ended"].is_null(), "{tasks:?}");
    assert_eq!(list(&api, "/api/v1/tasks?state=failed&n=5", "tasks", 1).await[0]["source"], "task");

    let alerts = list(&api, "/api/v1/alerts?active=true", "alerts", 1).await;
    let alert: Alert = serde_json::from_value(alerts[0].clone()).unwrap();
    assert_eq!((alert.source.as_str(), alert.code, alert.severity.as_str()), ("alerts", Some(9002), "error"));
    assert_eq!(alert.cleared, None);
    source.link(LinkState::Down, Some("the cable".into()));
    let link = list(&api, "/api/v1/alerts?active=true", "alerts", 2).await[0].clone();
    assert_eq!((&link["source"], &link["message"]), (&"link".into(), &"the cable".into()));

    drop(source);
    list(&api, "/api/v1/alerts?active=true", "alerts", 0).await;
    let cleared = list(&api, "/api/v1/alerts?robot=koop-1", "alerts", 2).await;
    assert!(cleared.iter().all(|alert| alert["cleared"].is_string()), "{cleared:?}");
    assert_eq!(list(&api, "/api/v1/tasks?robot=koop-1", "tasks", 2).await.len(), 2, "what it did stays");
}

#[tokio::test]
async fn the_journal_looks_like_anybody_and_tells_what_it_asks_for() {
    let api = Api::start().await;
    api.keep_journal().await;
    let sinks: Value = api.get("/api/v1/sinks").await;
    assert_eq!(
        (&sinks["sinks"][0]["dialect"], &sinks["sinks"][0]["subscriptions"]),
        (&"journal".into(), &3.into())
    );
    let selects = sinks["sinks"][0]["selects"][0].as_str().unwrap();
    assert!(selects.contains("*/task,") && selects.contains("*/link"), "{selects}");
    assert!(sinks["sinks"][0]["waiting"].is_u64());
}

#[tokio::test]
async fn what_only_states_tell_is_an_alert_and_nobody_measures_for_it() {
    let api = Api::start().await;
    api.keep_journal().await;
    let source = api.robot("misty-1");
    let control = Control {
        mode: ControlMode::Auto,
        emergency_stop: true,
        wheels_released: None,
        power: Some(SleepState::Awake),
    };
    say(&api, &source, control.clone());
    say(&api, &source, Battery { charge_ratio: Some(0.05), ..Battery::UNKNOWN });
    let broken = Range { status: RangeStatus::HardwareFault, ..Range::nothing() };
    let part = Some(PartName::of("front"));
    source.publish(Update { part, ..Update::now(source.robot(), api.clock.now(), broken.into()) });
    let mut answer = list(&api, "/api/v1/alerts?active=true", "alerts", 3).await;
    answer.sort_by_key(|alert| alert["source"].to_string());
    assert_eq!(answer[2]["message"], "a sensor is broken: front");
    let words = |alert: &Value| ["source", "severity", "part"].map(|field| alert[field].clone());
    let answer: Vec<_> = answer.iter().map(words).collect();
    let expected = [["battery", "warning", ""], ["control", "error", ""], ["range", "error", "front"]];
    let word = |word: &str| if word.is_empty() { Value::Null } else { word.into() };
    assert_eq!(answer, expected.map(|alert| alert.map(word)));
    assert!(source.wants(Kind::Battery, None) && !source.wants(Kind::Range, None));
    let closely = source.wanted();
    assert!(![Kind::Battery, Kind::Control, Kind::Range].iter().any(|kind| closely.contains(*kind)));
    say(&api, &source, Control { emergency_stop: false, ..control });
    list(&api, "/api/v1/alerts?active=true", "alerts", 2).await;
}

#[tokio::test]
async fn what_numbers_were_is_kept_for_charts_that_begin_later() {
    let api = Api::start().await;
    api.keep_journal().await;
    let source = api.robot("misty-1");
    source.link(LinkState::Up, None);
    say(&api, &source, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });
    say(&api, &source, Task::new("t1", "bring", TaskState::Confirmed));
    let samples = list(&api, "/api/v1/history?select=misty-1&for=1m", "samples", 1).await;
    assert_eq!(samples[0]["key"], "misty-1/battery");
    assert_eq!((&samples[0]["kind"], &samples[0]["part"]), (&"battery".into(), &Value::Null));
    assert_eq!(samples[0]["fields"]["charge_ratio"], serde_json::json!([0.5]));
    assert_eq!(samples[0]["at_ms"].as_array().unwrap().len(), 1);
    source.link(LinkState::Down, Some("gone".to_owned()));
    let broken = async {
        while list(&api, "/api/v1/history", "samples", 1).await[0]["fields"]["charge_ratio"]
            != serde_json::json!([0.5, null])
        {}
    };
    tokio::time::timeout(PATIENCE, broken).await.expect("a hole");
    list(&api, "/api/v1/history?select=*/velocity", "samples", 0).await;
    drop(source);
    list(&api, "/api/v1/history", "samples", 0).await;
}

#[tokio::test]
async fn a_flood_does_not_hold_up_the_hub_and_the_newest_events_stay() {
    let api = Api::start().await;
    api.keep_journal().await;
    let source = api.robot("misty-1");
    // All of it while the journal cannot run.
    for i in 0..5_000 {
        say(&api, &source, KeyPhrase { phrase: None, confidence_ratio: Some(f64::from(i)) });
    }
    // Any 2,000 are there before the newest are.
    let newest = async {
        while list(&api, "/api/v1/events?n=5000", "updates", 2_000).await[1_999]["sequence"] != 5_000 {}
    };
    tokio::time::timeout(PATIENCE, newest).await.expect("the newest stay");
}

#[tokio::test]
async fn wrong_questions_say_what_where_and_what_to_do() {
    let api = Api::start().await;
    let _source = api.robot("misty-1");
    for (path, status, hint) in [
        ("/api/v1/tasks?robot=misty-2", 404, "misty-1"),
        ("/api/v1/tasks?robot=a%20b", 400, "letters"),
        ("/api/v1/tasks?state=suceeded", 400, "`succeeded`"),
        ("/api/v1/tasks?state=running", 400, "no task state is called running"),
        ("/api/v1/tasks?n=0", 400, "from 1"),
        ("/api/v1/alerts?active=maybe", 400, "true"),
        ("/api/v1/alerts?activ=true", 400, "`active`"),
        ("/api/v1/events?select=*/tsk", 400, "`task`"),
        ("/api/v1/event", 404, "/api/v1/events"),
        ("/api/v1/history?select=*/batery", 400, "`battery`"),
        ("/api/v1/events?as=misty", 400, "all"),
        ("/api/v1/history?for=soon", 400, "250ms or 1s"),
        ("/metric", 404, "/metrics"),
    ] {
        let response = reqwest::get(api.url(path)).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{path}");
        assert_eq!(response.headers()["content-type"], PROBLEM_MEDIA_TYPE, "{path}");
        let problem: Value = response.json().await.unwrap();
        assert!(problem.to_string().contains(hint) && problem["place"].is_string(), "{path}: {problem}");
    }
}
