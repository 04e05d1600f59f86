//! The driver of a body's camera: its mode, and when the next picture is due.
//!
//! It lists three streams, pixels, files and video, in this order; a picture is taken only while one of them is
//! subscribed to.

use latimer_core::model::{CameraSettings, Kind};
use latimer_core::{Outcome, PartName};

use super::{Demand, check};
use crate::camera::{Lens, MAX_SIDE_PX, Wants};
use crate::physics::STEPS_PER_SECOND;

/// How many streams a camera lists.
pub(super) const STREAMS: usize = KINDS.len();

/// The kinds of its streams.
pub(super) const KINDS: [Kind; 3] = [Kind::Image, Kind::CompressedImage, Kind::Video];

/// A picture that a body requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Exposure {
    /// The camera.
    pub part: PartName,
    /// Where the camera is, on the map.
    pub lens: Lens,
    /// The formats.
    pub wants: Wants,
    /// Pictures a second that this camera makes now.
    pub fps: f64,
    /// Rectangles to be drawn: left, upper, right and lower end, pixels.
    pub boxes_px: Vec<[u32; 4]>,
}

/// Size and rate of the pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraMode {
    /// Width and height in pixels.
    pub size_px: [u32; 2],
    /// Pictures a second.
    pub rate_hz: f64,
    /// Fastest rate.
    pub max_rate_hz: f64,
    /// Horizontal field of view, radians.
    pub field_rad: f64,
}

/// The driver of one camera.
#[derive(Clone, Debug)]
pub(super) struct CameraDriver {
    part: PartName,
    settings: CameraMode,
    /// Number of its first stream in the body's list.
    first: usize,
    due_s: f64,
    /// End of a simulated failure, seconds.
    broken_until_s: f64,
}

impl CameraDriver {
    /// A camera whose first stream has a number in the body's list.
    pub(super) fn new(part: &str, settings: CameraMode, first: usize) -> Self {
        Self { part: PartName::of(part), settings, first, due_s: 0.0, broken_until_s: 0.0 }
    }

    /// Its streams, for the body's list.
    pub(super) fn streams(&self) -> [(Kind, PartName); STREAMS] {
        KINDS.map(|kind| (kind, self.part.clone()))
    }

    /// Lets it fail until a time of the world's clock.
    pub(super) fn fail(&mut self, until_s: f64) {
        self.broken_until_s = until_s;
    }

    /// Its name.
    pub(super) fn part(&self) -> &PartName {
        &self.part
    }

    /// Its mode.
    pub(super) fn settings(&self) -> &CameraMode {
        &self.settings
    }

    /// Whether it is broken at a time of the world's clock.
    pub(super) fn is_broken(&self, time_s: f64) -> bool {
        time_s < self.broken_until_s
    }

    /// Whether one of its streams is subscribed to.
    pub(super) fn is_watched(&self, demand: Demand) -> bool {
        (0..STREAMS).any(|stream| demand.wants_stream(self.first + stream))
    }

    /// Changes the mode; false if the settings are for another camera.
    pub(super) fn set(&mut self, settings: &CameraSettings) -> Result<bool, Outcome> {
        if settings.part.as_ref().is_some_and(|part| *part != self.part) {
            return Ok(false);
        }
        if let Some([width, height]) = settings.size {
            for side in [width, height] {
                check::within(
                    "a picture's side in pixels",
                    f64::from(side),
                    16.0,
                    f64::from(MAX_SIDE_PX) / 2.0,
                )?;
            }
            // Video is made of blocks of two by two pixels.
            self.settings.size_px = [width & !1, height & !1];
        }
        if let Some(rate_hz) = settings.rate_hz {
            self.settings.rate_hz =
                check::within("pictures a second", rate_hz, 0.1, self.settings.max_rate_hz)?;
        }
        Ok(true)
    }

    /// The picture that is due, if a stream is subscribed to; the lens needs only its pose.
    pub(super) fn look(
        &mut self,
        time_s: f64,
        demand: Demand,
        at: impl FnOnce() -> Lens,
    ) -> Option<Exposure> {
        if !self.is_watched(demand) || time_s < self.due_s || self.is_broken(time_s) {
            return None;
        }
        // In whole steps, so that rates that do not divide the step's are kept on average.
        let period_s = 1.0 / self.settings.rate_hz;
        let behind = time_s - self.due_s > period_s + 1.0 / STEPS_PER_SECOND as f64;
        self.due_s = if behind { time_s } else { self.due_s } + period_s;
        let wants = |stream: usize| demand.wants_stream(self.first + stream);
        let wants = Wants { raw: wants(0), jpeg: wants(1), video: wants(2) };
        let [width_px, height_px] = self.settings.size_px;
        let lens = Lens { width_px, height_px, field_rad: self.settings.field_rad, ..at() };
        let (part, fps) = (self.part.clone(), self.settings.rate_hz);
        Some(Exposure { part, lens, wants, fps, boxes_px: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: CameraMode =
        CameraMode { size_px: [64, 48], rate_hz: 15.0, max_rate_hz: 30.0, field_rad: 1.0 };

    fn lens() -> Lens {
        Lens {
            at_m: [0.0; 3],
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            roll_rad: 0.0,
            width_px: 0,
            height_px: 0,
            field_rad: 0.0,
            distortion: None,
        }
    }

    #[test]
    fn pictures_are_taken_at_the_rate_and_only_while_watched() {
        let mut camera_driver = CameraDriver::new("camera", SETTINGS, 0);
        let mut taken = |demand: Demand, from: u32| {
            (from..from + 1_000)
                .filter(|step| camera_driver.look(f64::from(*step) * 0.01, demand, lens).is_some())
                .count()
        };
        assert_eq!(taken(Demand::EVERY_KIND, 0), 0);
        assert!((149..=151).contains(&taken(Demand::NOTHING.with_stream(1), 1_000)));
        assert_eq!(taken(Demand::NOTHING.with_stream(3), 2_000), 0);
    }

    #[test]
    fn settings_are_checked() {
        let mut camera_driver = CameraDriver::new("camera", SETTINGS, 0);
        let size = |size| CameraSettings { size: Some(size), ..CameraSettings::default() };
        assert_eq!(camera_driver.set(&size([321, 241])), Ok(true));
        assert_eq!(camera_driver.settings.size_px, [320, 240]);
        assert!(camera_driver.set(&size([100_000, 240])).is_err());
        assert!(
            camera_driver
                .set(&CameraSettings { rate_hz: Some(f64::NAN), ..CameraSettings::default() })
                .is_err()
        );
        let other = CameraSettings { part: Some(PartName::of("back")), ..CameraSettings::default() };
        assert_eq!(camera_driver.set(&other), Ok(false));
    }
}
