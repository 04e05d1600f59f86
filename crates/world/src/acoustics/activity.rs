//! How much sound comes from each direction, for sensors of directions.

use super::SPEED_OF_SOUND_MPS;
use super::envelope::gate;
use super::source::{Kind, Source};
use crate::geometry::{Pose2, wrap_angle};

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
        for (degree, sum) in (0_u16..).zip(degrees) {
            let off = wrap_angle(f64::from(degree).to_radians() - bearing_rad) / LOBE_RAD;
            *sum += level * (-off * off).exp();
        }
    }
    activity
}
