//! What the samples mean in SI units, computed by hand.

use latimer_core::model::signal::*;
use latimer_core::model::{ClockSource, Value};
use latimer_core::{Signal, Timestamp};

use super::{RECEIVED, Received, parse};
use crate::misty::map::signals_from_message;
use crate::misty::wire::EventType;

macro_rules! heard {
    ($event_type:ident $name:literal) => {
        signals_from_message(
            &parse(EventType::$event_type, include_str!(concat!("../../testdata/", $name, ".json"))),
            RECEIVED,
        )
    };
}

/// The only signal, with its part and the time that the robot gave it.
macro_rules! only {
    ($event_type:ident $name:literal, $signal:path) => {{
        let mut heard = heard!($event_type $name);
        assert_eq!(heard.len(), 1);
        let Received { part, stamp, signal } = heard.remove(0);
        let $signal(signal) = signal else { panic!("{signal:?}") };
        let at = (stamp.clock == ClockSource::Robot).then_some(stamp.at);
        assert!(at.is_some() || stamp.at == RECEIVED);
        (part.map(|part| part.to_string()), at.map(Timestamp::as_nanos), signal)
    }};
}

#[track_caller]
fn close(value: impl Into<Option<f64>>, expected: f64) {
    let value = value.into().expect("no value");
    assert!((value - expected).abs() < 1e-7, "{value} instead of {expected}");
}

#[test]
fn joints_are_in_radians() {
    let (part, at, joint) = only!(ActuatorPosition "actuator_position", Signal::Joint);
    assert_eq!(part.as_deref(), Some("arm_left"));
    assert_eq!(at, Some(1_547_064_938_087_035_600));
    close(joint.position_rad, -0.088_837_259);
}

#[test]
fn the_drive_is_in_metres_and_radians_per_second() {
    let (part, at, velocity) = only!(LocomotionCommand "locomotion_command", Signal::Velocity);
    assert_eq!((part.as_deref(), at), (Some("commanded"), Some(1_522_709_979_335_023_800)));
    close(velocity.linear_mps, 0.3);
    close(velocity.angular_radps, 0.0);
    assert_eq!(
        (velocity.closed_loop, velocity.ramped, velocity.action_id),
        (Some(true), Some(true), Some(0))
    );

    let (part, _, encoders) = only!(DriveEncoders "drive_encoders", Signal::Encoders);
    assert_eq!(part, None);
    close(encoders.left.rotation_rad, 10.925_761_1);
    close(encoders.left.velocity_radps, 4.345_869_8);
    close(encoders.right.rotation_rad, 11.798_425_7);
    close(encoders.right.velocity_radps, 4.310_963_3);

    let (_, _, motion) = only!(HaltCommand "halt_command", Signal::Motion);
    assert_eq!((motion.state, motion.motor_mask), (MotionState::Halted, Some(6)));
}

#[test]
fn the_imu_follows_rep_103() {
    let (part, _, imu) = only!(Imu "imu", Signal::Imu);
    assert_eq!(part, None);
    let turned = imu.orientation.unwrap();
    close(turned.pitch_rad, 0.195_354_7);
    close(turned.roll_rad, 0.043_074_7);
    close(turned.yaw_rad, 0.034_976_4);
    let turning = imu.angular_velocity.unwrap();
    close(turning.y_radps, 0.000_994_8);
    close(turning.x_radps, -0.001_745_3);
    close(turning.z_radps, 0.001_675_5);
    let pushed = imu.linear_acceleration.unwrap();
    close(pushed.x_mps2, 0.75);
    close(pushed.y_mps2, 0.73);
    close(pushed.z_mps2, 9.8);

    let (_, _, imu) = only!(Imu "robot_2019_imu", Signal::Imu);
    let turned = imu.orientation.unwrap();
    close(turned.roll_rad, -0.013_089_97);
    close(turned.yaw_rad, -3.124_139_36);
}

