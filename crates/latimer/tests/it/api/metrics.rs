//! Figures as Prometheus reads them: every line by the rules of OpenMetrics.

use std::collections::{BTreeMap, BTreeSet};

use latimer_core::model::signal::LinkState;

use super::support::{Api, range};

/// What a page says, read strictly.
#[derive(Debug, Default)]
struct Page {
    types: BTreeMap<String, String>,
    samples: BTreeMap<String, f64>,
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let (body, after) = text.split_once("# EOF\n").expect("the page has an end");
        assert_eq!(after, "", "nothing follows the end");
        let (mut family, mut helps) = (String::new(), BTreeSet::new());
        for line in body.lines() {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words.as_slice() {
                ["#", "HELP", name, help] => {
                    assert!(!help.is_empty() && helps.insert((*name).to_owned()), "{line}");
                    family = (*name).to_owned();
                }
                ["#", "TYPE", name, kind] => {
                    assert_eq!(*name, family, "{line}");
                    assert!(page.types.insert(family.clone(), (*kind).to_owned()).is_none(), "{line}");
                }
                ["#", "UNIT", name, unit] => {
                    assert!(*name == family && name.ends_with(&format!("_{unit}")), "{line}");
                }
                _ => page.sample(&family, line),
            }
        }
        page
    }

    fn sample(&mut self, family: &str, line: &str) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        let name = series.split('{').next().unwrap();
        let word =
            |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        assert!(word(name), "{line}");
        let endings: &[&str] = match self.types.get(family).expect("a type stands before samples").as_str() {
            "counter" => &["_total"],
            "gauge" => &[""],
            "info" => &["_info"],
            "histogram" => &["_sum", "_count", "_bucket"],
            other => panic!("{other}"),
        };
        assert!(endings.iter().any(|ending| name == format!("{family}{ending}")), "{family}: {line}");
        if let Some((_, labels)) = series.split_once('{') {
            for label in labels.strip_suffix('}').unwrap().split(',') {
                let (key, value) = label.split_once('=').unwrap();
                let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                assert!(word(key) && quoted.is_some_and(|it| !it.contains(['"', '\\'])), "{line}");
            }
        }
        let value: f64 = value.parse().unwrap();
        assert!(self.samples.insert(series.to_owned(), value).is_none(), "twice: {line}");
    }

    fn value(&self, series: &str) -> f64 {
        *self.samples.get(series).unwrap_or_else(|| panic!("no {series} in {:#?}", self.samples))
    }
}

