//! Cameras: what a robot sees while somebody watches, and only then.

use latimer_core::model::signal::image::Encoding;
use latimer_core::model::{CameraSettings, Command, Kind, Signal};
use latimer_core::{Outcome, Update};
use latimer_world::bodies::Demand;
use latimer_world::camera::FrameEncoder;

use crate::lab::{Lab, lab};

/// A red wall a metre before the robot.
const WALL: &str =
    "[[boxes]]\ncenter_m = [2.1, 3.0]\nsize_m = [0.2, 3.0]\ncolor = \"#ff0000\"\nheight_m = 2.5";

/// Runs for a while with the streams of these numbers watched, and gives the pictures.
fn watched(lab: &mut Lab, streams: &[usize], seconds: f64) -> Vec<Update> {
    let demand = streams.iter().fold(Demand::EVERY_KIND, |demand, number| demand.with_stream(*number));
    lab.world.listen([demand]);
    lab.run(seconds);
    let mut pictures = Vec::new();
    lab.world.develop(&mut FrameEncoder::default(), &mut pictures);
    pictures
}

#[test]
fn a_picture_shows_what_is_ahead() {
    let mut lab = lab(WALL, 1.0, 3.0, 0.0);
    let small = CameraSettings { size: Some([64, 48]), rate_hz: Some(5.0), part: None };
    assert_eq!(lab.ask(Command::Camera(small)), Outcome::Done);
    let pictures = watched(&mut lab, &[0], 1.0);
    assert!((4..=6).contains(&pictures.len()), "{}", pictures.len());
    let Signal::Image(image) = &pictures[0].signal else { panic!("{:?}", pictures[0].kind()) };
    assert_eq!((image.encoding, image.width, image.height), (Encoding::Rgb8, 64, 48));
    let middle = (24 * 64 + 32) * 3;
    let [red, green, blue] = image.data[middle..middle + 3] else { panic!() };
    assert!(red > 100 && green < red / 3 && blue < red / 3, "a red wall, not {red} {green} {blue}");
    assert_eq!(pictures[0].part.as_ref().unwrap().as_str(), "camera");
}

#[test]
fn pictures_are_taken_only_in_the_subscribed_forms() {
    let mut lab = lab(WALL, 1.0, 3.0, 0.0);
    assert!(watched(&mut lab, &[], 1.0).is_empty());
    let kinds = |pictures: &[Update]| pictures.iter().map(Update::kind).collect::<Vec<_>>();
    let files = watched(&mut lab, &[1], 0.3);
    assert!(!files.is_empty() && kinds(&files).iter().all(|kind| *kind == Kind::CompressedImage));
    if cfg!(feature = "video") {
        let video = watched(&mut lab, &[2], 0.5);
        let Some(Signal::Video(first)) = video.first().map(|update| &update.signal) else {
            panic!("no video")
        };
        assert!(first.key_frame && first.data.starts_with(&[0, 0, 0, 1]), "Annex B begins with a start code");
        assert!(video.iter().all(|update| update.kind() == Kind::Video));
    }
}

#[test]
fn the_same_steps_give_the_same_bytes() {
    let pictures = || {
        let mut lab = lab(WALL, 1.0, 3.0, 0.3);
        lab.drive(0.1, 0.3);
        watched(&mut lab, &[0, 1], 0.5)
    };
    assert!(pictures() == pictures());
}
