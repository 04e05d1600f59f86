//! How a sound reaches an ear: how much later and how much fainter.

use super::SPEED_OF_SOUND_MPS;
use super::source::Source;
use crate::geometry::Pose2;

/// Attenuation of a source on the far side of the head, 0..1.
const HEAD_SHADOW: f64 = 0.45;

/// How a source reaches two ears.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Arrival {
    /// Left and right, seconds.
    pub(super) delay_s: [f64; 2],
    /// Left and right, 0..=1.
    pub(super) gain: [f64; 2],
}

/// What reaches two ears on the left and on the right of a head, so far from each other in metres.
pub(super) fn arrive(source: &Source, head: Pose2, spacing_m: f64) -> Arrival {
    let mut arrival = Arrival::default();
    for (ear, side) in [1.0, -1.0].into_iter().enumerate() {
        let [x, y] = head.point_out(0.0, side * spacing_m / 2.0);
        let [dx, dy] = [source.position_m[0] - x, source.position_m[1] - y];
        let distance_m = dx.hypot(dy);
        let [_, left] = head.point_in(source.position_m[0], source.position_m[1]);
        let middle_m = head.distance_to(source.position_m[0], source.position_m[1]);
        // 1 on the ear's own side, -1 on the other.
        let facing = side * left / middle_m.max(1e-6);
        let shadow = 1.0 - HEAD_SHADOW * (1.0 - facing) / 2.0;
        arrival.delay_s[ear] = distance_m / SPEED_OF_SOUND_MPS;
        arrival.gain[ear] = source.level_at(distance_m) * shadow;
    }
    arrival
}
