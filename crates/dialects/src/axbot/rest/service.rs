//! What can be done to a robot at once, below `/services/`.

use latimer_core::Command;
use latimer_core::model::signal::ControlMode;
use latimer_core::model::{Carry as Load, LocalizationCommand, Maintenance, RelocateBy};

use super::caps::Abilities;
use super::fields::{FieldError, Fields, needed};
use super::problem::Problem;
use crate::axbot::calls::{Carry, Maintain, WakeUp};
use crate::describe::Call;

/// What a robot must have for a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Nothing that is known before it was asked, or what the gateway has for every robot.
    Nothing,
    /// A jack.
    Jack,
    /// A roller.
    Roller,
    /// A camera.
    Camera,
    /// Sensors that sleep.
    Sleep,
    /// Faults that are cleared and sensors that are recalibrated.
    Maintenance,
    /// Eyes for racks.
    Racks,
    /// A map.
    Map,
}

/// How a request becomes what it asks for.
#[derive(Clone, Debug)]
enum Reading {
    /// Whatever its fields are.
    Always(Ask),
    /// A load.
    Carry(Load),
    /// Its own parts.
    Maintain(Maintenance),
    /// Sensors that sleep.
    WakeUp,
    /// By its fields.
    Of(fn(&Fields) -> Result<Ask, Problem>),
}

const fn forget(alert: i64) -> Reading {
    Reading::Always(Ask::ForgetAlert(alert))
}

/// Every service that has an effect here.
static SERVICES: [(&str, Reading, Needs); 40] = [
    ("wheel_control/set_control_mode", Reading::Of(control_mode), Needs::Nothing),
    ("wheel_control/set_emergency_stop", Reading::Of(emergency_stop), Needs::Nothing),
    ("wheel_control/set_emergency_stop_pressed", Reading::Of(emergency_stop), Needs::Nothing),
    ("wheel_control/clear_errors", Reading::Maintain(Maintenance::ClearWheelFaults), Needs::Maintenance),
    ("wake_up_device", Reading::WakeUp, Needs::Sleep),
    ("start_global_positioning", Reading::Of(relocate), Needs::Nothing),
    ("jack_up", Reading::Carry(Load::JackUp), Needs::Jack),
    ("jack_down", Reading::Carry(Load::JackDown), Needs::Jack),
    ("jack_self_check", Reading::Maintain(Maintenance::CheckJack), Needs::Jack),
    ("clear_jack_errors", Reading::Maintain(Maintenance::ClearJackFaults), Needs::Jack),
    ("roller_load", Reading::Carry(Load::RollerLoad), Needs::Roller),
    ("roller_unload", Reading::Carry(Load::RollerUnload), Needs::Roller),
    ("load_cargo", Reading::Carry(Load::RollerLoad), Needs::Roller),
    ("unload_cargo", Reading::Carry(Load::RollerUnload), Needs::Roller),
    ("imu/recalibrate", Reading::Maintain(Maintenance::CalibrateImu), Needs::Maintenance),
    ("imu/calibrate_gyro_scale", Reading::Maintain(Maintenance::CalibrateGyro), Needs::Maintenance),
    ("monitor/clear_slipping_error", Reading::Maintain(Maintenance::ClearSlipping), Needs::Maintenance),
    ("clear_slipping_error", Reading::Maintain(Maintenance::ClearSlipping), Needs::Maintenance),
    ("monitor/clear_flip_error", Reading::Maintain(Maintenance::ClearFall), Needs::Maintenance),
    ("occupancy_grid_server/reset", Reading::Maintain(Maintenance::ClearCosts), Needs::Maintenance),
    ("baseboard/power_on_lidar", Reading::Of(lidar_power), Needs::Maintenance),
    ("wheel_control/reset_wheels", Reading::Maintain(Maintenance::ClearWheelFaults), Needs::Maintenance),
    ("restart_service", Reading::Always(Ask::Restart), Needs::Nothing),
    ("restart_py_axbot", Reading::Always(Ask::Restart), Needs::Nothing),
    ("baseboard/shutdown", Reading::Of(shutdown), Needs::Nothing),
    ("monitor_recheck_errors", Reading::Always(Ask::RecheckAlerts), Needs::Nothing),
    ("clear_system_down_unexpectedly", forget(6010), Needs::Nothing),
    ("clear_range_data_all_zero_error", forget(5007), Needs::Nothing),
    ("clear_fall_risk_warning", forget(1012), Needs::Nothing),
    ("clear_steering_angle_error", forget(2011), Needs::Nothing),
    ("confirm_estop", forget(2502), Needs::Nothing),
    ("start_rack_size_detection", Reading::Always(Ask::RackSize), Needs::Racks),
    ("stop_rack_size_detection", Reading::Always(Ask::RackSize), Needs::Racks),
    ("setup_wifi", Reading::Always(Ask::SetupWifi), Needs::Nothing),
    ("set_route_mode", Reading::Always(Ask::RouteMode), Needs::Nothing),
    ("reset_usb_devices", Reading::Always(Ask::ResetUsb), Needs::Nothing),
    ("get_nav_thumbnail", Reading::Always(Ask::NavThumbnail), Needs::Map),
    ("query_pose/charger_pose", Reading::Always(Ask::ChargerPose), Needs::Nothing),
    ("get_rgb_image", Reading::Of(rgb_image), Needs::Camera),
    ("step_time", Reading::Always(Ask::StepTime), Needs::Nothing),
];

