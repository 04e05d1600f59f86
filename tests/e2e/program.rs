//! The program as people use it: its commands, its configs, its end.

use std::process::Stdio;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, MistyClient, ports, program};
use serde_json::{Value, json};
use tokio::process::Command;

/// How long the gateway may take to end.
const GRACE: Duration = Duration::from_secs(2);

#[tokio::test]
async fn the_demo_shows_where_to_reach_what_and_ends_on_a_signal() {
    let base = ports::free_block().to_string();
    let demo = Command::new(program::latimer())
        .args(["demo", "--for", "1s", "--port-base", &base])
        .kill_on_drop(true)
        .output();
    let demo = tokio::time::timeout(PATIENCE, demo).await.expect("it ends by itself");
    let demo = demo.expect("the program starts");
    let said = String::from_utf8_lossy(&demo.stdout);
    assert!(demo.status.success(), "{}\n{said}{}", demo.status, String::from_utf8_lossy(&demo.stderr));
    for word in ["misty-1", &base, "/pubsub"] {
        assert!(said.contains(word), "{word} is not in\n{said}");
    }
}

#[tokio::test]
async fn each_line_that_is_offered_for_pasting_shows_something() {
    let gateway = Gateway::demo().await;
    let url = format!("http://{}/api/v1/endpoints", gateway.http());
    let endpoints: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let endpoints = endpoints["endpoints"].as_array().expect("endpoints are a list");
    assert!(!endpoints.is_empty());
    let own = program::latimer();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", own.parent().expect("a file lies in a folder").display());
    for endpoint in endpoints {
        let line = endpoint["try_line"].as_str().expect("each has a line");
        if line.starts_with("npx ") {
            // It is fetched from the network first.
            continue;
        }
        // The first line of output is enough; what goes on for ever then ends by itself.
        let shown = Command::new("sh")
            .args(["-c", "timeout 10 sh -c \"$LINE\" | head -n 1"])
            .env("LINE", line)
            .env("PATH", &path)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let shown = tokio::time::timeout(Duration::from_secs(12), shown).await.expect("it shows in time");
        let shown = shown.expect("sh is there");
        assert!(!shown.stdout.is_empty(), "{line}: {}", String::from_utf8_lossy(&shown.stderr));
    }
}

#[tokio::test]
async fn the_configs_of_the_repository_and_the_readme_run() {
    let readme = std::fs::read_to_string(program::repository().join("README.md")).expect("there is a README");
    let in_readme: Vec<&str> =
        readme.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!in_readme.is_empty(), "the README shows a config");
    let demo = std::fs::read_to_string(program::repository().join("config/demo.toml")).expect("it is there");
    for config in in_readme.into_iter().chain([demo.as_str()]) {
        drop(Gateway::with_text(config).await);
    }
    let gateway = Gateway::demo().await;
    let reference = program::repository().join("config/reference.toml");
    gateway.cli_ok(&["check-config", reference.to_str().expect("the path is text")]).await;
}

#[tokio::test]
async fn ctrl_c_ends_it_in_time_though_clients_are_connected() {
    let mut gateway = Gateway::demo().await;
    let mut clients = Vec::new();
    for i in 0..20 {
        let mut client = MistyClient::connect(&gateway.misty()).await;
        client.subscribe("IMU", &format!("{i}"), json!({"DebounceMs": 0})).await;
        clients.push(client);
    }
    let status = gateway.signal("INT", GRACE).await;
    assert!(status.success(), "{status}");
    for mut client in clients {
        client.closed(GRACE).await;
    }
}
