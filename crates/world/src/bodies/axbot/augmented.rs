//! The front camera's picture with what the robot makes out in it: people, each in a rectangle.

use latimer_core::PartName;
use latimer_core::model::Kind;

use super::detections::people_in_sight;
use crate::bodies::Exposure;
use crate::bodies::camera_driver::CameraDriver;
use crate::camera::{Lens, Wants};
use crate::geometry::Pose2;
use crate::physics::Surroundings;

/// The part that it is published as.
pub(super) const PART: &str = "camera_front_augmented";

/// The stream.
#[derive(Debug)]
pub(super) struct Augmented {
    part: PartName,
    /// Its number in the body's list.
    stream: usize,
    due_s: f64,
}

impl Augmented {
    pub(super) fn new(stream: usize) -> Self {
        Self { part: PartName::of(PART), stream, due_s: 0.0 }
    }

    /// The stream, for the body's list.
    pub(super) fn stream() -> (Kind, PartName) {
        (Kind::Video, PartName::of(PART))
    }

    /// The picture that is due, if it is subscribed to and the camera works; the lens needs only its place and
    /// attitude.
    pub(super) fn look(
        &mut self,
        around: &Surroundings<'_>,
        camera_driver: &CameraDriver,
        lens: Lens,
    ) -> Option<Exposure> {
        let watched = around.demand.wants_stream(self.stream);
        if !watched || around.time_s < self.due_s || camera_driver.is_broken(around.time_s) {
            return None;
        }
        let settings = camera_driver.settings();
        self.due_s = self.due_s.max(around.time_s - 1.0 / settings.rate_hz) + 1.0 / settings.rate_hz;
        let [width_px, height_px] = settings.size_px;
        let lens = Lens { width_px, height_px, field_rad: settings.field_rad, ..lens };
        let boxes_px = people_in_sight(around).filter_map(|body| box_about(&lens, body)).collect();
        let wants = Wants { video: true, ..Wants::default() };
        Some(Exposure { part: self.part.clone(), lens, wants, fps: settings.rate_hz, boxes_px })
    }
}

/// The rectangle of an upright body in a picture: its left, upper, right and lower end in pixels. A body is
/// where its middle is, its radius and how tall it is.
fn box_about(lens: &Lens, (at_m, radius_m, tall_m): ([f64; 2], f64, f64)) -> Option<[u32; 4]> {
    // Its sides as the camera sees them: across the line from there.
    let away_rad = (at_m[1] - lens.at_m[1]).atan2(at_m[0] - lens.at_m[0]);
    let across = Pose2::new(at_m[0], at_m[1], away_rad);
    let corner = |side: f64, z_m: f64| {
        let [x, y] = across.point_out(0.0, side * radius_m);
        lens.project([x, y, z_m])
    };
    let corners = [corner(1.0, 0.0), corner(-1.0, 0.0), corner(1.0, tall_m), corner(-1.0, tall_m)];
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in corners {
        let corner = corner?;
        for axis in [0, 1] {
            low[axis] = low[axis].min(corner[axis]);
            high[axis] = high[axis].max(corner[axis]);
        }
    }
    let size = [f64::from(lens.width_px), f64::from(lens.height_px)];
    let outside = (0..2).any(|axis| high[axis] <= 0.0 || low[axis] >= size[axis]);
    let pixel = |at: f64, axis: usize| at.round().clamp(0.0, (size[axis] - 1.0).max(0.0)) as u32;
    (!outside).then(|| [pixel(low[0], 0), pixel(low[1], 1), pixel(high[0], 0), pixel(high[1], 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENS: Lens = Lens {
        at_m: [0.0, 0.0, 1.0],
        yaw_rad: 0.0,
        pitch_rad: 0.0,
        roll_rad: 0.0,
        width_px: 200,
        height_px: 100,
        field_rad: std::f64::consts::FRAC_PI_2,
        distortion: None,
    };

    #[test]
    fn a_box_is_about_the_body_and_within_the_picture() {
        // One metre is 100 pixels at one metre, 25 at four.
        assert_eq!(box_about(&LENS, ([4.0, 0.0], 0.4, 2.0)), Some([90, 25, 110, 75]));
        assert_eq!(box_about(&LENS, ([1.0, 1.0], 0.4, 2.0)).map(|it| it[0]), Some(0));
        assert_eq!(box_about(&LENS, ([-4.0, 0.0], 0.4, 2.0)), None);
        assert_eq!(box_about(&LENS, ([1.0, 4.0], 0.2, 2.0)), None);
    }
}