async fn page(api: &Api) -> Page {
    let response = reqwest::get(api.url("/metrics")).await.unwrap();
    assert_eq!(
        response.headers()["content-type"],
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    Page::read(&response.text().await.unwrap())
}

#[tokio::test]
async fn figures_count_robots_sinks_and_losses() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.link(LinkState::Up, None);
    let mut stream = api.stream("select=misty-1/range/**").await;
    source.publish(range(&source, "front", 0.5));
    stream.next_update().await;
    let now = page(&api).await;
    let robot = r#"{robot="misty-1",family="misty"}"#;
    assert_eq!(
        now.value(&format!("latimer_updates_received_total{robot}")),
        1.0,
        "its links are the gateway's own word"
    );
    assert_eq!(now.value(&format!("latimer_session_up{robot}")), 1.0);
    assert_eq!(now.value(&format!("latimer_session_reconnects_total{robot}")), 0.0);
    assert_eq!(now.value(r#"latimer_updates_delivered_total{dialect="api"}"#), 1.0);
    assert_eq!(now.value(r#"latimer_updates_lost_total{dialect="api",reason="queue_full"}"#), 0.0);
    assert_eq!(now.value(r#"latimer_sinks{dialect="api"}"#), 1.0);
    assert_eq!(now.value(r#"latimer_queue_depth{dialect="api"}"#), 0.0);
    assert_eq!(now.value(r#"latimer_encode_seconds_count{dialect="api"}"#), 1.0);
    assert_eq!(now.value(r#"latimer_encode_seconds_bucket{le="+Inf",dialect="api"}"#), 1.0);
    assert!(now.value("latimer_uptime_seconds") > 0.0);
    assert_eq!(now.value(&format!("latimer_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))), 1.0);
    if cfg!(target_os = "linux") {
        assert!(now.value("process_resident_memory_bytes") > 1e6);
        assert!(now.value("process_cpu_seconds_total") >= 0.0);
        assert!(now.value("process_open_fds") > 3.0);
    }

    drop(stream);
    source.link(LinkState::Down, None);
    source.link(LinkState::Up, None);
    while !api.hub.sinks().is_empty() {
        tokio::task::yield_now().await;
    }
    let then = page(&api).await;
    assert_eq!(then.value(r#"latimer_sinks{dialect="api"}"#), 0.0);
    assert_eq!(then.value(&format!("latimer_session_reconnects_total{robot}")), 1.0);
    let counters = now.types.iter().filter(|(_, kind)| *kind == "counter").map(|(name, _)| name);
    for counter in counters {
        for (series, before) in now.samples.iter().filter(|(series, _)| series.starts_with(counter)) {
            assert!(then.value(series) >= *before, "{series} fell");
        }
    }
}

#[tokio::test]
async fn a_world_tells_how_hard_it_works() {
    let without = page(&Api::start().await).await;
    assert!(!without.samples.keys().any(|series| series.starts_with("latimer_world")));

    let clock = latimer_core::Clock::system();
    let (simulator, desk) = latimer_simulator_api::SimulatorHandle::new(clock);
    let api = Api::with_simulator(clock, Some(simulator)).await;
    let load = desk.meter();
    load.stepped(std::time::Duration::from_millis(250), false);
    load.stepped(std::time::Duration::from_millis(500), true);
    load.set_speed(2.0);
    load.set_load_ratio(0.375);
    let now = page(&api).await;
    assert_eq!(now.value("latimer_world_steps_total"), 2.0);
    assert_eq!(now.value("latimer_world_busy_seconds_total"), 0.75);
    assert_eq!(now.value("latimer_world_late_steps_total"), 1.0);
    assert_eq!(now.value("latimer_world_speed_ratio"), 2.0);
    assert_eq!(now.value("latimer_world_load_ratio"), 0.375);
}

#[tokio::test]
async fn a_broker_tells_who_is_there_and_what_goes_through_it() {
    let without = page(&Api::start().await).await;
    assert!(!without.samples.keys().any(|series| series.starts_with("latimer_mqtt")));

    let config: latimer_mqtt::BrokerConfig = toml::from_str("listen = \"127.0.0.1:0\"").unwrap();
    let broker = config.build(Default::default()).await.unwrap().unwrap();
    let (address, meter) = (broker.address().clone(), broker.meter());
    let end = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn(broker.run(end.clone()));
    let api = Api::of(latimer_core::Clock::system(), None, meter).await;
    let login = latimer_mqtt::Login {
        address,
        client_id: "test".to_owned(),
        subscriptions: vec![("a".to_owned(), latimer_mqtt::Qos::AtLeastOnce)],
        will: None,
        keep_alive: std::time::Duration::from_secs(30),
        trust: Default::default(),
    };
    let mut client = latimer_mqtt::Connection::open(&login).await.unwrap();
    client.publish(latimer_mqtt::Message::new("a", "1", latimer_mqtt::Qos::AtLeastOnce)).await.unwrap();
    client.next().await.unwrap();
    let now = page(&api).await;
    for (series, value) in [
        ("latimer_mqtt_clients", 1.0),
        ("latimer_mqtt_connections_total", 1.0),
        ("latimer_mqtt_messages_received_total", 1.0),
        ("latimer_mqtt_messages_sent_total", 1.0),
        ("latimer_mqtt_messages_dropped_total", 0.0),
        ("latimer_mqtt_messages_slowed_total", 0.0),
        ("latimer_mqtt_queue_depth", 0.0),
        ("latimer_mqtt_subscriptions", 1.0),
    ] {
        assert_eq!(now.value(series), value, "{series}");
    }
    client.close().await;
    end.cancel();
    running.await.unwrap();
}
