//! Where robots are: centimetres and degrees in the arena, metres and radians here.

use latimer_core::model::signal::{Frame, Pose};

use super::units::{cm_from_m, heading_from_rad, m_from_cm, rad_from_degrees};
use crate::pera::roster::SwarmId;
use crate::pera::wire::Reality;
use crate::pera::wire::localization::Place;
use crate::pera::wire::robot::Coordinate;

/// A pose in the arena's frame, which is the map as long as nothing says where the arena lies.
pub fn pose_in_arena(x_cm: f64, y_cm: f64, heading_degrees: f64) -> Option<Pose> {
    let yaw_rad = rad_from_degrees(heading_degrees);
    Some(Pose::planar(Frame::Map, m_from_cm(x_cm)?, m_from_cm(y_cm)?, yaw_rad))
}

/// Where a robot says that it is; `None` if it says half of it.
pub(super) fn pose_from_coordinate(coordinate: &Coordinate) -> Option<Pose> {
    let Coordinate { id: _, x, y, heading, reality: _ } = coordinate;
    pose_in_arena((*x)?.0, (*y)?.0, heading.map_or(0.0, |heading| heading.0))
}

/// Where a new robot is: at the origin unless it says otherwise.
pub(super) fn pose_from_create(coordinate: &Coordinate) -> Option<Pose> {
    let Coordinate { id: _, x, y, heading, reality: _ } = coordinate;
    let [x, y, heading] = [x, y, heading].map(|it| it.map_or(0.0, |it| it.0));
    pose_in_arena(x, y, heading)
}

/// Where a robot is told that it is.
pub(super) fn pose_from_place(place: &Place) -> Option<Pose> {
    let Place { x, y, heading } = *place;
    pose_in_arena(x, y, heading)
}

/// A robot's pose in the words of the swarm; `None` if it is told in another frame.
pub fn coordinate_from_pose(id: SwarmId, pose: &Pose, reality: Option<Reality>) -> Option<Coordinate> {
    let Pose { frame, x_m, y_m, yaw_rad, z_m: _, roll_rad: _, pitch_rad: _ } = *pose;
    (frame == Frame::Map).then(|| Coordinate {
        id,
        x: Some(cm_from_m(x_m)),
        y: Some(cm_from_m(y_m)),
        heading: Some(heading_from_rad(yaw_rad)),
        reality,
    })
}
