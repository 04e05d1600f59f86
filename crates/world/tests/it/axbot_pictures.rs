//! Pictures of a delivery chassis that are not just its cameras': with rectangles, or from elsewhere.

use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::{Command, Kind, Signal};
use latimer_core::{Outcome, PartName, Update};
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::Demand;
use latimer_world::camera::{FrameEncoder, Picture};

use crate::axbot::hall;
use crate::lab::{Lab, seconds};

/// Numbers of the chassis's streams.
const FILES: usize = 8;
const AUGMENTED: usize = 13;

const GREEN: [u8; 3] = [0x2e, 0xe6, 0x3c];

fn image(width: u32, height: u32) -> CompressedImage {
    let picture = Picture { width, height, rgb: vec![120; (width * height * 3) as usize] };
    let data = picture.jpeg(80).unwrap().into();
    // What is said of the size does not count; what is in the file does.
    CompressedImage { format: PictureFormat::Jpeg, width: 1, height: 1, data }
}

fn give(lab: &mut Lab, part: &str, image: CompressedImage) -> Outcome {
    lab.ask(Command::Picture { part: PartName::of(part), image })
}

fn shown(lab: &Lab) -> Vec<[u32; 2]> {
    let size = |signal: &&Signal| match signal {
        Signal::CompressedImage(it) => Some([it.width, it.height]),
        _ => None,
    };
    lab.all(Kind::CompressedImage, "camera_front").iter().filter_map(size).collect()
}

#[test]
fn a_picture_from_elsewhere_stands_in_for_a_broken_camera_for_a_while() {
    let mut lab = hall("");
    lab.world.listen([Demand::EVERY_KIND.with_stream(FILES)]);
    assert!(matches!(
        give(&mut lab, "camera_front", image(320, 240)),
        Outcome::Refused(why) if why.reason.contains("works")
    ));
    let fail = Stimulus::Fail { part: PartName::of("camera_front"), hold: seconds(60.0) };
    assert!(lab.poke(fail).is_ok());
    lab.forget().run(1.0);
    assert!(shown(&lab).is_empty());
    assert_eq!(give(&mut lab, "camera_front", image(320, 240)), Outcome::Done);
    lab.run(0.1);
    assert_eq!(shown(&lab)[0], [320, 240]);
    lab.run(1.5).forget();
    assert_eq!(give(&mut lab, "camera_front", image(64, 48)), Outcome::Done);
    lab.run(1.0);
    assert!(!shown(&lab).is_empty() && shown(&lab).iter().all(|it| *it == [64, 48]));
    lab.run(1.5).forget();
    lab.run(1.0);
    assert!(shown(&lab).is_empty(), "it is over");
    lab.world.listen([Demand::EVERY_KIND]);
    assert_eq!(give(&mut lab, "camera_front", image(64, 48)), Outcome::Done);
    lab.run(1.0);
    assert!(shown(&lab).is_empty(), "nobody watches");
}

#[test]
fn pictures_that_are_none_or_have_no_place_are_refused() {
    let mut lab = hall("");
    let fail = Stimulus::Fail { part: PartName::of("camera_front"), hold: seconds(60.0) };
    assert!(lab.poke(fail).is_ok());
    lab.run(0.1);
    let fine = image(32, 24);
    let bad = [
        CompressedImage { data: (&b"no picture"[..]).into(), ..fine.clone() },
        CompressedImage { data: Vec::new().into(), ..fine.clone() },
        CompressedImage { format: PictureFormat::Png, ..fine.clone() },
        CompressedImage { data: vec![0xff; 5 << 20].into(), ..fine.clone() },
        image(5_000, 8),
    ];
    for image in bad {
        assert!(matches!(give(&mut lab, "camera_front", image), Outcome::Refused(_)));
    }
    assert!(matches!(
        give(&mut lab, "camera_ceiling", fine.clone()),
        Outcome::Refused(why) if why.reason.contains("camera_back")
    ));
    assert_eq!(give(&mut lab, "camera_front", fine), Outcome::Done);
}

#[test]
fn people_are_framed_in_the_augmented_video_only_while_subscribed() {
    let framed = |more: &str, watched: Demand| {
        let mut lab = hall(more);
        lab.world.listen([watched]);
        lab.run(0.5);
        lab.world.take_shots()
    };
    let person = "[[people]]\nstart_m = [4.0, 3.2]\n";
    let watched = Demand::EVERY_KIND.with_stream(AUGMENTED);
    assert!(framed(person, Demand::EVERY_KIND).is_empty());
    assert!(framed("", watched).iter().all(|shot| shot.boxes_px.is_empty()));
    let mut shots = framed(person, watched);
    assert!((4..=6).contains(&shots.len()), "{}", shots.len());
    let mut shot = shots.pop().unwrap();
    assert_eq!(shot.part, PartName::of("camera_front_augmented"));
    let [left, top, right, bottom] = shot.boxes_px[0];
    assert!(right - left < 200 && bottom - top > right - left, "{:?}", shot.boxes_px);
    assert!(left < 320, "the person is a little left of the middle");
    shot.wants.raw = true;
    let frame = FrameEncoder::default().develop(&shot).unwrap();
    let updates: Vec<Update> = frame.updates().collect();
    let Signal::Image(image) = &updates[0].signal else { panic!() };
    let start = ((top + bottom) / 2 * image.width + left) as usize * 3;
    assert_eq!(image.data[start..start + 3], GREEN);
    if cfg!(feature = "video") {
        assert!(updates.iter().any(|it| it.kind() == Kind::Video));
    }
}
