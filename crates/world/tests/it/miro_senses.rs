//! MiRo: what it senses and how often it says so.

use latimer_core::model::signal::{Audio, Image, RangeStatus};
use latimer_core::model::{CameraSettings, Command, JointPosition, Kind, Signal};
use latimer_core::{Outcome, PartName};
use latimer_dialects::miro::calls::StopSound;
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::Demand;
use latimer_world::camera::{FrameEncoder, Lens};

use crate::lab::{Lab, own, seconds};
use crate::miro::{joint, miro};

fn sonar(lab: &Lab) -> (Option<f64>, RangeStatus) {
    let Signal::Range(range) = lab.last(Kind::Range, "sonar") else { panic!() };
    (range.distance_m, range.status)
}

/// Lives for a time and has the pictures made.
fn watch(lab: &mut Lab, for_s: f64) {
    let mut frame_encoder = FrameEncoder::default();
    for _ in 0..(for_s * 100.0).round() as u32 {
        lab.run(0.01);
        lab.world.develop(&mut frame_encoder, &mut lab.received);
    }
}

fn look(lab: &mut Lab, part: &str, degrees: f64) {
    assert!(lab.ask(joint(part, JointPosition::angle(degrees.to_radians()))).is_ok());
    lab.run(2.0);
}

#[test]
fn the_sonar_measures_from_the_nose() {
    // The nose is 123 mm ahead of the middle.
    let mut lab = miro("", 5.5, 3.0, 0.0);
    lab.run(0.5);
    let (distance, status) = sonar(&lab);
    assert!((distance.unwrap() - 0.377).abs() < 0.02 && status == RangeStatus::Valid, "{distance:?}");
    assert!(lab.poke(Stimulus::Place { x_m: 4.5, y_m: 3.0, yaw_rad: 0.0 }).is_ok());
    lab.run(0.5);
    assert_eq!(sonar(&lab), (None, RangeStatus::NothingInView), "1.4 m is too far");
}

#[test]
fn the_sonar_follows_the_head() {
    let mut lab = miro("", 3.0, 5.4, 0.0);
    lab.run(0.5);
    assert_eq!(sonar(&lab).0, None);
    look(&mut lab, "yaw", 60.0);
    // The nose is 86 mm to the left then; the cone's edge looks 75 degrees to the left.
    let expected = (6.0 - 5.4 - 0.086) / 75_f64.to_radians().sin();
    let found = sonar(&lab).0.unwrap();
    assert!((found - expected).abs() < 0.03, "{found}, not {expected}");
    look(&mut lab, "yaw", -60.0);
    assert_eq!(sonar(&lab).0, None, "the room is open on the right");
    look(&mut lab, "yaw", 0.0);
    look(&mut lab, "lift", 65.0);
    look(&mut lab, "pitch", 8.0);
    let floor = sonar(&lab).0.unwrap();
    assert!((0.05..0.2).contains(&floor), "it looks at the floor: {floor}");
}

#[test]
fn light_comes_from_where_the_lamp_is_and_not_through_a_wall() {
    let lamp =
        "ambient = 0.1\n[[lights]]\nname = \"lamp\"\nposition_m = [4.5, 3.0]\nheight_m = 1.5\nlevel = 0.8";
    let level = |lab: &Lab, part: &str| lab.number(Kind::Light, part, "level_ratio");
    let mut open = miro(lamp, 3.0, 3.0, 0.0);
    open.run(0.5);
    assert!(level(&open, "front_left") > 0.25, "{}", level(&open, "front_left"));
    assert!((level(&open, "rear_left") - 0.1).abs() < 0.02, "{}", level(&open, "rear_left"));
    let wall = format!("{lamp}\n[[walls]]\npoints_m = [[3.7, 0.0], [3.7, 6.0]]");
    let mut behind = miro(&wall, 3.0, 3.0, 0.0);
    behind.run(0.5);
    assert!((level(&behind, "front_left") - 0.1).abs() < 0.02, "{}", level(&behind, "front_left"));
}

