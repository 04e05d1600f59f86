//! Garbage, a flood, a broker that is started again.

use latimer_core::model::Outcome;
use latimer_core::model::signal::TaskState;
use latimer_core::{Clock, Hub};
use serde_json::json;

use super::flat::{Broker, Gateway, Peer, asked, in_time, play, publish, report, task};

const GARBAGE: [&[u8]; 8] = [
    b"",
    b"{",
    b"null",
    b"\xff\xfe\x00",
    b"{\"type\": 7}",
    b"{\"target_id\": \"R_1\", \"source_id\": \"R_1\", \"task_id\": \"T\", \"type\": \"progress\", \"parameter\": 7}",
    b"{\"target_id\": \"R_1\", \"source_id\": \"R_1\", \"task_id\": \"T\", \"type\": \"progress\", \"parameter\": {\"performed_actions\": []}}",
    b"{\"target_id\": \"nobody\", \"source_id\": \"nobody\", \"task_id\": \"T\", \"type\": \"bring\"}",
];

const TOPICS: [&str; 4] = ["/robots/status", "/robots/task", "/dialogue/task", "/dialogue/status"];

async fn spoil(peer: &mut Peer) {
    for topic in TOPICS {
        for garbage in GARBAGE {
            peer.publish(topic, garbage).await;
        }
        peer.publish(topic, "[".repeat(100_000)).await;
    }
}

#[tokio::test]
async fn garbage_on_every_topic_is_survived_by_served_robots() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let table = "[[serve]]\nrobot = \"robotkoop-1\"\nid = \"R_1\"\n";
    let gateway = Gateway::serving(hub, table, &broker).await;
    let mut peer = Peer::robot(&broker).await;
    spoil(&mut peer).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("R_1", "after", "clean", json!({})).await;
    // A task of type `progress` is a task that the robot may refuse; it comes first.
    loop {
        if task(&mut robot, Outcome::Accepted).await.id == "after" {
            break;
        }
    }
    while dialogue.receive().await != "after confirm" {}
    gateway.stop().await;
}

#[tokio::test]
async fn garbage_of_robots_is_survived_by_connections() {
    let broker = Broker::start().await;
    let (host, port) = (&broker.address.host, broker.address.port);
    let table = format!("[[connect]]\nrobot = \"kurt\"\nid = \"R_1\"\naddress = \"{host}:{port}\"\n");
    let gateway = Gateway::start(Hub::new(Clock::system()), &table, &broker).await;
    gateway.is_up().await;
    let mut peer = Peer::robot(&broker).await;
    spoil(&mut peer).await;
    peer.report("R_1", "after", "success", json!({"success": true})).await;
    let is_after = |it: &latimer_core::Update| matches!(&it.signal, latimer_core::Signal::Task(task) if task.id == "after" && task.state == TaskState::Succeeded);
    gateway.incoming(is_after).await;
    gateway.stop().await;
}

#[tokio::test]
async fn a_flood_for_one_robot_costs_the_others_nothing() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let _silent = play(&hub, "silent", "robotkoop");
    let mut quick = play(&hub, "quick", "robotkoop");
    let gateway = Gateway::serving(hub, "serve_all = true\n", &broker).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    for i in 0..500 {
        dialogue.order("silent", &format!("S{i}"), "clean", json!({})).await;
    }
    dialogue.order("quick", "Q", "clean", json!({})).await;
    in_time(task(&mut quick, Outcome::Accepted)).await;
    // Tasks beyond the limit are reported as failed; a robot with one task does not wait for that.
    let surplus = 500 - 32;
    let (mut failed, mut confirmed_after) = (0, None);
    while failed < surplus || confirmed_after.is_none() {
        match dialogue.receive().await.as_str() {
            "Q confirm" => confirmed_after = Some(failed),
            confirmed if confirmed.starts_with('S') && confirmed.ends_with("confirm") => {}
            reported => {
                assert!(
                    reported.starts_with('S') && reported.ends_with(r#"success {"success":false}"#),
                    "{reported}"
                );
                failed += 1;
            }
        }
    }
    let before = confirmed_after.unwrap();
    assert!(
        failed == surplus && before < surplus / 2,
        "{before} of {failed} failed before one was confirmed"
    );
    gateway.stop().await;
}

#[tokio::test]
async fn a_broker_that_comes_back_finds_everybody_again() {
    let broker = Broker::start().await;
    let hub = Hub::new(Clock::system());
    let mut robot = play(&hub, "robotkoop-1", "robotkoop");
    let (host, port) = (&broker.address.host, broker.address.port);
    let table = format!(
        "[[serve]]\nrobot = \"robotkoop-1\"\nid = \"R_1\"\n[[connect]]\nrobot = \"kurt\"\naddress = \"{host}:{port}\"\n"
    );
    let gateway = Gateway::serving(hub, &table, &broker).await;
    gateway.incoming(|it| it.robot.as_str() == "kurt" && is_link(it, true)).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    dialogue.order("R_1", "before", "clean", json!({})).await;
    asked(&mut robot).await.answer(Outcome::Accepted);
    assert_eq!(dialogue.receive().await, "before confirm");
    let broker = broker.restarted().await;
    // Said while nobody may be there: it waits.
    publish(&robot, None, report("before", TaskState::Succeeded));
    gateway.incoming(|it| it.robot.as_str() == "kurt" && is_link(it, true)).await;
    let mut dialogue = Peer::dialogue(&broker).await;
    in_time(async {
        loop {
            // Nobody can tell when the served robots are back, so it is said until one of them hears.
            dialogue.order("R_1", "after", "clean", json!({})).await;
            let soon = std::time::Duration::from_millis(300);
            if let Ok(request) = tokio::time::timeout(soon, robot.next_command()).await {
                return request.answer(Outcome::Accepted);
            }
        }
    })
    .await;
    while dialogue.receive().await != "after confirm" {}
    gateway.stop().await;
}

fn is_link(update: &latimer_core::Update, up: bool) -> bool {
    let latimer_core::Signal::Link(link) = &update.signal else { return false };
    (link.state == latimer_core::model::signal::LinkState::Up) == up
}
