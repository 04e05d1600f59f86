//! What a chassis tells of its drives: their state, distance and outcome.

use std::time::Duration;

use latimer_core::model::signal::{Navigation, NavigationKind, NavigationState, Relocation, RelocationState};
use latimer_dialects::axbot::AxbotConfig;
use serde_json::json;

use super::chassis::Chassis;
use super::topics::MOMENT;

fn navigation(state: NavigationState, remaining_m: f64) -> Navigation {
    Navigation { remaining_m: Some(remaining_m), ..Navigation::new(7, NavigationKind::Goto, state) }
}

#[tokio::test(start_paused = true)]
async fn a_drive_is_published_at_once_and_when_it_changes() {
    let chassis = Chassis::with("axbot", AxbotConfig::default()).await;
    let mut client = chassis.client().await;
    client.enable(&["/planning_state"]).await;
    let idle = client.json().await;
    assert_eq!((&idle["topic"], &idle["move_state"]), (&json!("/planning_state"), &json!("idle")));
    let publish = |state: NavigationState, distance: f64| {
        let text = json!({"topic": "/planning_state", "action_id": 7, "move_state": state.as_str(),
            "remaining_distance": distance});
        chassis.publish(None, navigation(state, distance), "/planning_state", text.to_string());
    };
    for distance in [3.0, 2.0, 1.0] {
        publish(NavigationState::Moving, distance);
    }
    publish(NavigationState::Succeeded, 0.0);
    let reported = client.all_within(MOMENT).await;
    assert_eq!(
        reported.iter().map(|it| it["move_state"].as_str().unwrap()).collect::<Vec<_>>(),
        ["moving", "succeeded"]
    );
    // Events are over for the hub, but the state of a drive is not.
    let mut late = chassis.client().await;
    late.enable(&["/planning_state"]).await;
    assert_eq!(late.json().await["move_state"], "succeeded");
}

#[tokio::test(start_paused = true)]
async fn a_drive_that_does_not_change_is_published_again_as_often_as_the_site_wants() {
    for (config, every_s) in
        [(AxbotConfig::default(), 12), (AxbotConfig { planning_every_s: 2.0, ..AxbotConfig::default() }, 2)]
    {
        let chassis = Chassis::with("axbot", config).await;
        let mut client = chassis.client().await;
        client.enable(&["/planning_state"]).await;
        assert_eq!(client.json().await["remaining_distance"], 0.0, "also at rest");
        let before = client.all_within(Duration::from_secs(every_s) - MOMENT).await;
        assert!(before.is_empty(), "{before:?}");
        let again = client.all_within(Duration::from_secs(every_s)).await;
        assert_eq!(again.len(), 1, "every {every_s} s: {again:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_distance_of_a_drive_that_is_over_is_zero() {
    let chassis = Chassis::with("axbot", AxbotConfig::default()).await;
    let ended = Navigation { remaining_m: None, ..navigation(NavigationState::Succeeded, 0.0) };
    chassis.publish(None, ended, "/elsewhere", "{}");
    let mut client = chassis.client().await;
    client.enable(&["/planning_state"]).await;
    let state = client.json().await;
    assert_eq!((&state["move_state"], &state["remaining_distance"]), (&json!("succeeded"), &json!(0.0)));
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_does_not_drive_by_itself_is_not_said_to_be_idle() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/planning_state"]).await;
    assert!(client.all_within(MOMENT).await.is_empty());
}

#[tokio::test]
async fn the_outcome_of_a_search_is_published_to_late_subscribers() {
    let chassis = Chassis::start().await;
    let relocation = Relocation {
        state: RelocationState::Succeeded,
        score_percent: Some(82.1),
        needs_confirmation: Some(false),
        pose: None,
        message: None,
    };
    let text = r#"{"topic":"/global_positioning_state","state":"succeeded"}"#;
    chassis.publish(None, relocation, "/global_positioning_state", text);
    let mut client = chassis.client().await;
    client.enable(&["/global_positioning_state"]).await;
    assert_eq!(client.text().await, text);
}
