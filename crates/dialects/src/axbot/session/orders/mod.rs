//! Commands of the model as what is to be done at a chassis; no I/O.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Timestamp;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{CompressedImage, ControlMode, SpeedLimits};
use latimer_core::model::{
    Carry, Command, FollowState, LocalizationCommand, Maintenance, MapUse, Motion, NativeCall,
    NavigationGoal, Refusal, RelocateBy,
};
use serde_json::{Value as Json, json};

use super::call::Call;
use crate::axbot::rest::params::{Names, json_from_limits};

/// Largest message to a robot, bytes: a picture; clients of ours send half of that at most.
pub(super) const LARGEST_BYTES: usize = 8 << 20;

/// What is to be done.
#[derive(Debug)]
pub(super) enum Order {
    /// Go at a speed: forward and counter-clockwise.
    Twist([f64; 2], Option<Duration>),
    /// Go at a speed for each wheel: left and right.
    Wheels([f64; 2]),
    /// Stand still, and give up the present drive.
    Stop,
    /// One request.
    Call(Call),
    /// Say who drives.
    Mode(ControlMode),
    /// Set how fast it drives at most, by `/robot-params`.
    Params(Json),
    /// One message on the socket.
    Frame(String),
    /// Drive somewhere.
    Move(NavigationGoal),
    /// Drive by a map.
    UseMap(Box<MapUse>),
}

/// What carries out a command; an error says why no chassis can.
pub(super) fn order_from_command(command: Command, now: Timestamp) -> Result<Order, Refusal> {
    let name = command.name();
    let order = match command {
        Command::Drive { linear_mps, angular_radps, duration } => {
            Order::Twist(finite([linear_mps, angular_radps])?, duration)
        }
        Command::DriveTracks(speeds) => Order::Wheels(finite([speeds.left_mps, speeds.right_mps])?),
        // Each motor that can be stopped from far away is one of the wheels'.
        Command::Stop { hold: _ } | Command::Halt { motor_mask: _ } => Order::Stop,
        Command::Navigate(goal) => Order::Move(goal),
        Command::CancelNavigation => Order::Call(cancel_move()),
        Command::ControlMode(mode) => Order::Mode(mode),
        Command::EmergencyStop(pressed) => {
            let body = json!({"enable": pressed});
            let older = "services/wheel_control/set_emergency_stop_pressed";
            Order::Call(Call::service("wheel_control/set_emergency_stop", body).or(older))
        }
        Command::SetPose { x_m, y_m, yaw_rad } => {
            let [x_m, y_m, yaw_rad] = finite([x_m, y_m, yaw_rad])?;
            Order::Call(Call::post("chassis/pose", json!({"position": [x_m, y_m, 0.0], "ori": yaw_rad})))
        }
        Command::Localization(localization) => Order::Call(localization_call(localization)?),
        Command::UseMap(None) => Order::Call(Call::delete("chassis/current-map")),
        Command::UseMap(Some(map)) => Order::UseMap(map),
        Command::Picture { part, image } => Order::Frame(picture_frame(part.as_str(), &image, now)?),
        Command::Camera(_) => {
            return Err(Refusal::unsupported("an AutoXing chassis has fixed camera settings"));
        }
        Command::Native(call) => order_from_native(&call)?,
        Command::Joints(_)
        | Command::Lamp { .. }
        | Command::Play { .. }
        | Command::Volume(_)
        | Command::SkillMessage { .. }
        | Command::HazardSettings { .. }
        | Command::BehaviourDrive(_)
        | Command::BehaviourSwitches(_)
        | Command::Task(_)
        | Command::CancelTask(_)
        | Command::Sense(_) => {
            return Err(Refusal::unsupported(format!("an AutoXing chassis has no command {name}")));
        }
    };
    Ok(order)
}

/// What carries out a command that a chassis alone has.
fn order_from_native(call: &NativeCall) -> Result<Order, Refusal> {
    Ok(match call.about().name {
        "drive_limits" => Order::Params(Json::Object(json_from_limits(&limits(call)?, Names::Params))),
        "follow" => Order::Frame(follow_frame(call)?),
        "carry" => Order::Call(Call::service(call.argument::<Carry>("action")?.as_str(), json!({})).slow()),
        "maintain" => Order::Call(maintenance_call(call.argument("action")?)),
        "pins" => {
            let of = |name| call.argument::<Option<Vec<u32>>>(name).map(Option::unwrap_or_default);
            let (enable, disable) = (of("enable")?, of("disable")?);
            let pins = json!({"topic": "/modify_output_pins", "enable": enable, "disable": disable});
            Order::Frame(pins.to_string())
        }
        "wake_up" => Order::Call(Call::service("wake_up_device", json!({}))),
        name => {
            let instead = match call.motion() {
                Motion::Heading { .. } | Motion::Arc { .. } => "; navigate to a point instead",
                _ => "",
            };
            let why = format!("an AutoXing chassis has no command {name}{instead}");
            return Err(Refusal::unsupported(why));
        }
    })
}

fn limits(call: &NativeCall) -> Result<SpeedLimits, Refusal> {
    Ok(SpeedLimits {
        forward_mps: call.argument("forward_mps")?,
        backward_mps: call.argument("backward_mps")?,
        angular_radps: call.argument("angular_radps")?,
        speed_up_mps2: call.argument("speed_up_mps2")?,
        slow_down_mps2: call.argument("slow_down_mps2")?,
    })
}

