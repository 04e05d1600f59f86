//! Maps, as in `nav_msgs/OccupancyGrid`.

use bytes::Bytes;

use super::Frame;
use crate::model::record::record;

record! {
    /// A map of cells.
    pub struct OccupancyGrid {
        /// The frame of the origin.
        pub frame: Frame,
        /// Side of a cell.
        pub resolution_m: f64,
        /// Cells along x.
        pub width: u32,
        /// Cells along y.
        pub height: u32,
        /// Lower left corner of the lower left cell.
        pub origin_x_m: f64,
        /// Lower left corner of the lower left cell.
        pub origin_y_m: f64,
        /// A signed byte a cell, rows from the lower left: 0 free to 100 occupied, -1 unknown.
        pub cells: Bytes,
    }
}
