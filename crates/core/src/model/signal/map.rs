//! Maps, as in `nav_msgs/OccupancyGrid`.

use bytes::Bytes;

use super::{Frame, Pose};
use crate::model::record::{record, words};

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
        /// How the rows are turned about that corner; counter-clockwise from the frame's x axis.
        pub origin_yaw_rad: f64,
        /// A signed byte a cell, rows from the lower left: 0 free to 100 occupied, -1 unknown.
        pub cells: Bytes,
    }
}

words! {
    /// What a mark on a map stands for.
    pub enum FeatureKind {
        /// Where robots charge; its pose is where they stand.
        Charger = "charger",
        /// A code on the floor or a wall.
        Barcode = "barcode",
        /// A pole that reflects the scanner's light.
        Landmark = "landmark",
        /// A place that has a name.
        Place = "place",
        /// Where a rack stands.
        RackPoint = "rack_point",
        /// Where a robot stands in a lift.
        Lift = "lift",
        /// An area where racks stand, which is addressed by its id.
        RackArea = "rack_area",
        /// A door that opens by itself.
        Door = "door",
        /// A line that is not to be crossed.
        VirtualWall = "virtual_wall",
        /// An area that is not to be entered.
        KeepOut = "keep_out",
        /// Something else.
        Other = "other",
    }
}

record! {
    /// A mark on a map: a point, a line or an area.
    pub struct MapFeature {
        /// What it stands for.
        pub kind: FeatureKind,
        /// Its own id on the map, if it was given one.
        pub id: Option<String>,
        /// What it is called; codes and poles by what is read off them.
        pub name: Option<String>,
        /// Where it is, if it is a point.
        pub pose: Option<Pose>,
        /// The corners of a line or an area, each `[x, y]` in metres in the update's frame, the map.
        pub points_m: Vec<[f64; 2]>,
        /// A door's network card's address.
        pub mac: Option<String>,
    }
}

record! {
    /// Which map the robot drives by, and what is marked on it.
    pub struct MapInfo {
        /// Its name.
        pub name: String,
        /// Its name among all maps anywhere.
        pub uid: Option<String>,
        /// Grows when the map is made anew.
        pub version: Option<i64>,
        /// Grows when a mark changes.
        pub features_version: Option<i64>,
        /// What is marked on it.
        pub features: Vec<MapFeature>,
    }
}
