//! How much sound comes from each direction, for sensors of directions.

use super::SPEED_OF_SOUND_MPS;
use super::envelope::gate;
use super::source::{Kind, Source};
use crate::geometry::Pose2;

/// Width of the lobe that a sound makes, radians.
const LOBE_RAD: f64 = 0.4;

/// How much sound comes from each degree, counter-clockwise from ahead: the sum of the sources' levels,
/// each spread over a lobe.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// Of voices.
    pub voice: [f64; 360],
    /// Of all else.
    pub noise: [f64; 360],
}

/// What reaches a head from all around at a time of the world's clock.
pub fn activity(sources: &[Source], head: Pose2, time_s: f64) -> Activity {
    let mut activity = Activity { voice: [0.0; 360], noise: [0.0; 360] };
    for source in sources {
        let [x, y] = source.position_m;
        let distance_m = head.distance_to(x, y);
        let on = gate(&source.pattern_s, time_s - distance_m / SPEED_OF_SOUND_MPS);
        let level = on * source.level_at(distance_m);
        if !(level > 0.0 && level.is_finite()) {
            continue;
        }
        let [ahead, left] = head.point_in(x, y);
        let bearing_rad = left.atan2(ahead);
        let degrees = match source.kind {
            Kind::Voice => &mut activity.voice,
            Kind::Noise | Kind::Tone { .. } => &mut activity.noise,
        };
        spread(level, bearing_rad, degrees);
    }
    activity
}

/// Adds a bell-shaped lobe about a bearing: away from its middle on either side, each degree follows from the one before, because an
/// exponential for each degree of each sound is much of what a room of robots that beep costs.
fn spread(level: f64, bearing_rad: f64, degrees: &mut [f64; 360]) {
    let step = 1_f64.to_radians() / LOBE_RAD;
    let nearest = bearing_rad.to_degrees().round();
    let off = nearest.to_radians() / LOBE_RAD - bearing_rad / LOBE_RAD;
    let middle = (-off * off).exp();
    let curve = (-2.0 * step * step).exp();
    // To the left from the nearest degree itself, to the right from the one beside it.
    for (way, count) in [(1, 180), (-1, 181)] {
        let mut lobe = middle;
        let mut fall = (-f64::from(way) * 2.0 * off * step - step * step).exp();
        for number in 0..count {
            if way == 1 || number > 0 {
                let degree = (nearest as i32 + way * number).rem_euclid(360) as usize;
                if let Some(sum) = degrees.get_mut(degree) {
                    *sum += level * lobe;
                }
            }
            lobe *= fall;
            fall *= curve;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::wrap_angle;

    #[test]
    fn a_lobe_is_a_bell_about_its_bearing() {
        for bearing_rad in [-3.13, -1.0, 0.0, 0.004, 0.012, 1.57, 3.13, std::f64::consts::PI] {
            let mut degrees = [0.0; 360];
            spread(0.5, bearing_rad, &mut degrees);
            for (degree, sum) in (0_u16..).zip(degrees) {
                let off = wrap_angle(f64::from(degree).to_radians() - bearing_rad) / LOBE_RAD;
                let exact = 0.5 * (-off * off).exp();
                assert!((sum - exact).abs() < 1e-12, "{bearing_rad} at {degree}: {sum} {exact}");
            }
        }
    }
}
