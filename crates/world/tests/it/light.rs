//! Light falls with distance, is shaded by what is tall enough, and can be switched.

use latimer_world::World;
use latimer_world::physics::Lights;

use crate::floor::{SMALL, at, floor, room};

const LAMP: &str =
    "ambient = 0.1\n[[lights]]\nname = \"lamp\"\nposition_m = [1.0, 3.0]\nheight_m = 2.0\nlevel = 0.6\n";

fn close(level: f64, wanted: f64) -> bool {
    (level - wanted).abs() < 1e-6
}

#[test]
fn it_falls_with_the_square_of_the_distance() {
    let (floor, lights) = (floor(LAMP), Lights::new(&room(LAMP)));
    let level = |point, facing: Option<f64>| {
        lights.level_at(&floor.physics, point, facing.map(f64::to_radians), None)
    };
    assert!(close(level([1.0, 3.0, 0.0], None), 0.7), "below the lamp");
    let aside = 0.6 * 4.0 / (9.0 + 4.0);
    assert!(close(level([4.0, 3.0, 0.0], None), 0.1 + aside));
    let towards = aside * 3.0 / 13.0_f64.sqrt();
    assert!(close(level([4.0, 3.0, 0.0], Some(180.0)), 0.1 + towards), "the lamp is ahead and above");
    assert!(close(level([4.0, 3.0, 0.0], Some(0.0)), 0.1), "it looks away");
    assert!(close(level([1.0, 3.0, 1.9], None), 1.0), "no more than all");
}

#[test]
fn what_is_tall_enough_makes_a_shadow() {
    let wall = format!("{LAMP}[[walls]]\npoints_m = [[3.0, 0.0], [3.0, 6.0]]\n");
    let (walled, lights) = (floor(&wall), Lights::new(&room(LAMP)));
    assert!(close(lights.level_at(&walled.physics, [4.0, 3.0, 0.1], None, None), 0.1), "ambient only");
    let behind = |height_m: f64| {
        let more =
            format!("{LAMP}[[boxes]]\ncenter_m = [3.0, 3.0]\nsize_m = [0.2, 1.0]\nheight_m = {height_m:?}\n");
        lights.level_at(&floor(&more).physics, [4.0, 3.0, 0.1], None, None)
    };
    assert!(close(behind(1.2), 0.1), "the way to the lamp is 0.8 m above the floor there");
    assert!(behind(0.4) > 0.2);
    let mut crowded = floor(LAMP);
    let own = crowded.physics.add_chassis(SMALL, at(4.0, 3.0));
    let other = crowded.physics.add_chassis(SMALL, at(3.7, 3.0));
    crowded.run(0.01);
    let level = |asking| lights.level_at(&crowded.physics, [4.0, 3.0, 0.1], None, asking);
    assert!(close(level(Some(&own)), 0.1), "the other robot is before it");
    assert!(close(level(None), 0.1));
    crowded.physics.place(&other, at(2.0, 1.0));
    crowded.run(0.01);
    let level = lights.level_at(&crowded.physics, [4.0, 3.0, 0.1], None, Some(&own));
    assert!(level > 0.2, "it does not shade itself: {level}");
}

#[test]
fn a_shut_door_keeps_the_light_in() {
    let door =
        format!("{LAMP}[[doors]]\nname = \"d\"\nmode = \"manual\"\npoints_m = [[3.0, 1.0], [3.0, 5.0]]\n");
    let (mut floor, lights) = (floor(&door), Lights::new(&room(LAMP)));
    let level = |floor: &crate::floor::Floor| lights.level_at(&floor.physics, [4.0, 4.5, 0.1], None, None);
    assert!(close(level(&floor), 0.1));
    floor.doors.command("d", true).unwrap();
    floor.run(2.0);
    assert!(level(&floor) > 0.15);
}

#[test]
fn lamps_are_switched_by_name() {
    let mut world = World::new(room(LAMP), 1).unwrap();
    assert!(world.lights().iter().next().unwrap().on);
    world.switch_light("lamp", false).unwrap();
    assert!(!world.lights().iter().next().unwrap().on);
    assert!(world.switch_light("lap", true).unwrap_err().reason.contains("the lights are: lamp"));
    let mut lights = Lights::new(&room(LAMP));
    lights.switch("lamp", false).unwrap();
    assert!(close(lights.level_at(&floor("").physics, [1.0, 3.0, 0.0], None, None), 0.1));
}
