//! A MiRo that tells what a real one can: the voltage of its battery, one sonar, odometry, pictures.

use std::f64::consts::FRAC_PI_2;
use std::time::Duration;

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{Battery, CompressedImage, DetectedObject, Frame, Objects, Pose, Range};
use latimer_dialects::misty::MistyConfig;
use serde_json::{Value, json};

use super::client::{Misty, PATIENCE};
use crate::rig::publish;

async fn miro() -> Misty {
    Misty::of("miro", MistyConfig::default()).await
}

fn picture() -> CompressedImage {
    let pixels: Vec<u8> = (0..32 * 24).flat_map(|i| [(i % 256) as u8, 40, 200]).collect();
    let mut data = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut data, 90);
    encoder.encode(&pixels, 32, 24, jpeg_encoder::ColorType::Rgb).unwrap();
    CompressedImage { format: PictureFormat::Jpeg, width: 32, height: 24, data: data.into() }
}

/// Asks for a picture; the camera takes one as soon as somebody looks.
async fn taken(misty: &Misty, query: &str) -> reqwest::Response {
    let call = tokio::spawn(reqwest::get(misty.url(&format!("cameras/rgb{query}"))));
    let eye = PartName::of("camera_left");
    let looked = async {
        while !misty.source.wants(Kind::CompressedImage, Some(&eye)) && !call.is_finished() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looked).await.unwrap();
    publish(&misty.source, Some("camera_right"), CompressedImage { width: 1, ..picture() });
    publish(&misty.source, Some("camera_left"), picture());
    call.await.unwrap().unwrap()
}

#[tokio::test]
async fn a_voltage_alone_is_a_battery_without_a_charge() {
    let misty = miro().await;
    publish(&misty.source, None, Battery { voltage_v: Some(4.75), ..Battery::UNKNOWN });
    let answer: Value = reqwest::get(misty.url("battery")).await.unwrap().json().await.unwrap();
    assert_eq!(answer["result"]["voltage"], json!(4.75));
    assert!(answer["result"]["chargePercent"].is_null(), "{answer}");
}

#[tokio::test]
async fn the_sonar_is_the_range_ahead_and_odometry_is_the_place() {
    let misty = miro().await;
    publish(&misty.source, Some("sonar"), Range::valid(0.31));
    publish(&misty.source, None, Pose::planar(Frame::Odom, 1.0, 2.0, 0.5));
    let mut client = misty.client().await;
    let center = r#""EventConditions":[{"Property":"SensorPosition","Inequality":"=","Value":"Center"}]"#;
    client.subscribe("TimeOfFlight", "ranges", center).await;
    let range = client.json().await["message"].clone();
    assert_eq!((&range["sensorId"], &range["distanceInMeters"]), (&json!("toffc"), &json!(0.31)));
    let mut client = misty.client().await;
    client.subscribe("SelfState", "own", "").await;
    let pose = client.json().await["message"]["location"]["pose"].clone();
    assert_eq!((&pose["x"], &pose["y"], &pose["yaw"]), (&json!(1.0), &json!(2.0), &json!(0.5)));
    assert_eq!(pose["frameId"], "Odom");
}

#[tokio::test]
async fn things_that_several_parts_detect_are_in_the_axes_of_the_base() {
    let misty = miro().await;
    let thing = |class: &str, x_m, y_m| DetectedObject {
        id: i64::MAX,
        class: Some(class.to_owned()),
        pose: Pose::planar(Frame::Map, x_m, y_m, 0.0),
        ..DetectedObject::UNKNOWN
    };
    publish(&misty.source, None, Pose::planar(Frame::Map, 1.0, 2.0, FRAC_PI_2));
    publish(&misty.source, Some("racks"), Objects { objects: vec![thing("rack", 1.0, 5.0)] });
    publish(&misty.source, Some("vision"), Objects { objects: vec![thing("person", -1.0, 2.0)] });
    let mut client = misty.client().await;
    client.subscribe("WorldState", "things", "").await;
    let message = client.json().await["message"].clone();
    let things = message["objects"].as_array().unwrap();
    let placed = |thing: &Value| {
        let location = &thing["location"];
        (
            thing["class"].clone(),
            location["distance"].as_f64().unwrap(),
            location["bearing"].as_f64().unwrap(),
        )
    };
    let near = |thing: &Value, class: &str, distance_m: f64, bearing_rad: f64| {
        let (told, distance, bearing) = placed(thing);
        assert_eq!(told, class);
        assert!((distance - distance_m).abs() + (bearing - bearing_rad).abs() < 1e-9, "{thing}");
    };
    near(&things[0], "rack", 3.0, 0.0);
    near(&things[1], "person", 2.0, FRAC_PI_2);
    assert_ne!(things[0]["id"], things[1]["id"]);
}

#[tokio::test]
async fn a_picture_is_the_left_eyes_next_one() {
    let misty = miro().await;
    publish(&misty.source, Some("camera_left"), CompressedImage { data: "of long ago".into(), ..picture() });
    let file = taken(&misty, "").await;
    assert_eq!(file.headers()["content-type"], "image/jpeg");
    assert_eq!(file.bytes().await.unwrap(), picture().data);
    let answer: Value = taken(&misty, "?Base64=true&FileName=me").await.json().await.unwrap();
    let result = &answer["result"];
    assert_eq!(
        (&result["width"], &result["height"], &result["name"]),
        (&json!(32), &json!(24), &json!("me"))
    );
    let small: Value = taken(&misty, "?Base64=true&Width=8&Height=6").await.json().await.unwrap();
    assert_eq!((&small["result"]["width"], &small["result"]["height"]), (&json!(8), &json!(6)));
    for query in ["?Width=8", "?Width=0&Height=0", "?Width=99999&Height=99999", "?Base64=perhaps"] {
        let refused = reqwest::get(misty.url(&format!("cameras/rgb{query}"))).await.unwrap();
        assert_eq!(refused.status(), 400, "{query}");
    }
}
