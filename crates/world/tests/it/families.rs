//! All families in one world: they live together, and the same run is the same run.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use latimer_core::model::{CameraSettings, Command, TaskRequest};
use latimer_core::{Timestamp, Update};
use latimer_simulator_api::{Happening, Stimulus};
use latimer_testing::rounds;
use latimer_world::bodies::{self, Demand};
use latimer_world::camera::FrameEncoder;
use latimer_world::{Behaviour, Habits, Pose2, Start, World};

use crate::lab::id;

const ROBOTS: [(&str, &str, &str); 6] = [
    ("misty-1", "misty", "living"),
    ("axbot-1", "axbot", "workshop"),
    ("pera-1", "pera", "arena-1"),
    ("pera-2", "pera", "arena-2"),
    ("miro-1", "miro", "bedroom"),
    ("robotkoop-1", "robotkoop", "kitchen"),
];

fn flat(seed: u64) -> World {
    let mut world = World::builtin("demo", seed).unwrap();
    for (name, kind, spawn) in ROBOTS {
        let habits = match kind {
            "axbot" => {
                let route_m = vec![[9.4, 2.7], [7.0, 2.7], [9.4, 2.7], [11.4, 2.7]];
                Habits { route_m, ..Behaviour::Patrol.into() }
            }
            _ => Behaviour::Wander.into(),
        };
        world.add_robot(id(name), kind, Start::Spawn(spawn.into()), habits).unwrap();
    }
    world
}

fn step(world: &mut World, steps: u64, from: u64, mut each: impl FnMut(&mut Vec<Update>)) {
    let mut updates = Vec::new();
    for number in from..from + steps {
        let now = Timestamp::from_nanos(1_800_000_000_000_000_000).after(Duration::from_millis(10 * number));
        world.step(now, &mut updates);
        each(&mut updates);
        updates.clear();
    }
}

/// A digest of all that is said in a run in which things happen, pictures included.
fn run(seed: u64) -> (usize, u64) {
    let mut world = flat(seed);
    // Misty's camera as pixels and as files, small ones: the tests' build is slow at drawing.
    let pictures = Demand::EVERY_KIND.with_stream(0).with_stream(1);
    world.listen(ROBOTS.map(|(_, kind, _)| if kind == "misty" { pictures } else { Demand::EVERY_KIND }));
    let small = CameraSettings { size: Some([32, 24]), rate_hz: Some(2.0), part: None };
    assert!(world.command(&id("misty-1"), Command::Camera(small)).is_ok());
    let (mut digest, mut count, mut frame_encoder) = (DefaultHasher::new(), 0, FrameEncoder::default());
    let mut published = |updates: &mut Vec<Update>| {
        count += updates.len();
        updates.iter().for_each(|update| format!("{update:?}").hash(&mut digest));
    };
    for second in 0..12_u64 {
        if second == 3 {
            let task = TaskRequest {
                id: "t".into(),
                kind: "bring".into(),
                parameters: vec![("object".into(), "coke".into())],
                asker: None,
                priority: 3,
            };
            assert!(world.command(&id("robotkoop-1"), Command::Task(task)).is_ok());
            assert!(world.happen(Happening::Door { name: "workshop".into(), open: true }).is_ok());
            assert!(world.poke(&id("misty-1"), Stimulus::Battery(0.5)).is_ok());
        }
        step(&mut world, 100, second * 100, &mut published);
        let mut pictures = Vec::new();
        world.develop(&mut frame_encoder, &mut pictures);
        published(&mut pictures);
    }
    (count, digest.finish())
}

#[test]
fn every_kind_of_body_is_here() {
    for kind in bodies::families() {
        assert!(ROBOTS.iter().any(|(_, known, _)| *known == kind), "{kind} is not in this test");
    }
}

#[test]
fn the_same_seed_is_the_same_run_to_the_last_bit() {
    let (count, digest) = run(7);
    assert!(count > 10_000, "{count}");
    assert_eq!(run(7), (count, digest));
    assert_ne!(run(8).1, digest);
}

#[test]
fn they_live_together_for_minutes() {
    let mut world = flat(3);
    world.listen(ROBOTS.map(|_| Demand::NOTHING));
    let mut far = ROBOTS.map(|_| 0.0_f64);
    let mut last: Vec<Pose2> = ROBOTS.iter().map(|(name, ..)| world.true_pose(&id(name)).unwrap()).collect();
    let mut stood: Vec<(Pose2, u64)> = last.iter().map(|pose| (*pose, 0)).collect();
    let seconds = u64::from(60 * rounds(2));
    for second in 0..seconds {
        step(&mut world, 100, second * 100, |_| {});
        for (number, (name, kind, _)) in ROBOTS.iter().enumerate() {
            let pose = world.true_pose(&id(name)).unwrap();
            assert!(world.file().contains(pose.x_m, pose.y_m), "{name} left the room: {pose:?}");
            if *kind == "pera" {
                let off_m = pose.distance_to(12.95, 4.95);
                assert!(off_m < 1.3, "{name} is still about its arena: {pose:?}");
            }
            far[number] += pose.distance_to(last[number].x_m, last[number].y_m);
            last[number] = pose;
            let (place, since) = &mut stood[number];
            if pose.distance_to(place.x_m, place.y_m) > 0.1 {
                (*place, *since) = (pose, second);
            }
            assert!(second - *since < 60, "{name} has not moved since second {since}: {pose:?}");
        }
    }
    for ((name, ..), far_m) in ROBOTS.iter().zip(far) {
        assert!(far_m > 0.01 * seconds as f64, "{name} went {far_m} m in {seconds} s");
    }
}

#[test]
fn a_wandering_robot_avoids_stairs_that_no_scanner_sees() {
    for (kind, seed) in [("robotkoop", 1), ("axbot", 7)] {
        let mut world = World::builtin("demo", seed).unwrap();
        let start = Start::At(Pose2::new(6.6, 2.8, -1.57));
        world.add_robot(id("m"), kind, start, Behaviour::Wander).unwrap();
        world.listen([Demand::NOTHING]);
        for second in 0..u64::from(rounds(200)) {
            step(&mut world, 100, second * 100, |_| {});
            let pose = world.true_pose(&id("m")).unwrap();
            let over = (6.2..8.0).contains(&pose.x_m) && pose.y_m < 1.6;
            assert!(!over, "a {kind} drove down the stairs after {second} s: {pose:?}");
        }
    }
}

#[test]
fn a_swarm_in_its_arena_keeps_moving() {
    let mut world = World::builtin("demo", 1).unwrap();
    let names = ["arena-1", "arena-2", "arena-3", "arena-4"];
    for name in names {
        world.add_robot(id(name), "pera", Start::Spawn(name.into()), Behaviour::Wander).unwrap();
    }
    world.listen([Demand::NOTHING; 4]);
    let mut last = names.map(|name| world.true_pose(&id(name)).unwrap());
    for minute in 0..40_u64 {
        let mut way_m = [0.0; 4];
        for second in 0..60 {
            step(&mut world, 100, (minute * 60 + second) * 100, |_| {});
            for ((name, way_m), last) in names.iter().zip(&mut way_m).zip(&mut last) {
                let pose = world.true_pose(&id(name)).unwrap();
                *way_m += pose.distance_to(last.x_m, last.y_m);
                *last = pose;
            }
        }
        assert!(way_m.iter().all(|way_m| *way_m > 0.1), "minute {minute}: {way_m:?} m, at {last:?}");
    }
}
