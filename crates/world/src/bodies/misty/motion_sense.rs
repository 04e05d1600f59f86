//! What the robot feels of its own motion: inertial sensor, encoders, dead reckoning.

use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Pose};

use super::parts::{ENCODER_WHEEL_M, TRACKS};
use crate::bodies::moment::Moment;
use crate::bodies::state::Footing;
use crate::drive::Feeling;
use crate::physics::{Motion2, STEP_S};
use crate::rng::Rng;
use crate::sensors::{Attitude, ImuSensor, Odometry, TrackEncoders};

/// Steps between two reports: 50 a second.
const IMU_PERIOD: u64 = 2;
/// Steps between two reports: 20 a second.
const ENCODER_PERIOD: u64 = 5;

/// How a fallen robot lies: on its nose.
const FALLEN: Attitude = Attitude { roll_rad: 0.1, pitch_rad: 0.9, shake_mps2: 0.0 };

/// How a carried robot is shaken.
const CARRIED: Attitude = Attitude { roll_rad: 0.05, pitch_rad: -0.08, shake_mps2: 1.2 };

/// The sensors.
pub(super) struct MotionSense {
    imu: ImuSensor,
    encoders: TrackEncoders,
    odometry: Odometry,
}

impl MotionSense {
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self {
            imu: ImuSensor::new(rng),
            encoders: TrackEncoders::new(ENCODER_WHEEL_M),
            odometry: Odometry::default(),
        }
    }

    /// Feels a step and reports.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        motion: Motion2,
        tracks_mps: [f64; 2],
        footing: Footing,
    ) {
        self.imu.feel(motion, STEP_S);
        self.encoders.roll(tracks_mps, STEP_S);
        self.odometry.roll(tracks_mps, TRACKS.gap_m, STEP_S);
        if now.due(Kind::Imu, IMU_PERIOD) {
            let attitude = match footing {
                Footing::Ground => {
                    Attitude { shake_mps2: 0.4 * motion.forward_mps.abs(), ..Attitude::default() }
                }
                Footing::Air => CARRIED,
                Footing::Fallen => FALLEN,
            };
            now.reports.publish(self.imu.read(attitude, now.rng));
        }
        if now.due(Kind::Encoders, ENCODER_PERIOD) {
            now.reports.publish(self.encoders.read());
        }
    }

    /// The robot was set down turned by this much.
    pub(super) fn turned(&mut self, by_rad: f64) {
        self.imu.turned(by_rad);
    }

    /// What the pilot needs.
    pub(super) fn feeling(&self, time_s: f64) -> Feeling {
        Feeling { time_s, yaw_rad: self.imu.yaw_rad(), travelled_m: self.odometry.travelled_m }
    }

    /// Where it believes to be.
    pub(super) fn pose(&self) -> Pose {
        let pose = self.odometry.pose;
        Pose::planar(Frame::Odom, pose.x_m, pose.y_m, pose.yaw_rad)
    }
}
