//! What the world looks like, from its true state.

use latimer_simulator_api::{
    DoorAt, DoorIs, Layer, Outline, PersonAt, RobotAt, Scenery, SceneryNow, SceneryShape, ThingAt,
};

use super::World;
use super::shapes::{
    corners, furniture, ground, nameless, plain, realities, signs, tops_and_windows, triple,
};
use crate::geometry::Pose2;
use crate::physics::{DoorState, Shape};

impl World {
    /// All that is there to be seen.
    pub fn look(&self) -> Scenery {
        let [x, y] = self.file.size_m;
        let mut shapes: Vec<SceneryShape> = ground(&self.file).collect();
        shapes.extend(furniture(&self.file, self.obstacles.nameless(&self.physics)));
        shapes.extend(tops_and_windows(&self.file));
        shapes.extend(self.named());
        shapes.extend(signs(&self.file));
        shapes.extend(self.fittings());
        shapes.extend(self.small_things());
        Scenery {
            name: self.file.name.clone(),
            bounds_m: [0.0, 0.0, x, y],
            revision: self.revision(),
            shapes,
            now: self.glance(),
        }
    }

    /// What moves. This world is stepped by hand; its caller knows its speed.
    pub fn glance(&self) -> SceneryNow {
        SceneryNow {
            time_s: self.time_s(),
            speed: 1.0,
            paused: false,
            load_ratio: 0.0,
            revision: self.revision(),
            robots: self.robots_now(),
            people: self.people_now(),
            doors: self.doors_now(),
            things: self.things_now(),
        }
    }

    /// Both counts only grow, so their sum does.
    pub(super) fn revision(&self) -> u64 {
        self.revision + self.household.changes()
    }

    /// Things that have a name.
    fn named(&self) -> impl Iterator<Item = SceneryShape> {
        self.obstacles.iter().map(|placed| {
            let (it, pose) = (placed.obstacle, placed.pose(&self.physics));
            let outline = match it.shape {
                Shape::Box { size_m } => corners(pose, size_m),
                Shape::Cylinder { radius_m } => Outline::Circle(radius_m),
            };
            SceneryShape {
                rgb: Some(it.color.0),
                height_m: Some(it.height_m),
                reality: realities(it.reality),
                movable: placed.is_pushable(),
                ..plain(Layer::Obstacle, Some(&placed.name), outline, pose)
            }
        })
    }

    /// Doors, racks and lamps.
    fn fittings(&self) -> impl Iterator<Item = SceneryShape> {
        let doors = self.doors.iter().map(|door| {
            let [[x1, y1], [x2, y2]] = door.file.points_m;
            let pose = Pose2::new((x1 + x2) / 2.0, (y1 + y2) / 2.0, (y2 - y1).atan2(x2 - x1));
            let outline = Outline::Polygon(door.polygon().to_vec());
            SceneryShape {
                rgb: Some(door.file.color.0),
                ..plain(Layer::Door, Some(&door.file.name), outline, pose)
            }
        });
        let racks = self.racks.iter().map(|rack| SceneryShape {
            rgb: Some(rack.file.color.0),
            height_m: Some(rack.file.height_m),
            movable: true,
            ..plain(Layer::Rack, Some(&rack.file.name), corners(rack.pose, rack.file.size_m), rack.pose)
        });
        let lights = self.lights.iter().map(|lamp| {
            let [x_m, y_m] = lamp.file.position_m;
            SceneryShape {
                label: Some(if lamp.on { "on" } else { "off" }.to_owned()),
                height_m: Some(lamp.file.height_m),
                ..plain(Layer::Light, Some(&lamp.file.name), Outline::Point, Pose2::new(x_m, y_m, 0.0))
            }
        });
        doors.chain(racks).chain(lights)
    }

    fn small_things(&self) -> impl Iterator<Item = SceneryShape> {
        self.things().map(|(item, [x_m, y_m, height_m])| SceneryShape {
            label: Some(item.object.category.clone()),
            rgb: Some(item.object.color.0),
            height_m: Some(height_m),
            movable: true,
            ..plain(
                Layer::Object,
                Some(&item.object.name),
                Outline::Circle(item.object.size_m[0] / 2.0),
                Pose2::new(x_m, y_m, 0.0),
            )
        })
    }

    fn robots_now(&self) -> Vec<RobotAt> {
        let own = self.robots.iter().map(|robot| (&robot.id, robot.kind.family, &robot.chassis));
        let puppets = self.puppets.iter().map(|(robot, puppet)| (robot, puppet.family, &puppet.chassis));
        let robot = |(robot, family, chassis): (&latimer_core::RobotId, _, _)| RobotAt {
            robot: robot.clone(),
            family,
            pose: triple(self.physics.pose(chassis)),
        };
        own.chain(puppets).map(robot).collect()
    }

    fn people_now(&self) -> Vec<PersonAt> {
        let person = |walker: &crate::physics::Walker| PersonAt {
            name: walker.person.name.clone(),
            pose: [walker.at[0], walker.at[1], walker.yaw_rad()],
            radius_m: walker.person.radius_m,
            rgb: walker.person.color.0,
        };
        self.people.iter().map(person).collect()
    }

    fn doors_now(&self) -> Vec<DoorAt> {
        let door = |door: &crate::physics::Door| DoorAt {
            name: door.file.name.clone(),
            state: match door.state {
                DoorState::Open => DoorIs::Open,
                DoorState::Opening => DoorIs::Opening,
                DoorState::Closing => DoorIs::Closing,
                DoorState::Closed => DoorIs::Closed,
            },
            corners_m: door.polygon_now(),
        };
        self.doors.iter().map(door).collect()
    }

    /// What can be pushed, wherever it stands, and racks and small things while they are carried.
    fn things_now(&self) -> Vec<ThingAt> {
        let thing = |layer, name: String, pose| ThingAt { layer, name, pose: triple(pose) };
        let named = self.obstacles.iter().filter(|placed| placed.is_pushable());
        let named = named.map(|it| thing(Layer::Obstacle, it.name.clone(), it.pose(&self.physics)));
        let nameless = self.obstacles.nameless(&self.physics).enumerate();
        let nameless = nameless.map(|(number, pose)| thing(Layer::Furniture, self::nameless(number), pose));
        let racks = self.racks.iter().filter(|rack| rack.carried);
        let racks = racks.map(|rack| thing(Layer::Rack, rack.file.name.clone(), rack.pose));
        let held = self.things().filter(|(item, _)| !item.whereabouts.is_free());
        let held = held.map(|(item, [x_m, y_m, _])| {
            thing(Layer::Object, item.object.name.clone(), Pose2::new(x_m, y_m, 0.0))
        });
        named.chain(nameless).chain(racks).chain(held).collect()
    }
}
