//! Clients at a broker.

use latimer_mqtt::{Message, Qos};
use serde_json::json;

use crate::conformance::garbage::connect;
use crate::conformance::house::{House, robot};

pub(super) async fn pera(here: &House) {
    let place = r#"[{"id":1,"x":10,"y":20,"heading":90}]"#;
    let orders = [
        ("v1/robot/msg/1", "STOP -1"),
        ("v1/robot/msg/1", "START -1"),
        ("v1/output/neopixel/1", "1 2 3"),
        ("v1/localization/update", place),
    ];
    publish(here, orders.map(|(topic, text)| (topic, text.to_owned()))).await;
}

pub(super) async fn robotkoop(here: &House) {
    let task = |id: &str, kind: &str| {
        let parameter = json!({"to": "1.5, 2"});
        json!({"target_id": robot().as_str(), "source_id": "SI_1", "timestamp": 1_630_000_000, "task_id": id,
            "priority": 3, "type": kind, "parameter": parameter})
        .to_string()
    };
    let tasks = [task("clean", "clean"), task("goto", "goto")];
    publish(here, tasks.map(|task| ("/dialogue/task", task))).await;
}

async fn publish<const N: usize>(here: &House, messages: [(&str, String); N]) {
    let mut client = connect(&here.authority(), "client", &[]).await;
    for (topic, text) in messages {
        client.publish(Message::new(topic, text.into_bytes(), Qos::AtLeastOnce)).await.unwrap();
    }
    client.close().await;
}
