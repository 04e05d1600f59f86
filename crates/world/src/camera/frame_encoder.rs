//! From a shot to a finished frame: pixels, JPEG, H.264, whatever was wanted.

use std::collections::BTreeMap;

use bytes::Bytes;
use latimer_core::model::signal::image::{Codec, Encoding, PictureFormat};
use latimer_core::model::signal::{CompressedImage, Image, Video};
use latimer_core::{PartName, RobotId, Signal, Stamp, Timestamp, Update};

use super::lens::{Lens, LensError};
use super::picture::Picture;
use super::renderer::Renderer;
use super::scene::Scene;
use super::video::Packet;
use crate::rng::Rng;

/// Quality of JPEG files, 1..=100.
const JPEG_QUALITY: u8 = 80;

/// Colour of rectangles about what was made out.
const BOX_RGB: [u8; 3] = [0x2e, 0xe6, 0x3c];

/// What a picture is wanted as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Pixels.
    pub raw: bool,
    /// A JPEG file.
    pub jpeg: bool,
    /// The next packet of an H.264 stream.
    pub video: bool,
}

/// A picture to be made.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Whose camera.
    pub robot: RobotId,
    /// Which camera.
    pub part: PartName,
    /// When.
    pub stamp: Timestamp,
    /// What there is to see.
    pub scene: Scene,
    /// From where.
    pub lens: Lens,
    /// As what.
    pub wants: Wants,
    /// Pictures a second that this camera makes now.
    pub fps: f64,
    /// Rectangles to be drawn: left, upper, right and lower end, pixels.
    pub boxes_px: Vec<[u32; 4]>,
}

/// A picture that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Whose camera.
    pub robot: RobotId,
    /// Which camera.
    pub part: PartName,
    /// When the shot was taken.
    pub stamp: Timestamp,
    /// Pixels of three bytes, rows from the top; if wanted.
    pub picture: Option<Bytes>,
    /// A JPEG file; if wanted.
    pub jpeg: Option<Bytes>,
    /// A packet of the camera's stream; if wanted and if the program was built with `video`.
    pub video: Option<Packet>,
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Counts this camera's frames from zero.
    pub sequence: u64,
}

impl Frame {
    /// What the camera says with it.
    pub fn updates(self) -> impl Iterator<Item = Update> {
        let Self { robot, part, stamp, picture, jpeg, video, width, height, sequence } = self;
        let raw = picture.map(|data| Image { encoding: Encoding::Rgb8, width, height, data }.into());
        let format = PictureFormat::Jpeg;
        let jpeg = jpeg.map(|data| CompressedImage { format, width, height, data }.into());
        let video = video.map(|Packet { data, key_frame }| {
            let sequence = sequence as i64;
            Video { codec: Codec::H264, key_frame, sequence, width, height, data }.into()
        });
        [raw, jpeg, video].into_iter().flatten().map(move |signal: Signal| Update {
            robot: robot.clone(),
            part: Some(part.clone()),
            stamp: Stamp::robot(stamp),
            received: stamp,
            signal,
            native: None,
            provenance: None,
        })
    }
}

/// A camera: a robot and its part.
pub(super) type Camera = (RobotId, PartName);

/// Makes frames of shots, at once. The same shots in the same order give the same bytes.
#[derive(Default)]
pub struct FrameEncoder {
    renderer: Renderer,
    sequences: BTreeMap<Camera, u64>,
    #[cfg(feature = "video")]
    streams: super::streams::Streams,
}

impl FrameEncoder {
    /// Makes a frame.
    ///
    /// What cannot be had is left out: a stream of an odd size, say, and the log has the reason.
    pub fn develop(&mut self, shot: &Shot) -> Result<Frame, LensError> {
        let mut picture = self.renderer.take(&shot.scene, &shot.lens)?;
        let name = format!("{}/{}", shot.robot, shot.part);
        picture.expose(Rng::of(shot.stamp.as_nanos() as u64, &name).bits());
        for about in &shot.boxes_px {
            picture.draw_box(*about, BOX_RGB);
        }
        let sequence = self.sequences.entry((shot.robot.clone(), shot.part.clone())).or_default();
        *sequence += 1;
        let sequence = *sequence - 1;
        Ok(Frame {
            robot: shot.robot.clone(),
            part: shot.part.clone(),
            stamp: shot.stamp,
            jpeg: shot.wants.jpeg.then(|| jpeg(&picture)).flatten(),
            video: self.video(shot, &picture),
            width: picture.width,
            height: picture.height,
            picture: shot.wants.raw.then(|| picture.rgb.into()),
            sequence,
        })
    }

    /// Makes a camera's next packet a key frame, for a new subscriber.
    pub fn restart_video(&mut self, robot: &RobotId, part: &PartName) {
        #[cfg(feature = "video")]
        self.streams.restart((robot.clone(), part.clone()));
        #[cfg(not(feature = "video"))]
        let _ = (robot, part);
    }

    #[cfg(feature = "video")]
    fn video(&mut self, shot: &Shot, picture: &Picture) -> Option<Packet> {
        self.streams.packet(shot, picture)
    }

    #[cfg(not(feature = "video"))]
    fn video(&mut self, _: &Shot, _: &Picture) -> Option<Packet> {
        None
    }
}

fn jpeg(picture: &Picture) -> Option<Bytes> {
    match picture.jpeg(JPEG_QUALITY) {
        Ok(file) => Some(file.into()),
        Err(error) => {
            tracing::warn!(%error, "a frame goes without JPEG");
            None
        }
    }
}
