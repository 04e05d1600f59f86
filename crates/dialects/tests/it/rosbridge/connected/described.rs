//! Robots whose topics the config describes, or that are found by name and type.

use latimer_core::Signal;
use latimer_core::model::Kind;
use latimer_core::model::signal::Frame;
use latimer_core::model::signal::image::Encoding;
use serde_json::{Value, json};

use super::super::real::{RealBridge, Rosapi};
use super::{Gateway, ODOMETRY, odometry};

fn placed(x: f64, y: f64) -> Value {
    json!({"position": {"x": x, "y": y, "z": 0.0}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}})
}

async fn pose(gateway: &Gateway, frame: Frame) -> [f64; 2] {
    let is_it = |signal: &Signal| matches!(signal, Signal::Pose(pose) if pose.frame == frame);
    let update = gateway.observer.update(|it| is_it(&it.signal)).await;
    let Signal::Pose(pose) = &update.signal else { unreachable!() };
    [pose.x_m, pose.y_m]
}

#[tokio::test]
async fn a_preset_drives_a_robot_whose_topics_are_called_otherwise() {
    let types = [("/sensors/odom", ODOMETRY), ("/a/odom", ODOMETRY)];
    let takes = [("/control/cmd_vel", "geometry_msgs/TwistStamped")];
    let bridge = RealBridge::start(Rosapi::Answers, &types, &takes).await;
    let gateway = Gateway::of(&bridge, "preset = 'miro'", "base-1/velocity").await;
    gateway.observer.is_up().await;
    assert!(gateway.command(super::DRIVE).await.is_ok());
    assert_eq!(bridge.published("/control/cmd_vel").await["twist"]["linear"]["x"], 0.25);
    bridge.publish("/sensors/odom", &odometry(1.0, 0.5)).await;
    gateway.observer.update(|it| it.kind() == Kind::Velocity).await;
}

