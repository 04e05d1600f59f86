use axum::extract::ws::Message;
use latimer_core::Signal;
use latimer_core::model::Kind;
use latimer_core::model::signal::SleepState;
use serde_json::json;

use super::chassis::{Chassis, answer, info, names};
use super::gateway::Gateway;

#[tokio::test]
async fn a_robot_of_today_is_asked_for_topics_in_a_list() {
    let mut chassis = Chassis::start().await;
    let _gateway = Gateway::looking_at(&chassis, "axbot-1/path/** axbot-1/joint/**").await;
    let asked = chassis.text(|text| !text["enable_topic"].is_null()).await;
    let names = names(&asked["enable_topic"]);
    for name in ["/battery_state", "/wheel_state", "/planning_state", "/jack_state", "/trajectory_node_list"]
    {
        assert!(names.iter().any(|it| it == name), "{name} is missing in {names:?}");
    }
    assert!(!names.iter().any(|it| it == "/rgb_cameras/front/video"), "{names:?}");
}

#[tokio::test]
async fn an_old_robot_is_asked_for_one_topic_at_a_time() {
    let mut chassis = Chassis::start().await;
    chassis.answers("GET device/info", answer(200, &json!({"caps": {"supportsEnableTopicList": false}})));
    let _gateway = Gateway::looking_at(&chassis, "axbot-1/alerts").await;
    for name in ["/wheel_state", "/alerts"] {
        chassis.text(|text| text["enable_topic"] == name).await;
    }
}

#[tokio::test]
async fn what_nobody_wants_any_more_is_disabled() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    chassis.enabled("/alerts").await;
    let sink = gateway.hub.sink("test", "passer-by", Default::default());
    sink.subscribe(latimer_core::hub::Subscription::to("axbot-1/doors".parse().unwrap()));
    let asked = chassis.text(|text| !text["enable_topic"].is_null()).await;
    assert_eq!(asked, json!({"enable_topic": ["/nearby_auto_doors"]}));
    drop(sink);
    let asked = chassis.text(|text| !text["disable_topic"].is_null()).await;
    assert_eq!(asked, json!({"disable_topic": ["/nearby_auto_doors"]}));
}

