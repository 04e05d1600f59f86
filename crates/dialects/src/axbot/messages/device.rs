//! What the robot is, and what became of its checks of itself.

use latimer_core::model::signal::Device;

use super::Context;
use crate::axbot::wire::Moment;
use crate::describe::{Extra, Message};

const INERTIAL: &str = "what the sensor itself measures; not written";

/// Section "Device Info".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Device, context = Context, when = is_known, finish = names, amend = device)]
#[message(ignores(maker, model, serial, name, hardware, ip_address, mac_address, simulated))]
pub struct DeviceInfoBrief {
    /// Version of ROS.
    #[field(own)]
    pub rosversion: Option<String>,
    /// Name of that version.
    #[field(own)]
    pub rosdistro: Option<String>,
    /// Version of the software.
    #[field(firmware)]
    pub axbot_version: Option<String>,
    /// The device.
    #[field(model = "")]
    pub device: Option<DeviceNames>,
    /// The base board.
    #[field(own)]
    pub baseboard: Option<Component>,
    /// The wheels' controller.
    #[field(own)]
    pub wheel_control: Option<Component>,
    /// The laser scanner.
    #[field(own)]
    pub lidar: Option<Component>,
    /// The sensors below.
    #[field(own)]
    pub bottom_sensor_pack: Option<Component>,
    /// The depth camera.
    #[field(own)]
    pub depth_camera: Option<Component>,
    /// Parameters from far away.
    #[field(own)]
    pub remote_params: Option<RemoteParams>,
    pub(crate) extra: Extra,
}

/// The device; the specification shows its model alone.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct DeviceNames {
    /// Which model.
    #[field(model = "model")]
    pub model: Option<String>,
    /// Serial number.
    #[field(model = "serial")]
    pub sn: Option<String>,
    /// What its owner calls it.
    #[field(model = "name")]
    pub name: Option<String>,
    pub(crate) extra: Extra,
}

fn is_known(device: &Device, _: &Context) -> bool {
    device.firmware.is_some() || names_of(device).is_some()
}

fn names_of(Device { model, serial, name, .. }: &Device) -> Option<DeviceNames> {
    let names =
        DeviceNames { model: model.clone(), sn: serial.clone(), name: name.clone(), extra: Extra::new() };
    (names != DeviceNames::default()).then_some(names)
}

fn names(message: &DeviceInfoBrief, device: &mut Device) {
    let DeviceNames { model, sn, name, extra: _ } = message.device.clone().unwrap_or_default();
    (device.model, device.serial, device.name) = (model, sn, name);
}

fn device(device: &Device, _: &Context, message: &mut DeviceInfoBrief) {
    message.device = names_of(device);
}

/// A part of the device.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Component {
    /// Which model.
    pub model: Option<String>,
    /// Which kind.
    pub device_type: Option<String>,
    /// Version of its software.
    pub firmware_version: Option<String>,
    pub(crate) extra: Extra,
}

/// Parameters from far away.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct RemoteParams {
    /// Their names.
    pub tags: Option<Vec<String>>,
    pub(crate) extra: Extra,
}

/// `/action`: something ended that takes its time; not in the specification, but in the vendor's manual.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Action {
    /// Seconds since 1970.
    #[field(stamp)]
    pub timestamp: Option<Moment>,
    /// Who asked.
    pub email: Option<String>,
    /// Who asked.
    pub username: Option<String>,
    /// The robot's serial number.
    #[field(name = "deviceName")]
    pub device_name: Option<String>,
    /// What ended: `recalibrate_imu` or `calibrate_gyro_scale`.
    #[field(model = "id")]
    pub action: Option<String>,
    /// What became of it; begins with `error: ` if it failed.
    #[field(model = "reason")]
    pub message: Option<String>,
    pub(crate) extra: Extra,
}

/// `/imu_state`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ImuState {
    /// 0 none, 1 in progress, 2 succeeded, 3 failed.
    #[field(model = "state")]
    pub calibrate_state: Option<i64>,
    /// 0 none, 1 it was shaken.
    pub calibrate_fail_reason: Option<i64>,
    /// Degrees Celsius.
    #[field(note = INERTIAL)]
    pub temperature: Option<f64>,
    /// Radians per second.
    #[field(note = INERTIAL)]
    pub angular_velocity_standard_deviation_10s: Option<Vec<f64>>,
    /// Radians per second.
    #[field(note = INERTIAL)]
    pub angular_velocity_avg_10s: Option<Vec<f64>>,
    /// Metres per second squared.
    #[field(note = INERTIAL)]
    pub linear_acc_standard_deviation_10s: Option<Vec<f64>>,
    /// Whether the bias is corrected now.
    #[field(note = INERTIAL)]
    pub gyro_calibrating: Option<bool>,
    /// Radians per second.
    #[field(note = INERTIAL)]
    pub gyro_bias: Option<Vec<f64>>,
    /// Radians per second.
    #[field(note = INERTIAL)]
    pub gyro_bias_target: Option<Vec<f64>>,
    pub(crate) extra: Extra,
}