#[tokio::test]
async fn each_joint_of_a_message_is_a_signal() {
    let bridge =
        RealBridge::start(Rosapi::Answers, &[("/joint_states", "sensor_msgs/JointState")], &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/joint/**").await;
    let joints = r#"{"name": ["wheel_left", "arm", "lost"], "position": [1.5, -0.5, NaN], "velocity": [0.25], "effort": []}"#;
    bridge.publish("/joint_states", joints).await;
    for (name, position, velocity) in
        [("wheel_left", Some(1.5), Some(0.25)), ("arm", Some(-0.5), None), ("lost", None, None)]
    {
        let update = gateway.observer.update(|it| it.kind() == Kind::Joint).await;
        let Signal::Joint(joint) = &update.signal else { unreachable!() };
        assert_eq!(update.part.as_ref().map(|it| it.as_str()), Some(name));
        assert_eq!((joint.position_rad, joint.velocity_radps), (position, velocity), "{name}");
    }
}

#[tokio::test]
async fn transforms_and_a_localisation_say_where_it_is_on_the_map() {
    let types = [
        ("/odom", ODOMETRY),
        ("/amcl_pose", "geometry_msgs/PoseWithCovarianceStamped"),
        ("/tf", "tf2_msgs/TFMessage"),
    ];
    let bridge = RealBridge::start(Rosapi::Answers, &types, &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/pose").await;
    bridge.publish("/odom", &odometry(1.0, 0.0)).await;
    assert_eq!(pose(&gateway, Frame::Odom).await, [1.0, 0.0]);
    let amcl = json!({"header": {"frame_id": "map"}, "pose": {"pose": placed(4.0, 2.0), "covariance": []}});
    bridge.publish("/amcl_pose", &amcl.to_string()).await;
    assert_eq!(pose(&gateway, Frame::Map).await, [4.0, 2.0]);
    bridge.publish("/odom", &odometry(1.5, 0.0)).await;
    assert_eq!(pose(&gateway, Frame::Map).await, [4.5, 2.0]);
    let transform = |parent: &str, child: &str, x: f64| {
        let rotation = json!({"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0});
        json!({"header": {"frame_id": parent}, "child_frame_id": child, "transform": {"translation": {"x": x, "y": 0.0, "z": 0.0}, "rotation": rotation}})
    };
    let tf = json!({"transforms": [transform("base_link", "laser", 0.1), transform("/map", "odom", 10.0)]});
    bridge.publish("/tf", &tf.to_string()).await;
    assert_eq!(pose(&gateway, Frame::Map).await, [11.5, 0.0]);
}

#[tokio::test]
async fn a_frame_that_is_not_known_is_not_taken_for_the_map() {
    let types = [("/robot_pose", "geometry_msgs/PoseStamped"), ("/odom", ODOMETRY)];
    let bridge = RealBridge::start(Rosapi::Answers, &types, &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/pose base-1/velocity/** base-1/other").await;
    let message = |frame: &str| json!({"header": {"frame_id": frame}, "pose": placed(7.0, 0.0)}).to_string();
    bridge.publish("/robot_pose", &message("camera_link")).await;
    let first = gateway.observer.update(|it| it.kind() != Kind::Link).await;
    assert_eq!(first.kind(), Kind::Other, "{first:?}");
    let elsewhere = odometry(9.0, 0.5).replace(r#""frame_id":"odom""#, r#""frame_id":"hall""#);
    bridge.publish("/odom", &elsewhere).await;
    assert_eq!(gateway.observer.update(|it| it.kind() != Kind::Link).await.kind(), Kind::Velocity);
    bridge.publish("/robot_pose", &message("rob1/map")).await;
    assert_eq!(pose(&gateway, Frame::Map).await, [7.0, 0.0]);
}

#[tokio::test]
async fn raw_pictures_and_points_are_read() {
    let types = [
        ("/camera/image_raw", "sensor_msgs/Image"),
        ("/points", "sensor_msgs/PointCloud2"),
        ("/front_bumper", "std_msgs/Bool"),
    ];
    let bridge = RealBridge::start(Rosapi::Answers, &types, &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/image/** base-1/point_cloud/** base-1/contact/**").await;
    // Two rows of one pixel and a byte of padding.
    let image = json!({"header": {"frame_id": "camera"}, "width": 1, "height": 2, "encoding": "bgr8", "is_bigendian": 0, "step": 4, "data": "AQIDAAQFBgA="});
    bridge.publish("/camera/image_raw", &image.to_string()).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::Image).await;
    let Signal::Image(image) = &update.signal else { unreachable!() };
    assert_eq!((image.encoding, &image.data[..]), (Encoding::Rgb8, &[3, 2, 1, 6, 5, 4][..]));
    let numbers = [1.0_f32, 2.0, 3.0, f32::NAN, 0.0, 0.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
    let field = |name: &str, offset: u32| json!({"name": name, "offset": offset, "datatype": 7, "count": 1});
    let cloud = json!({"header": {"frame_id": "base_link"}, "height": 1, "width": 2, "fields": [field("x", 0), field("y", 4), field("z", 8)],
        "is_bigendian": false, "point_step": 12, "row_step": 24, "data": bytes, "is_dense": false});
    bridge.publish("/points", &cloud.to_string()).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::PointCloud).await;
    let Signal::PointCloud(cloud) = &update.signal else { unreachable!() };
    assert_eq!((cloud.frame, &cloud.points_m[..]), (Frame::BaseLink, &[[1.0, 2.0, 3.0]][..]));
    bridge.publish("/front_bumper", r#"{"data": true}"#).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::Contact).await;
    assert!(matches!(&update.signal, Signal::Contact(it) if it.contacted), "{update:?}");
}

fn transform(parent: &str, child: &str, [x, y, z]: [f64; 3], [qx, qy, qz, qw]: [f64; 4]) -> Value {
    json!({"header": {"frame_id": parent}, "child_frame_id": child, "transform": {
        "translation": {"x": x, "y": y, "z": z}, "rotation": {"x": qx, "y": qy, "z": qz, "w": qw}}})
}

#[tokio::test]
async fn scans_and_clouds_are_where_the_transforms_have_their_sensors() {
    let types = [
        ("/scan", "sensor_msgs/msg/LaserScan"),
        ("/depth/points", "sensor_msgs/msg/PointCloud2"),
        ("/tf_static", "tf2_msgs/msg/TFMessage"),
    ];
    let bridge = RealBridge::start(Rosapi::Answers, &types, &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/scan base-1/point_cloud/** base-1/other").await;
    let level = [0.0, 0.0, 0.0, 1.0];
    // Two nodes have some of it each; the camera counts depth along z, and the scanner hangs upside down.
    let lens = transform("camera_link", "camera_optical_frame", [0.0; 3], [-0.5, 0.5, -0.5, 0.5]);
    let camera = transform("base_footprint", "camera_link", [0.1, 0.0, 0.3], level);
    let laser = transform("base_link", "laser", [-0.1, 0.0, 0.2], [1.0, 0.0, 0.0, 0.0]);
    bridge.publish("/tf_static", &json!({"transforms": [lens, camera]}).to_string()).await;
    bridge.publish("/tf_static", &json!({"transforms": [laser]}).to_string()).await;
    let scan = json!({"header": {"frame_id": "laser"}, "angle_min": -0.5, "angle_max": 1.0, "angle_increment": 1.5,
        "range_min": 0.1, "range_max": 5.0, "ranges": [1.0, 2.0]});
    bridge.publish("/scan", &scan.to_string()).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::Scan).await;
    let Signal::Scan(scan) = &update.signal else { unreachable!() };
    let pose = scan.pose.as_ref().expect("it is known where it is");
    assert_eq!((pose.frame, pose.x_m, pose.roll_rad), (Frame::BaseLink, -0.1, 0.0));
    assert_eq!((scan.angle_min_rad, scan.angle_increment_rad), (0.5, -1.5));
    let cloud = |frame: &str| {
        let bytes: Vec<u8> = [0.0_f32, 0.0, 2.0].iter().flat_map(|it| it.to_le_bytes()).collect();
        let field = |name: &str, at: u32| json!({"name": name, "offset": at, "datatype": 7, "count": 1});
        json!({"header": {"frame_id": frame}, "height": 1, "width": 1, "fields": [field("x", 0), field("y", 4), field("z", 8)],
            "is_bigendian": false, "point_step": 12, "row_step": 12, "data": bytes, "is_dense": true})
        .to_string()
    };
    bridge.publish("/depth/points", &cloud("camera_optical_frame")).await;
    let update = gateway.observer.update(|it| it.kind() == Kind::PointCloud).await;
    let Signal::PointCloud(points) = &update.signal else { unreachable!() };
    let off = points.points_m[0].iter().zip([2.1, 0.0, 0.3]).map(|(is, should)| (is - should).abs());
    assert!(points.frame == Frame::BaseLink && off.fold(0.0, f64::max) < 1e-6, "{points:?}");
    // A frame that nothing places is named, and its points are nowhere.
    bridge.publish("/depth/points", &cloud("elsewhere")).await;
    gateway.observer.update(|it| it.kind() == Kind::Other).await;
}

#[tokio::test]
async fn bumpers_of_makers_own_types_are_contacts() {
    let types = [
        ("/mobile_base/events/bumper", "kobuki_msgs/BumperEvent"),
        ("/hazard_detection", "irobot_create_msgs/msg/HazardDetectionVector"),
    ];
    let bridge = RealBridge::start(Rosapi::Answers, &types, &[]).await;
    let gateway = Gateway::of(&bridge, "", "base-1/contact/**").await;
    let contact = async || {
        let update = gateway.observer.update(|it| it.kind() == Kind::Contact).await;
        let Signal::Contact(contact) = &update.signal else { unreachable!() };
        (update.part.as_ref().unwrap().to_string(), contact.contacted)
    };
    for (bumper, state, part) in [(0, 1, "bumper_left"), (2, 0, "bumper_right")] {
        let event = json!({"bumper": bumper, "state": state}).to_string();
        bridge.publish("/mobile_base/events/bumper", &event).await;
        assert_eq!(contact().await, (part.to_owned(), state == 1));
    }
    let hazards = |of: &[(&str, u8)]| {
        let hazard = |(frame, kind): &(&str, u8)| json!({"header": {"frame_id": frame}, "type": kind});
        let detections: Vec<_> = of.iter().map(hazard).collect();
        json!({"header": {"stamp": {"sec": 9, "nanosec": 0}, "frame_id": "base_link"}, "detections": detections}).to_string()
    };
    // A cliff is no bumper, and what is pressed as before is no news.
    for (of, told) in [
        (vec![("bump_left", 1), ("cliff_front_left", 2)], ("bump_left", true)),
        (vec![("bump_left", 1), ("bump_right", 1)], ("bump_right", true)),
        (vec![("bump_right", 1)], ("bump_left", false)),
        (vec![], ("bump_right", false)),
    ] {
        bridge.publish("/hazard_detection", &hazards(&of)).await;
        assert_eq!(contact().await, (told.0.to_owned(), told.1));
    }
}