#[test]
fn hands_are_felt_where_they_touch() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    for part in ["touch_head_2", "touch_body_3"] {
        let touch = Stimulus::Touch { part: PartName::of(part), hold: seconds(0.5) };
        assert!(lab.poke(touch).is_ok());
        lab.run(1.0);
        let felt: Vec<bool> = lab
            .all(Kind::Contact, part)
            .iter()
            .map(|it| matches!(it, Signal::Contact(contact) if contact.contacted))
            .collect();
        assert_eq!(felt, [true, false]);
    }
    let nowhere = Stimulus::Touch { part: PartName::of("nose"), hold: seconds(0.5) };
    assert!(matches!(lab.poke(nowhere), Outcome::Refused(why) if why.reason.contains("touch_body_0")));
}

#[test]
fn gravity_turns_with_the_head() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    lab.run(1.0);
    let gravity = |lab: &Lab, part: &str| {
        let Signal::Imu(imu) = lab.last(Kind::Imu, part) else { panic!() };
        let accel = imu.linear_acceleration.unwrap();
        [accel.x_mps2, accel.z_mps2]
    };
    let [x, z] = gravity(&lab, "head");
    assert!(x.abs() < 0.3 && (z - 9.81).abs() < 0.3, "the head is level: {x} {z}");
    let [x, _] = gravity(&lab, "body");
    assert!((x - 9.81 * 5_f64.to_radians().sin()).abs() < 0.3, "the body leans back: {x}");
    look(&mut lab, "lift", 65.0);
    let [x, z] = gravity(&lab, "head");
    let down = 48_f64.to_radians();
    assert!((x + 9.81 * down.sin()).abs() < 0.3 && (z - 9.81 * down.cos()).abs() < 0.3, "{x} {z}");
}

#[test]
fn what_is_broken_measures_nothing() {
    let mut lab = miro("", 5.5, 3.0, 0.0);
    lab.run(0.5);
    for part in ["sonar", "cliff_right", "camera_left"] {
        assert!(lab.poke(Stimulus::Fail { part: PartName::of(part), hold: seconds(1.0) }).is_ok());
    }
    lab.world.listen([Demand::EVERY_KIND.with_stream(0).with_stream(2)]);
    watch(lab.forget(), 0.8);
    assert_eq!(sonar(&lab), (None, RangeStatus::HardwareFault));
    let Signal::Cliff(cliff) = lab.last(Kind::Cliff, "right") else { panic!() };
    assert_eq!((cliff.0.distance_m, cliff.0.status_code), (None, None));
    assert_eq!(lab.hazards(), ["range:cliff_right"]);
    assert!(lab.all(Kind::Image, "camera_left").is_empty());
    assert!(!lab.all(Kind::Image, "camera_right").is_empty());
    watch(&mut lab, 1.0);
    assert!(sonar(&lab).0.is_some() && lab.hazards().is_empty());
    assert!(!lab.all(Kind::Image, "camera_left").is_empty());
    let legs = Stimulus::Fail { part: PartName::of("legs"), hold: seconds(1.0) };
    assert!(matches!(lab.poke(legs), Outcome::Refused(why) if why.reason.contains("camera_right")));
}

#[test]
fn what_it_was_not_made_for_is_refused_with_the_reason() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    for (stimulus, why) in [
        (Stimulus::KeyPhrase { confidence_ratio: 1.0 }, "key phrase"),
        (Stimulus::EmergencyStop(true), "no emergency stop"),
        (Stimulus::Bump { part: PartName::of("x"), hold: seconds(1.0) }, "no bumpers"),
    ] {
        let Outcome::Refused(said) = lab.poke(stimulus) else { panic!() };
        assert!(said.reason.contains(why), "{said}");
    }
    let Outcome::Refused(said) = lab.ask(Command::EmergencyStop(true)) else { panic!() };
    assert!(said.reason.contains("a MiRo cannot carry out the command emergency_stop"), "{said}");
}

