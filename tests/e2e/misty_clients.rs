//! Misty's clients from PyPI, unmodified, against a simulated Misty.

use std::process::Stdio;

use latimer_e2e::PATIENCE;
use latimer_e2e::{Gateway, program};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::python;

#[tokio::test]
async fn the_official_sdk_subscribes_receives_drives_and_unsubscribes() {
    let gateway = Gateway::with_config("still.toml").await;
    let (address, common) = (gateway.misty(), gateway.http());
    let latimer = program::latimer().display().to_string();
    let press = [&latimer, "poke", "misty-1", "bump", "front_left", "--gateway", &common];
    let arguments: Vec<&str> = [address.as_str()].into_iter().chain(press).collect();
    python::run("sdk", "misty_sdk.py", &arguments).await;
    gateway.until_sinks_are(0, PATIENCE).await;
}

#[tokio::test]
async fn the_program_in_the_readme_prints_events() {
    let gateway = Gateway::demo().await;
    let readme = std::fs::read_to_string(program::repository().join("README.md")).expect("there is a README");
    let (_, rest) = readme.split_once("```python\n").expect("the README shows a program");
    let (text, _) = rest.split_once("```").expect("the program ends");
    assert!(text.contains("127.0.0.1:8081"), "{text}");
    let text = text.replace("127.0.0.1:8081", &gateway.misty());
    let mut python = Command::new(program::python("sdk"));
    let python =
        python.args(["-u", "-c", &text]).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut python = python.spawn().expect("Python starts");
    let mut lines = BufReader::new(python.stdout.take().expect("stdout is piped")).lines();
    for _ in 0..3 {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await;
        let line = line.expect("it prints in time").expect("it prints text").unwrap_or_default();
        assert!(line.contains("distanceInMeters"), "{line:?}");
    }
}

#[tokio::test]
async fn misty2py_subscribes_reads_acts_asks_and_unsubscribes() {
    let gateway = Gateway::with_config("still.toml").await;
    python::run("misty2py", "misty2py_client.py", &[&gateway.misty()]).await;
    gateway.until_sinks_are(0, PATIENCE).await;
}

#[tokio::test]
async fn the_sdks_generator_writes_itself_anew_from_what_the_robot_offers() {
    let gateway = Gateway::demo().await;
    python::run("sdk", "misty_generator.py", &[&gateway.misty()]).await;
}
