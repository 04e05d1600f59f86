//! Where the frames of served robots are, and how their cameras see.

use std::collections::BTreeSet;

use latimer_core::model::Kind;
use latimer_core::model::signal::image::Encoding;
use latimer_core::model::signal::{Frame, Image, Joint, Pose};
use latimer_core::{Clock, Hub};
use latimer_dialects::miro::messages::PlatformSensors;
use latimer_ros1::msgs::sensor_msgs::{self, CameraInfo};
use latimer_ros1::msgs::tf2_msgs::TFMessage;

use super::rig::{Gateway, Looker, next, play, publish, until};

const TWO: &str =
    "[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n[[serve]]\nrobot = \"miro-2\"\nname = \"rob02\"\n";

fn frames(message: &TFMessage) -> BTreeSet<(&str, &str)> {
    message.transforms.iter().map(|it| (it.header.frame_id.as_str(), it.child_frame_id.as_str())).collect()
}

#[tokio::test]
async fn frames_hang_together_from_the_odometry_to_the_eyes_below_each_robot_s_name() {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    let gateway = Gateway::serving(&hub, TWO).await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    let mut fixed = looker.follow("/tf_static");
    let one: TFMessage = next(&mut fixed, |it: &TFMessage| !it.transforms.is_empty()).await;
    let eyes = [
        ("rob01/caml", "rob01/caml_optical"),
        ("rob01/camr", "rob01/camr_optical"),
        ("rob01/head", "rob01/caml"),
        ("rob01/head", "rob01/camr"),
        ("rob01/head", "rob01/sonar"),
    ];
    assert_eq!(frames(&one), BTreeSet::from(eyes));
    // A second robot joins what the topic keeps, and takes nothing away.
    let other = play(&hub, "miro-2", "miro");
    let both: TFMessage = next(&mut fixed, |it: &TFMessage| it.transforms.len() > 5).await;
    assert_eq!(both.transforms.len(), 10);
    assert!(frames(&both).is_superset(&BTreeSet::from(eyes)), "{:?}", frames(&both));
    drop(other);

    let mut moving = looker.follow("/tf");
    let mut sensors = looker.follow("/miro/rob01/platform/sensors");
    until("the robot is followed", || robot.wants(Kind::Joint, None)).await;
    publish(&robot, None, Pose::planar(Frame::Odom, 1.0, 2.0, 0.0));
    for (part, angle_rad) in [("tilt", -0.1), ("lift", 0.3), ("yaw", 0.5), ("pitch", -0.2)] {
        publish(&robot, Some(part), Joint::hinge(angle_rad));
    }
    let published: TFMessage = next(&mut moving, |it: &TFMessage| it.transforms.len() == 5).await;
    let links = [
        ("rob01/base_link", "rob01/body"),
        ("rob01/body", "rob01/neck"),
        ("rob01/gimbal", "rob01/head"),
        ("rob01/neck", "rob01/gimbal"),
        ("rob01/odom", "rob01/base_link"),
    ];
    assert_eq!(frames(&published), BTreeSet::from(links));
    let yaw = published.transforms.iter().find(|it| it.child_frame_id == "rob01/gimbal").unwrap();
    assert!((yaw.transform.rotation.z - 0.25_f64.sin()).abs() < 1e-9, "{yaw:?}");
    assert!(published.transforms.iter().all(|it| it.header.stamp == published.transforms[0].header.stamp));
    // Headers of what is measured are of the same tree.
    let read: PlatformSensors = next(&mut sensors, |_| true).await;
    for (frame, expected) in [
        (read.header.frame_id, "rob01/base_link"),
        (read.accel_head.header.frame_id, "rob01/head"),
        (read.sonar_range.header.frame_id, "rob01/sonar"),
        (read.odometry.header.frame_id, "rob01/odom"),
        (read.odometry.child_frame_id, "rob01/base_link"),
    ] {
        assert_eq!(frame, expected);
    }
    looker.stop().await;
    gateway.stop().await;
}

#[tokio::test]
async fn each_picture_says_how_it_was_seen() {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    let gateway = Gateway::serving(&hub, TWO).await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    // A subscriber of the camera info alone receives it as well.
    let mut info = looker.follow("/miro/rob01/platform/camr/camera_info");
    until("the eye is wanted", || robot.wants(Kind::Image, None)).await;
    let picture = |width: u32, height: u32| Image {
        encoding: Encoding::Rgb8,
        width,
        height,
        data: vec![0x80; (width * height * 3) as usize].into(),
    };
    publish(&robot, Some("camera_right"), picture(320, 240));
    let seen: CameraInfo = next(&mut info, |_| true).await;
    assert_eq!((seen.width, seen.height, seen.header.frame_id.as_str()), (320, 240, "rob01/camr_optical"));
    // k1 and k2 over the distance at one metre, which the maker counts in pictures two metres wide.
    assert_eq!((seen.distortion_model.as_str(), seen.D.len()), ("plumb_bob", 5));
    let distortion = [-0.1875, 0.015_625, 0.0, 0.0, 0.0];
    assert!(seen.D.iter().zip(distortion).all(|(is, wanted)| (is - wanted).abs() < 1e-9), "{:?}", seen.D);
    let focal_px = 160.0 / (1.0 - 0.1875 + 0.015_625);
    assert!((seen.K[0] - focal_px).abs() < 1e-6, "{:?}", seen.K);
    assert_eq!([seen.K[2], seen.K[5], seen.R[0], seen.P[0]], [159.5, 119.5, 1.0, seen.K[0]]);
    let mut pictures = looker.follow("/miro/rob01/platform/camr");
    let mut sizes = [(192, 144), (128, 96)].into_iter().cycle();
    let (picture_header, info_header) = loop {
        let (width, height) = sizes.next().unwrap();
        publish(&robot, Some("camera_right"), picture(width, height));
        let received: CameraInfo = next(&mut info, |_| true).await;
        let scale = f64::from(width) / 320.0;
        assert!((received.K[0] - focal_px * scale).abs() < 1e-6, "{:?}", received.K);
        // The picture's subscriber may be connected only now.
        let came = tokio::time::timeout(std::time::Duration::from_millis(300), pictures.next()).await;
        if let Ok(Some(image)) = came {
            let image: sensor_msgs::Image = image.decode().unwrap();
            break (image.header, received.header);
        }
    };
    assert_eq!(picture_header.frame_id, info_header.frame_id);
    assert_eq!(
        picture_header.stamp, info_header.stamp,
        "they are of one moment, by which programs pair them"
    );
    looker.stop().await;
    gateway.stop().await;
}
