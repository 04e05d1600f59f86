//! How well a scan constrains the pose: walls in all directions do, those of a tunnel do not.

use latimer_core::model::signal::Scan;

/// Ends of two rays that are farther apart are not of one surface, metres.
const GAP_M: f64 = 0.5;

/// Fewer pieces of surfaces than this constrain nothing.
const ENOUGH: u32 = 20;

/// How featureless the surroundings are, 0..1: 0 if surfaces look all ways alike, 1 if they say nothing of the
/// place along at least one direction.
pub fn featureless(scan: &Scan) -> f64 {
    let end = |(angle_rad, range_m): (f64, f32)| {
        let (sin, cos) = angle_rad.sin_cos();
        let range_m = f64::from(range_m);
        range_m.is_finite().then_some([range_m * cos, range_m * sin])
    };
    let mut before: Option<[f64; 2]> = None;
    let (mut xx, mut xy, mut yy, mut count) = (0.0, 0.0, 0.0, 0_u32);
    for point in scan.rays().step_by(2).map(end) {
        if let (Some([x0, y0]), Some([x1, y1])) = (before, point) {
            let (dx, dy): (f64, f64) = (x1 - x0, y1 - y0);
            let length_m = dx.hypot(dy);
            if length_m > 1e-6 && length_m < GAP_M {
                // The surface's normal.
                let (nx, ny) = (-dy / length_m, dx / length_m);
                (xx, xy, yy, count) = (xx + nx * nx, xy + nx * ny, yy + ny * ny, count + 1);
            }
        }
        before = point;
    }
    if count < ENOUGH {
        return 1.0;
    }
    let (middle, half) = ((xx + yy) / 2.0, ((xx - yy) / 2.0).hypot(xy));
    let (least, most) = ((middle - half).max(0.0), middle + half);
    (1.0 - (least / most).sqrt()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a scanner in the middle of a rectangle sees.
    fn room(half_m: [f64; 2], reach_m: f64) -> Scan {
        let range = |ray: u32| {
            let (sin, cos) = f64::from(ray).to_radians().sin_cos();
            let range_m = (half_m[0] / cos.abs()).min(half_m[1] / sin.abs());
            if range_m < reach_m { range_m as f32 } else { f32::INFINITY }
        };
        Scan {
            angle_min_rad: 0.0,
            angle_increment_rad: 1_f64.to_radians(),
            range_min_m: 0.1,
            range_max_m: reach_m,
            ranges_m: (0..360).map(range).collect(),
            pose: None,
        }
    }

    #[test]
    fn a_room_constrains_more_than_a_tunnel_and_a_lobby_nothing() {
        assert!(featureless(&room([2.0, 2.0], 10.0)) < 0.1);
        assert!(featureless(&room([100.0, 1.0], 10.0)) > 0.9);
        assert!((featureless(&room([100.0, 100.0], 10.0)) - 1.0).abs() < 1e-12);
    }
}