/// What a request to a service asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Something of the robot.
    Robot(Command),
    /// Boot anew.
    Restart,
    /// The last picture of a topic.
    RgbImage {
        /// Its name.
        topic: String,
    },
    /// Whether the robot's clock is right, and to set it.
    StepTime,
    /// Switch it off; or boot anew.
    Shutdown {
        /// Whether it comes back.
        reboot: bool,
    },
    /// Forget one alert, by the vendor's number.
    ForgetAlert(i64),
    /// Look anew at what is wrong.
    RecheckAlerts,
    /// Measure racks, or be done with that.
    RackSize,
    /// Which network it joins.
    SetupWifi,
    /// What its routes go by.
    RouteMode,
    /// Start USB devices anew.
    ResetUsb,
    /// A picture of the robot and what surrounds it.
    NavThumbnail,
    /// Where the charger is on which it stands.
    ChargerPose,
}

impl Ask {
    /// Reads a request to a service of a robot that can do so much.
    pub fn read(service: &str, fields: &Fields, can: &Abilities) -> Result<Self, Problem> {
        let Some((_, reading, needs)) = SERVICES.iter().find(|(name, ..)| *name == service) else {
            let shown: String = service.chars().take(80).collect();
            let names: Vec<&str> = SERVICES.iter().map(|(name, ..)| *name).collect();
            return Err(Problem::NotFound(format!(
                "there is no service {shown:?} here; there are: {}",
                names.join(", ")
            )));
        };
        let lacks = match needs {
            Needs::Jack if !can.jack => Some("jack"),
            Needs::Roller if !can.roller => Some("roller"),
            Needs::Camera if !can.camera => Some("camera"),
            Needs::Sleep if !can.sleeps => Some("sensors that sleep"),
            Needs::Maintenance if !can.maintains => Some("part that this could be done to"),
            Needs::Racks if !can.racks => Some("eyes for racks"),
            Needs::Map if !can.maps => Some("map"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            return Err(Problem::NotFound(format!(
                "this robot has no {lacks}, so there is no service {service:?}"
            )));
        }
        match reading {
            Reading::Always(ask) => Ok(ask.clone()),
            Reading::Carry(action) => call(Carry { action: *action }),
            Reading::Maintain(action) => call(Maintain { action: *action }),
            Reading::WakeUp => call(WakeUp {}),
            Reading::Of(read) => read(fields),
        }
    }
}

fn call(call: impl Call) -> Result<Ask, Problem> {
    call.command().map(Ask::Robot).map_err(|error| Problem::Bad(error.to_string()))
}

fn emergency_stop(fields: &Fields) -> Result<Ask, Problem> {
    Ok(Ask::Robot(Command::EmergencyStop(needed("enable", fields.boolean("enable")?)?)))
}

fn relocate(fields: &Fields) -> Result<Ask, Problem> {
    let marks = fields.boolean("use_barcode")?.unwrap_or(true);
    let scan = fields.boolean("use_base_map_match")?.unwrap_or(true);
    Ok(Ask::Robot(Command::Localization(LocalizationCommand::Relocate(RelocateBy { marks, scan }))))
}

fn lidar_power(fields: &Fields) -> Result<Ask, Problem> {
    let action = match needed("action", fields.text("action")?)?.as_str() {
        "power_on" => Maintenance::LidarOn,
        "power_off" => Maintenance::LidarOff,
        _ => return Err(FieldError::new("action", "is neither power_on nor power_off").into()),
    };
    call(Maintain { action })
}

fn rgb_image(fields: &Fields) -> Result<Ask, Problem> {
    Ok(Ask::RgbImage { topic: needed("topic", fields.text("topic")?)? })
}

/// The whole robot, or its computer alone.
const TARGETS: [&str; 2] = ["main_power_supply", "main_computing_unit"];

fn shutdown(fields: &Fields) -> Result<Ask, Problem> {
    let target = needed("target", fields.text("target")?)?;
    if !TARGETS.contains(&target.as_str()) {
        return Err(FieldError::new("target", format!("is none of {}", TARGETS.join(" and "))).into());
    }
    Ok(Ask::Shutdown { reboot: needed("reboot", fields.boolean("reboot")?)? })
}

/// Papers write `control_mode`, a guide writes `mode`, and some clients write both.
fn control_mode(fields: &Fields) -> Result<Ask, Problem> {
    let word = match fields.text("control_mode")? {
        Some(word) => word,
        None => needed("control_mode", fields.text("mode")?)?,
    };
    let mode = ControlMode::from_word(&word)
        .ok_or_else(|| FieldError::new("control_mode", "is none of auto, manual and remote"))?;
    Ok(Ask::Robot(Command::ControlMode(mode)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(service: &str, body: &str) -> Result<Ask, Problem> {
        Ask::read(service, &Fields::read(body.as_bytes()).unwrap(), &Abilities::ALL)
    }

    fn command(service: &str, body: &str) -> Command {
        match ask(service, body) {
            Ok(Ask::Robot(command)) => command,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_spellings_of_the_control_mode_are_taken() {
        let remote = Command::ControlMode(ControlMode::Remote);
        for body in [
            r#"{"control_mode":"remote"}"#,
            r#"{"mode":"remote"}"#,
            r#"{"mode":"x","control_mode":"remote"}"#,
        ] {
            assert_eq!(command("wheel_control/set_control_mode", body), remote);
        }
        let reported = ask("wheel_control/set_control_mode", r#"{"mode":"drunk"}"#).unwrap_err().to_string();
        assert!(reported.contains("auto, manual and remote"), "{reported}");
        let reported = ask("wheel_control/set_control_mode", "").unwrap_err().to_string();
        assert!(reported.contains("\"control_mode\" is required"), "{reported}");
    }

    #[test]
    fn services_have_old_and_new_names() {
        for (one, other) in [
            ("monitor/clear_slipping_error", "clear_slipping_error"),
            ("roller_load", "load_cargo"),
            ("roller_unload", "unload_cargo"),
        ] {
            assert_eq!(command(one, ""), command(other, ""));
        }
        for name in ["set_emergency_stop", "set_emergency_stop_pressed"] {
            let name = format!("wheel_control/{name}");
            assert_eq!(command(&name, r#"{"enable":true}"#), Command::EmergencyStop(true));
        }
    }

    #[test]
    fn a_search_goes_by_all_unless_limited() {
        let by = |body: &str| command("start_global_positioning", body);
        let relocate = |by| Command::Localization(LocalizationCommand::Relocate(by));
        assert_eq!(by(""), relocate(RelocateBy::ANY));
        assert_eq!(by(r#"{"use_barcode":false}"#), relocate(RelocateBy { marks: false, scan: true }));
    }

    #[test]
    fn what_a_robot_lacks_is_reported() {
        let reported = Ask::read("jack_up", &Fields::default(), &Abilities::default()).unwrap_err();
        assert!(reported.status() == 404 && reported.to_string().contains("no jack"), "{reported}");
        let reported = ask("make_coffee", "").unwrap_err();
        assert!(reported.status() == 404 && reported.to_string().contains("wake_up_device"), "{reported}");
    }
}
