//! What a strict gateway refuses up front, by what the robot said last; a chassis takes it, and fails.

use latimer_core::Command;
use latimer_core::model::signal::{
    Battery, Control, ControlMode, Joint, Navigation, NavigationState, PowerState,
};
use latimer_core::model::{Carry, Destination};

use crate::axbot::facade::robot::FacadeRobot;

/// Why a command would fail or do harm, if that is known.
pub(super) fn objection(robot: &FacadeRobot, command: &Command) -> Option<&'static str> {
    match command {
        Command::Navigate(goal) => {
            let control = robot.record::<Control>();
            if control.as_ref().is_some_and(|it| it.emergency_stop) {
                return Some("the emergency stop is pressed; release it");
            }
            if control.is_some_and(|it| it.mode != ControlMode::Auto) {
                return Some("somebody else drives; set the control mode to auto");
            }
            let jack = robot.record_of::<Joint>("jack");
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
        Command::Native(call)
            if matches!(call.argument("action"), Ok(Carry::JackUp | Carry::JackDown))
                && is_driving(robot) =>
        {
            Some("it is on its way; wait until it stands, or cancel that")
        }
        _ => None,
    }
}

fn is_moving(jack: &Joint) -> bool {
    jack.velocity_ratiops.is_some_and(|ratiops| ratiops != 0.0)
}

fn is_charging(robot: &FacadeRobot) -> bool {
    robot.record::<Battery>().is_some_and(|it| it.state == PowerState::Charging)
}

fn is_driving(robot: &FacadeRobot) -> bool {
    robot.record::<Navigation>().is_some_and(|it| it.state == NavigationState::Moving)
}