#[tokio::test]
async fn the_robot_is_introduced() {
    let chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/**").await;
    let device = gateway.of_kind(Kind::Device).await;
    let Signal::Device(sent) = &device.signal else { unreachable!() };
    assert_eq!((sent.model.as_deref(), sent.maker.as_deref()), (Some("hygeia"), Some("AutoXing")));
    assert_eq!(device.native.as_ref().unwrap().payload, info().to_string());
    let Signal::Footprint(footprint) = &gateway.of_kind(Kind::Footprint).await.signal else { unreachable!() };
    assert_eq!((footprint.polygon_m[1], footprint.width_m), ([0.3, -0.2], 0.4));
}

#[tokio::test]
async fn a_pose_arrives_with_its_original() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/pose").await;
    chassis.enabled("/tracked_pose").await;
    // Spaces and keys of its own are the robot's business.
    let frame =
        r#"{"topic": "/tracked_pose", "pos": [3.7325, -10.8525], "ori": -1.56, "cov": [[1, 0], [0, 1]]}"#;
    chassis.send(Message::text(frame));
    let pose = gateway.of_kind(Kind::Pose).await;
    let Signal::Pose(sent) = &pose.signal else { unreachable!() };
    assert_eq!((sent.x_m, sent.y_m, sent.yaw_rad), (3.7325, -10.8525, -1.56));
    let native = pose.native.as_ref().unwrap();
    assert_eq!((native.dialect, &*native.topic), ("axbot", "/tracked_pose"));
    assert_eq!(native.payload, frame);
}

#[tokio::test]
async fn what_is_not_known_passes_undamaged_and_garbage_ends_nothing() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/other axbot-1/pose").await;
    chassis.enabled("/tracked_pose").await;
    let binary = [b"\x0b/mast_state\x00".as_slice(), &[0x08, 0x02, 0xff, 0x00]].concat();
    let odd = [
        (Message::text(r#"{"topic":"/bluetooth_state",  "on":true}"#), "/bluetooth_state"),
        (Message::binary(binary), "/mast_state"),
        (Message::text(r#"{"topic":"/tracked_pose","pos":"here"}"#), "/tracked_pose"),
        (Message::text(""), "unreadable"),
        (Message::text("[".repeat(100_000)), "unreadable"),
        (Message::binary(vec![0xff; 1000]), "unreadable"),
        (Message::text("null"), "unreadable"),
    ];
    for (message, topic) in odd {
        chassis.send(message.clone());
        let update = gateway.of_kind(Kind::Other).await;
        let native = update.native.as_ref().unwrap();
        assert_eq!(&*native.topic, topic);
        assert_eq!(native.payload, message.into_data());
    }
    chassis.publish(json!({"topic": "/tracked_pose", "pos": [1, 2], "ori": 0}));
    gateway.of_kind(Kind::Pose).await;
}

#[tokio::test]
async fn what_two_topics_tell_is_one_signal() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/battery axbot-1/control axbot-1/neighbours").await;
    chassis.enabled("/detailed_battery_state").await;
    chassis.publish(json!({"topic": "/battery_state", "secs": 1, "voltage": 26.0, "percentage": 0.5}));
    let Signal::Battery(first) = gateway.of_kind(Kind::Battery).await.signal.clone() else { unreachable!() };
    assert_eq!((first.voltage_v, first.cell_voltages_v.len()), (Some(26.0), 0));
    chassis.publish(
        json!({"topic": "/detailed_battery_state", "secs": 2, "voltage": 26.1, "cell_voltages": [4.1, 4.2]}),
    );
    chassis.publish(json!({"topic": "/battery_state", "secs": 2, "voltage": 26.2, "percentage": 0.5}));
    let second = gateway.of_kind(Kind::Battery).await;
    let Signal::Battery(battery) = &second.signal else { unreachable!() };
    assert_eq!((battery.voltage_v, battery.cell_voltages_v.as_slice()), (Some(26.2), [4.1, 4.2].as_slice()));
    assert_eq!(&*second.native.as_ref().unwrap().topic, "/battery_state");

    chassis
        .publish(json!({"topic": "/wheel_state", "control_mode": "auto", "emergency_stop_pressed": false}));
    let Signal::Control(control) = gateway.of_kind(Kind::Control).await.signal.clone() else {
        unreachable!()
    };
    assert_eq!(control.power, None);
    chassis.publish(json!({"topic": "/sensor_manager_state", "power_state": "sleeping"}));
    let Signal::Control(control) = gateway.of_kind(Kind::Control).await.signal.clone() else {
        unreachable!()
    };
    assert_eq!(control.power, Some(SleepState::Sleeping));

    chassis.publish(json!({"topic": "/nearby_robots", "robots": [
        {"uid": "N", "pose": {"pos": [1.0, 2.0], "ori": 0.0}, "trend": [], "footprint_digest": "0150acd9"},
    ]}));
    gateway.of_kind(Kind::Neighbours).await;
    chassis.publish(json!({"topic": "/nearby_robot_footprints", "footprints": [
        {"digest": "0150acd9", "coordinates": [[0.1, 0.3], [-0.1, 0.3], [0.0, -0.3]]},
    ]}));
    let Signal::Neighbours(known) = gateway.of_kind(Kind::Neighbours).await.signal.clone() else {
        unreachable!()
    };
    assert_eq!(known.robots[0].footprint_m, [[0.3, -0.1], [0.3, 0.1], [-0.3, 0.0]]);
}

#[tokio::test]
async fn a_robot_that_sends_the_detailed_battery_only_has_one_too() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/battery").await;
    chassis.enabled("/detailed_battery_state").await;
    chassis.publish(
        json!({"topic": "/detailed_battery_state", "secs": 2, "voltage": 26.1, "cell_voltages": [4.1]}),
    );
    let Signal::Battery(battery) = gateway.of_kind(Kind::Battery).await.signal.clone() else {
        unreachable!()
    };
    assert_eq!((battery.voltage_v, battery.cell_voltages_v.len()), (Some(26.1), 1));
}

#[tokio::test]
async fn a_topic_that_is_passed_on_is_asked_for_while_somebody_names_it() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/**").await;
    let asked = chassis.text(|text| !text["enable_topic"].is_null()).await;
    let of_all = names(&asked["enable_topic"]);
    assert!(
        !of_all.iter().any(|name| name == "/towing_state"),
        "who follows everything names nothing: {of_all:?}"
    );
    let sink = gateway.hub.sink("test", "passer-by", Default::default());
    sink.subscribe(latimer_core::hub::Subscription::to("axbot-1/other/towing_state".parse().unwrap()));
    let asked = chassis.text(|text| !text["enable_topic"].is_null()).await;
    assert_eq!(asked, json!({"enable_topic": ["/towing_state"]}));
    let sent = json!({"topic": "/towing_state", "state": "locked"});
    chassis.publish(sent.clone());
    let update = gateway.of_kind(Kind::Other).await;
    assert_eq!(update.part.as_ref().map(|part| part.as_str()), Some("towing_state"));
    assert_eq!(update.native.as_ref().unwrap().payload, sent.to_string());
    drop(sink);
    let asked = chassis.text(|text| !text["disable_topic"].is_null()).await;
    assert_eq!(asked, json!({"disable_topic": ["/towing_state"]}));
}

#[tokio::test]
async fn how_its_wheels_hold_the_floor_is_read() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/traction").await;
    chassis.enabled("/fused_sensor_state").await;
    chassis.publish(json!({
        "topic": "/fused_sensor_state", "slipping": true, "suggested_speed": 0.35, "collide_dir": 0,
        "is_still": false, "odom_source": 1,
    }));
    let update = gateway.of_kind(Kind::Traction).await;
    let Signal::Traction(traction) = &update.signal else { unreachable!() };
    assert_eq!(
        (traction.slipping, traction.suggested_mps, traction.still),
        (Some(true), Some(0.35), Some(false))
    );
    assert_eq!((traction.pushed, traction.body_still), (None, None), "nothing is invented");
    assert!(update.native.as_ref().unwrap().payload.windows(11).any(|it| it == b"collide_dir"));
}
