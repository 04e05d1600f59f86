//! The world held against the laws that anybody can check: geometry, braking, the book-keeping of energy.

use std::f64::consts::TAU;

use latimer_core::model::{Realities, SenseRequest, Sensing, Signal};
use latimer_core::{Outcome, Update};
use latimer_simulator_api::{Stimulus, WorldRequest, WorldResponse};
use latimer_world::{World, WorldFile};

use crate::lab::{Lab, id, lab};

/// Length of the room's sides and where the robot stands.
const ROOM_M: [f64; 2] = [5.0, 3.0];
const AT: [f64; 2] = [1.3, 1.1];

/// From a point to the walls of the room in a direction, by school geometry.
fn to_the_walls(bearing_rad: f64) -> f64 {
    let (sin, cos) = bearing_rad.sin_cos();
    let along = |at: f64, far: f64, part: f64| match part {
        part if part > 1e-12 => (far - at) / part,
        part if part < -1e-12 => -at / part,
        _ => f64::INFINITY,
    };
    along(AT[0], ROOM_M[0], cos).min(along(AT[1], ROOM_M[1], sin))
}

#[test]
fn a_wall_is_as_far_as_geometry_says_at_any_angle() {
    let text = format!("name = \"box\"\nsize_m = {ROOM_M:?}");
    let mut world = World::new(WorldFile::parse(&text).unwrap(), 1).unwrap();
    // The robot turns, too: neither its heading nor where it looks may matter.
    for turn in 0..12 {
        let yaw_rad = f64::from(turn) * 0.531;
        let robot = id(&format!("r{turn}"));
        let pose = [AT[0], AT[1], yaw_rad];
        let reality = Realities::Real;
        let embody =
            WorldRequest::Embody { robot: robot.clone(), kind: "misty".into(), pose, frame: None, reality };
        assert_eq!(world.ask(embody), Ok(WorldResponse::Done));
        world.step(latimer_core::Timestamp::from_nanos(0), &mut Vec::new());
        let bearings_rad: Vec<f64> = (0..360).map(|degree| f64::from(degree).to_radians()).collect();
        let what = Sensing::Proximity { bearings_rad: bearings_rad.clone() };
        let request = SenseRequest { what, realities: Realities::Mixed };
        let Ok(WorldResponse::Sensed(readings)) =
            world.ask(WorldRequest::Sense { robot: robot.clone(), request })
        else {
            panic!()
        };
        let shell = latimer_world::bodies::find("misty").unwrap().footprint;
        let mut worst: f64 = 0.0;
        for (reading, bearing_rad) in readings.iter().step_by(2).zip(&bearings_rad) {
            let Signal::Range(range) = &reading.signal else { panic!() };
            let exact = to_the_walls(yaw_rad + bearing_rad) - shell.edge_m(*bearing_rad);
            worst = worst.max((range.distance_m.unwrap() - exact).abs());
        }
        assert!(worst < 1e-3, "turned by {yaw_rad}: {worst} m");
        assert_eq!(world.ask(WorldRequest::Release(robot)), Ok(WorldResponse::Done));
    }
}

#[test]
fn braking_takes_the_way_that_speed_and_deceleration_say() {
    // Misty brakes at 3 m/s².
    for speed_mps in [0.1, 0.2, 0.3, 0.45] {
        let mut lab = lab("", 0.6, 3.0, 0.0);
        lab.drive(speed_mps, 0.0);
        lab.run(3.0);
        let from_m = lab.pose().x_m;
        lab.stop();
        lab.run(1.0);
        let way_m = lab.pose().x_m - from_m;
        let exact_m = speed_mps * speed_mps / (2.0 * 3.0);
        // Steps of a hundredth of a second: the way of one of them is as near as it can be.
        assert!((way_m - exact_m).abs() <= speed_mps * 0.01, "{speed_mps} m/s: {way_m} m, not {exact_m} m");
    }
}

/// Charge that went in or out, ampere-hours, by the published currents; and by the published charges,
/// of a capacity.
fn charge_books(lab: &mut Lab, seconds: f64, capacity_ah: f64) -> (f64, f64) {
    let battery = |update: &Update| match &update.signal {
        Signal::Battery(battery) => Some(battery.clone()),
        _ => None,
    };
    lab.forget().run(seconds);
    let published: Vec<_> = lab.received.iter().filter_map(battery).collect();
    let by_current: f64 = published.iter().skip(1).map(|it| it.current_a.unwrap() / 3_600.0).sum();
    let charge = |number: usize| published[number].charge_ratio.unwrap();
    (by_current, (charge(published.len() - 1) - charge(0)) * capacity_ah)
}

#[test]
fn what_leaves_the_battery_is_what_was_drawn() {
    // Misty's pack holds 5.2 Ah and tells its charge in thousandths.
    let (capacity_ah, grain_ah) = (5.2, 5.2 * 0.001);
    let home = "[[chargers]]\nname = \"home\"\nposition_m = [1.0, 1.0]\nyaw_deg = 90.0";
    let mut lab = lab(home, 3.0, 3.0, 0.0);
    assert_eq!(lab.poke(Stimulus::Battery(0.8)), Outcome::Done);
    lab.drive(0.2, 0.8);
    lab.run(2.0);
    let (drawn, left) = charge_books(&mut lab, 900.0, capacity_ah);
    assert!(drawn < -0.2, "a quarter of an hour of driving in circles: {drawn} Ah");
    assert!((drawn - left).abs() <= grain_ah, "drawn {drawn} Ah, but {left} Ah are missing");
    assert!(lab.poke(Stimulus::Place { x_m: 1.0, y_m: 1.0, yaw_rad: TAU / 4.0 }).is_ok());
    lab.stop();
    lab.run(2.0);
    let (loaded, gained) = charge_books(&mut lab, 900.0, capacity_ah);
    assert!((loaded - 0.375).abs() < 0.01, "1.5 A for a quarter of an hour: {loaded} Ah");
    assert!((loaded - gained).abs() <= grain_ah, "loaded {loaded} Ah, but {gained} Ah came");
}
