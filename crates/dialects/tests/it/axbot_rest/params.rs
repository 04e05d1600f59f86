//! What its owner sets: how fast it drives at most.

use latimer_core::Outcome;
use latimer_core::model::signal::{DriveLimits, SpeedLimits};
use latimer_dialects::axbot::calls;
use serde_json::json;

use super::gateway::Gateway;
use super::sent;
use crate::own;

fn limits(forward_mps: f64, backward_mps: f64) -> SpeedLimits {
    SpeedLimits { forward_mps: Some(forward_mps), backward_mps: Some(backward_mps), ..SpeedLimits::NONE }
}

async fn limited() -> Gateway {
    let gateway = Gateway::start().await;
    gateway.publish(DriveLimits {
        present: limits(0.5, 0.2),
        default: limits(0.8, 0.2),
        greatest: limits(0.8, 0.3),
    });
    gateway
}

#[tokio::test]
async fn params_are_read() {
    let gateway = limited().await;
    gateway.publish(sent::footprint());
    let (status, params) = gateway.get("robot-params").await;
    assert_eq!((status, &params["/wheel_control/max_forward_velocity"]), (200, &json!(0.5)));
    assert_eq!(params["/wheel_control/max_backward_velocity"], json!(-0.2));
    assert_eq!(params["/robot/footprint"][0], json!([-0.2, 0.3]));
    assert!(params.get("/wheel_control/max_angular_velocity").is_none(), "it published none: {params}");
    let (_, default) = gateway.get("robot-params/default/").await;
    assert_eq!(default["/wheel_control/max_forward_velocity"], json!(0.8));
}

#[tokio::test]
async fn params_are_set_by_either_method() {
    let mut gateway = limited().await;
    let body =
        r#"{"/wheel_control/max_forward_velocity": 0.3, "/wheel_control/max_backward_velocity": "-0.1"}"#;
    for method in ["POST", "PATCH"] {
        let (command, (status, params)) = gateway.asked(method, "robot-params", body, Outcome::Done).await;
        assert_eq!(command, own(calls::DriveLimits::from(limits(0.3, 0.1))));
        assert_eq!((status, &params["/wheel_control/max_forward_velocity"]), (200, &json!(0.3)));
    }
}

#[tokio::test]
async fn params_out_of_bounds_or_unknown_are_refused() {
    let mut gateway = limited().await;
    for (body, part) in [
        (r#"{"/wheel_control/max_forward_velocity": 5}"#, "from 0 to 0.8"),
        (r#"{"/wheel_control/max_backward_velocity": 0.2}"#, "from -0.3 to 0"),
        (r#"{"/wheel_control/max_forward_velocity": "fast"}"#, "is no number"),
        (r#"{"/planning/auto_hold": true}"#, "/wheel_control/max_angular_velocity"),
    ] {
        let (status, reason) = gateway.refused("POST", "robot-params", body).await;
        assert!(status == 400 && reason.contains(part), "{body}: {status} {reason}");
    }
    let body = r#"{"/wheel_control/max_forward_velocity": 0.3}"#;
    let refused = Outcome::not_now("the wheels are hot");
    let (_, (status, answer)) = gateway.asked("POST", "robot-params", body, refused).await;
    assert_eq!((status, answer), (400, json!({"detail": "the wheels are hot"})));
}

#[tokio::test]
async fn settings_are_the_same_under_newer_names() {
    let mut gateway = limited().await;
    let (_, schema) = gateway.get("system/settings/schema").await;
    assert_eq!(
        schema["ax"][0],
        json!({
            "name": "control.max_forward_velocity", "title": "Control: Max Forward Velocity", "type": "float",
            "default": 0.8, "range": "[0, 0.8]",
        })
    );
    assert_eq!(schema["ax"].as_array().unwrap().len(), 2);
    let of = async |name: &str| gateway.get(&format!("system/settings/{name}")).await.1;
    assert_eq!(of("user").await, json!({"control.max_forward_velocity": 0.5}));
    assert_eq!(of("default").await["control.max_forward_velocity"], json!(0.8));
    assert_eq!(of("effective").await["control.max_forward_velocity"], json!(0.5));
    assert_eq!(gateway.get("device/info").await.1["caps"]["supportsSystemSettings"], true);
    assert_eq!(gateway.call("PATCH", "system/settings/effective", "{}").await.0, 405);
    // What is not given stays with PATCH, and goes back to its default with POST.
    let body = r#"{"control.max_backward_velocity": -0.3}"#;
    let (command, answer) = gateway.asked("PATCH", "system/settings/user", body, Outcome::Done).await;
    let given = SpeedLimits { backward_mps: Some(0.3), ..SpeedLimits::NONE };
    assert_eq!(command, own(calls::DriveLimits::from(given)));
    assert_eq!(
        answer,
        (200, json!({"control.max_forward_velocity": 0.5, "control.max_backward_velocity": -0.3}))
    );
    let (command, answer) = gateway.asked("POST", "system/settings/user", body, Outcome::Done).await;
    assert_eq!(command, own(calls::DriveLimits::from(limits(0.8, 0.3))));
    assert_eq!(answer, (200, json!({"control.max_backward_velocity": -0.3})));
}

#[tokio::test]
async fn a_robot_that_tells_no_limits_has_none() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.get("robot-params").await, (200, json!({})));
    assert_eq!(gateway.get("system/settings/schema").await, (200, json!({"ax": []})));
    assert_eq!(gateway.get("device/info").await.1["caps"]["supportsSystemSettings"], false);
}
