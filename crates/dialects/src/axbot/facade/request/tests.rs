use latimer_core::model::FollowState;
use latimer_core::model::signal::image::PictureFormat;
use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Request {
    Request::parse(text).unwrap()
}

fn problem(text: &str) -> String {
    Request::parse(text).unwrap_err().to_string()
}

fn topics(enable: &[&str], disable: &[&str]) -> Request {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Request::Topics { enable: owned(enable), disable: owned(disable) }
}

/// A grey picture as a JPEG file in base64.
fn jpeg(width: u16, height: u16) -> String {
    use base64::Engine;
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, 50);
    let pixels = vec![90; usize::from(width) * usize::from(height)];
    encoder.encode(&pixels, width, height, jpeg_encoder::ColorType::Luma).unwrap();
    base64::engine::general_purpose::STANDARD.encode(file)
}

#[test]
fn topics_come_alone_or_as_a_list() {
    assert_eq!(read(r#"{"enable_topic": "/map"}"#), topics(&["/map"], &[]));
    assert_eq!(read(r#"{"disable_topic": ["/map", "/alerts"]}"#), topics(&[], &["/map", "/alerts"]));
    let both = r#"{"enable_topic": ["/path"], "disable_topic": "/map"}"#;
    assert_eq!(read(both), topics(&["/path"], &["/map"]));
    assert_eq!(read("{enable_topic: '/map',} // typed by hand"), topics(&["/map"], &[]));
    assert_eq!(read(" \n"), Request::Nothing);
}

#[test]
fn messages_of_the_specification_are_read() {
    let twist = Request::Twist { linear_mps: 0.0, angular_radps: -0.65 };
    assert_eq!(read(r#"{"topic":"/twist","linear_velocity":0,"angular_velocity":-0.65}"#), twist);
    assert_eq!(read(r#"{ "topic": "/get_device_info_brief" }"#), Request::DeviceInfoBrief);
    assert_eq!(read(r#"{"topic": "/get_device_info"}"#), Request::DeviceInfo);
    let pose = r#"{"topic": "/follow_target_state", "follow_state": "follow_pose",
        "target_pose": {"pos": [1.1, 2.2], "ori": 1.2}}"#;
    let target =
        Follow { x_m: Some(1.1), y_m: Some(2.2), yaw_rad: Some(1.2), ..Follow::of(FollowState::Pose) };
    assert_eq!(read(pose), Request::Follow(target));
    let turn =
        r#"{"topic": "/follow_target_state", "follow_state": "follow_pose", "target_pose": {"ori": 3}}"#;
    assert_eq!(read(turn), Request::Follow(Follow { yaw_rad: Some(3.0), ..Follow::of(FollowState::Pose) }));
    let pause = r#"{"topic": "/follow_target_state", "follow_state": "pause"}"#;
    assert_eq!(read(pause), Request::Follow(Follow::of(FollowState::Pause)));
    let pins = r#"{"topic": "/set_output_pins", "outputs": [[0, 0, 1, 1, 1, 1, 0, 0, 0], [true]]}"#;
    let row = [0, 0, 1, 1, 1, 1, 0, 0, 0].map(|pin| pin == 1).to_vec();
    assert_eq!(read(pins), Request::SetPins(vec![row, vec![true]]));
    // As the sample is written, with a comma too many.
    let modify = r#"{"topic": "/modify_output_pins", "enable": [0, 9, 13], "disable": [2, 4, 6],}"#;
    assert_eq!(read(modify), Request::ModifyPins { enable: vec![0, 9, 13], disable: vec![2, 4, 6] });
}

#[test]
fn pictures_have_the_size_that_is_in_them() {
    for (camera, name, bytes) in [(Camera::Front, "front", 3), (Camera::Back, "back", 150_000)] {
        let padding = " ".repeat(bytes);
        let data = jpeg(32, 24);
        let text = format!(
            r#"{{"topic": "/external_rgb_data/{name}", "format": "jpeg", "stamp": 1655896161.012,{padding} "data": "{data}"}}"#
        );
        let Request::Picture { camera: read_as, image } = read(&text) else { panic!("{name}") };
        assert_eq!((read_as, image.format, image.width, image.height), (camera, PictureFormat::Jpeg, 32, 24));
        assert!(image.data.starts_with(b"\xff\xd8"));
    }
}

#[test]
fn mistakes_are_explained() {
    let table = [
        ("{", "not JSON"),
        ("[1]", "this is a list; send one object"),
        ("7", "a number"),
        ("{}", "none of"),
        (r#"{"enable_topics": ["/map"]}"#, "it is called \"enable_topic\""),
        (r#"{"enable_topic": 7}"#, "enable_topic is a number"),
        (r#"{"enable_topic": ["/map", null]}"#, "enable_topic[1] is null"),
        (r#"{"disable_topic": ""}"#, "disable_topic is empty"),
        (r#"{"topic": 7}"#, "topic is a number"),
        (r#"{"topic": "/twist", "enable_topic": "/map"}"#, "one after the other"),
        (r#"{"topic": "/twists", "linear_velocity": 0}"#, "did you mean \"/twist\"?"),
        (r#"{"topic": "/cmd_vel", "linear": {"x": 0}}"#, "/twist"),
        (r#"{"topic": "/map"}"#, "enable_topic"),
        (r#"{"topic": "/zzz"}"#, "/modify_output_pins"),
        (
            r#"{"topic": "/twist", "linear_x": 0.1, "angular_velocity": 0}"#,
            "it is called \"linear_velocity\"",
        ),
        (r#"{"topic": "/twist", "linear_velocity": 0.1, "angular": 0}"#, "it is called \"angular_velocity\""),
        (r#"{"topic": "/twist", "angular_velocity": 0}"#, "lacks \"linear_velocity\""),
        (
            r#"{"topic": "/twist", "linear_velocity": "0.1", "angular_velocity": 0}"#,
            "linear_velocity is text",
        ),
        (r#"{"topic": "/twist", "linear_velocity": 1e300, "angular_velocity": 0}"#, "from -10 to 10"),
        (r#"{"topic": "/twist", "linear_velocity": 1e999, "angular_velocity": 0}"#, "linear_velocity"),
        (r#"{"topic": "/twist", "linear_velocity": NaN, "angular_velocity": 0}"#, "linear_velocity"),
        (r#"{"topic": "/follow_target_state"}"#, "follow_pose, pause or fail"),
        (r#"{"topic": "/follow_target_state", "follow_state": "run"}"#, "\"run\""),
        (r#"{"topic": "/follow_target_state", "follow_state": "follow_pose"}"#, "target_pose"),
        (
            r#"{"topic": "/follow_target_state", "follow_state": "follow_pose", "target_pose": {}}"#,
            "neither pos nor ori",
        ),
        (
            r#"{"topic": "/follow_target_state", "follow_state": "follow_pose", "target_pose": {"pos": [1]}}"#,
            "write [x, y]",
        ),
        (r#"{"topic": "/set_output_pins", "outputs": [[0, 2]]}"#, "outputs[0][1] is neither 0 nor 1"),
        (r#"{"topic": "/set_output_pins", "output": [[0]]}"#, "it is called \"outputs\""),
        (r#"{"topic": "/modify_output_pins"}"#, "switches nothing"),
        (r#"{"topic": "/modify_output_pins", "enable": [1], "disable": [1]}"#, "on and off"),
        (r#"{"topic": "/modify_output_pins", "enable": [-1]}"#, "enable[0]"),
        (r#"{"topic": "/external_rgb_data/front", "format": "png", "data": ""}"#, "must be \"jpeg\""),
        (r#"{"topic": "/external_rgb_data/front", "format": "jpeg", "data": "%"}"#, "no base64"),
        (r#"{"topic": "/external_rgb_data/front", "format": "jpeg", "data": "AAAA"}"#, "no JPEG"),
        (r#"{"topic": "/external_rgb_data/front", "format": "jpeg"}"#, "lacks \"data\""),
    ];
    for (text, words) in table {
        assert!(problem(text).contains(words), "{text}: {}", problem(text));
    }
}

#[test]
fn sizes_and_counts_are_bounded() {
    let names = |count: usize| format!(r#"{{"enable_topic": {:?}}}"#, vec!["/map"; count]);
    assert!(Request::parse(&names(200)).is_ok());
    assert!(problem(&names(201)).contains("the limit is 200"));
    assert!(problem(&format!(r#"{{"enable_topic": "{}"}}"#, "/".repeat(201))).contains("200 letters"));
    assert!(problem(&"[".repeat(1_000_000)).contains("only pictures"));
    assert!(problem(&"[".repeat(60_000)).contains("not JSON"));
    assert!(problem(&" x".repeat(3 << 20)).contains("the limit is 4194304"));
    let row = format!("[{}0]", "0,".repeat(64));
    assert!(
        problem(&format!(r#"{{"topic": "/set_output_pins", "outputs": [{row}]}}"#)).contains("65 outputs")
    );
}

#[test]
fn every_start_of_a_request_is_survived() {
    let whole =
        r#"{"topic":"/follow_target_state","follow_state":"follow_pose","target_pose":{"pos":[1,2]}}"#;
    for length in 1..whole.len() {
        assert!(Request::parse(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn the_nearest_topic_is_named() {
    assert_eq!(nearest_topic("tracked_pose"), Some("/tracked_pose"));
    assert_eq!(nearest_topic("/Slam/State"), Some("/slam/state"));
    assert_eq!(nearest_topic("/chocolate"), None);
}

proptest! {
    #[test]
    fn whatever_is_sent_the_answer_is_not_long(
        text in ".{0,300}",
        key in "enable_topic|disable_topic|topic|outputs|enable|target_pose|[a-z_]{0,8}",
        topic in "/twist|/follow_target_state|/set_output_pins|/modify_output_pins|/external_rgb_data/front|.{0,300}",
    ) {
        let quoted = serde_json::to_string(&text).unwrap();
        let topic = serde_json::to_string(&topic).unwrap();
        let texts = [
            text.clone(),
            format!("{{{key}: {text}}}"),
            format!("{{\"{key}\": {quoted}}}"),
            format!("{{\"{key}\": [{quoted}, 1]}}"),
            format!("{{\"topic\": {topic}, \"{key}\": {quoted}, \"data\": {quoted}, \"follow_state\": {quoted}}}"),
        ];
        for text in texts {
            if let Err(RequestError(problem)) = Request::parse(&text) {
                prop_assert!(!problem.is_empty() && problem.len() < 4096, "{}", problem);
            }
        }
    }
}
