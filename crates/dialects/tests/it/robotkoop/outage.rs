//! The link to a broker breaks off while others stay at it: what they say meanwhile comes later.

use std::time::Duration;

use latimer_core::model::Outcome;
use latimer_core::model::signal::{LinkState, TaskState};
use latimer_core::{Clock, Hub, Signal, Update};
use latimer_e2e::Cable;
use latimer_mqtt::Qos;
use serde_json::json;

use super::flat::{Broker, Gateway, Peer, in_time, play, task};

/// Longer than a task is obeyed.
const LONG: Duration = Duration::from_millis(5_500);

#[tokio::test]
async fn a_task_that_waited_long_fails_and_moves_nobody() {
    let broker = Broker::start().await;
    let cable = Cable::to(broker.address.port).await;
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let table =
        format!("broker = \"{}\"\n[[serve]]\nrobot = \"robotkoop-1\"\nid = \"R_1\"\n", cable.address());
    let gateway = Gateway::serving(hub, &table, &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    cable.pull();
    // The broker keeps what is sent so for those who are away.
    dialogue.order_with(Qos::ExactlyOnce, "R_1", "late", "clean", json!({})).await;
    tokio::time::sleep(LONG).await;
    cable.plug();
    assert_eq!(dialogue.receive().await, "late confirm");
    assert_eq!(dialogue.receive().await, r#"late success {"success":false}"#);
    let mut number = 0;
    let asked = in_time(async {
        loop {
            // Until nothing of the outage waits any more.
            number += 1;
            dialogue.order("R_1", &format!("after-{number}"), "clean", json!({})).await;
            let soon = Duration::from_millis(200);
            if let Ok(asked) = tokio::time::timeout(soon, task(&mut robot, Outcome::Accepted)).await {
                return asked;
            }
        }
    });
    assert!(asked.await.id.starts_with("after-"));
    gateway.stop().await;
}

#[tokio::test]
async fn a_task_that_the_broker_retained_fails_and_moves_nobody() {
    let broker = Broker::start().await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.retained_order("R_1", "old", "clean", json!({})).await;
    // What it says next comes back after the broker has taken the task.
    dialogue.publish("/robots/task", json!({"source_id": "dm", "task_id": "mark"}).to_string()).await;
    assert_eq!(dialogue.next().await.1["task_id"], "mark");
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let table = "[[serve]]\nrobot = \"robotkoop-1\"\nid = \"R_1\"\n";
    let gateway = Gateway::serving(hub, table, &broker).await;
    assert_eq!(dialogue.receive().await, "old confirm");
    assert_eq!(dialogue.receive().await, r#"old success {"success":false}"#);
    dialogue.order("R_1", "new", "clean", json!({})).await;
    assert_eq!(task(&mut robot, Outcome::Accepted).await.id, "new");
    gateway.stop().await;
}

#[tokio::test]
async fn a_report_of_an_outage_is_as_old_as_it_may_be() {
    let broker = Broker::start().await;
    let cable = Cable::to(broker.address.port).await;
    let authority = cable.address().authority();
    let table = format!("[[connect]]\nrobot = \"kurt\"\nid = \"R_1\"\naddress = \"{authority}\"\n");
    let gateway = Gateway::start(Hub::new(Clock::system()), &table, &broker).await;
    gateway.is_up().await;
    let pulled = gateway.hub.clock().now();
    cable.pull();
    let is_down = |it: &Update| matches!(&it.signal, Signal::Link(link) if link.state != LinkState::Up);
    gateway.incoming(is_down).await;
    let mut kurt = Peer::dialogue(&broker).await;
    kurt.report_with(Qos::ExactlyOnce, "R_1", "Task1", "success", json!({"success": true})).await;
    assert_eq!(kurt.receive().await, r#"Task1 success {"success":true}"#);
    cable.plug();
    let report = gateway.incoming(|it| matches!(it.signal, Signal::Task(_))).await;
    assert!(matches!(&report.signal, Signal::Task(task) if task.state == TaskState::Succeeded), "{report:?}");
    assert!(report.received <= pulled, "{report:?}");
    gateway.stop().await;
}
