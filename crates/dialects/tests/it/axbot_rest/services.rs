//! What can be done at once.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{CompressedImage, ControlMode};
use latimer_core::model::{Carry, LocalizationCommand, Maintenance, RelocateBy};
use latimer_core::{Command, Outcome};
use latimer_dialects::axbot::AxbotConfig;
use latimer_dialects::axbot::calls::{self, Maintain, WakeUp};
use serde_json::json;

use super::gateway::Gateway;
use super::sent;
use crate::own;

async fn equipped() -> Gateway {
    let gateway = Gateway::start().await;
    gateway.say_of("jack", sent::jack());
    gateway.say_of("roller", sent::jack());
    gateway
}

#[tokio::test]
async fn every_service_becomes_what_it_means() {
    let mut gateway = equipped().await;
    let maintain = |action| own(Maintain { action });
    let marks = RelocateBy { marks: true, scan: false };
    for (service, body, command) in [
        (
            "wheel_control/set_control_mode",
            r#"{"control_mode":"remote"}"#,
            Command::ControlMode(ControlMode::Remote),
        ),
        ("wheel_control/set_control_mode", r#"{"mode":"manual"}"#, Command::ControlMode(ControlMode::Manual)),
        ("wheel_control/set_emergency_stop", r#"{"enable":true}"#, Command::EmergencyStop(true)),
        ("wheel_control/set_emergency_stop_pressed", r#"{"enable":false}"#, Command::EmergencyStop(false)),
        ("wheel_control/clear_errors", "", maintain(Maintenance::ClearWheelFaults)),
        ("wake_up_device", "{}", own(WakeUp {})),
        (
            "start_global_positioning",
            r#"{"use_base_map_match":false}"#,
            Command::Localization(LocalizationCommand::Relocate(marks)),
        ),
        ("jack_up", "", own(calls::Carry { action: Carry::JackUp })),
        ("jack_down", "", own(calls::Carry { action: Carry::JackDown })),
        ("jack_self_check", "", maintain(Maintenance::CheckJack)),
        ("clear_jack_errors", "", maintain(Maintenance::ClearJackFaults)),
        ("roller_load", "", own(calls::Carry { action: Carry::RollerLoad })),
        ("unload_cargo", "", own(calls::Carry { action: Carry::RollerUnload })),
        ("imu/recalibrate", "", maintain(Maintenance::CalibrateImu)),
        ("imu/calibrate_gyro_scale", "", maintain(Maintenance::CalibrateGyro)),
        ("monitor/clear_slipping_error", "", maintain(Maintenance::ClearSlipping)),
        ("clear_slipping_error", "", maintain(Maintenance::ClearSlipping)),
        ("monitor/clear_flip_error", "", maintain(Maintenance::ClearFall)),
        ("occupancy_grid_server/reset", "", maintain(Maintenance::ClearCosts)),
        ("baseboard/power_on_lidar", r#"{"action":"power_off"}"#, maintain(Maintenance::LidarOff)),
    ] {
        let asked = gateway.done("POST", &format!("services/{service}"), body).await;
        assert_eq!(asked, (command, (200, json!({"message": "ok"}))), "{service}");
    }
}

#[tokio::test]
async fn the_status_of_a_service_is_a_matter_of_the_config() {
    let config = AxbotConfig { service_status: 201, ..AxbotConfig::default() };
    let mut gateway = Gateway::of_family("axbot", config).await;
    gateway.source.link(latimer_core::model::signal::LinkState::Up, None);
    assert_eq!(gateway.done("POST", "services/wake_up_device", "").await.1.0, 201);
}

#[tokio::test]
async fn refusals_are_reported() {
    let mut gateway = equipped().await;
    let no = Outcome::not_now("the jack is stuck");
    let (_, answer) = gateway.asked("POST", "services/jack_up", "", no).await;
    assert_eq!(answer, (400, json!({"detail": "the jack is stuck"})));
    for (service, body, status, words) in [
        ("make_coffee", "", 404, "there are: wheel_control/set_control_mode"),
        (
            "baseboard/shutdown",
            r#"{"target":"x","reboot":true}"#,
            400,
            "main_power_supply and main_computing_unit",
        ),
        ("start_rack_size_detection", "", 404, "no eyes for racks"),
        ("wheel_control/set_emergency_stop", "", 400, "\"enable\" is required"),
        ("wheel_control/set_control_mode", r#"{"control_mode":"x"}"#, 400, "auto, manual and remote"),
        ("baseboard/power_on_lidar", r#"{"action":"x"}"#, 400, "power_on nor power_off"),
        ("get_rgb_image", r#"{"topic":"/alerts"}"#, 400, "/rgb_cameras/front/compressed"),
        ("get_rgb_image", "", 400, "\"topic\" is required"),
    ] {
        let reported = gateway.refused("POST", &format!("services/{service}"), body).await;
        assert!(reported.0 == status && reported.1.contains(words), "{service}: {reported:?}");
    }
}

#[tokio::test]
async fn a_robot_without_a_jack_has_no_service_for_it() {
    let gateway = Gateway::start().await;
    let (status, text) = gateway.refused("POST", "services/jack_up", "").await;
    assert!(status == 404 && text.contains("no jack"), "{status} {text}");
}

#[tokio::test]
async fn the_clock_is_compared() {
    let gateway = Gateway::start().await;
    let (status, reported) = gateway.get("services/step_time").await;
    assert_eq!((status, &reported["should_step"]), (200, &json!(false)), "{reported}");
    assert_eq!(gateway.call("POST", "services/step_time", "").await.0, 200);
}

#[tokio::test]
async fn a_camera_that_tells_nothing_is_no_picture() {
    let gateway = Gateway::start().await;
    let body = r#"{"topic": "/rgb_cameras/front/compressed"}"#;
    let (status, text) = gateway.refused("POST", "services/get_rgb_image", body).await;
    assert!(status == 404 && text.contains("no picture"), "{status} {text}");
}

#[tokio::test]
async fn a_picture_is_answered_as_its_topic_publishes_it() {
    let gateway = Gateway::start().await;
    let picture = CompressedImage {
        format: PictureFormat::Jpeg,
        width: 2,
        height: 1,
        data: b"a picture".as_slice().into(),
    };
    // A camera delivers while somebody looks.
    let delivers = async {
        loop {
            gateway.say_of("camera_front", picture.clone());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let body = r#"{"topic": "/rgb_cameras/front/compressed"}"#;
    let (status, reported) = tokio::select! {
        answer = gateway.call("POST", "services/get_rgb_image", body) => answer,
        () = delivers => unreachable!(),
    };
    assert_eq!((status, &reported["topic"]), (200, &json!("/rgb_cameras/front/compressed")));
    assert_eq!(reported["data"], STANDARD.encode(b"a picture"));
}

#[tokio::test]
async fn a_restart_takes_its_time() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.call("POST", "services/restart_service", "").await.0, 200);
    let (status, text) = gateway.refused("GET", "device/info", "").await;
    assert!(status == 503 && text.contains("boots"), "{status} {text}");
    let (status, progress) = gateway.get("device/boot_progress").await;
    assert!(status == 200 && progress["progress"].as_f64().unwrap() < 1.0, "{progress}");
}
