//! Racks stand on four legs, are driven beneath, taken and put down.

use latimer_world::Pose2;
use latimer_world::physics::{Footprint, Thing};

use crate::floor::{Floor, SMALL, at, floor};

const RACK: &str = "[[racks]]\nname = \"A\"\nposition_m = [3.0, 3.0]\n\
                    [[racks]]\nname = \"B\"\nposition_m = [3.0, 5.0]\nyaw_deg = 90.0\n";

/// A delivery robot.
const CARRIER: Footprint = Footprint { length_m: 0.65, width_m: 0.5, corner_m: 0.05, mass_kg: 40.0 };

fn room() -> Floor {
    floor(RACK)
}

#[test]
fn rays_meet_the_legs_and_pass_between_them() {
    let floor = room();
    let leg = floor.look([1.0, 3.33], 0.0);
    assert_eq!(leg.thing, Thing::Rack);
    assert!((leg.distance_m - (2.0 - 0.33)).abs() < 1e-3, "{leg:?}");
    assert_eq!(floor.look([1.0, 3.0], 0.0).thing, Thing::Wall, "between the legs");
}

#[test]
fn a_robot_drives_beneath_takes_it_and_puts_it_down() {
    let mut floor = room();
    let robot = floor.physics.add_chassis(CARRIER, at(1.5, 3.0));
    floor.drive(&robot, 0.5, 3.0);
    let pose = floor.physics.pose(&robot);
    assert!(pose.distance_to(3.0, 3.0) < 0.02, "nothing stopped it: {pose:?}");
    let stood = floor.racks.take(&mut floor.physics, "A").unwrap();
    assert_eq!(stood, at(3.0, 3.0));
    assert!(floor.racks.at("A").unwrap().carried);
    let loaded = Footprint { length_m: 0.7, width_m: 0.74, corner_m: 0.02, mass_kg: 90.0 };
    floor.physics.set_footprint(&robot, loaded);
    floor.drive(&robot, 0.5, 2.0);
    assert_eq!(floor.look([1.0, 3.33], 0.0).thing, Thing::Robot, "the legs went with it");
    let east = floor.look([5.9, 3.0], 180.0);
    let bow = floor.physics.pose(&robot).x_m + 0.35;
    assert!((5.9 - east.distance_m - bow).abs() < 2e-3, "its outline grew: {east:?}");
    floor.physics.set_footprint(&robot, CARRIER);
    let here = floor.physics.pose(&robot);
    floor.racks.put(&mut floor.physics, "A", here, Some(&robot)).unwrap();
    floor.run(0.01);
    let rack = floor.racks.at("A").unwrap();
    assert!(!rack.carried && rack.pose == here);
    assert_eq!(floor.look([1.0, 3.33], 0.0).thing, Thing::Rack);
    floor.drive(&robot, -0.5, 3.0);
    assert!(floor.physics.pose(&robot).x_m < 2.6, "it leaves the rack where it is");
}

#[test]
fn a_footprint_keeps_pose_and_speed() {
    let mut floor = room();
    let robot = floor.physics.add_chassis(SMALL, at(1.0, 1.0));
    floor.drive(&robot, 0.4, 0.5);
    floor.physics.drive(&robot, 0.4, 0.2);
    let before = (floor.physics.pose(&robot), floor.physics.motion(&robot));
    floor.physics.set_footprint(&robot, CARRIER);
    assert_eq!((floor.physics.pose(&robot), floor.physics.motion(&robot)), before);
}

#[test]
fn a_refusal_has_a_reason() {
    let mut floor = room();
    let Floor { racks, physics, .. } = &mut floor;
    let unknown = racks.take(physics, "C").unwrap_err().to_string();
    assert!(unknown.contains("\"C\"") && unknown.contains("A, B"), "{unknown}");
    assert!(racks.put(physics, "A", at(1.0, 1.0), None).unwrap_err().to_string().contains("take it first"));
    racks.take(physics, "A").unwrap();
    assert!(racks.take(physics, "A").unwrap_err().to_string().contains("put it down first"));
    let blocked = racks.put(physics, "A", Pose2::new(3.2, 5.0, 0.3), None).unwrap_err().to_string();
    assert!(blocked.contains("a rack stands there, with its middle at x 3.00 m, y 5.00 m"), "{blocked}");
    let outside = racks.put(physics, "A", at(9.0, 3.0), None).unwrap_err().to_string();
    assert!(outside.contains("outside the room"), "{outside}");
    assert!(racks.at("A").unwrap().carried, "it is still carried");
}