#[test]
fn sounds_are_played_by_number_and_their_end_is_published() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let play = |name: &str| Command::Play { name: name.into(), volume_ratio: None };
    for (name, library, number) in
        [("P1/7", "P1", "7"), ("p2/23", "P2", "23"), ("30", "P1", "30"), ("P3/purr", "P3", "purr")]
    {
        assert!(lab.forget().ask(play(name)).is_ok());
        lab.run(2.0);
        let Signal::Playback(ended) = lab.last(Kind::Playback, "") else { panic!() };
        assert_eq!((ended.directory.as_deref(), ended.name.as_str()), (Some(library), number));
    }
    for bad in ["P1/0", "P1/31", "P2/24", "P3/", "meow", ""] {
        assert!(matches!(lab.ask(play(bad)), Outcome::Refused(why) if why.reason.contains("P2/23")));
    }
}

#[test]
fn every_kind_keeps_its_rate() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    lab.run(1.0).forget();
    lab.run(10.0);
    let expected = [
        (Kind::Range, "sonar", 500),
        (Kind::Cliff, "left", 500),
        (Kind::Light, "rear_right", 500),
        (Kind::Joint, "lift", 500),
        (Kind::Joint, "eyelids", 500),
        (Kind::Imu, "body", 500),
        (Kind::Imu, "head", 500),
        (Kind::Pose, "", 500),
        (Kind::Velocity, "measured", 500),
        (Kind::Encoders, "", 500),
        (Kind::Battery, "", 500),
        (Kind::Temperature, "", 500),
        (Kind::SoundSource, "", 100),
        (Kind::Lamp, "lamp_3", 10),
        (Kind::Device, "", 1),
        (Kind::Image, "", 0),
        (Kind::Audio, "", 0),
    ];
    for (kind, part, times) in expected {
        let published = lab.all(kind, part).len();
        assert!(published.abs_diff(times) <= 1, "{kind} of {part:?} came {published} times, not {times}");
    }
    let volts = lab.number(Kind::Battery, "", "voltage_v");
    assert!((4.6..5.6).contains(&volts), "{volts}");
    lab.world.listen([Demand::NOTHING]);
    lab.forget().run(10.0);
    assert!(lab.received.len() < 400, "{} updates though nobody listens", lab.received.len());
}

#[test]
fn pictures_come_at_their_rate_and_slower_in_the_dark() {
    let small = CameraSettings { size: Some([128, 96]), ..CameraSettings::default() };
    let pictures = |world: &str| {
        let mut lab = miro(world, 3.0, 3.0, 0.0);
        assert!(lab.ask(Command::Camera(small.clone())).is_ok());
        lab.world.listen([Demand::EVERY_KIND.with_stream(0).with_stream(3)]);
        watch(&mut lab, 4.0);
        let Signal::Image(Image { width, height, data, .. }) = lab.last(Kind::Image, "camera_left") else {
            panic!()
        };
        assert_eq!((width, height, data.len()), (128, 96, 128 * 96 * 3));
        assert!(lab.all(Kind::Image, "camera_right").is_empty(), "nobody asked for it");
        let Signal::CompressedImage(file) = lab.last(Kind::CompressedImage, "camera_right") else { panic!() };
        assert_eq!(file.data.get(..2), Some(&[0xff, 0xd8][..]), "a JPEG file");
        lab.all(Kind::Image, "camera_left").len()
    };
    assert_eq!(pictures(""), 20, "5 a second");
    assert_eq!(pictures("ambient = 0.05"), 12, "3 a second");
}

#[test]
fn eyes_adapt_each_to_its_own_light() {
    // A lamp on the left, and no light from anywhere else.
    let lamp =
        "ambient = 0.0\n[[lights]]\nname = \"lamp\"\nposition_m = [3.0, 4.5]\nheight_m = 1.5\nlevel = 0.9";
    let mut lab = miro(lamp, 3.0, 3.0, 0.0);
    let settings = CameraSettings { size: Some([128, 96]), ..CameraSettings::default() };
    assert!(lab.ask(Command::Camera(settings)).is_ok());
    lab.world.listen([Demand::EVERY_KIND.with_stream(0).with_stream(2)]);
    watch(&mut lab, 4.0);
    let count = |part: &str| lab.all(Kind::Image, part).len();
    assert!(
        count("camera_left") > 2 * count("camera_right"),
        "{} {}",
        count("camera_left"),
        count("camera_right")
    );
}

