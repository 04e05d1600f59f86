//! A ray asks for what is real, virtual or both, and sees exactly that.

use latimer_core::model::Realities;
use latimer_world::config::Reality;
use latimer_world::physics::Thing;

use crate::floor::{Floor, SMALL, at, floor};

/// East of the middle: a virtual box, a real cylinder behind it, and the room's wall.
const ROW: &str = "[[boxes]]\ncenter_m = [3.0, 3.0]\nsize_m = [0.2, 1.0]\nreality = \"virtual\"\n\
                   [[cylinders]]\ncenter_m = [4.0, 3.0]\nradius_m = 0.2\n";

fn seen(floor: &Floor, realities: Realities) -> Option<(Thing, Reality)> {
    let hit = floor.physics.cast_in([1.0, 3.0], 0.0, 20.0, None, realities)?;
    Some((hit.thing, hit.reality))
}

#[test]
fn each_asks_for_its_own() {
    let floor = floor(ROW);
    assert_eq!(seen(&floor, Realities::Mixed), Some((Thing::Box, Reality::Virtual)));
    assert_eq!(seen(&floor, Realities::Virtual), Some((Thing::Box, Reality::Virtual)));
    assert_eq!(seen(&floor, Realities::Real), Some((Thing::Cylinder, Reality::Real)));
    let north = |realities| {
        let angle_rad = std::f64::consts::FRAC_PI_2;
        floor.physics.cast_in([1.0, 3.0], angle_rad, 20.0, None, realities).map(|hit| hit.thing)
    };
    assert_eq!(north(Realities::Real), Some(Thing::Wall), "the room is real");
    assert_eq!(north(Realities::Virtual), None);
}

#[test]
fn robots_belong_to_the_reality_that_they_were_put_into() {
    let mut floor = floor("[[people]]\nstart_m = [5.0, 3.0]");
    floor.physics.add_chassis_of(SMALL, at(2.0, 3.0), Reality::Virtual);
    floor.physics.add_chassis(SMALL, at(3.0, 3.0));
    floor.run(0.01);
    assert_eq!(seen(&floor, Realities::Virtual), Some((Thing::Robot, Reality::Virtual)));
    let real = floor.physics.cast_in([1.0, 3.0], 0.0, 20.0, None, Realities::Real).unwrap();
    assert!((real.distance_m - 1.85).abs() < 1e-3 && real.thing == Thing::Robot, "{real:?}");
    let behind = floor.physics.cast_in([4.0, 3.0], 0.0, 20.0, None, Realities::Real).unwrap();
    assert_eq!(behind.thing, Thing::Person, "people are real");
}

#[test]
fn all_of_them_collide() {
    let mut floor = floor(ROW);
    let robot = floor.physics.add_chassis(SMALL, at(2.0, 3.0));
    floor.drive(&robot, 0.5, 3.0);
    let x = floor.physics.pose(&robot).x_m;
    assert!((x - 2.75).abs() < 0.02, "the virtual box stopped it: {x}");
}

#[test]
fn mixed_sees_both() {
    for (realities, real, virtually) in
        [(Realities::Real, true, false), (Realities::Virtual, false, true), (Realities::Mixed, true, true)]
    {
        assert_eq!(
            (Reality::Real.is_among(realities), Reality::Virtual.is_among(realities)),
            (real, virtually)
        );
    }
}
