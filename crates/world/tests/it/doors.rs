//! Doors open for people and robots, stop rays while they are shut, and crush nothing.

use latimer_world::physics::{DoorState, Thing, Walls};
use latimer_world::{World, WorldFile};

use crate::floor::{Floor, SMALL, at, floor, room};

/// A wall across the room with an opening of 1.2 m, and more about the door in it.
fn with_door(more: &str) -> String {
    format!(
        "[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 2.4]]\n[[walls]]\npoints_m = [[3.0, 3.6], [3.0, 6.0]]\n\
         [[doors]]\nname = \"gate\"\npoints_m = [[3.0, 2.4], [3.0, 3.6]]\nopen_s = 1.0\n{more}\n"
    )
}

fn state(floor: &Floor) -> DoorState {
    floor.doors.iter().next().unwrap().state
}

#[test]
fn an_automatic_door_opens_for_a_robot_and_shuts_behind_it() {
    let mut floor = floor(&with_door("hold_s = 1.0"));
    let robot = floor.physics.add_chassis(SMALL, at(0.6, 3.0));
    floor.run(2.0);
    assert_eq!(state(&floor), DoorState::Closed, "2.4 m away");
    let hit = floor.look([1.5, 3.0], 0.0);
    assert_eq!(hit.thing, Thing::Door);
    assert!((hit.distance_m - (1.5 - 0.025)).abs() < 1e-3, "{hit:?}");
    floor.drive(&robot, 0.5, 8.0);
    assert!(floor.physics.pose(&robot).x_m > 4.5, "it drove through: {:?}", floor.physics.pose(&robot));
    assert_eq!(state(&floor), DoorState::Open, "it holds for a second");
    floor.run(0.8);
    assert_eq!(state(&floor), DoorState::Closing, "1.2 m behind it, and a second later");
    floor.run(1.2);
    assert_eq!(state(&floor), DoorState::Closed);
    assert_eq!(floor.look([1.5, 3.0], 0.0).thing, Thing::Door);
}

#[test]
fn rays_pass_a_door_as_far_as_it_is_open() {
    let mut floor = floor(&with_door("mode = \"manual\""));
    floor.doors.command("gate", true).unwrap();
    floor.run(0.5);
    let ratio = floor.doors.iter().next().unwrap().open_ratio;
    assert!((ratio - 0.5).abs() < 0.02, "half of a second's way: {ratio}");
    assert_eq!(floor.look([1.5, 2.6], 0.0).thing, Thing::Door, "it slides past its first point");
    assert_eq!(floor.look([1.5, 3.4], 0.0).thing, Thing::Wall, "of the room");
    floor.run(1.0);
    let through = floor.look([1.5, 2.6], 0.0);
    assert!((through.distance_m - 4.5).abs() < 1e-3, "{through:?}");
    floor.run(10.0);
    assert_eq!(state(&floor), DoorState::Open, "a manual door stays");
    floor.doors.command("gate", false).unwrap();
    floor.run(1.2);
    assert_eq!(state(&floor), DoorState::Closed);
}

#[test]
fn a_closing_door_that_meets_a_person_opens_again() {
    let mut floor = floor(&with_door("mode = \"manual\""));
    floor.doors.command("gate", true).unwrap();
    floor.run(1.5);
    let robot = floor.physics.add_chassis(SMALL, at(3.0, 3.0));
    floor.run(0.1);
    floor.doors.command("gate", false).unwrap();
    floor.run(0.5);
    assert_eq!(state(&floor), DoorState::Opening);
    floor.run(1.0);
    assert_eq!(state(&floor), DoorState::Open);
    let pose = floor.physics.pose(&robot);
    assert!(pose.distance_to(3.0, 3.0) < 1e-3, "nobody was moved: {pose:?}");
}

#[test]
fn a_locked_door_waits_for_a_command_and_locks_again() {
    let mut floor = floor(&with_door("locked = true\nhold_s = 0.5\nmac = \"02:00:00:00:00:01\""));
    let robot = floor.physics.add_chassis(SMALL, at(2.3, 3.0));
    floor.run(3.0);
    assert_eq!(state(&floor), DoorState::Closed, "whoever stands before it");
    floor.doors.command("gate", true).unwrap();
    floor.run(5.0);
    assert_eq!(state(&floor), DoorState::Open, "as long as somebody is there");
    floor.physics.place(&robot, at(0.5, 3.0));
    floor.run(2.0);
    assert_eq!(state(&floor), DoorState::Closed);
    let unknown = floor.doors.command("gat", true).unwrap_err();
    assert!(unknown.reason.contains("gate"), "{unknown}");
}

#[test]
fn people_wait_for_doors_and_doors_for_people() {
    let anna = |mode: &str| {
        let more = format!("mode = \"{mode}\"\n[[people]]\nstart_m = [1.0, 3.0]\nwalk_m = [[5.0, 3.0]]\n");
        let mut floor = floor(&with_door(&more));
        floor.run(9.0);
        floor.people.iter().next().unwrap().at[0]
    };
    assert_eq!(anna("auto"), 5.0, "it opened for her");
    assert!((2.3..2.8).contains(&anna("manual")), "she stands before it");
}

#[test]
fn a_shut_door_stops_sight_and_sound() {
    let file = room(&with_door("mode = \"manual\""));
    assert_eq!(Walls::new(&file).between([1.0, 3.0], [5.0, 3.0]), 1);
    let mut floor = floor(&with_door("mode = \"manual\""));
    let mut walls = Walls::new(&file);
    floor.doors.command("gate", true).unwrap();
    floor.run(0.4);
    walls.follow(&floor.doors);
    assert_eq!(walls.between([1.0, 3.0], [5.0, 3.0]), 1, "less than half open");
    floor.run(0.4);
    walls.follow(&floor.doors);
    assert_eq!(walls.between([1.0, 3.0], [5.0, 3.0]), 0);
}

#[test]
fn a_world_is_found_by_name() {
    let mut world = World::builtin("demo", 1).unwrap();
    world.open_door("workshop", true).unwrap();
    assert_eq!(world.doors().iter().next().unwrap().state, DoorState::Opening);
    assert!(world.open_door("roof", true).unwrap_err().reason.contains("workshop"));
    let bare = World::new(WorldFile::builtin("empty").unwrap(), 1).unwrap().open_door("x", true);
    assert!(bare.unwrap_err().reason.contains("no doors"));
}