/// Gives up the present drive.
pub(super) fn cancel_move() -> Call {
    Call::patch("chassis/moves/current", json!({"state": "cancelled"}))
}

/// The request that says who drives.
pub(super) fn mode_call(mode: ControlMode) -> Call {
    Call::service("wheel_control/set_control_mode", json!({"control_mode": mode.as_str()}))
}

fn finite<const N: usize>(numbers: [f64; N]) -> Result<[f64; N], Refusal> {
    match numbers.iter().all(|it| it.is_finite()) {
        true => Ok(numbers),
        false => Err(Refusal::bad_argument("a number of the command is not finite")),
    }
}

fn follow_frame(call: &NativeCall) -> Result<String, Refusal> {
    let state = match call.argument("state")? {
        FollowState::Pause => "pause",
        FollowState::Fail => "fail",
        FollowState::Pose => "follow_pose",
    };
    let mut frame = json!({"topic": "/follow_target_state", "follow_state": state});
    if state == "follow_pose" {
        let [x_m, y_m, yaw_rad] = ["x_m", "y_m", "yaw_rad"].map(|it| call.argument::<Option<f64>>(it));
        if let (Some(x_m), Some(y_m)) = (x_m?, y_m?) {
            frame["target_pose"]["pos"] = json!([x_m, y_m]);
        }
        if let Some(yaw_rad) = yaw_rad? {
            frame["target_pose"]["ori"] = json!(yaw_rad);
        }
    }
    Ok(frame.to_string())
}

fn localization_call(localization: LocalizationCommand) -> Result<Call, Refusal> {
    match localization {
        LocalizationCommand::Mapping(true) => {
            let body = json!({"continue_mapping": false, "start_pose_type": "zero"});
            Ok(Call::post("mappings/", body))
        }
        LocalizationCommand::MappingInFrame => {
            let body = json!({"continue_mapping": false, "start_pose_type": "current_pose"});
            Ok(Call::post("mappings/", body))
        }
        // The map of the whole building may have to be put together first.
        LocalizationCommand::Mapping(false) => {
            Ok(Call::patch("mappings/current", json!({"state": "finished"})).slow())
        }
        LocalizationCommand::Relocate(RelocateBy { marks, scan }) => {
            let body = json!({"use_barcode": marks, "use_base_map_match": scan});
            Ok(Call::service("start_global_positioning", body))
        }
        LocalizationCommand::Tracking(_) => Err(Refusal::unsupported(
            "an AutoXing chassis follows itself on its map whenever it has one; set a map instead",
        )),
        LocalizationCommand::Streaming(_) => Err(Refusal::unsupported(
            "an AutoXing chassis sends what is asked for; there is no stream to switch",
        )),
        LocalizationCommand::Reset => {
            Err(Refusal::unsupported("an AutoXing chassis forgets nothing at once; set another map, or none"))
        }
    }
}

fn maintenance_call(maintenance: Maintenance) -> Call {
    let service = |name: &str| Call::service(name, json!({}));
    let lidar = |action: &str| Call::service("baseboard/power_on_lidar", json!({"action": action}));
    match maintenance {
        Maintenance::CalibrateImu => service("imu/recalibrate").slow(),
        Maintenance::CalibrateGyro => service("imu/calibrate_gyro_scale").slow(),
        Maintenance::ClearWheelFaults => service("wheel_control/clear_errors"),
        Maintenance::ClearSlipping => {
            service("monitor/clear_slipping_error").or("services/clear_slipping_error")
        }
        Maintenance::ClearFall => service("monitor/clear_flip_error"),
        Maintenance::CheckJack => service("jack_self_check").slow(),
        Maintenance::ClearJackFaults => service("clear_jack_errors"),
        Maintenance::ClearCosts => service("occupancy_grid_server/reset"),
        Maintenance::LidarOn => lidar("power_on"),
        Maintenance::LidarOff => lidar("power_off"),
    }
}

fn picture_frame(part: &str, image: &CompressedImage, now: Timestamp) -> Result<String, Refusal> {
    let topic = match part {
        "camera_front" => "/external_rgb_data/front",
        "camera_back" => "/external_rgb_data/back",
        other => {
            let why = format!("no camera can stand in for {other}; there are camera_front, camera_back");
            return Err(Refusal::bad_argument(why));
        }
    };
    if image.format != PictureFormat::Jpeg {
        return Err(Refusal::bad_argument(format!(
            "an AutoXing chassis takes JPEG pictures only, not {}",
            image.format
        )));
    }
    let stamp = now.as_nanos() as f64 / 1e9;
    let data = STANDARD.encode(&image.data);
    let frame = json!({"topic": topic, "format": "jpeg", "stamp": stamp, "data": data}).to_string();
    match frame.len() {
        ..=LARGEST_BYTES => Ok(frame),
        bytes => Err(Refusal::bad_argument(format!(
            "the picture is a message of {bytes} bytes; {LARGEST_BYTES} can be sent at most"
        ))),
    }
}

#[cfg(test)]
mod tests;
