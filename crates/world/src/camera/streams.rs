//! The video streams of all cameras: an encoder for each that is watched.

use std::collections::BTreeMap;

use latimer_core::Timestamp;

use super::frame_encoder::{Camera, Shot};
use super::picture::Picture;
use super::video::{Encoder, Packet};
use crate::limits::{ENCODER_IDLE_TIME, KEY_FRAME_INTERVAL};

/// Bits that a pixel gets.
const BITS_A_PIXEL: f64 = 0.15;

struct Stream {
    /// Nothing if the codec does not take this camera's pictures.
    encoder: Option<Encoder>,
    size: [u32; 2],
    wanted: Timestamp,
    key: Timestamp,
    restart: bool,
}

/// The streams, by camera.
#[derive(Default)]
pub(super) struct Streams(BTreeMap<Camera, Stream>);

impl Streams {
    /// Makes a camera's next packet a key frame.
    pub(super) fn restart(&mut self, camera: Camera) {
        if let Some(stream) = self.0.get_mut(&camera) {
            stream.restart = true;
        }
    }

    /// The next packet of a shot's camera, if it is wanted and can be had.
    pub(super) fn packet(&mut self, shot: &Shot, picture: &Picture) -> Option<Packet> {
        self.0.retain(|_, stream| shot.stamp.since(stream.wanted) <= ENCODER_IDLE_TIME);
        if !shot.wants.video {
            return None;
        }
        let camera = (shot.robot.clone(), shot.part.clone());
        let size = [picture.width, picture.height];
        if self.0.get(&camera).is_some_and(|stream| stream.size != size) {
            self.0.remove(&camera);
        }
        let stream = self.0.entry(camera).or_insert_with(|| Stream::open(shot, size));
        stream.wanted = shot.stamp;
        // What was asked for stays asked for until it is there.
        let key = stream.restart || shot.stamp.since(stream.key) >= KEY_FRAME_INTERVAL;
        match stream.encoder.as_mut()?.encode(picture, key) {
            Ok(packet) => {
                if packet.as_ref().is_some_and(|packet| packet.key_frame) {
                    (stream.key, stream.restart) = (shot.stamp, false);
                }
                packet
            }
            Err(error) => {
                tracing::warn!(%error, robot = %shot.robot, part = %shot.part, "a frame goes without video");
                None
            }
        }
    }
}

impl Stream {
    fn open(shot: &Shot, size: [u32; 2]) -> Self {
        let [width, height] = size;
        let bitrate_bps = f64::from(width) * f64::from(height) * shot.fps * BITS_A_PIXEL;
        let encoder = match Encoder::new(width, height, shot.fps, bitrate_bps as u32) {
            Ok(encoder) => Some(encoder),
            Err(error) => {
                tracing::warn!(%error, robot = %shot.robot, part = %shot.part, "a camera goes without video");
                None
            }
        };
        Self { encoder, size, wanted: shot.stamp, key: shot.stamp, restart: false }
    }
}
