//! The two cameras in the eyes of the head; the exposure time of each limits its rate.
//!
//! Each has two streams, pixels and files; a picture is taken only while one of them is subscribed to.

use latimer_core::model::{CameraSettings, Kind};
use latimer_core::{Outcome, PartName};

use super::neck::{self, Link};
use super::parts::{EYE_DISTORTION, EYE_FIELD_RAD};
use crate::bodies::{Exposure, Outbox, check};
use crate::camera::{Lens, Wants};
use crate::geometry::Pose2;
use crate::physics::Surroundings;

/// The cameras, left and right.
pub(super) const CAMERAS: [&str; 2] = ["camera_left", "camera_right"];

/// Sizes and the greatest rate of each: pixels across and down (published), pictures a second (published).
const SIZES: [([u32; 2], f64); 3] = [([128, 96], 25.0), ([192, 144], 25.0), ([320, 240], 8.0)];

/// Rates that there are, pictures a second (plausible); the nearest to what is asked for is taken.
const RATES_HZ: [f64; 8] = [1.0, 2.0, 5.0, 8.0, 10.0, 15.0, 20.0, 25.0];

/// Size and rate after power-up (published).
const USUAL: ([u32; 2], f64) = ([320, 240], 5.0);

/// Pictures a second that full light allows, and the fewest (plausible).
const FULL_LIGHT_HZ: f64 = 60.0;
const SLOWEST_HZ: f64 = 1.0;

/// One camera.
struct Camera {
    part: PartName,
    size_px: [u32; 2],
    rate_hz: f64,
    /// When the next picture is due, while it is subscribed to.
    next_s: Option<f64>,
}

/// Both cameras.
pub(super) struct Cameras {
    cameras: [Camera; 2],
}

impl Cameras {
    /// In which forms they deliver.
    pub(super) const KINDS: [Kind; 2] = [Kind::Image, Kind::CompressedImage];

    pub(super) fn new() -> Self {
        let (size_px, rate_hz) = USUAL;
        let eye = |name| Camera { part: PartName::of(name), size_px, rate_hz, next_s: None };
        Self { cameras: CAMERAS.map(eye) }
    }

    /// Delivers as after power-up.
    pub(super) fn restart(&mut self) {
        let (size_px, rate_hz) = USUAL;
        for eye in &mut self.cameras {
            (eye.size_px, eye.rate_hz) = (size_px, rate_hz);
        }
    }

    /// The streams of both, in the order of [`Cameras::look`].
    pub(super) fn streams() -> [(Kind, PartName); 4] {
        let [left, right] = CAMERAS.map(PartName::of);
        let [image, file] = Self::KINDS;
        [(image, left.clone()), (file, left), (image, right.clone()), (file, right)]
    }

    /// Sets how they deliver: all or nothing.
    pub(super) fn set(&mut self, settings: &CameraSettings) -> Result<(), Outcome> {
        let part = settings.part.as_ref();
        if let Some(part) = part.filter(|part| self.cameras.iter().all(|eye| eye.part != **part)) {
            return Err(Outcome::bad_argument(format!(
                "no camera {part}; there are: {}",
                CAMERAS.join(", ")
            )));
        }
        if let Some(size) = settings.size.filter(|size| SIZES.iter().all(|(known, _)| known != size)) {
            let [width, height] = size;
            return Err(Outcome::bad_argument(format!(
                "no pictures of {width} × {height} pixels; there are 128 × 96, 192 × 144 and 320 × 240"
            )));
        }
        let rate_hz = settings.rate_hz.map(|it| check::within("pictures a second", it, 0.0, 1e3));
        let rate_hz = rate_hz.transpose()?;
        for eye in self.cameras.iter_mut().filter(|eye| part.is_none_or(|part| eye.part == *part)) {
            eye.size_px = settings.size.unwrap_or(eye.size_px);
            eye.rate_hz = nearest_rate(eye.size_px, rate_hz.unwrap_or(eye.rate_hz));
        }
        Ok(())
    }

    /// Takes the pictures that are due; a broken camera takes none.
    pub(super) fn look(
        &mut self,
        around: &Surroundings<'_>,
        head: &Link,
        broken: [bool; 2],
        out: &mut Outbox<'_>,
    ) {
        for (i, eye) in self.cameras.iter_mut().enumerate() {
            let [raw, jpeg] = [2 * i, 2 * i + 1].map(|stream| around.demand.wants_stream(stream));
            if broken[i] || !(raw || jpeg) {
                eye.next_s = None;
                continue;
            }
            let due_s = eye.next_s.unwrap_or(around.time_s);
            if around.time_s + 1e-9 < due_s {
                continue;
            }
            let link = neck::eye(*head, i == 0);
            let [.., yaw_rad] = link.roll_pitch_yaw();
            let fps = exposed_hz(eye.rate_hz, around.light(link.at_m, Some(yaw_rad)));
            eye.next_s = Some(due_s.max(around.time_s - 1.0 / fps) + 1.0 / fps);
            let wants = Wants { raw, jpeg, video: false };
            let lens = lens(around.pose, &link, eye.size_px);
            out.expose(Exposure { part: eye.part.clone(), lens, wants, fps, boxes_px: Vec::new() });
        }
    }
}

/// An eye of a robot at a pose, as a camera on the map.
fn lens(pose: Pose2, eye: &Link, [width_px, height_px]: [u32; 2]) -> Lens {
    let [x_m, y_m, z_m] = eye.at_m;
    let [x, y] = pose.point_out(x_m, y_m);
    let [roll_rad, pitch_rad, yaw_rad] = eye.roll_pitch_yaw();
    Lens {
        at_m: [x, y, z_m],
        yaw_rad: pose.yaw_rad + yaw_rad,
        pitch_rad,
        roll_rad,
        width_px,
        height_px,
        field_rad: EYE_FIELD_RAD,
        distortion: Some(EYE_DISTORTION),
    }
}

/// The nearest rate that there is for a size, pictures a second.
fn nearest_rate(size_px: [u32; 2], wanted_hz: f64) -> f64 {
    let most = SIZES.iter().find(|(size, _)| *size == size_px).map_or(USUAL.1, |(_, most)| *most);
    let possible = RATES_HZ.into_iter().filter(|rate| *rate <= most);
    possible.min_by(|a, b| (a - wanted_hz).abs().total_cmp(&(b - wanted_hz).abs())).unwrap_or(USUAL.1)
}

/// The rate that a camera reaches in a light, 0..1.
fn exposed_hz(wanted_hz: f64, light: f64) -> f64 {
    wanted_hz.min((light.max(0.0) * FULL_LIGHT_HZ).max(SLOWEST_HZ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rate_is_taken_and_the_dark_is_slow() {
        assert_eq!(nearest_rate([320, 240], 100.0), 8.0);
        assert_eq!(nearest_rate([128, 96], 100.0), 25.0);
        assert_eq!(nearest_rate([192, 144], 6.0), 5.0);
        assert_eq!(nearest_rate([320, 240], 0.0), 1.0);
        assert_eq!(exposed_hz(5.0, 0.5), 5.0);
        assert_eq!(exposed_hz(25.0, 0.45), 25.0);
        assert_eq!(exposed_hz(25.0, 0.25), 15.0);
        assert_eq!(exposed_hz(5.0, 0.05), 3.0);
        assert_eq!(exposed_hz(5.0, 0.0), 1.0);
    }
}
