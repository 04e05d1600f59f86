//! Readings on request: what a robot would measure from where it is, among real things, virtual ones or both.

use latimer_core::PartName;
use latimer_core::model::signal::{Color, Imu, Orientation, Range};
use latimer_core::model::{Reading, Realities, Refusal, SenseRequest, Sensing};

use crate::geometry::Pose2;
use crate::physics::{Chassis, Footprint, Hit, Lights, Physics};

/// Farthest distance measured, metres.
const REACH_M: f64 = 10.0;

/// How near a thing must be for its colour to be seen, metres.
const COLOR_REACH_M: f64 = 0.3;

/// The same for the colours all around, which reach less far, as robots' programs know it.
const AROUND_COLOR_REACH_M: f64 = 0.2;

/// How high the light is measured, metres.
const SENSOR_HEIGHT_M: f64 = 0.05;

/// Most directions in one request.
const MAX_BEARINGS: usize = 720;

/// Makes the readings; the reason if the request makes no sense.
pub(super) fn sense(
    physics: &Physics,
    lights: &Lights,
    chassis: &Chassis,
    footprint: Footprint,
    request: &SenseRequest,
) -> Result<Vec<Reading>, Refusal> {
    let at = physics.pose(chassis);
    let rays = RayCaster { physics, chassis, footprint, at, realities: request.realities };
    // Lamps may be many, and a distance needs none of them.
    let ambient = || lights.level_at(physics, [at.x_m, at.y_m, SENSOR_HEIGHT_M], None, Some(chassis));
    Ok(match &request.what {
        Sensing::Distance => vec![whole(range(rays.look(0.0)))],
        Sensing::Color => vec![whole(color(rays.look(0.0), COLOR_REACH_M, ambient()))],
        Sensing::Compass => {
            let orientation = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: rays.at.yaw_rad };
            let imu =
                Imu { orientation: Some(orientation), angular_velocity: None, linear_acceleration: None };
            vec![whole(imu)]
        }
        Sensing::Proximity { bearings_rad } => {
            if bearings_rad.len() > MAX_BEARINGS || bearings_rad.iter().any(|it| !it.is_finite()) {
                return Err(Refusal::bad_argument(format!(
                    "give at most {MAX_BEARINGS} bearings, each a number"
                )));
            }
            let ambient = ambient();
            let hits = bearings_rad.iter().map(|bearing| rays.look(*bearing)).enumerate();
            let readings = hits.flat_map(|(i, hit)| {
                let part = Some(PartName::of(&i.to_string()));
                let range = Reading { part: part.clone(), signal: range(hit).into() };
                [range, Reading { part, signal: color(hit, AROUND_COLOR_REACH_M, ambient).into() }]
            });
            readings.collect()
        }
    })
}

/// Where the robot looks from.
struct RayCaster<'a> {
    physics: &'a Physics,
    chassis: &'a Chassis,
    footprint: Footprint,
    at: Pose2,
    realities: Realities,
}

impl RayCaster<'_> {
    /// The nearest thing in a direction, its distance counted from the robot's own edge.
    fn look(&self, bearing_rad: f64) -> Option<Hit> {
        let edge_m = self.footprint.edge_m(bearing_rad);
        let from = [self.at.x_m, self.at.y_m];
        let reach_m = REACH_M + edge_m;
        let hit = self.physics.cast_in(
            from,
            self.at.yaw_rad + bearing_rad,
            reach_m,
            Some(self.chassis),
            self.realities,
        )?;
        Some(Hit { distance_m: (hit.distance_m - edge_m).max(0.0), ..hit })
    }
}

fn whole(signal: impl Into<latimer_core::Signal>) -> Reading {
    Reading { part: None, signal: signal.into() }
}

fn range(hit: Option<Hit>) -> Range {
    match hit {
        Some(hit) => Range { max_m: Some(REACH_M), ..Range::valid(hit.distance_m) },
        None => Range { max_m: Some(REACH_M), ..Range::nothing() },
    }
}

/// The colour of what is near enough; black if nothing is.
fn color(hit: Option<Hit>, reach_m: f64, ambient_ratio: f64) -> Color {
    let [red, green, blue] = match hit {
        Some(hit) if hit.distance_m <= reach_m => hit.color.0,
        _ => [0; 3],
    };
    Color { red, green, blue, ambient_ratio: Some(ambient_ratio) }
}
