//! The battery drains, charges on a charger, and stops the robot when it is empty.

use latimer_core::Outcome;
use latimer_core::model::signal::{MotionState, PowerState};
use latimer_core::model::{Kind, Signal};
use latimer_simulator_api::Stimulus;

use crate::lab::{Lab, lab};

const DOCK: &str = "[[chargers]]\nname = \"dock\"\nposition_m = [1.0, 1.0]\nyaw_deg = 90.0";

fn state(lab: &Lab) -> PowerState {
    match lab.last(Kind::Battery, "") {
        Signal::Battery(battery) => battery.state,
        other => panic!("{other:?}"),
    }
}

#[test]
fn driving_takes_more_charge_than_standing() {
    let mut lab = lab("", 0.5, 3.0, 0.0);
    lab.run(2.0);
    assert_eq!(lab.number(Kind::Battery, "", "current_a"), -0.441, "the sample's current at rest");
    let full = lab.number(Kind::Battery, "", "voltage_v");
    assert!((7.6..8.4).contains(&full), "{full}");
    lab.drive(0.4, 0.0);
    lab.run(3.0);
    assert!(lab.number(Kind::Battery, "", "current_a") < -1.2);
    assert!(lab.number(Kind::Battery, "", "voltage_v") < full);
    assert_eq!(state(&lab), PowerState::Discharging);
}

#[test]
fn it_charges_on_the_charger_only() {
    let mut lab = lab(DOCK, 3.0, 3.0, 0.0);
    lab.poke(Stimulus::Battery(0.5));
    lab.run(1.0);
    assert_eq!(state(&lab), PowerState::Discharging);
    assert_eq!(lab.number(Kind::Battery, "", "charge_ratio"), 0.5);
    lab.poke(Stimulus::Place { x_m: 1.02, y_m: 1.0, yaw_rad: 1.6 });
    lab.forget().run(0.02);
    assert_eq!(state(&lab), PowerState::Charging, "a change is published at once");
    lab.run(120.0);
    assert!(lab.number(Kind::Battery, "", "charge_ratio") > 0.508, "1.5 A for 2 minutes");
    lab.poke(Stimulus::Place { x_m: 1.0, y_m: 1.0, yaw_rad: 0.0 });
    lab.run(0.02);
    assert_eq!(state(&lab), PowerState::Discharging, "turned away from the contacts");
}

#[test]
fn an_empty_robot_does_not_drive() {
    let mut lab = lab(DOCK, 3.0, 3.0, 0.0);
    lab.drive(0.1, 0.0);
    lab.run(1.0);
    lab.poke(Stimulus::Battery(0.01));
    lab.run(1.0);
    assert_eq!(lab.motions().last(), Some(&MotionState::Failed));
    assert!(lab.number(Kind::Velocity, "measured", "linear_mps").abs() < 1e-6);
    assert!(matches!(lab.drive(0.1, 0.0), Outcome::Refused(why) if why.reason.contains("charger")));
    lab.poke(Stimulus::Place { x_m: 1.0, y_m: 1.0, yaw_rad: 1.57 });
    lab.run(0.1);
    assert_eq!(lab.drive(-0.1, 0.0), Outcome::Accepted, "on the charger it can drive");
}
