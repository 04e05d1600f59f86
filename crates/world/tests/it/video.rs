//! Pictures as a stream of H.264.

use latimer_world::camera::{Encoder, FrameEncoder, Lens, Wants};
use latimer_world::config::Color;
use openh264::decoder::Decoder;
use openh264::formats::YUVSource;

use crate::camera::{average_difference, lens, scene, slab, take};
use crate::render_queue::{ALL, shot};

/// The types of the NAL units after each start code.
fn units(data: &[u8]) -> Vec<u8> {
    let starts = data.windows(4).filter(|it| it[..3] == [0, 0, 1]);
    starts.map(|it| it[3] & 0x1f).collect()
}

fn decode(decoder: &mut Decoder, data: &[u8]) -> Vec<u8> {
    let picture = decoder.decode(data).unwrap().expect("a picture for each packet");
    let (width, height) = picture.dimensions();
    let mut rgb = vec![0; width * height * 3];
    picture.write_rgb8(&mut rgb);
    rgb
}

#[test]
fn thirty_pictures_decode_to_nearly_what_they_were() {
    let scene = scene(vec![slab(4.0, [2.0, 4.0], [0.0, 1.0], Color([0x90, 0x60, 0x40]))]);
    let mut encoder = Encoder::new(160, 120, 15.0, 400_000).unwrap();
    let mut decoder = Decoder::new().unwrap();
    let mut keys = Vec::new();
    for step in 0..31_u32 {
        let picture = take(&scene, &Lens { yaw_rad: f64::from(step) * 0.01, ..lens() });
        let packet = encoder.encode(&picture, false).unwrap().expect("bits enough for each picture");
        assert!(packet.data.starts_with(&[0, 0, 0, 1]) || packet.data.starts_with(&[0, 0, 1]));
        if packet.key_frame {
            keys.push(step);
            assert_eq!(units(&packet.data), [7, 8, 5], "SPS, PPS, IDR");
        }
        let off = average_difference(&decode(&mut decoder, &packet.data), &picture.rgb);
        assert!(off < 8.0, "picture {step}: {off}");
    }
    assert_eq!(keys, [0, 15, 30], "one a second");
}

#[test]
fn a_camera_keeps_its_stream_until_the_last_subscriber_leaves() {
    let mut frame_encoder = FrameEncoder::default();
    let mut key = |step: i64, wants: Wants| {
        let frame = frame_encoder.develop(&shot("a", step, wants)).unwrap();
        frame.video.map(|packet| packet.key_frame)
    };
    assert_eq!(key(0, ALL), Some(true));
    assert_eq!(key(1, ALL), Some(false));
    assert_eq!(key(2, Wants::default()), None);
    assert_eq!(key(3, ALL), Some(false), "still the same stream");
    assert_eq!(key(100, Wants::default()), None);
    assert_eq!(key(101, ALL), Some(true), "a new stream after five seconds");
    assert_eq!(key(102, ALL), Some(false));
    let last = shot("a", 103, ALL);
    frame_encoder.restart_video(&last.robot, &last.part);
    assert!(frame_encoder.develop(&last).unwrap().video.unwrap().key_frame, "somebody began to watch");
    let mut wide = shot("a", 104, ALL);
    wide.lens.width_px = 200;
    assert!(frame_encoder.develop(&wide).unwrap().video.unwrap().key_frame, "another size");
    wide.lens.width_px = 15;
    let odd = frame_encoder.develop(&wide).unwrap();
    assert!(odd.video.is_none() && odd.jpeg.is_some(), "a size that the codec does not take");
}