#[test]
fn ranges_are_in_metres_by_type() {
    let (part, _, range) = only!(TimeOfFlight "time_of_flight", Signal::Range);
    assert_eq!(part.as_deref(), Some("front_right"));
    assert_eq!((range.status, range.status_code), (RangeStatus::Valid, Some(0)));
    close(range.distance_m, 0.19);

    let (part, _, cliff) = only!(TimeOfFlight "robot_2019_time_of_flight", Signal::Cliff);
    assert_eq!(part.as_deref(), Some("front_left"));
    assert_eq!((cliff.0.status, cliff.0.status_code), (RangeStatus::Unknown, None));
    close(cliff.0.distance_m, 0.06);

    let (part, _, _) = only!(TimeOfFlight "robot_2021_time_of_flight", Signal::Range);
    assert_eq!(part.as_deref(), Some("front_center"));
}

#[test]
fn contacts_say_where_they_are_felt() {
    let (part, _, bump) = only!(BumpSensor "bump_sensor", Signal::Contact);
    assert_eq!(part.as_deref(), Some("bump_front_right"));
    assert_eq!((bump.contacted, bump.sensor, bump.frame), (true, ContactSensor::Bumper, Frame::BaseLink));
    let at = bump.position.unwrap();
    close(at.x_m, 0.12);
    close(at.y_m, -0.075);

    let (part, _, touch) = only!(TouchSensor "touch_sensor", Signal::Contact);
    assert_eq!(part.as_deref(), Some("touch_head_left"));
    assert_eq!((touch.contacted, touch.sensor, touch.frame), (true, ContactSensor::Touch, Frame::Head));
    close(touch.position.unwrap().z_m, 0.08);

    let (part, _, touch) = only!(TouchSensor "robot_2019_touch_sensor", Signal::Contact);
    assert_eq!(part.as_deref(), Some("touch_chin"));
    assert_eq!((touch.contacted, touch.position), (false, None));
}

#[test]
fn the_battery_gives_current_while_it_discharges() {
    let (_, at, battery) = only!(BatteryCharge "battery_charge", Signal::Battery);
    assert_eq!(at, Some(1_563_900_567_558_817_000));
    assert_eq!((battery.state, battery.charge_ratio), (PowerState::Discharging, None));
    close(battery.voltage_v, 8.203);
    close(battery.current_a, -0.441);
    close(battery.temperature_c, 83.0);
    assert_eq!(battery.gauge_trained, Some(false));
}

#[test]
fn faces_are_in_radians_and_metres() {
    let (_, at, face) = only!(FaceRecognition "face_recognition", Signal::Face);
    assert_eq!(at, Some(1_530_548_780_171_842_200));
    assert_eq!((face.identity, face.label.as_deref()), (FaceIdentity::Known, Some("Barkley")));
    close(face.bearing_rad, -0.052_359_88);
    close(face.elevation_rad, -0.052_359_88);
    close(face.distance_m, 0.71);
    let (_, _, face) = only!(FaceRecognition "robot_2019_face_recognition", Signal::Face);
    assert_eq!((face.identity, face.label, face.track_id), (FaceIdentity::Stranger, None, Some(3)));
    let (_, _, face) = only!(FaceRecognition "robot_2021_face_recognition", Signal::Face);
    assert_eq!((face.identity, face.label.as_deref()), (FaceIdentity::Known, Some("Ada")));
    let (_, _, training) = only!(FaceTraining "face_training", Signal::FaceTraining);
    assert_eq!((training.level, training.complete), (TrainingMessage::Status, false));
    assert_eq!(training.message, "Face training detection phase complete.");
}

