//! Things are put, moved and taken away while the world runs.

use latimer_core::model::RefusalCode;
use latimer_world::config::{Color, Reality};
use latimer_world::physics::{Obstacle, Shape, Thing};
use latimer_world::{Behaviour, Pose2, Start, World};

use crate::floor::{at, floor, room};
use crate::lab::id;

const BOX: Obstacle = Obstacle {
    shape: Shape::Box { size_m: [0.4, 0.2] },
    pose: Pose2::new(3.0, 3.0, 0.0),
    color: Color([1, 2, 3]),
    reality: Reality::Virtual,
    height_m: 0.5,
};

#[test]
fn what_is_put_is_met_where_it_is_until_it_is_removed() {
    let mut floor = floor("");
    let physics = &mut floor.physics;
    floor.obstacles.put(physics, "crate", BOX).unwrap();
    physics.step();
    let hit = floor.look([1.0, 3.0], 0.0);
    assert!((hit.distance_m - 1.8).abs() < 1e-3, "{hit:?}");
    assert_eq!((hit.thing, hit.color, hit.reality), (Thing::Box, BOX.color, Reality::Virtual));
    assert!((hit.height_m - 0.5).abs() < 1e-9);
    let turned = Pose2::new(4.0, 3.0, std::f64::consts::FRAC_PI_2);
    floor.obstacles.shift(&mut floor.physics, "crate", turned).unwrap();
    floor.run(0.01);
    let hit = floor.look([1.0, 3.0], 0.0);
    assert!((hit.distance_m - 2.9).abs() < 1e-3, "{hit:?}");
    floor.obstacles.remove(&mut floor.physics, "crate").unwrap();
    floor.run(0.01);
    assert!((floor.look([1.0, 3.0], 0.0).distance_m - 5.0).abs() < 1e-3);
    let disc = Obstacle { shape: Shape::Cylinder { radius_m: 0.25 }, ..BOX };
    floor.obstacles.put(&mut floor.physics, "crate", disc).unwrap();
    floor.run(0.01);
    let hit = floor.look([1.0, 3.0], 0.0);
    assert!((hit.distance_m - 1.75).abs() < 1e-3 && hit.thing == Thing::Cylinder, "{hit:?}");
}

#[test]
fn named_things_of_the_file_move_too() {
    let more = "[[boxes]]\nname = \"stool\"\ncenter_m = [3.0, 3.0]\nsize_m = [0.4, 0.4]\n\
                [[boxes]]\nname = \"parcel\"\ncenter_m = [3.0, 1.0]\nsize_m = [0.4, 0.4]\nmovable = true\n\
                [[cylinders]]\nname = \"vase\"\ncenter_m = [3.0, 5.0]\nradius_m = 0.1\n";
    let mut floor = floor(more);
    let names: Vec<&str> = floor.obstacles.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["stool", "parcel", "vase"]);
    for (name, y) in [("stool", 3.0), ("parcel", 1.0), ("vase", 5.0)] {
        floor.obstacles.shift(&mut floor.physics, name, at(2.0, y)).unwrap();
    }
    floor.run(0.02);
    for (y, distance_m) in [(3.0, 0.8), (1.0, 0.8), (5.0, 0.9)] {
        let hit = floor.look([1.0, y], 0.0);
        assert!((hit.distance_m - distance_m).abs() < 1e-3, "{hit:?}");
    }
    let parcel = floor.obstacles.iter().find(|it| it.name == "parcel").unwrap();
    assert!(parcel.pose(&floor.physics).distance_to(2.0, 1.0) < 1e-6);
    floor.obstacles.remove(&mut floor.physics, "parcel").unwrap();
    floor.run(0.02);
    assert_eq!(floor.look([1.0, 1.0], 0.0).thing, Thing::Wall);
}

#[test]
fn a_refusal_has_a_reason() {
    let mut world = World::new(room(""), 1).unwrap();
    world.add_robot(id("m"), "misty", Start::At(at(3.0, 3.0)), Behaviour::Stand).unwrap();
    let on_robot = world.put_obstacle("crate", BOX).unwrap_err();
    assert!(
        on_robot.reason.contains("another robot stands there") && on_robot.reason.contains("another place"),
        "{on_robot}"
    );
    assert_eq!(on_robot.code, RefusalCode::NotNow, "the robot may drive on");
    let far = Obstacle { pose: at(9.0, 1.0), ..BOX };
    let outside = world.put_obstacle("crate", far).unwrap_err();
    assert!(outside.reason.contains("outside the room, which is 6 × 6 m"), "{outside}");
    assert_eq!(outside.code, RefusalCode::BadArgument);
    let thin = Obstacle { shape: Shape::Cylinder { radius_m: 0.0 }, pose: at(1.0, 1.0), ..BOX };
    assert!(world.put_obstacle("crate", thin).unwrap_err().reason.contains("length in metres"));
    assert!(world.put_obstacle("crate", Obstacle { height_m: f64::NAN, ..BOX }).is_err());
    assert!(world.shift_obstacle("crate", at(1.0, 1.0)).unwrap_err().reason.contains("put one first"));
    world.put_obstacle("crate", Obstacle { pose: at(1.0, 1.0), ..BOX }).unwrap();
    let again = world.put_obstacle("crate", Obstacle { pose: at(5.0, 5.0), ..BOX }).unwrap_err();
    assert!(again.reason.contains("already"), "{again}");
    assert!(world.shift_obstacle("crate", at(3.0, 3.0)).unwrap_err().reason.contains("another robot"));
    assert!(world.remove_obstacle("crat").unwrap_err().reason.contains("there are: crate"));
    world.shift_obstacle("crate", at(1.1, 1.0)).unwrap();
    world.remove_obstacle("crate").unwrap();
    assert_eq!(world.obstacles().iter().count(), 0);
}
