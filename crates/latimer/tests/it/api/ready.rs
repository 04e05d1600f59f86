//! Whether the gateway does its work, as whoever watches it sees it.

use std::time::Duration;

use latimer_core::Clock;
use latimer_core::model::Refusal;
use latimer_core::model::signal::LinkState;
use latimer_simulator_api::{SimulatorHandle, WorldRequest, WorldResponse};
use latimer_wire::v1::Readiness;

use super::support::Api;

async fn ready(api: &Api) -> (u16, Readiness) {
    let response = reqwest::get(api.url("/api/v1/ready")).await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn ready_is_who_serves_though_robots_are_down() {
    let api = Api::start().await;
    assert_eq!(ready(&api).await.0, 503);
    api.phase.serving();
    let (one, _two) = (api.robot("misty-1"), api.robot("misty-2"));
    one.link(LinkState::Up, None);
    let (status, readiness) = ready(&api).await;
    assert_eq!((status, readiness.ready), (200, true), "{readiness:?}");
    let checks: Vec<(&str, &str)> =
        readiness.checks.iter().map(|check| (check.name.as_str(), check.detail.as_str())).collect();
    assert_eq!(checks, [("listeners", "every listener is up"), ("robots", "1 of 2 up")]);
    api.phase.stopping();
    assert_eq!(ready(&api).await.0, 503);
}

#[tokio::test]
async fn a_world_that_does_not_answer_is_not_ready() {
    let clock = Clock::system();
    let (simulator, mut desk) = SimulatorHandle::new(clock);
    let api = Api::with_simulator(clock, Some(simulator)).await;
    api.phase.serving();
    let (status, readiness) = ready(&api).await;
    assert_eq!((status, readiness.checks[1].ok), (503, false), "{readiness:?}");
    let world = tokio::spawn(async move {
        loop {
            while let Some(request) = desk.next_request() {
                let alive = request.request == WorldRequest::Ping;
                request.answer(if alive { Ok(WorldResponse::Done) } else { Err(Refusal::not_now("no")) });
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    assert_eq!(ready(&api).await.0, 200);
    world.abort();
    let _ = world.await;
    let (status, readiness) = ready(&api).await;
    assert!(status == 503 && readiness.checks[1].detail.contains("stopped"), "{readiness:?}");
}
