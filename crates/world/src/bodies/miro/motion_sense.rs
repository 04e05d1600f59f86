//! What the robot feels of its own motion: accelerometers in body and head, wheels that it counts.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Imu, Pose};

use super::neck::{Angles, Link, about_y};
use super::parts::{WHEEL_RADIUS_M, WHEELS};
use crate::bodies::moment::Moment;
use crate::bodies::state::Footing;
use crate::geometry::Pose2;
use crate::physics::{Motion2, STEP_S};
use crate::rng::Rng;
use crate::sensors::{Accelerometer, Drift, DriftModel, Odometry, TrackEncoders};

/// Steps between two reports of anything here: 50 a second.
const PERIOD: u64 = 2;

/// How a carried robot is shaken, and how far a fallen one lies on its nose: m/s² and radians.
const CARRIED_MPS2: f64 = 1.2;
const FALLEN_RAD: f64 = 0.9;

/// The sensors.
pub(super) struct MotionSense {
    body: PartName,
    head: PartName,
    accelerometer: Accelerometer,
    encoders: TrackEncoders,
    drift: Drift,
    odometry: Odometry,
}

impl MotionSense {
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self {
            body: PartName::of("body"),
            head: PartName::of("head"),
            accelerometer: Accelerometer::default(),
            encoders: TrackEncoders::new(WHEEL_RADIUS_M),
            drift: Drift::new(DriftModel::USUAL, Rng::new(rng.bits())),
            odometry: Odometry::default(),
        }
    }

    /// Feels a step and reports.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        motion: Motion2,
        wheels_mps: [f64; 2],
        (angles, head): (Angles, &Link),
        footing: Footing,
    ) {
        self.accelerometer.feel(motion, STEP_S);
        self.encoders.roll(wheels_mps, STEP_S);
        let [left, right] = wheels_mps;
        let (way_m, turn_rad) =
            ((left + right) / 2.0 * STEP_S, (right - left) / WHEELS.tracks.gap_m * STEP_S);
        let (way_m, turn_rad) = self.drift.count(way_m, turn_rad);
        self.odometry.advance(way_m, turn_rad);
        if now.due(Kind::Imu, PERIOD) {
            let (shake_mps2, tipped_rad) = match footing {
                Footing::Ground => (0.4 * motion.forward_mps.abs(), 0.0),
                Footing::Air => (CARRIED_MPS2, 0.0),
                Footing::Fallen => (0.0, FALLEN_RAD),
            };
            for (part, turn) in
                [(&self.body, about_y(angles.tilt + tipped_rad)), (&self.head, head.tipped(tipped_rad))]
            {
                let accel = self.accelerometer.read(&turn, shake_mps2, now.rng);
                now.reports.of(
                    part,
                    Imu { orientation: None, angular_velocity: None, linear_acceleration: Some(accel) },
                );
            }
        }
        if now.due(Kind::Encoders, PERIOD) {
            now.reports.publish(self.encoders.read());
        }
        if now.due(Kind::Pose, PERIOD) {
            let Pose2 { x_m, y_m, yaw_rad } = self.odometry.pose;
            now.reports.publish(Pose::planar(Frame::Odom, x_m, y_m, yaw_rad));
        }
    }

    /// Where it believes to be, by its wheels.
    pub(super) fn odometry(&self) -> &Odometry {
        &self.odometry
    }
}
