//! Streams: video, pictures, binary frames, cameras of somebody else's.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::model::Kind;
use latimer_core::model::signal::image::{Codec, PictureFormat};
use latimer_core::model::signal::{CompressedImage, Frame, PointCloud, Video};
use latimer_core::{Command, Outcome, PartName};
use latimer_dialects::axbot::AxbotConfig;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::chassis::{Chassis, Client};

fn say_video(chassis: &Chassis, part: &str, sequence: i64, key_frame: bool) {
    let data = Bytes::from_static(&[0, 0, 0, 1]);
    let video = Video { codec: Codec::H264, key_frame, sequence, width: 2, height: 2, data };
    let text = json!({"topic": "/rgb_cameras/front/video", "data": format!("{part} {sequence}")});
    chassis.publish(Some(part), video, "/rgb_cameras/front/video", text.to_string());
}

async fn frames(client: &mut Client) -> Vec<String> {
    let frames = client.all_within(Duration::from_millis(200)).await;
    frames.into_iter().map(|frame| frame["data"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn video_begins_with_a_key_frame() {
    let chassis = Chassis::start().await;
    say_video(&chassis, "camera_front", 1, true);
    chassis.time.pass(Duration::from_millis(30)).await;
    let mut client = chassis.client().await;
    client.enable(&["/rgb_cameras/front/video"]).await;
    assert!(chassis.source.wants(Kind::Video, Some(&PartName::of("camera_front"))));
    assert!(!chassis.source.wants(Kind::Video, Some(&PartName::of("camera_back"))), "it need not be filmed");
    assert!(frames(&mut client).await.is_empty(), "what was filmed before is over");
    for (sequence, key_frame) in [(2, false), (3, true), (4, false), (6, false), (7, true)] {
        say_video(&chassis, "camera_front", sequence, key_frame);
        chassis.time.pass(Duration::from_millis(30)).await;
    }
    // Another camera of the robot that could stand in is not mixed in.
    say_video(&chassis, "camera", 8, true);
    assert_eq!(frames(&mut client).await, ["camera_front 3", "camera_front 4", "camera_front 7"]);
    client.send(r#"{"disable_topic": "/rgb_cameras/front/video"}"#).await;
    client.json().await;
    assert!(!chassis.source.wants(Kind::Video, None), "nobody watches any more");
}

#[tokio::test(start_paused = true)]
async fn frames_that_come_together_are_all_sent() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/rgb_cameras/front/video"]).await;
    (1..=10).for_each(|sequence| say_video(&chassis, "camera_front", sequence, sequence == 1));
    let expected: Vec<String> = (1..=10).map(|sequence| format!("camera_front {sequence}")).collect();
    assert_eq!(frames(&mut client).await, expected);
}

#[tokio::test]
async fn binary_frames_pass_through_as_binary_messages() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/scan_matched_points2"]).await;
    let topic = b"/scan_matched_points2";
    let frame = [&[topic.len() as u8], &topic[..], &[1, 0x1f, 0x8b, 0xff]].concat();
    let cloud = PointCloud { frame: Frame::Map, points_m: vec![[1.0, 2.0, 0.0]] };
    chassis.publish(None, cloud, "/scan_matched_points2", &frame);
    match client.message().await {
        Message::Binary(bytes) => assert_eq!(bytes.to_vec(), frame),
        other => panic!("{other:?}"),
    }
}

fn jpeg() -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, 50);
    encoder.encode(&[90; 16 * 8], 16, 8, jpeg_encoder::ColorType::Luma).unwrap();
    file
}

#[tokio::test(start_paused = true)]
async fn a_camera_is_wished_for_while_the_robots_own_is_watched_in_vain() {
    let mut chassis = Chassis::with("axbot", AxbotConfig::default()).await;
    let mut device = chassis.client().await;
    device.enable(&["/external_rgb_camera_control"]).await;
    let control = |devices| json!({"topic": "/external_rgb_camera_control", "enabled_devices": devices});
    assert_eq!(device.json().await, control(json!([])));
    let mut viewer = chassis.client().await;
    viewer.enable(&["/rgb_cameras/front/compressed"]).await;
    let wished = json!([{"name": "Front Camera", "width": 320, "height": 240, "fps": 5,
        "external_data_topic": "/external_rgb_data/front"}]);
    let reported = device.all_within(Duration::from_secs(3)).await;
    assert_eq!(reported, [control(wished)], "after two seconds without a picture");
    let data = STANDARD.encode(jpeg());
    let picture = json!({"topic": "/external_rgb_data/front", "format": "jpeg", "stamp": 1.5, "data": data});
    device.send(&picture).await;
    let Command::Picture { part, image } = chassis.answer(Outcome::Done).await else { panic!() };
    assert_eq!((part.as_str(), image.width, image.height), ("camera_front", 16, 8));
    assert_eq!(image.data, jpeg());
    // The robot shows what it was sent, and the camera goes on.
    say_picture(&chassis, image);
    assert_eq!(viewer.json().await["topic"], "/rgb_cameras/front/compressed");
    assert!(device.all_within(Duration::from_secs(1)).await.is_empty());
    drop(viewer);
    while chassis.hub.sinks().len() > 1 {
        tokio::task::yield_now().await;
    }
    let reported = device.all_within(Duration::from_secs(3)).await;
    assert_eq!(reported, [control(json!([]))], "nobody watches any more");
}

fn say_picture(chassis: &Chassis, image: CompressedImage) {
    assert_eq!(image.format, PictureFormat::Jpeg);
    let text = r#"{"topic":"/rgb_cameras/front/compressed","format":"jpeg"}"#;
    chassis.publish(Some("camera_front"), image, "/rgb_cameras/front/compressed", text);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_takes_no_pictures_of_others_does_not_wish_for_cameras() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/external_rgb_camera_control", "/rgb_cameras/back/compressed"]).await;
    assert!(client.all_within(Duration::from_secs(3)).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_camera_that_works_is_not_replaced() {
    let chassis = Chassis::with("axbot", AxbotConfig::default()).await;
    let mut device = chassis.client().await;
    device.enable(&["/external_rgb_camera_control", "/rgb_cameras/front/compressed"]).await;
    let data = Bytes::from(jpeg());
    for _ in 0..25 {
        let image = CompressedImage { format: PictureFormat::Jpeg, width: 16, height: 8, data: data.clone() };
        say_picture(&chassis, image);
        chassis.time.pass(Duration::from_millis(100)).await;
    }
    let frames = device.all_within(Duration::from_millis(100)).await;
    let lists: Vec<_> = frames.iter().filter_map(|frame| frame.get("enabled_devices")).collect();
    assert_eq!(lists, [&json!([])]);
}
