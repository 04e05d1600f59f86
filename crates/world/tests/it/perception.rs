//! Ears and eyes, and what switches them on and off.

use std::f64::consts::PI;

use latimer_core::model::signal::{FaceIdentity, TrainingMessage};
use latimer_core::model::{Command, Kind, Signal};
use latimer_core::{Outcome, Value};
use latimer_dialects::misty::calls::{
    CancelFaceTraining, DetectFaces, ForgetFace, Listen, RecognizeFaces, Record, TrainFace,
};
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::Demand;
use latimer_world::camera::FrameEncoder;
use latimer_world::{Behaviour, Pose2, Start};

use crate::lab::{Lab, id, lab, own, seconds};

fn say_it(lab: &mut Lab) -> Outcome {
    lab.poke(Stimulus::KeyPhrase { confidence_ratio: 0.81 })
}

#[test]
fn the_key_phrase_is_recognized_once_and_only_while_listening() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    assert!(matches!(say_it(&mut lab), Outcome::Refused(why) if why.reason.contains("listen")));
    lab.ask(own(Listen { on: true }));
    assert_eq!(say_it(&mut lab), Outcome::Done);
    assert!(matches!(say_it(&mut lab), Outcome::Refused(_)), "hearing it ends listening");
    lab.run(0.1);
    assert_eq!(lab.all(Kind::KeyPhrase, "").len(), 1);
    assert_eq!(lab.number(Kind::KeyPhrase, "", "confidence_ratio"), 0.81);
}

#[test]
fn recording_ends_listening_and_forbids_it() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.ask(own(Listen { on: true }));
    lab.ask(own(Record { on: true, name: None }));
    assert!(matches!(say_it(&mut lab), Outcome::Refused(_)));
    assert!(
        matches!(lab.ask(own(Listen { on: true })), Outcome::Refused(why) if why.reason.contains("stop recording"))
    );
    assert!(matches!(lab.ask(own(Record { on: true, name: None })), Outcome::Refused(_)));
    lab.ask(own(Record { on: false, name: None }));
    assert_eq!(lab.ask(own(Listen { on: true })), Outcome::Accepted);
}

#[test]
fn directions_are_published_only_while_recording() {
    let mut lab = lab("", 3.0, 3.0, 90.0);
    let sound = |bearing_rad: f64, voice| Stimulus::Sound {
        bearing_rad,
        level_ratio: 0.8,
        voice,
        hold: seconds(9.0),
    };
    lab.poke(sound(0.0, true));
    lab.poke(sound(1.5, false));
    lab.run(1.0);
    assert!(lab.all(Kind::SoundSource, "").is_empty() && lab.all(Kind::SoundFocus, "").is_empty());
    lab.ask(own(Record { on: true, name: Some("a.wav".into()) }));
    lab.run(2.0);
    assert_eq!(lab.all(Kind::SoundFocus, "").len(), 1);
    let published = lab.all(Kind::SoundSource, "");
    assert_eq!(published.len(), 40, "20 a second");
    let Signal::SoundSource(last) = published[39] else { panic!() };
    assert_eq!((last.activity_ratio.len(), last.sectors_active.len()), (360, 4));
    assert!(last.speech_bearing_rad.unwrap().abs() < 0.15);
    assert!((last.noise_bearings_rad[0] - 1.5).abs() < 0.15);
    assert!(last.activity_ratio[0] > 0.7 && last.activity_ratio[86] > 0.7 && last.activity_ratio[180] < 0.1);
    assert_eq!(last.sectors_active, [false, false, true, false], "the sector from 315 to 45 degrees");
    assert!((last.offset_s.unwrap() - 2.0).abs() < 0.06);
    lab.drive(0.0, 1.0);
    lab.run(1.2);
    let Signal::SoundSource(turned) = lab.last(Kind::SoundSource, "") else { panic!() };
    assert!(turned.speech_bearing_rad.unwrap() < -0.9, "the voice stays where it is: {turned:?}");
    lab.ask(own(Record { on: false, name: None }));
    lab.forget().run(1.0);
    assert!(lab.all(Kind::SoundSource, "").is_empty());
}

fn show(lab: &mut Lab, label: Option<&str>, hold_s: f64) {
    let label = label.map(str::to_owned);
    lab.poke(Stimulus::Face { label, bearing_rad: 0.2, distance_m: 1.0, hold: seconds(hold_s) });
}

#[test]
fn faces_are_detected_then_recognised_if_known() {
    let mut lab = lab("known_faces = [\"Anna\"]", 3.0, 3.0, 0.0);
    show(&mut lab, Some("anna"), 100.0);
    lab.run(2.0);
    assert!(lab.all(Kind::Face, "").is_empty(), "nobody looks");
    lab.ask(own(DetectFaces { on: true }));
    lab.run(2.0);
    let faces = lab.all(Kind::Face, "");
    assert_eq!(faces.len(), 10, "5 a second");
    let Signal::Face(face) = faces[0] else { panic!() };
    assert_eq!((face.identity, face.label.clone()), (FaceIdentity::Detected, None));
    assert!((face.bearing_rad.unwrap() - 0.2).abs() < 0.06 && (face.distance_m.unwrap() - 1.0).abs() < 0.15);
    lab.ask(own(RecognizeFaces { on: true }));
    lab.forget().run(0.5);
    let Signal::Face(face) = lab.last(Kind::Face, "") else { panic!() };
    assert_eq!((face.identity, face.label), (FaceIdentity::Known, Some("Anna".into())));
    assert_eq!(lab.ask(own(ForgetFace { label: Some("Anna".into()) })), Outcome::Done);
    lab.run(0.5);
    let Signal::Face(face) = lab.last(Kind::Face, "") else { panic!() };
    assert_eq!(face.identity, FaceIdentity::Stranger);
    lab.drive(0.0, 1.5);
    lab.run(1.5);
    lab.stop();
    lab.forget().run(1.0);
    assert!(lab.all(Kind::Face, "").is_empty(), "out of the camera's view");
}

