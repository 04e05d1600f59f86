//! The sonar on the nose: it looks where the head looks.
//!
//! It meets what stands in its cone, unless that is so low that the cone passes above it or so slanting
//! that the sound goes elsewhere; and the floor, if the head looks down steeply.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Range, RangeStatus};

use super::neck::Link;
use super::parts::{NOSE_M, SONAR_FIELD_RAD, SONAR_M, SONAR_RAYS, sonar_cone};
use crate::bodies::moment::Moment;
use crate::physics::Surroundings;

/// Steps between two reports: 50 a second.
const PERIOD: u64 = 2;

/// Steps between two looks of the robot's own behaviour: 10 a second.
const OWN_PERIOD: u64 = 10;

/// Below this cosine of the angle of incidence no sound comes back (plausible).
const SLANTING_COS: f64 = 0.3;

/// Looking down more than this, as the sine of the angle, the floor sends sound back (plausible).
const STEEP_SIN: f64 = 0.5;

/// Noise: metres, and as a share of the distance (plausible).
const SIGMA: (f64, f64) = (0.002, 0.005);

/// The sonar and what it met last.
pub(super) struct Sonar {
    part: PartName,
    range: Option<Range>,
    /// Where it looked then, counter-clockwise from ahead.
    yaw_rad: f64,
}

impl Sonar {
    pub(super) fn new() -> Self {
        Self { part: PartName::of("sonar"), range: None, yaw_rad: 0.0 }
    }

    /// Measures if a value is demanded.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        head: &Link,
        needed: bool,
        broken: bool,
    ) {
        let publishes = now.due(Kind::Range, PERIOD);
        if !(publishes || needed && now.every(OWN_PERIOD)) {
            return;
        }
        let [ahead, left, _] = head.forward();
        self.yaw_rad = left.atan2(ahead);
        let range = if broken {
            Range { distance_m: None, ..with_status(RangeStatus::HardwareFault) }
        } else {
            judge(nearest(around, head).map(|far_m| far_m + now.rng.normal(SIGMA.0 + SIGMA.1 * far_m)))
        };
        if publishes {
            now.reports.of(&self.part, range.clone());
        }
        self.range = Some(range);
    }

    /// The nearest thing that it met last, metres.
    pub(super) fn near_m(&self) -> Option<f64> {
        self.range.as_ref().and_then(|range| range.distance_m)
    }

    /// Free way to the left, ahead and to the right, metres: where the head looks, and nothing elsewhere.
    pub(super) fn distances_m(&self) -> [Option<f64>; 3] {
        let met = self.near_m();
        let looks = |from: f64, to: f64| (from..=to).contains(&self.yaw_rad);
        let beside = SONAR_FIELD_RAD / 2.0;
        [looks(beside, 9.0), looks(-beside, beside), looks(-9.0, -beside)].map(|it| met.filter(|_| it))
    }
}

/// The nearest thing that sends sound back, metres along the way of the sound.
fn nearest(around: &Surroundings<'_>, head: &Link) -> Option<f64> {
    let [x_m, y_m, z_m] = head.point_out(NOSE_M);
    let [ahead, left, up] = head.forward();
    // The world is flat: a thing as far away as the shadow of the ray on the floor is met.
    let level = ahead.hypot(left).max(0.05);
    let [_, reach_m] = SONAR_M;
    let cone = sonar_cone(x_m, y_m, left.atan2(ahead), reach_m * level);
    let gap = 1.0 / f64::from(SONAR_RAYS - 1);
    let met = (0..SONAR_RAYS).filter_map(|ray| {
        let bearing_rad = cone.yaw_rad + (f64::from(ray) * gap - 0.5) * cone.field_of_view_rad;
        let hit = around.cast(cone.x_m, cone.y_m, bearing_rad, cone.reach_m)?;
        let far_m = hit.distance_m / level;
        let lowest_m = z_m + far_m * (up - (SONAR_FIELD_RAD / 2.0).sin());
        (hit.incidence_cos >= SLANTING_COS && hit.height_m >= lowest_m).then_some(far_m)
    });
    let floor = (-up > STEEP_SIN).then(|| z_m / -up).filter(|far_m| *far_m <= reach_m);
    met.chain(floor).min_by(f64::total_cmp)
}

fn judge(far_m: Option<f64>) -> Range {
    let [near_m, reach_m] = SONAR_M;
    match far_m {
        Some(m) if m < near_m => Range { distance_m: Some(m.max(0.0)), ..with_status(RangeStatus::TooNear) },
        Some(m) if m <= reach_m => Range { distance_m: Some(m), ..with_status(RangeStatus::Valid) },
        _ => Range { distance_m: None, ..with_status(RangeStatus::NothingInView) },
    }
}

fn with_status(status: RangeStatus) -> Range {
    let [near_m, reach_m] = SONAR_M;
    Range {
        distance_m: None,
        status,
        status_code: None,
        min_m: Some(near_m),
        max_m: Some(reach_m),
        field_of_view_rad: Some(SONAR_FIELD_RAD),
    }
}
