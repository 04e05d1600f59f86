//! Pictures that come from a camera that is not the robot's own, in place of one that is broken.

use latimer_core::Outcome;
use latimer_core::PartName;
use latimer_core::model::signal::CompressedImage;
use latimer_core::model::signal::image::PictureFormat;

use super::{Axbot, BACK, FRONT};
use crate::camera::{MAX_SIDE_PX, jpeg_size};
use crate::physics::Surroundings;

/// How long a picture stands in that no other one follows, seconds.
const LASTING_S: f64 = 2.0;

/// Largest file, bytes.
const MOST_BYTES: usize = 4 << 20;

/// The number of a camera's files among its streams.
const FILES: usize = 1;

/// What stands in for a camera.
#[derive(Clone, Debug, Default)]
pub(super) struct StandIn {
    picture: Option<CompressedImage>,
    until_s: f64,
    due_s: f64,
}

impl StandIn {
    /// The picture, if it is time for it.
    fn due(&mut self, time_s: f64, period_s: f64) -> Option<CompressedImage> {
        if time_s >= self.until_s {
            self.picture = None;
        }
        let picture = self.picture.as_ref().filter(|_| time_s >= self.due_s)?;
        self.due_s = time_s + period_s;
        Some(picture.clone())
    }
}

impl Axbot {
    /// Takes a picture in place of a camera's that is broken.
    pub(super) fn take_picture(
        &mut self,
        part: &PartName,
        image: &CompressedImage,
    ) -> Result<Outcome, Outcome> {
        let time_s = self.state.time_s;
        let (camera_driver, stand_in) = match part.as_str() {
            "camera_front" => (&self.front, &mut self.stand_ins[0]),
            "camera_back" => (&self.back, &mut self.stand_ins[1]),
            _ => {
                let why = format!("it has no place for a {part}; there are: camera_front, camera_back");
                return Err(Outcome::bad_argument(why));
            }
        };
        if !camera_driver.is_broken(time_s) {
            let why = format!("its own {part} works; only a broken one can be stood in for");
            return Err(Outcome::not_now(why));
        }
        let bytes = image.data.len();
        if bytes > MOST_BYTES {
            let why = format!("a picture of {bytes} bytes is too large; {MOST_BYTES} are the most");
            return Err(Outcome::bad_argument(why));
        }
        let size = jpeg_size(&image.data).filter(|_| image.format == PictureFormat::Jpeg);
        let Some([width, height]) = size else {
            return Err(Outcome::bad_argument("the picture is no JPEG file; give one"));
        };
        if width.max(height) > MAX_SIDE_PX {
            let why = format!("{width} × {height} pixels are too many; a side has at most {MAX_SIDE_PX}");
            return Err(Outcome::bad_argument(why));
        }
        let data = image.data.clone();
        let picture = CompressedImage { format: PictureFormat::Jpeg, width, height, data };
        (stand_in.picture, stand_in.until_s, stand_in.due_s) = (Some(picture), time_s + LASTING_S, time_s);
        Ok(Outcome::Done)
    }

    /// Publishes the substitute pictures while they are subscribed to.
    pub(super) fn show_stand_ins(&mut self, around: &Surroundings<'_>) {
        let drivers = [(&self.front, FRONT), (&self.back, BACK)];
        for (stand_in, (camera_driver, first)) in self.stand_ins.iter_mut().zip(drivers) {
            let wanted = around.demand.wants_stream(first + FILES);
            if stand_in.picture.is_none() || !wanted || !camera_driver.is_broken(around.time_s) {
                continue;
            }
            if let Some(picture) = stand_in.due(around.time_s, 1.0 / camera_driver.settings().rate_hz) {
                self.state.reports.of(camera_driver.part(), picture);
            }
        }
    }
}
