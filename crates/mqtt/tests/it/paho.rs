//! paho-mqtt, the usual client of Python programs, at the broker within.

use std::path::Path;
use std::process::Stdio;

use latimer_e2e::PATIENCE;
use tokio::process::Command;

use super::support::{Running, config};

async fn every_feature(port: u16, transport: &str, login: &[&str]) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let environment = repository.join(".venv-mqtt");
    assert!(environment.join("ready").exists(), ".venv-mqtt is missing; run `make setup`");
    let running = Command::new(environment.join("bin/python"))
        .arg(repository.join("tests/python/mqtt_features.py"))
        .args(["127.0.0.1", &port.to_string(), transport])
        .args(login)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, running).await.expect("it takes too long").unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.ends_with("done\n"), "{out}{err}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_feature_in_both_versions() {
    let broker = Running::start().await;
    every_feature(broker.listen.port(), "tcp", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_feature_over_websocket_with_a_password() {
    let text = "listen = \"127.0.0.1:0\"\nwebsocket = { listen = \"127.0.0.1:0\" }\n\
                users = [{ name = \"swarm\", password = \"right\" }]";
    let broker = Running::of(config(text)).await;
    every_feature(broker.websocket.unwrap().port(), "websockets", &["swarm", "right"]).await;
}
