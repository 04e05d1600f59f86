//! How well the robot knows where it is.

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
