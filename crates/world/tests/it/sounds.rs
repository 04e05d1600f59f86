//! Sounds of the world are heard where they are, fainter from afar and through walls.

use latimer_core::model::signal::SoundSource;
use latimer_core::model::{Command, Kind, Signal};
use latimer_dialects::misty::calls::Record;
use latimer_world::{Behaviour, Pose2, Start};

use crate::lab::{Lab, id, lab, own};

fn source(kind: &str, x: f64, y: f64, level: f64) -> String {
    format!("[[sounds]]\nkind = \"{kind}\"\nposition_m = [{x:?}, {y:?}]\nlevel = {level:?}\n")
}

fn hear(lab: &mut Lab) -> SoundSource {
    lab.ask(own(Record { on: true, name: None }));
    lab.forget().run(0.2);
    match lab.last(Kind::SoundSource, "") {
        Signal::SoundSource(heard) => heard,
        other => panic!("{other:?}"),
    }
}

fn loudest(heard: &SoundSource) -> f64 {
    heard.activity_ratio.iter().copied().fold(0.0, f64::max)
}

#[test]
fn bearing_and_kind_are_those_of_the_source() {
    let sounds = source("voice", 5.0, 3.0, 0.8) + &source("noise", 3.0, 5.0, 0.8);
    let mut lab = lab(&sounds, 3.0, 3.0, 90.0);
    lab.run(0.5);
    assert!(lab.all(Kind::SoundSource, "").is_empty(), "only while recording");
    let heard = hear(&mut lab);
    assert!((heard.speech_bearing_rad.unwrap() + 1.57).abs() < 0.15, "{:?}", heard.speech_bearing_rad);
    assert!(heard.noise_bearings_rad[0].abs() < 0.15);
}

#[test]
fn level_halves_with_twice_the_distance_and_walls_damp() {
    let wall = "[[walls]]\npoints_m = [[2.0, 0.0], [2.0, 6.0]]\n";
    let near = loudest(&hear(&mut lab(&source("noise", 3.0, 3.0, 0.8), 4.0, 3.0, 0.0)));
    let far = loudest(&hear(&mut lab(&source("noise", 3.0, 3.0, 0.8), 5.0, 3.0, 0.0)));
    let behind = loudest(&hear(&mut lab(&(source("noise", 1.0, 3.0, 0.8) + wall), 3.0, 3.0, 0.0)));
    assert!((near - 0.8).abs() < 0.03 && (far - 0.4).abs() < 0.03, "{near} {far}");
    assert!((behind - 0.12).abs() < 0.03, "{behind}");
}

#[test]
fn patterns_come_and_go() {
    let radio = source("noise", 4.0, 3.0, 0.8) + "pattern_s = [2.0, 3.0]";
    let mut lab = lab(&radio, 3.0, 3.0, 0.0);
    lab.ask(own(Record { on: true, name: None }));
    lab.run(10.0);
    let noisy = lab.all(Kind::SoundSource, "").into_iter().filter(|signal| match signal {
        Signal::SoundSource(heard) => !heard.noise_bearings_rad.is_empty(),
        _ => false,
    });
    assert!(noisy.count().abs_diff(80) <= 1, "four seconds of ten, 20 a second");
}

#[test]
fn a_clip_is_heard_where_the_robot_is_and_as_loud_as_its_volume() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let start = Start::At(Pose2::new(3.0, 5.0, 0.0));
    lab.world.add_robot(id("n"), "misty", start, Behaviour::Stand).unwrap();
    lab.ask(own(Record { on: true, name: None }));
    let mut heard = |volume_ratio, volume| {
        let play = Command::Play { name: "003-UmmMmmUmm.wav".into(), volume_ratio };
        for command in [Command::Volume(volume), play.clone()] {
            assert!(lab.world.command(&id("n"), command).is_ok());
        }
        // Its own clip has no direction.
        assert!(lab.ask(play).is_ok());
        lab.forget().run(0.5);
        let Signal::SoundSource(heard) = lab.last(Kind::SoundSource, "") else { panic!() };
        assert_eq!(heard.noise_bearings_rad.len(), 1, "{heard:?}");
        assert!((heard.noise_bearings_rad[0] - 1.57).abs() < 0.15, "{heard:?}");
        loudest(&heard)
    };
    let [loud, soft, asked] = [heard(None, 1.0), heard(None, 0.2), heard(Some(0.6), 0.2)];
    for (level, expected) in [(loud, 0.5), (soft, 0.1), (asked, 0.3)] {
        assert!((level - expected).abs() < 0.03, "{level} instead of {expected}");
    }
    lab.run(3.0).forget().run(0.5);
    let Signal::SoundSource(heard) = lab.last(Kind::SoundSource, "") else { panic!() };
    assert!(heard.noise_bearings_rad.is_empty(), "the clips are over: {heard:?}");
}
