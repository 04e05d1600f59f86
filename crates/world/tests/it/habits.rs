//! What robots do unasked: follow, go along a route, go home when the charge is low.

use latimer_core::model::Kind;
use latimer_core::{Outcome, Timestamp};
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Habits, Pose2, Start, World, WorldFile};

use crate::lab::{Lab, id};

fn lab(more: &str, habits: Habits, at: Pose2) -> Lab {
    let file = WorldFile::parse(&format!("name = \"lab\"\nsize_m = [6.0, 6.0]\n{more}")).unwrap();
    let mut world = World::new(file, 42).unwrap();
    world.add_robot(id("m"), "misty", Start::At(at), habits).unwrap();
    Lab { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() }
}

#[test]
fn it_follows_a_walking_person_at_a_distance() {
    let walk = "[[people]]\nname = \"Anna\"\nstart_m = [2.5, 1.0]\nwalk_m = [[5.0, 1.0], [5.0, 5.0], [1.0, 5.0]]\nspeed_mps = 0.25";
    let habits = Habits { follow: Some("Anna".into()), ..Behaviour::Follow.into() };
    let mut lab = lab(walk, habits, Pose2::new(1.0, 1.0, 0.0));
    let mut farthest: f64 = 0.0;
    for _ in 0..40 {
        lab.run(1.0);
        let anna = lab.world.people_at().next().unwrap();
        let apart = lab.pose().distance_to(anna[0], anna[1]);
        assert!(apart > 0.4, "it came too near: {apart}");
        farthest = farthest.max(apart);
    }
    assert!(farthest < 2.0, "it lost her: {farthest}");
    assert!(lab.pose().distance_to(1.0, 1.0) > 3.0, "it came along to {:?}", lab.pose());
}

#[test]
fn it_goes_its_round_by_the_points() {
    let points = [[1.0, 1.0], [4.5, 1.0], [4.5, 4.0], [1.0, 4.0]];
    let habits = Habits { route_m: points.to_vec(), ..Behaviour::Patrol.into() };
    let mut lab = lab("", habits, Pose2::new(1.0, 1.0, 0.0));
    let mut nearest = [f64::INFINITY; 4];
    for _ in 0..1_200 {
        lab.run(0.1);
        for (near, [x, y]) in nearest.iter_mut().zip(points) {
            *near = near.min(lab.pose().distance_to(x, y));
        }
    }
    assert!(nearest.iter().all(|it| *it < 0.15), "{nearest:?}");
}

#[test]
fn it_goes_home_when_low_and_leaves_when_full() {
    let home = "[[walls]]\npoints_m = [[2.0, 0.0], [2.0, 3.5]]\n\
        [[chargers]]\nname = \"home\"\nposition_m = [0.5, 1.0]\nyaw_deg = 180.0\n";
    let habits = Habits { home_below_ratio: Some(0.3), ..Behaviour::Wander.into() };
    let mut lab = lab(home, habits, Pose2::new(4.0, 1.0, 0.0));
    lab.run(5.0);
    assert_eq!(lab.poke(Stimulus::Battery(0.25)), Outcome::Done);
    let charging =
        |lab: &Lab| lab.last(Kind::Battery, "").field("state").unwrap().as_str() == Some("charging");
    let docked = (0..180).any(|_| {
        lab.run(1.0);
        charging(&lab)
    });
    assert!(docked, "from the other room to the charger, but it is at {:?}", lab.pose());
    lab.run(60.0);
    assert!(charging(&lab), "it stays while it is not full");
    assert_eq!(lab.poke(Stimulus::Battery(0.95)), Outcome::Done);
    lab.run(12.0);
    assert!(!charging(&lab) && lab.pose().distance_to(0.5, 1.0) > 0.3, "{:?}", lab.pose());
}
