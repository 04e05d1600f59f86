//! `nav_msgs`.

use super::Time;
use super::geometry_msgs::{Point, Pose, PoseStamped, PoseWithCovariance, TwistWithCovariance};
use super::macros::messages;
use super::std_msgs::Header;

messages! { "nav_msgs";
    /// Where something is in the header's frame, and how fast it moves in its own.
    Odometry { header: Header, child_frame_id: String, pose: PoseWithCovariance, twist: TwistWithCovariance }

    /// Poses to follow.
    Path { header: Header, poses: Vec<PoseStamped> }

    /// Size and place of a map.
    MapMetaData { map_load_time: Time, resolution: f32, width: u32, height: u32, origin: Pose }

    /// Cells of a map: how likely something is there in percent, -1 if nobody knows.
    OccupancyGrid { header: Header, info: MapMetaData, data: Vec<i8> }

    /// Cells of a grid.
    GridCells { header: Header, cell_width: f32, cell_height: f32, cells: Vec<Point> }
}
