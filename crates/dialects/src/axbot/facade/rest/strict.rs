//! What a strict gateway refuses up front, by what the robot said last; a chassis takes it, and fails.

use latimer_core::model::signal::{Control, ControlMode, Joint, NavigationState, PowerState};
use latimer_core::model::{Carry, Destination, Kind, PartName};
use latimer_core::{Command, Signal};

use crate::axbot::facade::robot::FacadeRobot;

/// Why a command would fail or do harm, if that is known.
pub(super) fn objection(robot: &FacadeRobot, command: &Command) -> Option<&'static str> {
    match command {
        Command::Navigate(goal) => {
            let control = control(robot);
            if control.as_ref().is_some_and(|it| it.emergency_stop) {
                return Some("the emergency stop is pressed; release it");
            }
            if control.is_some_and(|it| it.mode != ControlMode::Auto) {
                return Some("somebody else drives; set the control mode to auto");
            }
            let jack = jack(robot);
            if jack.as_ref().is_some_and(is_moving) {
                return Some("the jack moves; wait until it holds");
            }
            match goal.destination {
                Destination::Charger { .. } if is_charging(robot) => Some("it charges already"),
                Destination::Rack { .. } | Destination::RackOfArea(_)
                    if jack.as_ref().is_some_and(|it| it.position_ratio > Some(0.0)) =>
                {
                    Some("the jack is up; jack it down first")
                }
                _ => None,
            }
        }
        Command::Carry(Carry::JackUp | Carry::JackDown) if is_driving(robot) => {
            Some("it is on its way; wait until it stands, or cancel that")
        }
        _ => None,
    }
}

fn control(robot: &FacadeRobot) -> Option<Control> {
    match &robot.hub.last(&robot.robot, Kind::Control, None)?.signal {
        Signal::Control(control) => Some(control.clone()),
        _ => None,
    }
}

fn jack(robot: &FacadeRobot) -> Option<Joint> {
    match &robot.hub.last(&robot.robot, Kind::Joint, Some(&PartName::of("jack")))?.signal {
        Signal::Joint(joint) => Some(joint.clone()),
        _ => None,
    }
}

fn is_moving(jack: &Joint) -> bool {
    jack.velocity_ratiops.is_some_and(|ratiops| ratiops != 0.0)
}

fn is_charging(robot: &FacadeRobot) -> bool {
    let last = robot.hub.last(&robot.robot, Kind::Battery, None);
    last.is_some_and(|it| matches!(&it.signal, Signal::Battery(it) if it.state == PowerState::Charging))
}

fn is_driving(robot: &FacadeRobot) -> bool {
    let last = robot.hub.last(&robot.robot, Kind::Navigation, None);
    last.is_some_and(|it| matches!(&it.signal, Signal::Navigation(it) if it.state == NavigationState::Moving))
}
