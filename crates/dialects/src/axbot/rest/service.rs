//! What can be done to a robot at once, below `/services/`.

use latimer_core::Command;
use latimer_core::model::signal::ControlMode;
use latimer_core::model::{Carry, LocalizationCommand, Maintenance, RelocateBy};

use super::caps::Abilities;
use super::fields::{FieldError, Fields, needed};
use super::problem::Problem;

/// What a robot must have for a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Nothing that is known before it was asked.
    Nothing,
    /// A jack.
    Jack,
    /// A roller.
    Roller,
    /// A camera.
    Camera,
    /// Several control modes.
    Control,
    /// Sensors that sleep.
    Sleep,
    /// Faults that are cleared and sensors that are recalibrated.
    Maintenance,
    /// Eyes for racks.
    Racks,
    /// A map.
    Map,
}

/// What a service does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    ControlMode,
    EmergencyStop,
    WakeUp,
    Relocate,
    Carry(Carry),
    Maintain(Maintenance),
    Lidar,
    Restart,
    Shutdown,
    RgbImage,
    StepTime,
    ForgetAlert(i64),
    RecheckAlerts,
    RackSize,
    SetupWifi,
    RouteMode,
    ResetUsb,
    NavThumbnail,
    ChargerPose,
}

/// Every service that has an effect here.
const SERVICES: &[(&str, Deed, Needs)] = &[
    ("wheel_control/set_control_mode", Deed::ControlMode, Needs::Control),
    ("wheel_control/set_emergency_stop", Deed::EmergencyStop, Needs::Control),
    ("wheel_control/set_emergency_stop_pressed", Deed::EmergencyStop, Needs::Control),
    ("wheel_control/clear_errors", Deed::Maintain(Maintenance::ClearWheelFaults), Needs::Maintenance),
    ("wake_up_device", Deed::WakeUp, Needs::Sleep),
    ("start_global_positioning", Deed::Relocate, Needs::Nothing),
    ("jack_up", Deed::Carry(Carry::JackUp), Needs::Jack),
    ("jack_down", Deed::Carry(Carry::JackDown), Needs::Jack),
    ("jack_self_check", Deed::Maintain(Maintenance::CheckJack), Needs::Jack),
    ("clear_jack_errors", Deed::Maintain(Maintenance::ClearJackFaults), Needs::Jack),
    ("roller_load", Deed::Carry(Carry::RollerLoad), Needs::Roller),
    ("roller_unload", Deed::Carry(Carry::RollerUnload), Needs::Roller),
    ("load_cargo", Deed::Carry(Carry::RollerLoad), Needs::Roller),
    ("unload_cargo", Deed::Carry(Carry::RollerUnload), Needs::Roller),
    ("imu/recalibrate", Deed::Maintain(Maintenance::CalibrateImu), Needs::Maintenance),
    ("imu/calibrate_gyro_scale", Deed::Maintain(Maintenance::CalibrateGyro), Needs::Maintenance),
    ("monitor/clear_slipping_error", Deed::Maintain(Maintenance::ClearSlipping), Needs::Maintenance),
    ("clear_slipping_error", Deed::Maintain(Maintenance::ClearSlipping), Needs::Maintenance),
    ("monitor/clear_flip_error", Deed::Maintain(Maintenance::ClearFall), Needs::Maintenance),
    ("occupancy_grid_server/reset", Deed::Maintain(Maintenance::ClearCosts), Needs::Maintenance),
    ("baseboard/power_on_lidar", Deed::Lidar, Needs::Maintenance),
    ("wheel_control/reset_wheels", Deed::Maintain(Maintenance::ClearWheelFaults), Needs::Maintenance),
    ("restart_service", Deed::Restart, Needs::Nothing),
    ("restart_py_axbot", Deed::Restart, Needs::Nothing),
    ("baseboard/shutdown", Deed::Shutdown, Needs::Nothing),
    ("monitor_recheck_errors", Deed::RecheckAlerts, Needs::Nothing),
    ("clear_system_down_unexpectedly", Deed::ForgetAlert(6010), Needs::Nothing),
    ("clear_range_data_all_zero_error", Deed::ForgetAlert(5007), Needs::Nothing),
    ("clear_fall_risk_warning", Deed::ForgetAlert(1012), Needs::Nothing),
    ("clear_steering_angle_error", Deed::ForgetAlert(2011), Needs::Nothing),
    ("confirm_estop", Deed::ForgetAlert(2502), Needs::Nothing),
    ("start_rack_size_detection", Deed::RackSize, Needs::Racks),
    ("stop_rack_size_detection", Deed::RackSize, Needs::Racks),
    ("setup_wifi", Deed::SetupWifi, Needs::Nothing),
    ("set_route_mode", Deed::RouteMode, Needs::Nothing),
    ("reset_usb_devices", Deed::ResetUsb, Needs::Nothing),
    ("get_nav_thumbnail", Deed::NavThumbnail, Needs::Map),
    ("query_pose/charger_pose", Deed::ChargerPose, Needs::Nothing),
    ("get_rgb_image", Deed::RgbImage, Needs::Camera),
    ("step_time", Deed::StepTime, Needs::Nothing),
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
        let Some((_, deed, needs)) = SERVICES.iter().find(|(name, ..)| *name == service) else {
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
            Needs::Control if !can.control => Some("control mode or emergency stop"),
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
        let command = match deed {
            Deed::ControlMode => Command::ControlMode(control_mode(fields)?),
            Deed::EmergencyStop => Command::EmergencyStop(needed("enable", fields.boolean("enable")?)?),
            Deed::WakeUp => Command::WakeUp,
            Deed::Relocate => {
                let marks = fields.boolean("use_barcode")?.unwrap_or(true);
                let scan = fields.boolean("use_base_map_match")?.unwrap_or(true);
                Command::Localization(LocalizationCommand::Relocate(RelocateBy { marks, scan }))
            }
            Deed::Carry(carry) => Command::Carry(*carry),
            Deed::Maintain(maintenance) => Command::Maintain(*maintenance),
            Deed::Lidar => match needed("action", fields.text("action")?)?.as_str() {
                "power_on" => Command::Maintain(Maintenance::LidarOn),
                "power_off" => Command::Maintain(Maintenance::LidarOff),
                _ => return Err(FieldError::new("action", "is neither power_on nor power_off").into()),
            },
            Deed::Restart => return Ok(Self::Restart),
            Deed::RgbImage => return Ok(Self::RgbImage { topic: needed("topic", fields.text("topic")?)? }),
            Deed::StepTime => return Ok(Self::StepTime),
            Deed::Shutdown => return shutdown(fields),
            Deed::ForgetAlert(code) => return Ok(Self::ForgetAlert(*code)),
            Deed::RecheckAlerts => return Ok(Self::RecheckAlerts),
            Deed::RackSize => return Ok(Self::RackSize),
            Deed::SetupWifi => return Ok(Self::SetupWifi),
            Deed::RouteMode => return Ok(Self::RouteMode),
            Deed::ResetUsb => return Ok(Self::ResetUsb),
            Deed::NavThumbnail => return Ok(Self::NavThumbnail),
            Deed::ChargerPose => return Ok(Self::ChargerPose),
        };
        Ok(Self::Robot(command))
    }
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
fn control_mode(fields: &Fields) -> Result<ControlMode, FieldError> {
    let word = match fields.text("control_mode")? {
        Some(word) => word,
        None => needed("control_mode", fields.text("mode")?)?,
    };
    ControlMode::from_word(&word)
        .ok_or_else(|| FieldError::new("control_mode", "is none of auto, manual and remote"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Abilities = Abilities {
        rides: true,
        maintains: true,
        takes_pictures: true,
        navigates: true,
        follows: true,
        maps: true,
        control: true,
        sleeps: true,
        jack: true,
        roller: true,
        camera: true,
        vision: true,
        costs: true,
        local_path: true,
        barcodes: true,
        footprint: true,
        indicators: true,
        limits: true,
        racks: true,
    };

    fn ask(service: &str, body: &str) -> Result<Ask, Problem> {
        Ask::read(service, &Fields::read(body.as_bytes()).unwrap(), &ALL)
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
    fn a_search_goes_by_all_unless_told_otherwise() {
        let by = |body: &str| command("start_global_positioning", body);
        let relocate = |by| Command::Localization(LocalizationCommand::Relocate(by));
        assert_eq!(by(""), relocate(RelocateBy::ANY));
        assert_eq!(by(r#"{"use_barcode":false}"#), relocate(RelocateBy { marks: false, scan: true }));
    }

    #[test]
    fn what_a_robot_lacks_is_told() {
        let reported = Ask::read("jack_up", &Fields::default(), &Abilities::default()).unwrap_err();
        assert!(reported.status() == 404 && reported.to_string().contains("no jack"), "{reported}");
        let reported = ask("make_coffee", "").unwrap_err();
        assert!(reported.status() == 404 && reported.to_string().contains("wake_up_device"), "{reported}");
    }
}
