//! Stops of a client that has asked for too much.

use latimer_core::{Clock, Outcome};
use latimer_dialects::listen::Ports;
use latimer_e2e::PATIENCE;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use super::support::Api;

/// Requests of one address that are answered at once at a rate of one a second.
const BURST: usize = 20;

const COMMANDS: &str = "/api/v1/robots/misty-1/commands";

async fn post(url: String, body: Value) -> StatusCode {
    Client::new().post(url).json(&body).send().await.expect("it answers").status()
}

async fn until_slowed(ports: &Ports, count: u64) {
    let slowed = async {
        while ports.slowed() < count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, slowed).await.expect("it waits");
}

#[tokio::test(start_paused = true)]
async fn stops_do_not_wait_behind_other_requests_and_have_a_bound_of_their_own() {
    // A paused clock stands while a blocking task runs: what waits for its rate is never answered.
    let (_end, held) = std::sync::mpsc::channel::<()>();
    #[expect(clippy::disallowed_methods, reason = "it runs from now on, though nobody awaits it")]
    tokio::task::spawn_blocking(move || held.recv());
    let clock = Clock::system();
    let ports = Ports::new(Default::default(), clock, 1);
    let api = Api::behind(ports.clone(), clock, None, None).await;
    let mut robot = api.robot("misty-1");
    for _ in 0..BURST {
        api.get("/api/v1/robots").await;
    }
    let drive = tokio::spawn(post(api.url(COMMANDS), json!({"command": "drive", "linear_mps": 0.1})));
    let release = tokio::spawn(post(api.url("/api/v1/estop"), json!({"pressed": false})));
    until_slowed(&ports, 2).await;
    let stops = [
        (COMMANDS, json!({"command": "stop"})),
        (COMMANDS, json!({"command": "halt"})),
        (COMMANDS, json!({"command": "emergency_stop"})),
        ("/api/v1/estop", json!({})),
        ("/api/v1/estop", json!({"robots": ["misty-1"]})),
    ];
    for (path, body) in stops.iter().cycle().take(BURST) {
        let stop = tokio::spawn(post(api.url(path), body.clone()));
        let request = robot.next_command().await;
        assert!(request.command.is_stop(), "{path} {body}: {:?}", request.command);
        request.answer(Outcome::Done);
        assert_eq!(stop.await.unwrap(), StatusCode::OK, "{path} {body}");
    }
    assert!(!drive.is_finished() && !release.is_finished(), "the others wait");
    let more = tokio::spawn(post(api.url(COMMANDS), json!({"command": "stop"})));
    until_slowed(&ports, 3).await;
    assert!(!more.is_finished());
}
