//! The same at Debian's broker, with its own clients.

use std::process::Stdio;
use std::time::Duration;

use latimer_core::BrokerAddress;
use latimer_core::model::signal::Range;
use latimer_e2e::ports::free_block;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::gateway::{Gateway, publish};
use super::swarm::PATIENCE;

/// Where Debian has it.
const MOSQUITTO: &str = "/usr/sbin/mosquitto";

/// Mosquitto on a port of its own.
async fn mosquitto() -> (Child, u16) {
    let is_installed = std::path::Path::new(MOSQUITTO).exists();
    assert!(is_installed, "{MOSQUITTO} is missing: run `make mosquitto`, or sudo apt-get install mosquitto");
    let port = free_block();
    let broker = Command::new(MOSQUITTO)
        .args(["-p", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let reached = async {
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            // It tells nobody when it listens.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, reached).await.unwrap();
    (broker, port)
}

#[tokio::test]
async fn a_robot_is_served_at_another_broker() {
    let (_broker, port) = mosquitto().await;
    let mut subscribed = Command::new("mosquitto_sub")
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-v", "-t", "v1/#"])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("mosquitto_sub is missing: run `make mosquitto`");
    let mut lines = BufReader::new(subscribed.stdout.take().unwrap()).lines();
    let table = format!("broker = \"mqtt://127.0.0.1:{port}\"\n[[serve]]\nrobot = \"misty-3\"\n");
    let nowhere = BrokerAddress::new("127.0.0.1", 9);
    let gateway = Gateway::start(&table, &nowhere).await;
    let robot = gateway.robot("misty-3");
    let shown = async {
        let mut tick = tokio::time::interval(Duration::from_millis(500));
        loop {
            tokio::select! {
                line = lines.next_line() => {
                    let line = line.unwrap().unwrap();
                    if line == r#"v1/sensor/distance {"id":3,"dist":25}"# {
                        return;
                    }
                }
                // Whoever subscribes late asks.
                _ = tick.tick() => {
                    publish(&robot, Some("front"), Range::valid(0.25));
                    let asked = Command::new("mosquitto_pub")
                        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-q", "2"])
                        .args(["-t", "v1/sensor/distance/3/?", "-m", "?"])
                        .status();
                    assert!(asked.await.unwrap().success());
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, shown).await.expect("the reading is shown");
    gateway.stop().await;
}