#[test]
fn microphones_give_frames_of_a_tenth_of_a_second() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let demand = Demand::EVERY_KIND.with_stream(4);
    lab.world.listen([demand]);
    let noise = Stimulus::Sound {
        bearing_rad: std::f64::consts::FRAC_PI_2,
        level_ratio: 0.9,
        voice: false,
        hold: seconds(60.0),
    };
    assert!(lab.poke(noise).is_ok());
    lab.run(3.0);
    let frames = lab.all(Kind::Audio, "mics");
    assert!(frames.len().abs_diff(30) <= 1, "{}", frames.len());
    let Signal::Audio(Audio { sample_rate_hz, channels, samples }) = frames[20] else { panic!() };
    assert_eq!((*sample_rate_hz, *channels, samples.len()), (20_000, 2, 8_000));
    let loud = |ear: usize| {
        let all = samples.chunks_exact(2).skip(ear).step_by(2);
        all.map(|it| f64::from(i16::from_le_bytes([it[0], it[1]])).powi(2)).sum::<f64>()
    };
    assert!(loud(0) > 1.5 * loud(1), "the left ear hears it better: {} {}", loud(0), loud(1));
    assert!(samples.chunks_exact(2).all(|it| (-512..=511).contains(&i16::from_le_bytes([it[0], it[1]]))));
    let Signal::SoundSource(received) = lab.last(Kind::SoundSource, "") else { panic!() };
    assert!((received.noise_bearings_rad[0] - 1.57).abs() < 0.1, "{received:?}");
    // The head turns towards it.
    look(&mut lab, "yaw", 60.0);
    let Signal::SoundSource(received) = lab.last(Kind::SoundSource, "") else { panic!() };
    assert!((received.noise_bearings_rad[0] - 30_f64.to_radians()).abs() < 0.15, "{received:?}");
}

#[test]
fn its_own_sounds_and_motors_are_in_its_microphones() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let mics = Demand::EVERY_KIND.with_stream(4);
    let mut power = |command: Option<Command>| {
        lab.world.listen([mics]);
        assert!(command.is_none_or(|command| lab.ask(command).is_ok()));
        lab.forget().run(0.4);
        let Signal::Audio(Audio { samples, .. }) = lab.last(Kind::Audio, "mics") else { panic!() };
        let squares = samples.chunks_exact(2).map(|it| f64::from(i16::from_le_bytes([it[0], it[1]])).powi(2));
        squares.sum::<f64>() / (samples.len() / 2) as f64
    };
    let silence = power(None);
    let play = |volume| Command::Play { name: "P1/3".into(), volume_ratio: Some(volume) };
    let [loud, soft] = [power(Some(play(1.0))), power(Some(play(0.2)))];
    assert!(loud > 4.0 * soft && soft > 4.0 * silence, "{loud} {soft} {silence}");
    power(Some(own(StopSound {})));
    let driving = power(Some(Command::Drive { linear_mps: 0.3, angular_radps: 0.0, duration: None }));
    assert!(driving > 4.0 * silence, "{driving} {silence}");
}

#[test]
fn its_pictures_are_taken_through_the_platform_s_lens() {
    let mut lab =
        miro("[[people]]\nstart_m = [4.0, 4.2]\nradius_m = 0.1\ncolor = \"#ff0000\"\n", 3.0, 3.0, 0.0);
    lab.world.listen([Demand::EVERY_KIND.with_stream(0)]);
    lab.run(0.3);
    let shots = lab.world.take_shots();
    let shot = shots.last().unwrap();
    // Where her chest is.
    let seen = shot.lens.project([4.0, 4.2, 1.25]).unwrap();
    let pinhole = Lens { distortion: None, ..shot.lens }.project([4.0, 4.2, 1.25]).unwrap();
    let apart = (seen[0] - pinhole[0]).hypot(seen[1] - pinhole[1]);
    assert!(apart > 5.0, "{seen:?} {pinhole:?}");
    let frame = FrameEncoder::default().develop(shot).unwrap();
    let pixels = frame.picture.unwrap();
    let [x, y] = seen.map(|it| it as usize);
    let pixel = &pixels[(y * 320 + x) * 3..][..3];
    assert!(pixel[0] > 60 && pixel[0] > 2 * pixel[1] && pixel[0] > 2 * pixel[2], "{pixel:?} at {seen:?}");
}