#[test]
fn sounds_come_counter_clockwise_from_ahead() {
    let (_, at, source) = only!(SourceTrackDataMessage "source_track_data_message", Signal::SoundSource);
    assert_eq!(at, None);
    close(source.speech_bearing_rad, 0.0);
    close(source.noise_bearings_rad[0], std::f64::consts::FRAC_PI_2);
    close(source.offset_s, 4.925);
    assert_eq!(source.activity_ratio.len(), 360);
    close(source.activity_ratio[0], 0.023_529_41);
    assert_eq!(source.sectors_active, [false; 4]);
    let (_, _, focus) = only!(SourceFocusConfigMessage "source_focus_config_message", Signal::SoundFocus);
    assert_eq!(focus.gain_step, Some(65_535));
    close(focus.sector_starts_rad[0], 2.356_194_49);
    close(focus.sector_starts_rad[2], 5.497_787_14);
    let (_, _, phrase) = only!(KeyPhraseRecognized "key_phrase_recognized", Signal::KeyPhrase);
    close(phrase.confidence_ratio, 0.81);
    let (_, _, playback) = only!(AudioPlayComplete "audio_play_complete", Signal::Playback);
    assert_eq!((&*playback.name, playback.directory.as_deref()), ("002-Ahhh.wav", Some("Idle")));
    assert_eq!(playback.affect, [0.0, 0.0, -0.5]);
}

#[test]
fn hazards_name_their_parts() {
    let (_, at, hazard) = only!(HazardNotification "hazard_notification", Signal::Hazard);
    assert_eq!((at, hazard.critical_error_code, hazard.items.len()), (None, Some(0), 32));
    let active: Vec<_> =
        hazard.items.iter().filter(|it| it.active).map(|it| (it.source, &*it.part)).collect();
    assert_eq!(
        active,
        [(HazardSource::Range, "cliff_front_right"), (HazardSource::Range, "cliff_back_left")]
    );
}

#[test]
fn text_keeps_its_data_and_time() {
    let (part, at, text) = only!(SkillData "skill_data_debug", Signal::Text);
    assert_eq!((part.as_deref(), at), (Some("skill"), Some(1_556_490_573_044_186_700)));
    assert_eq!((text.channel, &*text.text), (TextChannel::Skill, "Calling command 'Debug'"));
    assert_eq!(text.data, Some(Value::Map(vec![("data".into(), Value::Text("Hello, world!".into()))])));
    let (_, at, text) = only!(SerialMessage "serial_message", Signal::Text);
    assert_eq!((text.channel, at), (TextChannel::Serial, Some(1_564_758_245_123_456_700)));
    assert_eq!(&*text.text, r#"{"temperature":"21.5","pressure":"1013"}"#);
}

#[test]
fn the_localisation_is_told_twice() {
    let (_, at, alone) = only!(SlamStatus "slam_status", Signal::Localization);
    assert_eq!((at, alone.state, alone.has_pose), (None, LocalizationState::Idle, None));
    assert_eq!((alone.mode.as_deref(), alone.sensor.as_deref()), (Some("Uninitialized"), Some("Connected")));

    let heard = heard!(SelfState "self_state");
    let [battery, pose, localization, status] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(battery.stamp.at.as_nanos(), 1_565_817_473_726_642_900);
    assert_eq!(pose.stamp.at.as_nanos(), 1_565_817_473_931_476_900);
    assert_eq!((localization.stamp.clock, status.stamp.clock), (ClockSource::Gateway, ClockSource::Gateway));
    let Signal::Pose(pose) = &pose.signal else { panic!() };
    assert_eq!(pose.frame, Frame::Map);
    close(pose.yaw_rad, 0.189_649_07);
    let Signal::Status(status) = &status.signal else { panic!() };
    assert_eq!(status.run_state, RunState::Running);
    assert_eq!((status.camera, status.taking_picture), (Some(CameraState::Streaming), Some(false)));
    assert_eq!(status.ip_address.as_deref(), Some("192.168.7.32"));
}

#[test]
fn objects_have_places_and_times() {
    let (_, _, objects) = only!(WorldState "world_state", Signal::Objects);
    assert_eq!(objects.objects.len(), 5);
    let first = &objects.objects[0];
    assert_eq!((first.id, &first.class, &first.label, first.sensed), (1, &None, &None, true));
    assert_eq!(first.pose.frame, Frame::Map);
    close(first.pose.x_m, 0.120_070_25);
    close(first.pose.z_m, -0.057_838_73);
    assert_eq!(first.first_seen.map(Timestamp::as_nanos), Some(1_568_056_508_923_924_900));
    assert_eq!(first.last_seen.map(Timestamp::as_nanos), Some(1_568_056_510_784_263_700));
}
