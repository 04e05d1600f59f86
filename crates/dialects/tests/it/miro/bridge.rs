//! A served robot as a node sees it.

use latimer_core::hub::Source;
use latimer_core::model::Kind;
use latimer_core::model::signal::image::{Encoding, PictureFormat};
use latimer_core::model::signal::{
    Accel, Audio, Battery, Cliff, CompressedImage, Contact, ContactSensor, Device, Frame, Image, Imu, Joint,
    Light, LinkState, Pins, Pose, Range, RangeStatus, Temperature, Text, TextChannel, Velocity,
};
use latimer_core::{Clock, Hub, PartName};
use latimer_dialects::miro::map::file_from_pixels;
use latimer_dialects::miro::messages::signals::{ALL_READ, p1_r, p2c_r};
use latimer_dialects::miro::messages::{PlatformMics, PlatformSensors, PlatformState};
use latimer_ros1::msgs::{nav_msgs, sensor_msgs, std_msgs};

use super::rig::{Gateway, Looker, in_time, next, play, publish, until};

const ROB01: &str = "[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n";

fn picture(side: u32) -> Image {
    let data: Vec<u8> = (0..side * side * 3).map(|i| (i * 5 % 251) as u8).collect();
    Image { encoding: Encoding::Rgb8, width: side, height: side, data: data.into() }
}

fn tell_all(robot: &Source) {
    let accel = |x_mps2| Imu {
        orientation: None,
        angular_velocity: None,
        linear_acceleration: Some(Accel { x_mps2, y_mps2: 0.0, z_mps2: 9.75 }),
    };
    publish(robot, None, Battery { voltage_v: Some(4.75), charge_ratio: Some(0.1), ..Battery::UNKNOWN });
    publish(robot, None, Temperature { temperature_c: 29.5 });
    publish(robot, Some("head"), accel(0.5));
    publish(robot, Some("body"), accel(-0.5));
    publish(robot, Some("measured"), Velocity::of(-0.025, 0.9));
    publish(robot, Some("commanded"), Velocity::of(9.0, 9.0));
    publish(robot, None, Pose::planar(Frame::Odom, 1.5, -0.5, std::f64::consts::FRAC_PI_2));
    for (part, angle) in [("tilt", -0.1), ("lift", 0.3), ("yaw", 0.5), ("pitch", -0.2)] {
        publish(robot, Some(part), Joint::hinge(angle));
    }
    publish(robot, Some("eyelids"), Joint::share(0.25));
    publish(robot, None, Pins { inputs: vec![vec![true, false, false, true]], outputs: vec![] });
    publish(robot, Some("sonar"), Range { min_m: Some(0.03), max_m: Some(1.0), ..Range::valid(0.25) });
    for (part, level) in [("front_left", 0.0), ("front_right", 0.2), ("rear_left", 0.4), ("rear_right", 1.0)]
    {
        publish(robot, Some(part), Light { level_ratio: level });
    }
    let raw = |raw| {
        Cliff(Range {
            distance_m: None,
            status: RangeStatus::Valid,
            status_code: Some(raw),
            ..Range::nothing()
        })
    };
    publish(robot, Some("left"), raw(15));
    publish(robot, Some("right"), raw(3));
    let touch = Contact { contacted: true, sensor: ContactSensor::Touch, position: None, frame: Frame::Head };
    publish(robot, Some("touch_head_1"), touch.clone());
    publish(robot, Some("touch_body_3"), touch);
    let device = Device {
        model: Some("MiRo".into()),
        serial: Some("SIM00000000042".into()),
        firmware: Some("MDK 180509".into()),
        simulated: true,
        ..Device::UNKNOWN
    };
    publish(robot, None, device);
}

