//! The worlds that come with the program: robots find room where they shall start and stand, and their way.

use std::collections::{HashSet, VecDeque};

use latimer_core::Timestamp;
use latimer_world::physics::{DoorState, Doors, FloorPlan, Footprint, People, Physics, Racks};
use latimer_world::{Pose2, World, WorldFile};

/// Distance between the points of the grid on which ways are looked for, metres.
const GRID_M: f64 = 0.1;

/// A household robot; a delivery robot is as wide.
const ROBOT: Footprint = Footprint { length_m: 0.5, width_m: 0.5, corner_m: 0.24, mass_kg: 20.0 };

struct Open {
    physics: Physics,
    floor: FloorPlan,
}

/// A world with its doors open and without its people.
fn open(file: &WorldFile) -> Open {
    let mut physics = Physics::new(file);
    let (mut doors, _) = (Doors::new(file, &mut physics), Racks::new(file, &mut physics));
    let nobody = People::default();
    for door in &file.doors {
        doors.command(&door.name, true).unwrap();
    }
    for _ in 0..300 {
        doors.step(&mut physics, &nobody);
        physics.step();
    }
    Open { physics, floor: FloorPlan::new(file) }
}

impl Open {
    fn is_free(&self, outline: Footprint, [x, y]: [f64; 2]) -> bool {
        let around = [[0.25, 0.0], [-0.25, 0.0], [0.0, 0.25], [0.0, -0.25]];
        around.iter().all(|[dx, dy]| self.floor.at(x + dx, y + dy).depth_m == 0.0)
            && self.physics.in_the_way(outline, Pose2::new(x, y, 0.0), None).is_none()
    }

    /// The points of the grid that can be driven to from a point.
    fn ways(&self, start: [f64; 2]) -> HashSet<[i32; 2]> {
        let first = start.map(|at| (at / GRID_M).round() as i32);
        let (mut seen, mut next) = (HashSet::from([first]), VecDeque::from([first]));
        while let Some([x, y]) = next.pop_front() {
            for step in [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] {
                if !seen.contains(&step) && self.is_free(ROBOT, step.map(|at| f64::from(at) * GRID_M)) {
                    seen.insert(step);
                    next.push_back(step);
                }
            }
        }
        seen
    }
}

#[test]
fn every_place_spawn_and_charger_can_be_driven_to() {
    for name in ["demo", "warehouse"] {
        let file = WorldFile::builtin(name).unwrap();
        let world = open(&file);
        let ways = world.ways(file.spawns[0].position_m);
        let spawns = file.spawns.iter().filter(|it| it.frame.is_none()).map(|it| (&it.name, it.position_m));
        let chargers = file.chargers.iter().map(|it| (&it.name, it.position_m));
        let places = file.places.iter().map(|it| (&it.name, it.position_m));
        let barcodes = file.barcodes.iter().map(|it| (&it.id, it.position_m));
        for (what, at) in spawns.chain(chargers).chain(places).chain(barcodes) {
            assert!(ways.contains(&at.map(|at| (at / GRID_M).round() as i32)), "{name}: {what} at {at:?}");
        }
    }
}

#[test]
fn small_robots_have_room_in_their_arenas() {
    let small = Footprint { length_m: 0.1, width_m: 0.1, corner_m: 0.02, mass_kg: 0.3 };
    for name in ["demo", "arena"] {
        let file = WorldFile::builtin(name).unwrap();
        let world = open(&file);
        let arena = file.frame("arena").unwrap();
        let spawns: Vec<_> = file.spawns.iter().filter(|it| it.frame.is_some()).collect();
        assert!(spawns.len() >= 4);
        for spawn in spawns {
            let [x, y] = arena.pose().point_in(spawn.position_m[0], spawn.position_m[1]);
            assert!(x.abs() < 0.9 && y.abs() < 0.9, "{name}: {}", spawn.name);
            assert!(world.is_free(small, spawn.position_m), "{name}: {}", spawn.name);
        }
    }
}

#[test]
fn a_delivery_robot_fits_beneath_every_rack() {
    let carrier = Footprint { length_m: 0.65, width_m: 0.5, corner_m: 0.05, mass_kg: 40.0 };
    for name in ["demo", "warehouse"] {
        let file = WorldFile::builtin(name).unwrap();
        let world = open(&file);
        for rack in &file.racks {
            let pose = rack.pose();
            let [x, y] = pose.point_out(-0.9, 0.0);
            for at in [pose, Pose2::new(x, y, pose.yaw_rad)] {
                assert_eq!(world.physics.in_the_way(carrier, at, None), None, "{name}: {}", rack.name);
            }
        }
    }
}

#[test]
fn all_robots_get_round_through_the_doors() {
    for (name, number, farthest) in [("demo", 1, [7.2, 2.7]), ("warehouse", 0, [20.0, 1.4])] {
        let mut world = World::builtin(name, 1).unwrap();
        let (mut received, mut opened) = (Vec::new(), false);
        let there = (0..60 * 100).any(|_| {
            world.step(Timestamp::from_nanos(0), &mut received);
            opened |= world.doors().iter().any(|door| door.state == DoorState::Open);
            world.people_at().nth(number) == Some(farthest)
        });
        assert!(there && opened, "{name}: {:?}", world.people_at().collect::<Vec<_>>());
        let shut = (0..60 * 100).any(|_| {
            world.step(Timestamp::from_nanos(0), &mut received);
            world.doors().iter().all(|door| door.state == DoorState::Closed)
        });
        assert!(shut, "{name}: the door closes again");
    }
}
