//! How often a robot says what.

use latimer_core::model::{ClockSource, Kind, Signal};

use crate::lab::lab;

#[test]
fn every_kind_keeps_its_rate() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(1.0).forget();
    lab.run(10.0);
    let expected = [
        (Kind::Imu, "", 500),
        (Kind::Encoders, "", 200),
        (Kind::Joint, "head_yaw", 100),
        (Kind::Joint, "arm_left", 100),
        (Kind::Range, "front_center", 143),
        (Kind::Range, "back", 143),
        (Kind::Cliff, "front_left", 143),
        (Kind::Battery, "", 10),
        (Kind::Pose, "", 100),
        (Kind::Velocity, "measured", 100),
        (Kind::Velocity, "commanded", 0),
        (Kind::Localization, "", 10),
        (Kind::Status, "", 20),
        (Kind::Device, "", 1),
        (Kind::Objects, "", 40),
        (Kind::HazardSettings, "", 0),
        (Kind::Hazard, "", 0),
        (Kind::SoundSource, "", 0),
    ];
    for (kind, part, times) in expected {
        let published = lab.all(kind, part).len();
        assert!(published.abs_diff(times) <= 1, "{kind} of {part:?} came {published} times, not {times}");
    }
}

#[test]
fn identity_and_settings_come_first() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(0.01);
    let Signal::Device(device) = lab.last(Kind::Device, "") else { panic!() };
    assert!(device.simulated && device.model.as_deref() == Some("Misty II"));
    let Signal::HazardSettings(settings) = lab.last(Kind::HazardSettings, "") else { panic!() };
    assert_eq!((settings.bumpers.len(), settings.ranges.len()), (4, 8));
    assert!(settings.ranges[4..].iter().all(|it| it.threshold_m == 0.06));
    assert!(lab.received.iter().all(|it| it.stamp.clock == ClockSource::Robot && it.stamp.at == lab.now));
}

#[test]
fn a_robot_at_rest_feels_gravity_only() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(2.0);
    let Signal::Imu(imu) = lab.last(Kind::Imu, "") else { panic!() };
    let accel = imu.linear_acceleration.unwrap();
    assert!((accel.z_mps2 - 9.81).abs() < 0.15 && accel.x_mps2.abs() < 0.15, "{accel:?}");
    lab.drive(0.45, 0.0);
    lab.run(0.3);
    let Signal::Imu(imu) = lab.last(Kind::Imu, "") else { panic!() };
    assert!(imu.linear_acceleration.unwrap().x_mps2 > 0.4, "speeding up is felt");
}

#[test]
fn objects_are_what_the_sensors_meet() {
    let mut lab = lab("", 0.56, 3.0, 0.0);
    lab.run(1.0);
    let Signal::Objects(objects) = lab.last(Kind::Objects, "") else { panic!() };
    let ids: Vec<i64> = objects.objects.iter().filter(|it| it.sensed).map(|it| it.id).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5], "floor at four corners and the wall behind");
    let behind = &objects.objects[3].pose;
    assert!((behind.x_m + 0.56).abs() < 0.02 && behind.y_m.abs() < 1e-6, "{behind:?}");
    assert!(objects.objects.iter().all(|it| it.first_seen.is_some() && it.last_seen >= it.first_seen));
}
