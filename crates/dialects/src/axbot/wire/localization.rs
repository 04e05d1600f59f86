//! Where the robot is, and how well it knows.

use super::number::Score;
use super::place::{Point, Pose};
use super::record::record;

record! {
    /// Section "Positioning State"; three keys are the vendor's later additions.
    pub struct SlamState {
        /// `inactive`, `slam`, `positioning`.
        state: String,
        /// `no_fix`, `sat_base`, `rtk_fixed`; later than the specification.
        nav_sat_state: String,
        /// False if the position is lost.
        reliable: bool,
        /// Whether new scans fit the map; later than the specification.
        lidar_reliable: bool,
        /// At 1 the position is lost; only while `lidar_reliable` is false, later than the specification.
        position_loss_progress: f64,
        /// 0 unknown, 1 lost, 3 poor, 8 good, 10 excellent.
        position_quality: i64,
        /// How much of the scan is on the map, 0..1.
        lidar_matching_score: f64,
        /// Whether that is enough.
        lidar_matched: bool,
        /// Whether the wheels slip.
        wheel_slipping: bool,
        /// Ties between the map's parts.
        inter_constraint_count: i64,
        /// Those of them that hold.
        good_constraint_count: i64,
    }
}

record! {
    /// Section "Current Pose"; the last two are in the vendor's client only.
    pub struct TrackedPose {
        /// Metres on the map.
        pos: Point,
        /// Radians counter-clockwise from the map's x axis.
        ori: f64,
        /// Covariance of x and y, square metres.
        cov: Vec<Vec<f64>>,
        /// The attitude as a quaternion.
        quat: Vec<f64>,
    }
}

record! {
    /// Section "Odom State".
    pub struct OdomState {
        /// Whether it can be trusted.
        lidar_odom_reliable: bool,
        /// Covariance of x and y, row by row, square metres.
        lidar_odom_cov: Vec<f64>,
    }
}

record! {
    /// Section "Global Positioning State".
    pub struct GlobalPositioningState {
        /// `unknown`, `running`, `succeeded`, `failed`.
        state: String,
        /// Percent.
        score: Score,
        /// Whether somebody should look at the pose before it is trusted.
        needs_confirmation: bool,
        /// Where the robot seems to be.
        pose: Pose,
        /// For a person to read.
        message: String,
    }
}
