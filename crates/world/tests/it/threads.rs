//! However many threads the robots of a step are spread over, the same comes of it to the last bit.

use std::num::NonZeroUsize;
use std::time::Duration;

use latimer_core::{Timestamp, Update};
use latimer_world::bodies::{Demand, families};
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

use crate::lab::id;

/// Robots of each kind, so near to each other that they meet, and enough to be spread.
const OF_A_KIND: usize = 9;

const STEPS: u32 = 120;

/// A room of 12 by 10 metres with a wall, things to push, a drop, a door and a person.
const ROOM: &str = "name = \"room\"\nsize_m = [12.0, 10.0]\n\
    [[walls]]\npoints_m = [[6.0, 0.0], [6.0, 4.5]]\n\
    [[walls]]\npoints_m = [[6.0, 5.5], [6.0, 10.0]]\n\
    [[doors]]\nname = \"door\"\npoints_m = [[6.0, 4.5], [6.0, 5.5]]\n\
    [[boxes]]\ncenter_m = [3.05, 3.05]\nsize_m = [0.3, 0.3]\nmovable = true\nmass_kg = 1.0\n\
    [[drops]]\npolygon_m = [[11.0, 0.0], [12.0, 0.0], [12.0, 1.0], [11.0, 1.0]]\ndepth_m = 0.2\n\
    [[people]]\nstart_m = [2.0, 9.5]\nwalk_m = [[2.0, 9.5], [4.5, 9.5]]\n";

/// What robots said and showed in a step, and where they are after it.
type Lived = (Vec<Update>, Vec<String>, Vec<[u64; 3]>);

fn live(threads: usize) -> Vec<Lived> {
    let world = World::new(WorldFile::parse(ROOM).unwrap(), 1).unwrap();
    let mut world = world.on_threads(NonZeroUsize::new(threads).unwrap());
    let kinds: Vec<&str> = families().collect();
    let count = OF_A_KIND * kinds.len();
    let robots: Vec<_> = (0..count).map(|number| id(&format!("r{number}"))).collect();
    let mut seats = (0..).map(|seat| {
        let at = |number: u32, off_m: f64| off_m + f64::from(number) * 0.9;
        Pose2::new(at(seat % 12, 0.7), at(seat / 12, 0.7), f64::from(seat))
    });
    for (robot, kind) in robots.iter().zip(kinds.iter().cycle()) {
        let mut put = |at| world.add_robot(robot.clone(), kind, Start::At(at), Behaviour::Wander);
        assert!(seats.by_ref().take(120).any(|at| put(at).is_ok()), "no seat for {robot}");
    }
    // With the first streams of each, which are scans and cameras.
    let demand = (0..4).fold(Demand::EVERY_KIND, Demand::with_stream);
    world.listen(robots.iter().map(|_| demand));
    let step = |number: u32| {
        let mut said = Vec::new();
        let now = Timestamp::from_nanos(0).after(Duration::from_millis(10) * number);
        world.step(now, &mut said);
        let shown = world.take_shots().iter().map(|shot| format!("{} {}", shot.robot, shot.part)).collect();
        let place = |robot| {
            let at = world.true_pose(robot).unwrap();
            [at.x_m, at.y_m, at.yaw_rad].map(f64::to_bits)
        };
        (said, shown, robots.iter().map(place).collect())
    };
    (0..STEPS).map(step).collect()
}

#[test]
fn one_thread_two_and_four_give_the_same_to_the_last_bit() {
    let alone = live(1);
    assert!(alone.iter().any(|(_, shown, _)| !shown.is_empty()), "cameras are looked through");
    for threads in [2, 4] {
        for (step, (one, other)) in alone.iter().zip(live(threads)).enumerate() {
            let text = |said: &[Update]| said.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>();
            for (one, other) in text(&one.0).iter().zip(text(&other.0)) {
                assert_eq!(*one, other, "step {step} on {threads} threads");
            }
            assert_eq!(one.0.len(), other.0.len(), "step {step} on {threads} threads");
            assert_eq!((&one.1, &one.2), (&other.1, &other.2), "step {step} on {threads} threads");
        }
    }
}
