//! Maps, as in `nav_msgs/OccupancyGrid`.

use std::borrow::Cow;

use bytes::Bytes;

use super::{Frame, Pose};
use crate::frames::{Pose2, wrap_angle};
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

/// Less than this turn moves no cell of a map by its own side, radians.
const UPRIGHT_RAD: f64 = 1e-4;

impl OccupancyGrid {
    /// A map without cells, whose rows lie along the x axis: what most maps that are made have in common.
    pub const UPRIGHT: Self = Self {
        frame: Frame::Map,
        resolution_m: 0.0,
        width: 0,
        height: 0,
        origin_x_m: 0.0,
        origin_y_m: 0.0,
        origin_yaw_rad: 0.0,
        cells: Bytes::new(),
    };

    /// Where the lower left corner is and how the rows are turned, in the grid's frame.
    pub const fn corner(&self) -> Pose2 {
        Pose2::new(self.origin_x_m, self.origin_y_m, self.origin_yaw_rad)
    }

    /// The map with rows along the frame's x axis, for formats that cannot tell a turn: each cell is the one that its middle is in, or one
    /// with more in it whose middle it has; unknown outside of the map that was turned. A map without size or cells is left as it is.
    pub fn upright(&self) -> Cow<'_, Self> {
        let (width, height) = (self.width as usize, self.height as usize);
        let is_whole = self.resolution_m > 0.0 && self.cells.len() == width.saturating_mul(height);
        let turn_rad = wrap_angle(self.origin_yaw_rad);
        if turn_rad.abs() < UPRIGHT_RAD || !turn_rad.is_finite() || !is_whole || self.cells.is_empty() {
            return Cow::Borrowed(self);
        }
        let (side_m, corner) = (self.resolution_m, self.corner());
        let [far_x_m, far_y_m] = [width, height].map(|cells| cells as f64 * side_m);
        let corners = [[0.0, 0.0], [far_x_m, 0.0], [0.0, far_y_m], [far_x_m, far_y_m]]
            .map(|[x, y]| corner.point_out(x, y));
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            corners.iter().map(|it| it[axis]).fold(corners[0][axis], pick)
        };
        let [low_x_m, low_y_m] = [bound(0, f64::min), bound(1, f64::min)];
        // A cell more than needed by a rounding error would be unknown.
        let cells = |low_m: f64, high_m: f64| ((high_m - low_m) / side_m - 1e-6).ceil().max(1.0) as u32;
        let [across, up] = [cells(low_x_m, bound(0, f64::max)), cells(low_y_m, bound(1, f64::max))];
        let middle = |cell: usize| (cell as f64 + 0.5) * side_m;
        let index = |[x_m, y_m]: [f64; 2], across: usize, up: usize| {
            let [column, row] = [x_m, y_m].map(|it_m| (it_m / side_m).floor());
            let is_inside = column >= 0.0 && row >= 0.0 && column < across as f64 && row < up as f64;
            is_inside.then_some(row as usize * across + column as usize)
        };
        let [columns, rows] = [across, up].map(|it| it as usize);
        let unknown = (-1_i8).to_ne_bytes()[0];
        let cell_at = |(column, row)| {
            let there = corner.point_in(low_x_m + middle(column), low_y_m + middle(row));
            index(there, width, height).and_then(|it| self.cells.get(it)).copied().unwrap_or(unknown)
        };
        let mut turned: Vec<u8> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).map(cell_at).collect();
        // Two cells may have their middles in one, and an obstacle must not be lost there.
        for (it, cell) in self.cells.iter().enumerate() {
            let [x_m, y_m] = corner.point_out(middle(it % width), middle(it / width));
            let there = index([x_m - low_x_m, y_m - low_y_m], columns, rows);
            if let Some(known) = there.and_then(|it| turned.get_mut(it)) {
                *known = i8::from_ne_bytes([*known]).max(i8::from_ne_bytes([*cell])).to_ne_bytes()[0];
            }
        }
        Cow::Owned(Self {
            frame: self.frame,
            resolution_m: side_m,
            width: across,
            height: up,
            origin_x_m: low_x_m,
            origin_y_m: low_y_m,
            origin_yaw_rad: 0.0,
            cells: turned.into(),
        })
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

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    use super::*;

    fn grid(yaw_rad: f64) -> OccupancyGrid {
        OccupancyGrid {
            frame: Frame::Map,
            resolution_m: 0.5,
            width: 3,
            height: 2,
            origin_x_m: 1.0,
            origin_y_m: 2.0,
            origin_yaw_rad: yaw_rad,
            cells: Bytes::from_static(&[0, 1, 2, 3, 4, 5]),
        }
    }

    #[test]
    fn a_turned_map_is_the_same_floor_with_rows_along_x() {
        assert!(matches!(grid(0.0).upright(), Cow::Borrowed(_)));
        let left = grid(FRAC_PI_2).upright().into_owned();
        assert_eq!((left.width, left.height, left.origin_yaw_rad), (2, 3, 0.0));
        assert!((left.origin_x_m - 0.0).abs() < 1e-9 && (left.origin_y_m - 2.0).abs() < 1e-9);
        assert_eq!(&left.cells[..], [3, 0, 4, 1, 5, 2]);
        let around = grid(PI).upright().into_owned();
        assert_eq!((around.width, around.height, &around.cells[..]), (3, 2, &[5, 4, 3, 2, 1, 0][..]));
        assert!(grid(FRAC_PI_4).upright().cells.iter().filter(|cell| **cell == u8::MAX).count() >= 4);
        // An obstacle stays one, however the map was turned.
        for turn in 0..100 {
            let turned = grid(f64::from(turn) / 10.0);
            let upright = turned.upright();
            for (it, cell) in turned.cells.iter().enumerate() {
                let [x, y] = [it % 3, it / 3].map(|it| (it as f64 + 0.5) * 0.5);
                let [x_m, y_m] = turned.corner().point_out(x, y);
                let [x_m, y_m] = upright.corner().point_in(x_m, y_m);
                let there = (y_m / 0.5) as usize * upright.width as usize + (x_m / 0.5) as usize;
                assert!(upright.cells[there] as i8 >= *cell as i8, "{turn}: {upright:?}");
            }
        }
    }

    #[test]
    fn a_map_that_is_none_stays_as_it_is() {
        for odd in [
            OccupancyGrid { cells: Bytes::new(), ..grid(1.0) },
            OccupancyGrid { width: u32::MAX, height: u32::MAX, ..grid(1.0) },
            OccupancyGrid { resolution_m: 0.0, ..grid(1.0) },
            grid(f64::NAN),
        ] {
            assert!(matches!(odd.upright(), Cow::Borrowed(_)), "{odd:?}");
        }
    }
}
