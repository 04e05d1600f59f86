//! Whole worlds: the same twice, and safe for a long time.

use latimer_core::Timestamp;
use latimer_core::model::signal::TrainingMessage;
use latimer_core::model::{Command, Kind};
use latimer_dialects::misty::calls::{DetectFaces, TrainFace};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Start, World};

use crate::lab::{Lab, id, lab, own, seconds};

fn demo(seed: u64, behaviour: Behaviour) -> Lab {
    let mut world = World::builtin("demo", seed).unwrap();
    world.add_robot(id("m"), "misty", Start::Anywhere, behaviour).unwrap();
    Lab { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() }
}

#[test]
fn the_same_seed_and_commands_publish_the_same() {
    let live = |seed: u64| {
        let mut lab = demo(seed, Behaviour::Wander);
        lab.world.add_robot(id("n"), "misty", Start::Anywhere, Behaviour::Patrol).unwrap();
        lab.run(3.0);
        lab.drive(0.2, 0.3);
        lab.poke(Stimulus::Face { label: None, bearing_rad: 0.1, distance_m: 1.0, hold: seconds(5.0) });
        lab.ask(own(DetectFaces { on: true }));
        lab.run(20.0);
        (lab.received, lab.world.true_pose(&id("m")))
    };
    let (first, second, other) = (live(7), live(7), live(8));
    assert!(first.0.len() > 10_000);
    assert!(first == second);
    assert!(first != other);
}

/// Wanders for a time; tells the way it went. It must never fall, and never leave the room.
fn wander(seed: u64, minutes: u32) -> f64 {
    let mut lab = demo(seed, Behaviour::Wander);
    let mut way = 0.0;
    let mut last = lab.pose();
    for _ in 0..minutes * 60 {
        lab.run(1.0);
        let pose = lab.pose();
        way += pose.distance_to(last.x_m, last.y_m);
        last = pose;
        assert!((0.1..13.9).contains(&pose.x_m) && (0.1..5.9).contains(&pose.y_m), "left the room: {pose:?}");
        assert!(!((6.2..8.0).contains(&pose.x_m) && pose.y_m < 1.6), "fell down the stairs: {pose:?}");
        lab.forget();
    }
    way
}

#[test]
fn ten_minutes_of_wandering_are_safe() {
    let ways: Vec<f64> = [1, 2, 3].map(|seed| wander(seed, 10)).to_vec();
    assert!(ways.iter().all(|way| *way > 25.0), "it got about: {ways:?}");
}

#[test]
fn a_patrol_comes_back() {
    let mut lab = lab("", 2.0, 2.0, 0.0);
    lab.world = {
        let mut world = World::builtin("empty", 5).unwrap();
        let start = Start::At(latimer_world::Pose2::new(2.0, 2.0, 0.0));
        world.add_robot(id("m"), "misty", start, Behaviour::Patrol).unwrap();
        world
    };
    let mut farthest: f64 = 0.0;
    let mut nearest_later = f64::INFINITY;
    for second in 0..40 {
        lab.run(1.0);
        let distance = lab.pose().distance_to(2.0, 2.0);
        farthest = farthest.max(distance);
        if second > 15 {
            nearest_later = nearest_later.min(distance);
        }
    }
    assert!((1.2..1.7).contains(&farthest), "the square's diagonal: {farthest}");
    assert!(nearest_later < 0.3, "{nearest_later}");
}

#[test]
fn a_command_takes_over_for_a_while() {
    let mut lab = demo(3, Behaviour::Wander);
    lab.run(5.0);
    lab.stop();
    lab.run(1.0);
    let stood = lab.pose();
    lab.run(8.0);
    assert!(lab.pose().distance_to(stood.x_m, stood.y_m) < 0.01);
    lab.run(8.0);
    assert!(lab.pose().distance_to(stood.x_m, stood.y_m) > 0.05, "after 10 s it wanders on");
}

#[test]
fn every_command_is_answered_and_nothing_is_said_by_ghosts() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    assert!(!lab.world.command(&id("ghost"), Command::Volume(0.5)).is_ok());
    lab.ask(own(TrainFace { label: "A".into() }));
    lab.run(5.0);
    assert!(lab.received.iter().all(|it| it.robot == id("m")));
    let messages = lab.all(Kind::FaceTraining, "");
    assert!(messages.iter().any(|it| format!("{it:?}").contains(&format!("{:?}", TrainingMessage::Warning))));
}
