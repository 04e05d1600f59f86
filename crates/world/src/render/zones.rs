//! What one cannot bump into: frames, places and lamps.

use super::canvas::{Canvas, Line};
use crate::config::WorldFile;

const FRAME: [u8; 3] = [0x6b, 0x6b, 0x78];
const EAST: [u8; 3] = [0xc8, 0x32, 0x2e];
const NORTH: [u8; 3] = [0x2e, 0x8a, 0x3c];
const PLACE: [u8; 3] = [0x00, 0x7a, 0x87];
const LAMP: [u8; 3] = [0xf2, 0xb7, 0x05];
const RAY: [u8; 3] = [0xb8, 0x86, 0x00];
const WHITE: [u8; 3] = [0xff, 0xff, 0xff];

/// A thin outline.
pub(super) fn frames(canvas: &mut Canvas, file: &WorldFile) {
    for frame in &file.frames {
        let pose = frame.pose();
        if let Some(size_m) = frame.size_m {
            let [x, y] = size_m.map(|side| side / 2.0);
            let corners = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y));
            canvas.outline(&corners, Line { alpha: 160, ..Line::plain(FRAME, canvas.thin) });
        }
    }
}

/// The axes of frames: x red, y green.
pub(super) fn axes(canvas: &mut Canvas, file: &WorldFile) {
    for frame in &file.frames {
        let pose = frame.pose();
        let axis = canvas.metres(26.0 * canvas.thin);
        for (tip, color) in [([axis, 0.0], EAST), ([0.0, axis], NORTH)] {
            let line = [[pose.x_m, pose.y_m], pose.point_out(tip[0], tip[1])];
            canvas.line(&line, Line::plain(color, 2.0 * canvas.thin));
        }
    }
}

/// A small square where the robot stands, with a tick where it looks.
pub(super) fn places(canvas: &mut Canvas, file: &WorldFile) {
    for place in &file.places {
        let pose = place.pose();
        let side = canvas.metres(4.5 * canvas.thin);
        let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        let corners = corners.map(|[x, y]| pose.point_out(x * side, y * side));
        canvas.polygon(&corners, WHITE, 200);
        canvas.outline(&corners, Line::plain(PLACE, 1.4 * canvas.thin));
        let tick = [pose.point_out(0.0, 0.0), pose.point_out(2.2 * side, 0.0)];
        canvas.line(&tick, Line::plain(PLACE, 1.4 * canvas.thin));
    }
}

/// A small sun; without its rays if it is off at the start.
pub(super) fn lights(canvas: &mut Canvas, file: &WorldFile) {
    for light in &file.lights {
        let radius = 4.0 * canvas.thin;
        if light.on {
            for eighth in 0..8 {
                let (sin, cos) = (f64::from(eighth) * std::f64::consts::FRAC_PI_4).sin_cos();
                let point = |px: f32| {
                    let way = canvas.metres(px);
                    [light.position_m[0] + way * cos, light.position_m[1] + way * sin]
                };
                let ray = [point(1.5 * radius), point(2.4 * radius)];
                canvas.line(&ray, Line::plain(RAY, 1.4 * canvas.thin));
            }
        }
        canvas.disc(light.position_m, radius, if light.on { LAMP } else { WHITE }, 255);
        canvas.ring(light.position_m, radius, Line::plain(RAY, canvas.thin));
    }
}

/// What frames, places, racks, pallets and doors are called.
pub(super) fn names(canvas: &mut Canvas, file: &WorldFile) {
    let near = 10.0 * canvas.thin;
    for frame in &file.frames {
        let [_, y] = frame.size_m.unwrap_or_default();
        let below = canvas.px(y / 2.0) + near;
        canvas.words(&frame.name, frame.position_m, below, FRAME);
    }
    for place in &file.places {
        // Not over the tick.
        let looks_down = place.yaw_deg.to_radians().sin() < -0.5;
        canvas.words(&place.name, place.position_m, if looks_down { -1.1 * near } else { 1.1 * near }, PLACE);
    }
    for rack in &file.racks {
        let below = canvas.px(rack.size_m[1] / 2.0) + 0.8 * near;
        canvas.words(&rack.name, rack.position_m, below, FRAME);
    }
    for pallet in &file.pallets {
        canvas.words(&pallet.id, pallet.position_m, 0.0, FRAME);
    }
    for door in &file.doors {
        let [start, end] = door.points_m;
        let lower = if start[1] < end[1] { start } else { end };
        canvas.words(&door.name, lower, near, FRAME);
    }
}
