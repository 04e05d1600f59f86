//! `geometry_msgs/PoseStamped` and `nav_msgs`.

use latimer_core::model::signal::{Frame, OccupancyGrid as ModelGrid, Pose, Velocity};

use super::{Context, Header, PlainPose, Quaternion, Vector3, WithinPose, WithinTwist, messages};
use crate::describe::Message;
use crate::describe::codec::Codec;
use crate::rosbridge::codecs::{Cells, Placed, Speeds, Stamped, orientation};

messages! {
    /// `geometry_msgs/PoseStamped`.
    #[message(record = Pose, context = Context, base = ORIGIN, finish = framed, ignores(frame))]
    PoseStamped {
        /// When, and in which frame.
        header: Header = (stamp, codec = Stamped),
        /// Where and how turned.
        pose: PlainPose = (items(x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad), codec = Placed, required),
    }

    /// `nav_msgs/Odometry` without covariances: how fast the robot is, and where it is by what it knows itself.
    #[message(record = Velocity, context = Context, ignores(closed_loop, ramped, action_id))]
    Odometry {
        /// When, and in which frame the pose is.
        header: Header = (stamp, codec = Stamped),
        /// The frame of the speeds.
        child_frame_id: String = (constant = "base_link"),
        /// Where it is; a signal of its own.
        pose: WithinPose = (computed = placed, kind = Pose),
        /// How fast it is.
        twist: WithinTwist = (items(linear_mps, angular_radps), codec = Speeds, or = [None; 2]),
    }

    /// `nav_msgs/MapMetaData`.
    MapMetaData {
        /// Metres of a cell.
        resolution: f64 = (model = "resolution_m"),
        /// Cells from west to east.
        width: i64 = (model = "width"),
        /// Cells from south to north.
        height: i64 = (model = "height"),
        /// Where the first cell's corner is.
        origin: PlainPose = (own),
    }

    /// `nav_msgs/OccupancyGrid`.
    #[message(record = ModelGrid, context = Context, base = ModelGrid::UPRIGHT, amend = tell_size, finish = take_size)]
    #[message(ignores(frame, resolution_m, width, height, origin_x_m, origin_y_m, origin_yaw_rad))]
    OccupancyGrid {
        /// When, and in which frame.
        header: Header = (stamp, codec = Stamped),
        /// Size and place.
        info: MapMetaData = (own),
        /// Row by row from the south-west: 0 free to 100 taken, -1 not known.
        data: Vec<i64> = (cells, codec = Cells, required),
    }
}

const ORIGIN: Pose = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);

fn framed(message: &PoseStamped, _: &Context, pose: &mut Pose) {
    pose.frame = frame_of(message.header.as_ref(), Frame::Map);
}

fn frame_of(header: Option<&Header>, otherwise: Frame) -> Frame {
    let name = header.and_then(|it| it.frame_id.as_deref());
    // Other gateways name a robot's frames below the robot.
    name.and_then(|it| Frame::from_word(it.rsplit('/').next()?)).unwrap_or(otherwise)
}

/// Clients count on a pose: of a robot that knows none the quaternion is all zero, which is no attitude.
fn placed(_: &Velocity, context: &Context) -> Option<WithinPose> {
    let nowhere = || {
        let zero = Some(0.0);
        let orientation = Some(Quaternion { x: zero, y: zero, z: zero, w: zero });
        PlainPose { position: Some(Vector3::ZERO), orientation }
    };
    let place = context.place.as_ref().and_then(|place| {
        let Pose { frame: _, x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad } = *place;
        Placed.encode(&[x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad], context)
    });
    Some(WithinPose { pose: Some(place.unwrap_or_else(nowhere)) })
}

impl Odometry {
    /// Where the robot is, if it tells.
    pub(in crate::rosbridge) fn place(&self) -> Option<Pose> {
        let pose = self.pose.as_ref()?.pose.as_ref()?;
        orientation(pose.orientation.as_ref()?)?;
        let [x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad] = Placed.decode(pose, &())?;
        let frame = frame_of(self.header.as_ref(), Frame::Odom);
        Some(Pose { frame, x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad })
    }
}

fn tell_size(grid: &ModelGrid, context: &Context, message: &mut OccupancyGrid) {
    let origin =
        Placed.encode(&[grid.origin_x_m, grid.origin_y_m, 0.0, 0.0, 0.0, grid.origin_yaw_rad], context);
    let (resolution, width) = (Some(grid.resolution_m), Some(grid.width.into()));
    message.info = Some(MapMetaData { resolution, width, height: Some(grid.height.into()), origin });
}

fn take_size(message: &OccupancyGrid, _: &Context, grid: &mut ModelGrid) {
    let Some(info) = &message.info else { return };
    let cells = |count: Option<i64>| count.and_then(|it| u32::try_from(it).ok()).unwrap_or_default();
    let origin = info.origin.as_ref().and_then(|it| it.position.as_ref());
    grid.frame = frame_of(message.header.as_ref(), Frame::Map);
    grid.resolution_m = info.resolution.unwrap_or_default();
    (grid.width, grid.height) = (cells(info.width), cells(info.height));
    (grid.origin_x_m, grid.origin_y_m) =
        origin.map_or((0.0, 0.0), |it| (it.x.unwrap_or_default(), it.y.unwrap_or_default()));
    let turn = info.origin.as_ref().and_then(|it| orientation(it.orientation.as_ref()?));
    grid.origin_yaw_rad = turn.map_or(0.0, |it| it.yaw_rad);
}
