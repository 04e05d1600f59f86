//! What a body's camera sees around it: the room of the world file, and what moves in it now.
//!
//! Movable boxes are shown where the world file puts them, wherever they were pushed since.

use std::sync::Arc;

use latimer_core::RobotId;

use crate::camera::{FURNITURE_M, Light, Lighting, Room, Scene, Shape, Solid};
use crate::config::Color;
use crate::geometry::Pose2;
use crate::physics::Surroundings;

/// How high other robots are, metres (plausible).
const ROBOT_M: f64 = 0.35;

/// How high doors are, metres (plausible).
const DOOR_M: f64 = 2.1;

/// Distance at which a lamp of a picture has the level that it is given, metres.
const KNEE_M: f64 = 2.0;

const DOOR: Color = Color([0x9a, 0x7b, 0x4f]);

/// The part that stays, once somebody wanted a picture.
#[derive(Default)]
pub(super) struct Scenery {
    room: Option<Arc<Room>>,
}

impl Scenery {
    /// What there is to see for a robot, without itself.
    pub(super) fn scene(&mut self, around: &Surroundings<'_>, own: &RobotId) -> Scene {
        let room = self.room.get_or_insert_with(|| Arc::new(Room::new(around.file))).clone();
        let boxes = around.file.boxes.iter().filter(|it| it.movable).map(|it| {
            let [x_m, y_m] = it.center_m;
            Solid::furniture(it, Pose2::new(x_m, y_m, it.yaw_deg.to_radians()))
        });
        let people = around.people.iter().flat_map(|it| Solid::person(&it.person, it.at));
        let doors = around.doors.iter().map(|door| Solid {
            shape: Shape::Prism { corners_m: door.polygon_now().to_vec(), height_m: [0.0, DOOR_M] },
            color: DOOR,
        });
        let racks = around.racks.iter().filter(|rack| !rack.carried).map(|rack| Solid {
            shape: Shape::Prism {
                corners_m: rack.polygon().to_vec(),
                height_m: [FURNITURE_M - 0.1, FURNITURE_M],
            },
            color: Color::PLAIN,
        });
        let robots = around.crowd.iter().filter(|it| it.robot != *own);
        let robots = robots.map(|it| Solid::chassis(it.pose, it.footprint, [0.0, ROBOT_M], Color::PLAIN));
        let moving = boxes.chain(people).chain(doors).chain(racks).chain(robots).collect();
        Scene { lighting: lighting(around), room, moving }
    }
}

/// The world's own lamps, or the usual ones if it says nothing of light.
fn lighting(around: &Surroundings<'_>) -> Lighting {
    if around.file.lights.is_empty() {
        return Lighting::usual(around.file.size_m);
    }
    let lamps = around.lights.iter().filter(|lamp| lamp.on).map(|lamp| {
        let [x, y] = lamp.file.position_m;
        let at_the_knee = lamp.file.level * (lamp.file.height_m / KNEE_M).powi(2);
        Light { at_m: [x, y, lamp.file.height_m], level: at_the_knee.min(1.0) }
    });
    Lighting { ambient: around.file.ambient, lamps: lamps.collect() }
}
