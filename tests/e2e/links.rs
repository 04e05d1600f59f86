//! Robots and brokers that go away and come back, and links to them.

use std::time::Duration;

use latimer_core::{Clock, Timestamp};
use latimer_e2e::PATIENCE;
use latimer_e2e::mosquitto::{Subscriber, publish};
use latimer_e2e::{Gateway, Mosquitto};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// How long it is away: attempts that wait twice as long each time would be eight seconds apart by then.
const AWAY: Duration = Duration::from_secs(16);
/// What a busy machine may add to the two seconds within which a robot that is back is heard.
const BUSY: Duration = Duration::from_secs(2);

/// A robot's network: connections to the port that this returns go to the robot, until it is dropped.
async fn network(port: u16, robot: String) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    let port = listener.local_addr().expect("a bound port").port();
    let passing = tokio::spawn(async move {
        let mut connections = JoinSet::new();
        while let Ok((mut near, _)) = listener.accept().await {
            let robot = robot.clone();
            connections.spawn(async move {
                let mut far = TcpStream::connect(robot).await?;
                tokio::io::copy_bidirectional(&mut near, &mut far).await
            });
        }
    });
    (port, passing)
}

/// The link to a robot, as soon as it is in a state.
async fn link(gateway: &Gateway, robot: &str, state: &str) -> Value {
    let url = format!("http://{}/api/v1/robots/{robot}", gateway.http());
    let waiting = async {
        loop {
            let answer = reqwest::get(&url).await.expect("it answers");
            let mut robot: Value = answer.json().await.expect("it is JSON");
            if robot["link"]["state"] == state {
                return robot["link"].take();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    waited.unwrap_or_else(|_| panic!("the link of {robot} is not {state} within {PATIENCE:?}"))
}

fn since(link: &Value) -> Timestamp {
    let since: jiff::Timestamp = link["since"].as_str().and_then(|it| it.parse().ok()).expect("a stamp");
    Timestamp::from_nanos(i64::try_from(since.as_nanosecond()).expect("it is now"))
}

#[tokio::test]
async fn a_robot_that_is_back_is_heard_soon_however_long_it_was_away() {
    let clock = Clock::system();
    let robots = Gateway::with_config("still.toml").await;
    let (port, passing) = network(0, robots.misty()).await;
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far-1'\naddress = '127.0.0.1:{port}'\n"
    );
    let gateway = Gateway::with_text(&config).await;
    link(&gateway, "far-1", "up").await;
    passing.abort();
    let down = link(&gateway, "far-1", "down").await;
    clock.sleep(AWAY).await;
    let still = link(&gateway, "far-1", "down").await;
    assert_eq!(still["since"], down["since"], "while nobody accepts connections, the link stays as it is");

    let back = clock.now();
    let _passing = network(port, robots.misty()).await;
    let up = link(&gateway, "far-1", "up").await;
    let received = since(&up).since(back);
    assert!(received < Duration::from_secs(2) + BUSY, "{received:?}");
}

/// A dialogue system's order to drive somewhere.
fn order(task_id: &str) -> String {
    json!({
        "target_id": "R_1", "source_id": "SI_1", "timestamp": 0, "task_id": task_id, "priority": 3, "type": "goto",
        "parameter": {"to": "Sofa"},
    })
    .to_string()
}

/// A gateway that serves a household robot and a swarm's robot at a broker, as one that is connected to the first knows it.
fn household(broker: &Mosquitto) -> String {
    let address = broker.address();
    format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nurl = 'mqtt://{address}'\n[world]\nfile = 'demo'\nspeed = 10.0\n\
         [[simulate]]\nrobot = 'robotkoop-1'\nbody = 'robotkoop'\nspawn = 'kitchen'\n\
         [[robotkoop.serve]]\nrobot = 'robotkoop-1'\nid = 'R_1'\n"
    )
}

/// Orders that reached the robot, of the next messages until one of another task is confirmed.
async fn confirmed_until(received: &mut Subscriber, last: &str) -> Vec<String> {
    let mut confirmed = Vec::new();
    loop {
        let status = received.fitting("/robots/status", |text| text.contains("\"confirm\"")).await;
        let status: Value = serde_json::from_str(&status).expect("it is JSON");
        let task_id = status["task_id"].as_str().expect("a task has an id").to_owned();
        if task_id == last {
            return confirmed;
        }
        confirmed.push(task_id);
    }
}

#[tokio::test]
async fn a_household_goto_that_is_published_while_the_broker_restarts_reaches_the_robot_exactly_once() {
    let mut broker = Mosquitto::that_keeps().await;
    let gateway = Gateway::with_text(&household(&broker)).await;
    let port = broker.port();
    let mut received = Subscriber::new(port, &["/robots/status"]).await;
    // Until the gateway is at the broker, too.
    let first = async {
        while !gateway.said().contains("household robots are served") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, first).await.expect("the robot is served");
    publish(port, "/dialogue/task", &order("before")).await;
    assert!(confirmed_until(&mut received, "before").await.is_empty());
    drop(received);
    for round in 0..2 {
        broker.go_down().await;
        // So long that attempts with growing waits would be seconds apart, and so short that orders are obeyed after it.
        Clock::system().sleep(Duration::from_secs(3)).await;
        broker.go_up().await;
        // A subscriber and the gateway's links come back at about the same time as this is published.
        let (gap, after) = (format!("gap-{round}"), format!("after-{round}"));
        let mut received = Subscriber::new(port, &["/robots/status"]).await;
        publish(port, "/dialogue/task", &order(&gap)).await;
        publish(port, "/dialogue/task", &order(&after)).await;
        assert_eq!(confirmed_until(&mut received, &after).await, [gap]);
    }
}
