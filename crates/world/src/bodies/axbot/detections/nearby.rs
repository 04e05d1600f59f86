//! Other robots and doors nearby: received by radio, or marked on its map.

use latimer_core::model::signal::{self, Frame, Neighbours, Pose};

use crate::distance::to_line;
use crate::geometry::Pose2;
use crate::physics::{Door, DoorState, Footprint, Neighbour, Surroundings};

/// Range of the radio between robots, metres, whatever is between (plausible).
const RADIO_M: f64 = 10.0;

/// Range at which doors are published, metres (plausible).
const DOORS_M: f64 = 10.0;

/// The other robots in reach of the radio, each where it truly is.
pub(super) fn robots(around: &Surroundings<'_>) -> Neighbours {
    let is_near = |it: &&Neighbour| around.pose.distance_to(it.pose.x_m, it.pose.y_m) <= RADIO_M;
    // No two robots are at the same place: the one that is here is this one.
    let others = around.crowd.iter().filter(|it| it.pose != around.pose).filter(is_near);
    let publish = |it: &Neighbour| {
        let at = around.in_frame(it.pose);
        signal::Neighbour {
            robot: it.robot.as_str().to_owned(),
            pose: Pose::planar(Frame::Map, at.x_m, at.y_m, at.yaw_rad),
            footprint_m: outline(it.footprint),
            trend_m: it
                .trend_m
                .iter()
                .map(|[x, y]| around.in_frame(Pose2::new(*x, *y, 0.0)))
                .map(|it| [it.x_m, it.y_m])
                .collect(),
        }
    };
    Neighbours { robots: others.map(publish).collect() }
}

/// A chassis as a polygon in its own axes, counter-clockwise: where its round corners begin and end.
fn outline(footprint: Footprint) -> Vec<[f64; 2]> {
    let (x, y) = (footprint.length_m / 2.0, footprint.width_m / 2.0);
    let (short_x, short_y) = (x - footprint.corner_m, y - footprint.corner_m);
    vec![
        [x, -short_y],
        [x, short_y],
        [short_x, y],
        [-short_x, y],
        [-x, short_y],
        [-x, -short_y],
        [-short_x, -y],
        [short_x, -y],
    ]
}

/// The doors nearby, with their places in the world file.
pub(super) fn doors<'a>(around: &'a Surroundings<'_>) -> impl Iterator<Item = (usize, &'a Door)> {
    let here = [around.pose.x_m, around.pose.y_m];
    around.doors.iter().enumerate().filter(move |(_, door)| to_line(here, door.file.points_m) <= DOORS_M)
}

/// Which door it is and how it stands.
pub(super) fn standing((number, door): (usize, &Door)) -> (usize, DoorState) {
    (number, door.state)
}

/// The doors nearby, as published: marked on its map where they are.
pub(super) fn door_signals(around: &Surroundings<'_>) -> signal::Doors {
    let corner = |[x_m, y_m]: [f64; 2]| {
        let at = around.in_frame(Pose2::new(x_m, y_m, 0.0));
        [at.x_m, at.y_m]
    };
    let publish = |(_, door): (usize, &Door)| signal::Door {
        name: door.file.name.clone(),
        mac: door.file.mac.clone(),
        state: state_signal(door.state),
        polygon_m: door.polygon().map(corner).to_vec(),
    };
    signal::Doors { doors: doors(around).map(publish).collect() }
}

fn state_signal(state: DoorState) -> signal::DoorState {
    match state {
        DoorState::Closed => signal::DoorState::Closed,
        DoorState::Opening => signal::DoorState::Opening,
        DoorState::Open => signal::DoorState::Open,
        DoorState::Closing => signal::DoorState::Closing,
    }
}
