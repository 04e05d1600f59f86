//! A MiRo that tells what a real one can: the voltage of its battery, one sonar, odometry, pictures.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use latimer_core::frames::{FrameTree, Placement, Pose2, RobotFrames};
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{Battery, CompressedImage, Frame, Joint, Pose, Range};
use latimer_dialects::axbot::AxbotConfig;
use serde_json::json;

use super::chassis::{Chassis, robot};
use crate::rig::publish;

async fn robot_of(family: &'static str) -> Chassis {
    Chassis::with(family, AxbotConfig::default()).await
}

/// How it stands at first.
fn say_place(chassis: &Chassis) {
    publish(&chassis.source, None, Pose::planar(Frame::Odom, 1.0, 2.0, 0.0));
    for (part, degrees) in [("tilt", -5.0_f64), ("lift", 17.0), ("yaw", 0.0), ("pitch", -12.0)] {
        publish(&chassis.source, Some(part), Joint::hinge(degrees.to_radians()));
    }
}

#[tokio::test]
async fn a_voltage_alone_is_a_battery_without_a_charge() {
    let chassis = robot_of("miro").await;
    publish(&chassis.source, None, Battery { voltage_v: Some(4.75), ..Battery::UNKNOWN });
    let mut client = chassis.client().await;
    for topic in ["/battery_state", "/detailed_battery_state"] {
        client.enable(&[topic]).await;
        let message = client.json().await;
        assert_eq!((&message["topic"], &message["voltage"]), (&json!(topic), &json!(4.75)));
        assert!(message["percentage"].is_null() && message["power_supply_status"].is_null(), "{message}");
    }
}

/// Says where it started.
fn place(chassis: &Chassis) {
    let odom = Placement::in_world(Pose2::new(0.5, 1.0, FRAC_PI_2));
    let frames = RobotFrames { map: None, odom: Some(odom) };
    chassis.hub.set_frames(FrameTree::new(BTreeMap::new(), [(robot(), frames)].into()).unwrap());
}

#[tokio::test]
async fn its_dead_reckoning_is_published_in_the_world_with_the_point_that_the_sonar_meets() {
    let chassis = robot_of("miro").await;
    place(&chassis);
    say_place(&chassis);
    let mut client = chassis.client().await;
    client.enable(&["/tracked_pose"]).await;
    let pose = client.json().await;
    assert_eq!(pose["pos"], json!([-1.5, 2.0]));
    assert!((pose["ori"].as_f64().unwrap() - FRAC_PI_2).abs() < 1e-3, "{pose}");
    let mut client = chassis.client().await;
    client.enable(&["/scan_matched_points2"]).await;
    publish(&chassis.source, Some("sonar"), Range::valid(0.5));
    let scan = client.json().await;
    let point: Vec<f64> = serde_json::from_value(scan["points"][0].clone()).unwrap();
    assert!((point[0] + 1.5).abs() < 1e-3 && (point[1] - 2.62).abs() < 0.03, "{scan}");
    let url = format!("http://{}/chassis/pose", chassis.address);
    let answer: serde_json::Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    assert_eq!(answer["position"], json!([-1.5, 2.0, 0.0]));
}

/// Of a MiRo without a placement, and of a robot that may have a map.
#[tokio::test]
async fn a_pose_without_a_placement_and_its_sonar_are_not_published() {
    for family in ["miro", "test"] {
        let chassis = robot_of(family).await;
        say_place(&chassis);
        let mut client = chassis.client().await;
        client.enable(&["/tracked_pose", "/scan_matched_points2", "/battery_state"]).await;
        publish(&chassis.source, Some("sonar"), Range::valid(0.5));
        // Comes behind all that could have come before.
        publish(&chassis.source, None, Battery { voltage_v: Some(24.0), ..Battery::UNKNOWN });
        assert_eq!(client.json().await["topic"], "/battery_state", "{family}");
    }
}

#[tokio::test]
async fn its_left_eye_is_the_front_camera() {
    let chassis = robot_of("miro").await;
    let mut client = chassis.client().await;
    client.enable(&["/rgb_cameras/front/compressed"]).await;
    let image =
        CompressedImage { format: PictureFormat::Jpeg, width: 320, height: 240, data: "picture".into() };
    publish(&chassis.source, Some("camera_left"), image);
    let message = client.json().await;
    assert_eq!((&message["format"], &message["data"]), (&json!("jpeg"), &json!("cGljdHVyZQ==")));
}