fn training(lab: &Lab) -> Vec<(TrainingMessage, String, bool)> {
    let message = |signal: &&Signal| match signal {
        Signal::FaceTraining(it) => (it.level, it.message.clone(), it.complete),
        other => panic!("{other:?}"),
    };
    lab.all(Kind::FaceTraining, "").iter().map(message).collect()
}

#[test]
fn a_face_is_learnt_step_by_step() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    show(&mut lab, None, 100.0);
    assert_eq!(lab.ask(own(TrainFace { label: "Ben".into() })), Outcome::Accepted);
    lab.run(1.0);
    assert!(matches!(lab.ask(own(TrainFace { label: "Cleo".into() })), Outcome::Refused(_)));
    lab.run(6.0);
    let messages: Vec<(TrainingMessage, String, bool)> = training(&lab);
    let texts: Vec<&str> = messages.iter().map(|(_, text, _)| text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Face training successfully started.",
            "Face training is taking pictures, please don't move.",
            "Error, face training is already underway.",
            "Face training detection phase complete.",
            "Face training embedding phase complete.",
        ]
    );
    assert!(messages.iter().enumerate().all(|(i, (_, _, complete))| *complete == (i == 4)));
    lab.ask(own(RecognizeFaces { on: true }));
    lab.run(0.5);
    let Signal::Face(face) = lab.last(Kind::Face, "") else { panic!() };
    assert_eq!(face.label, Some("Ben".into()));
    assert!(
        matches!(lab.ask(own(TrainFace { label: "ben".into() })), Outcome::Refused(why) if why.reason.contains("known already"))
    );
}

#[test]
fn learning_warns_and_gives_up_without_a_face() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.ask(own(TrainFace { label: "Nobody".into() }));
    lab.run(25.0);
    let messages = training(&lab);
    let warnings = messages.iter().filter(|(level, ..)| *level == TrainingMessage::Warning).count();
    assert!((8..=11).contains(&warnings), "{warnings}");
    let (level, _, complete) = messages.last().unwrap();
    assert_eq!((*level, *complete), (TrainingMessage::Error, true));
    assert!(matches!(lab.ask(own(CancelFaceTraining {})), Outcome::Refused(_)));
    lab.ask(own(TrainFace { label: "Nobody".into() }));
    assert_eq!(lab.ask(own(CancelFaceTraining {})), Outcome::Done);
    lab.run(0.1);
    assert!(training(&lab).last().unwrap().2);
}

#[test]
fn clips_end_after_their_length() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    assert_eq!(
        lab.ask(Command::Play { name: "002-Ahhh.wav".into(), volume_ratio: Some(0.5) }),
        Outcome::Accepted
    );
    lab.run(1.0);
    assert!(lab.all(Kind::Playback, "").is_empty());
    lab.run(0.2);
    let Signal::Playback(playback) = lab.last(Kind::Playback, "") else { panic!() };
    assert_eq!((playback.name.as_str(), playback.affect), ("002-Ahhh.wav", vec![0.0, 0.0, -0.5]));
    let unknown = lab.ask(Command::Play { name: "nope.wav".into(), volume_ratio: None });
    assert!(matches!(unknown, Outcome::Refused(why) if why.reason.contains("002-Ahhh.wav")));
}

#[test]
fn text_passes_through() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.poke(Stimulus::Serial("{\"temperature\":21}".into()));
    lab.ask(Command::SkillMessage { text: "Calling command 'Debug'".into(), data: None });
    lab.run(0.05);
    let texts = lab.all(Kind::Text, "");
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[0].field("text").unwrap().as_str(), Some("{\"temperature\":21}"));
    assert_eq!(texts[1].field("channel").unwrap().as_str(), Some("skill"));
}

#[test]
fn a_programs_message_has_data() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let data = Value::Map(vec![("a".into(), Value::Int(1))]);
    lab.poke(Stimulus::SkillMessage { text: "x".into(), data: Some(data.clone()) });
    lab.poke(Stimulus::SkillMessage { text: "x".into(), data: None });
    lab.run(0.05);
    let sent: Vec<_> = lab.all(Kind::Text, "skill").iter().map(|text| text.field("data")).collect();
    assert_eq!(sent, [Some(data), Some(Value::Map(Vec::new()))]);
}

#[test]
fn the_chest_shows_the_commanded_colour_to_everybody() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let there = Start::At(Pose2::new(4.0, 3.0, PI));
    lab.world.add_robot(id("n"), "misty", there, Behaviour::Stand).unwrap();
    let looks = Demand::EVERY_KIND.with_stream(0);
    let greenest = |lab: &mut Lab| {
        lab.world.listen([looks, looks]);
        lab.forget().run(1.0);
        lab.world.develop(&mut FrameEncoder::default(), &mut lab.received);
        let seen = lab.received.iter().rev().find_map(|update| match &update.signal {
            Signal::Image(image) if update.robot == id("n") => Some(image.data.clone()),
            _ => None,
        });
        let over = |pixel: &[u8]| i32::from(pixel[1]) - i32::from(pixel[0].max(pixel[2]));
        seen.expect("the other takes a picture").chunks_exact(3).map(over).max().unwrap()
    };
    assert!(greenest(&mut lab) < 30, "it is dark at first");
    assert_eq!(lab.ask(Command::Lamp { part: None, rgb: [0, 255, 0] }), Outcome::Done);
    assert!(greenest(&mut lab) > 200);
    assert_eq!(lab.number(Kind::Lamp, "chest", "green"), 255.0);
}