#[tokio::test]
async fn sensors_and_state_come_with_every_field_in_the_robot_s_units() {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    let gateway = Gateway::serving(&hub, ROB01).await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    tell_all(&robot);
    let mut sensors = looker.follow("/miro/rob01/platform/sensors");
    let first = in_time(sensors.next()).await.unwrap();
    assert_eq!(first.layout.md5(), "547d0cf6cf799e035dff5847bb95c9dd");
    assert_eq!(first.layout.type_name(), "miro_msgs/platform_sensors");
    let read: PlatformSensors =
        next(&mut sensors, |it: &PlatformSensors| it.touch_body == [0, 0, 0, 1]).await;
    assert_eq!((read.battery_voltage, read.temperature.temperature), (4.75, 29.5));
    assert_eq!((read.accel_head.linear_acceleration.x, read.accel_body.linear_acceleration.x), (0.5, -0.5));
    assert_eq!(read.accel_head.orientation_covariance[0], -1.0, "no attitude is measured");
    let twist = &read.odometry.twist.twist;
    assert_eq!((twist.linear.x, twist.angular.z), (-25.0, 0.9), "mm/s and rad/s");
    assert_eq!(read.odometry.pose, nav_msgs::Odometry::default().pose, "other elements are zero");
    assert_eq!(read.odometry.header.stamp, read.header.stamp, "programs difference the nested stamp");
    assert_eq!(read.joint_state.name, ["tilt", "lift", "yaw", "pitch"]);
    assert_eq!(read.joint_state.position, [-0.1, 0.3, 0.5, -0.2]);
    assert_eq!((read.joint_state.velocity.len(), read.joint_state.effort.len()), (4, 4));
    assert_eq!((read.eyelid_closure, read.dip_state_phys), (0.25, 0b1001));
    assert_eq!(
        (read.sonar_range.range, read.sonar_range.min_range, read.sonar_range.max_range),
        (0.25, 0.03, 1.0)
    );
    assert_eq!((read.light, read.cliff), ([0, 51, 102, 255], [15, 3]));
    assert_eq!(read.touch_head, [0, 1, 0, 0]);
    let age = Clock::system().now().as_nanos() / 1_000_000_000 - i64::from(read.header.stamp.secs);
    assert!((0..60).contains(&age), "{age}");
    let later: PlatformSensors =
        next(&mut sensors, |it: &PlatformSensors| it.header.seq > read.header.seq).await;
    let step = (later.time_usec - read.time_usec).rem_euclid(1 << 29);
    assert!((1..60_000_000).contains(&step), "{step} µs");

    let mut state = looker.follow("/miro/rob01/platform/state");
    let read: PlatformState = next(&mut state, |it: &PlatformState| it.serial_number != 0).await;
    assert_eq!(read.serial_number, 42);
    assert_eq!((read.P1_release, read.P2_release), (18 << 9 | 5 << 5 | 9, 18 << 9 | 5 << 5 | 9));
    assert_eq!(read.P1_R_signals & p1_r::LOW_BATT, p1_r::LOW_BATT, "a tenth of the charge is left");
    assert_eq!((read.success_r, read.P1_mode, read.P1_error_code), (ALL_READ, 0, 0));
    assert_eq!(read.P2C_R_signals & p2c_r::PLATFORM_READY, p2c_r::PLATFORM_READY);
    assert!(read.rtc_hrs < 24 && read.rtc_min < 60 && read.rtc_sec < 60);

    let mut odom = looker.follow("/miro/rob01/sensors/odom");
    let read: nav_msgs::Odometry = next(&mut odom, |_| true).await;
    assert_eq!((read.pose.pose.position.x, read.twist.twist.linear.x), (1.5, -0.025), "metres");
    assert!((read.pose.pose.orientation.z - 0.5_f64.sqrt()).abs() < 1e-9);

    for (list, expected) in
        [("cliff", vec![15, 3]), ("light", vec![0, 51, 102, 255]), ("touch", vec![0, 1, 0, 0, 0, 0, 0, 1])]
    {
        let mut readings = looker.follow(&format!("/miro/rob01/sensors/{list}"));
        let read: std_msgs::UInt16MultiArray = next(&mut readings, |_| true).await;
        assert_eq!(read.data, expected, "{list}");
    }

    // A robot that is not heard says nothing, rather than the same for ever.
    drop((state, odom));
    robot.link(LinkState::Down, Some("gone".into()));
    let silence = std::time::Duration::from_millis(300);
    in_time(async { while tokio::time::timeout(silence, sensors.next()).await.is_ok() {} }).await;
    looker.stop().await;
    gateway.stop().await;
}

#[tokio::test]
async fn pictures_and_sound_are_made_only_for_who_looks_each_eye_for_itself() {
    let hub = Hub::new(Clock::system());
    let robot = play(&hub, "miro-1", "miro");
    let gateway = Gateway::serving(&hub, ROB01).await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    let wants = |kind, part: &str| robot.wants(kind, Some(&PartName::of(part)));
    let mut left = looker.follow("/miro/rob01/platform/caml");
    until("the left eye is wanted", || wants(Kind::Image, "camera_left")).await;
    assert!(!wants(Kind::Image, "camera_right") && !wants(Kind::CompressedImage, "camera_left"));
    assert!(!wants(Kind::Battery, "") && !wants(Kind::Audio, "mics"));
    publish(&robot, Some("camera_left"), picture(16));
    let raw: sensor_msgs::Image = next(&mut left, |_| true).await;
    assert_eq!((raw.width, raw.height, raw.step, raw.data.len()), (16, 16, 48, 768));
    assert_eq!((raw.encoding.as_str(), raw.header.frame_id.as_str()), ("rgb8", "rob01/caml_optical"));
    assert!(raw.data.iter().step_by(3).all(|red| red & 7 == red >> 5), "five bits of red");

    let mut file = looker.follow("/miro/rob01/platform/camr/compressed");
    until("the right eye's files are wanted", || wants(Kind::CompressedImage, "camera_right")).await;
    let jpeg = file_from_pixels(&picture(16)).unwrap();
    publish(&robot, Some("camera_right"), jpeg.clone());
    let read: sensor_msgs::CompressedImage = next(&mut file, |_| true).await;
    assert_eq!(read.format, "rgb8; jpeg compressed bgr8");
    assert_eq!(read.data, jpeg.data, "a file is passed on as it is");

    let mut mics = looker.follow("/miro/rob01/platform/mics");
    until("the ears are wanted", || wants(Kind::Audio, "mics")).await;
    let samples: Vec<u8> = (0..4_000_i16).flat_map(|it| (it % 512).to_le_bytes()).collect();
    // Pieces of other lengths become frames.
    for piece in [&samples[..2_000], &samples[2_000..], &samples] {
        let samples = piece.to_vec().into();
        publish(&robot, Some("mics"), Audio { sample_rate_hz: 20_000, channels: 2, samples });
    }
    let read: PlatformMics = next(&mut mics, |_| true).await;
    assert_eq!((read.data.len(), read.data[3_999]), (4_000, 3_999 % 512));
    assert_eq!((read.fS, read.sample_number), (20_000, 0));
    let read: PlatformMics = next(&mut mics, |_| true).await;
    assert_eq!((read.sample_number, read.t_complete > 0), (2_000, true));

    let mut log = looker.follow("/miro/rob01/log");
    until("the log is wanted", || wants(Kind::Text, "")).await;
    publish(
        &robot,
        None,
        Text { channel: TextChannel::Log, text: "purr".into(), data: None, truncated: None },
    );
    let read: std_msgs::String = next(&mut log, |_| true).await;
    assert_eq!(read.data, "purr");

    drop(left);
    until("the left eye is left alone", || !wants(Kind::Image, "camera_left")).await;
    assert!(wants(Kind::CompressedImage, "camera_right"));
    looker.stop().await;
    gateway.stop().await;
}

