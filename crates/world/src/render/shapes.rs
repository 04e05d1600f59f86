//! Floor, drops, walls and furniture.

use super::canvas::{Canvas, FLOOR, Line};
use crate::config::{Color, Reality, WorldFile};
use crate::geometry::inside;

const GRID: [u8; 3] = [0xe6, 0xe2, 0xd8];
const OUTER_WALL: [u8; 3] = [0x4a, 0x4a, 0x4f];
const PIT: [u8; 3] = [0x3c, 0x3f, 0x46];
const PIT_EDGE: [u8; 3] = [0xd9, 0x8a, 0x1f];

/// A colour for the outline of a thing.
pub(super) fn edge_of(Color(color): Color) -> [u8; 3] {
    color.map(|part| (f32::from(part) * 0.55) as u8)
}

/// The floor with its grid, its patches and its holes.
pub(super) fn ground(canvas: &mut Canvas, file: &WorldFile) {
    let [x, y] = file.size_m;
    let room = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]];
    // The outer walls stand outside of the room.
    let wall = 6.0 * canvas.thin;
    canvas.outline(&room, Line::plain(OUTER_WALL, 2.0 * wall));
    canvas.polygon(&room, FLOOR, 255);
    grid(canvas, x, y);
    for floor in &file.floors {
        canvas.polygon(&floor.polygon_m, floor.color.0, 255);
    }
    for drop in &file.drops {
        canvas.polygon(&drop.polygon_m, PIT, 255);
        hatch(canvas, &drop.polygon_m);
        let line = Line { dashed: true, ..Line::plain(PIT_EDGE, 3.0 * canvas.thin) };
        canvas.outline(&drop.polygon_m, line);
    }
}

/// A line each metre, or more if the room is large.
fn grid(canvas: &mut Canvas, x: f64, y: f64) {
    let step = super::marks::round_length(x / 12.0);
    let line = Line::plain(GRID, canvas.thin);
    for i in 1..(x / step).ceil() as u32 {
        let at = f64::from(i) * step;
        canvas.line(&[[at, 0.0], [at, y]], line);
    }
    for i in 1..(y / step).ceil() as u32 {
        let at = f64::from(i) * step;
        canvas.line(&[[0.0, at], [x, at]], line);
    }
}

/// Slanting lines within a polygon.
fn hatch(canvas: &mut Canvas, polygon: &[[f64; 2]]) {
    let fold = |pick: fn(f64, f64) -> f64, start: f64| {
        polygon.iter().fold([start; 2], |[x, y], point| [pick(x, point[0]), pick(y, point[1])])
    };
    let (low, high) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
    let gap = canvas.metres(10.0 * canvas.thin).max((high[0] - low[0] + high[1] - low[1]) / 400.0);
    let line = Line { alpha: 70, ..Line::plain([0xff, 0xff, 0xff], canvas.thin) };
    let [width, height] = [high[0] - low[0], high[1] - low[1]];
    let dash = gap / 2.0;
    for i in 0..((width + height) / gap) as u32 {
        let start = f64::from(i) * gap - height;
        // Short pieces, so that only those within the polygon are drawn.
        for j in 0..(height / dash) as u32 {
            let (from, to) = (f64::from(j) * dash, f64::from(j + 1) * dash);
            let ends = [from, to].map(|way| [low[0] + start + way, low[1] + way]);
            if ends.iter().all(|[x, y]| inside(polygon, *x, *y)) {
                canvas.line(&ends, line);
            }
        }
    }
}

/// Walls, boxes and cylinders; what is virtual has a dashed outline and lets the floor through.
pub(super) fn things(canvas: &mut Canvas, file: &WorldFile) {
    let look = |reality| match reality {
        Reality::Real => (255, false),
        Reality::Virtual => (110, true),
    };
    let thin = canvas.thin;
    for it in &file.boxes {
        let pose = it.pose();
        let [x, y] = it.size_m.map(|side| side / 2.0);
        let corners = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y));
        let (alpha, dashed) = look(it.reality);
        canvas.polygon(&corners, it.color.0, alpha);
        canvas.outline(&corners, Line { dashed, ..Line::plain(edge_of(it.color), 1.5 * thin) });
        if it.movable {
            let line = Line { alpha: 150, ..Line::plain(edge_of(it.color), thin) };
            canvas.line(&[pose.point_out(-x, 0.0), pose.point_out(x, 0.0)], line);
        }
    }
    for it in &file.cylinders {
        let (alpha, dashed) = look(it.reality);
        let radius = canvas.px(it.radius_m);
        canvas.disc(it.center_m, radius, it.color.0, alpha);
        canvas.ring(it.center_m, radius, Line { dashed, ..Line::plain(edge_of(it.color), 1.5 * thin) });
    }
    for it in &file.tables {
        let (pose, [x, y]) = (it.pose(), it.size_m.map(|side| side / 2.0));
        let corners = [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y));
        canvas.polygon(&corners, it.color.0, 150);
        canvas.outline(&corners, Line::plain(edge_of(it.color), 1.5 * thin));
    }
    for it in &file.walls {
        let (alpha, dashed) = look(it.reality);
        let px = canvas.px(it.thickness_m).max(2.0 * thin);
        if !dashed {
            canvas.line(&it.points_m, Line::plain(edge_of(it.color), px + 2.0 * thin));
        }
        canvas.line(&it.points_m, Line { alpha, ..Line::plain(it.color.0, px) });
        if dashed {
            canvas.line(&it.points_m, Line { dashed, ..Line::plain(edge_of(it.color), 1.5 * thin) });
        }
    }
}