#[tokio::test]
async fn a_robot_of_another_family_is_shown_as_far_as_it_goes() {
    let hub = crate::deriving_hub();
    let robot = play(&hub, "misty-1", "misty");
    let gateway = Gateway::serving(&hub, "serve_all = true").await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    publish(&robot, None, Battery { voltage_v: Some(8.0), ..Battery::UNKNOWN });
    publish(&robot, Some("front_left"), Range::valid(0.6));
    publish(&robot, Some("front_center"), Range::valid(0.4));
    publish(&robot, Some("back"), Range::valid(0.1));
    publish(&robot, Some("head_yaw"), Joint::hinge(0.5));
    let mut sensors = looker.follow("/miro/misty_1/platform/sensors");
    let read: PlatformSensors = next(&mut sensors, |it: &PlatformSensors| it.battery_voltage == 8.0).await;
    let derived = |it: &PlatformSensors| it.sonar_range.range == 0.4 && it.joint_state.position[2] == 0.5;
    let derived: PlatformSensors = next(&mut sensors, derived).await;
    assert_eq!((derived.cliff, derived.light), ([255, 255], [0; 4]), "its edge sensors measured nothing");
    assert!(read.temperature.temperature.is_nan());
    // It has one camera, which takes files only.
    let (mut left, mut right) =
        (looker.follow("/miro/misty_1/platform/caml"), looker.follow("/miro/misty_1/platform/camr"));
    until("its files are wanted", || robot.wants(Kind::CompressedImage, None)).await;
    let jpeg = CompressedImage { format: PictureFormat::Jpeg, ..file_from_pixels(&picture(24)).unwrap() };
    let show = async {
        loop {
            publish(&robot, Some("camera"), jpeg.clone());
            // Until both eyes have asked for files, which each does when it has waited for pixels in vain.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = show => {}
        raw = next::<sensor_msgs::Image>(&mut left, |_| true) => assert_eq!((raw.width, raw.data.len()), (24, 1_728)),
    }
    let show = async {
        loop {
            publish(&robot, Some("camera"), jpeg.clone());
            // As above.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = show => {}
        raw = next::<sensor_msgs::Image>(&mut right, |_| true) => assert_eq!(raw.header.frame_id, "misty_1/camr_optical"),
    }
    drop(robot);
    looker.stop().await;
    gateway.stop().await;
}

#[tokio::test]
async fn eyes_see_with_the_camera_that_looks_ahead() {
    let hub = Hub::new(Clock::system());
    let chassis = play(&hub, "axbot-1", "axbot");
    // It declares no cameras.
    let unknown = play(&hub, "robot-1", "rosbridge");
    let gateway = Gateway::serving(&hub, "serve_all = true").await;
    let looker = Looker::at(gateway.master(), "/looker").await;
    for (robot, name, cameras, seen) in [
        (&chassis, "axbot_1", ["camera_back", "camera_front"], "camera_front"),
        (&unknown, "robot_1", ["camera_mast", "camera_gripper"], "camera_mast"),
    ] {
        let mut left = looker.follow(&format!("/miro/{name}/platform/caml"));
        until("its pictures are wanted", || robot.wants(Kind::Image, Some(&PartName::of(seen)))).await;
        for _ in 0..2 {
            for camera in cameras {
                publish(robot, Some(camera), picture(if camera == seen { 16 } else { 8 }));
            }
            let raw: sensor_msgs::Image = next(&mut left, |_| true).await;
            assert_eq!(raw.width, 16, "{name}");
        }
    }
    looker.stop().await;
    gateway.stop().await;
}
