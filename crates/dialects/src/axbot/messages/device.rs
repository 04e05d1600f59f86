//! What the robot is, and what became of its checks of itself.

use latimer_core::model::signal::{Device, DevicePart};

use super::Context;
use crate::axbot::wire::Moment;
use crate::describe::{Extra, Message};

const INERTIAL: &str = "what the sensor itself measures; not written";

const PART: &str = "of the model's `parts`, by their names";

/// Section "Device Info".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Device, context = Context, when = is_known, finish = below, amend = below_device)]
#[message(ignores(maker, model, serial, name, hardware, ip_address, mac_address, simulated, parts, options))]
pub struct DeviceInfoBrief {
    /// Version of ROS.
    #[field(ros_version)]
    pub rosversion: Option<String>,
    /// Name of that version.
    #[field(ros_distribution)]
    pub rosdistro: Option<String>,
    /// Version of the software.
    #[field(firmware)]
    pub axbot_version: Option<String>,
    /// The device.
    #[field(model = "")]
    pub device: Option<DeviceNames>,
    /// The base board.
    #[field(model = "parts")]
    pub baseboard: Option<Component>,
    /// The wheels' controller.
    #[field(model = "parts")]
    pub wheel_control: Option<Component>,
    /// The laser scanner.
    #[field(model = "parts")]
    pub lidar: Option<Component>,
    /// The sensors below.
    #[field(model = "parts")]
    pub bottom_sensor_pack: Option<Component>,
    /// The depth camera.
    #[field(model = "parts")]
    pub depth_camera: Option<Component>,
    /// Parameters from far away.
    #[field(model = "options")]
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
    let Device { firmware, ros_version, ros_distribution, parts, options, .. } = device;
    [firmware, ros_version, ros_distribution].into_iter().any(Option::is_some)
        || !parts.is_empty()
        || options.is_some()
        || names_of(device).is_some()
}

fn names_of(Device { model, serial, name, .. }: &Device) -> Option<DeviceNames> {
    let names =
        DeviceNames { model: model.clone(), sn: serial.clone(), name: name.clone(), extra: Extra::new() };
    (names != DeviceNames::default()).then_some(names)
}

/// What the message tells below its first level.
fn below(message: &DeviceInfoBrief, _: &Context, device: &mut Device) {
    let DeviceNames { model, sn, name, extra: _ } = message.device.clone().unwrap_or_default();
    (device.model, device.serial, device.name) = (model, sn, name);
    device.parts = message.parts();
    device.options = message.remote_params.as_ref().and_then(|params| params.tags.clone());
}

fn below_device(device: &Device, _: &Context, message: &mut DeviceInfoBrief) {
    message.device = names_of(device);
    for DevicePart { name, model, kind, firmware } in &device.parts {
        if let Some(place) = message.part_mut(name) {
            *place = Some(Component {
                model: model.clone(),
                device_type: kind.clone(),
                firmware_version: firmware.clone(),
                extra: Extra::new(),
            });
        }
    }
    message.remote_params =
        device.options.clone().map(|tags| RemoteParams { tags: Some(tags), extra: Extra::new() });
}

/// The parts of a chassis that have a model or software of their own, by their names in a message.
const PARTS: [&str; 5] = ["baseboard", "wheel_control", "lidar", "bottom_sensor_pack", "depth_camera"];

impl DeviceInfoBrief {
    fn part_mut(&mut self, name: &str) -> Option<&mut Option<Component>> {
        match PARTS.iter().position(|known| *known == name)? {
            0 => Some(&mut self.baseboard),
            1 => Some(&mut self.wheel_control),
            2 => Some(&mut self.lidar),
            3 => Some(&mut self.bottom_sensor_pack),
            _ => Some(&mut self.depth_camera),
        }
    }

    /// The parts that it tells of.
    pub(in crate::axbot) fn parts(&self) -> Vec<DevicePart> {
        let Self { baseboard, wheel_control, lidar, bottom_sensor_pack, depth_camera, .. } = self;
        let components =
            PARTS.into_iter().zip([baseboard, wheel_control, lidar, bottom_sensor_pack, depth_camera]);
        let part = |(name, component): (&str, &Option<Component>)| {
            let Component { model, device_type, firmware_version, extra: _ } = component.clone()?;
            let name = name.to_owned();
            Some(DevicePart { name, model, kind: device_type, firmware: firmware_version })
        };
        components.filter_map(part).collect()
    }
}

/// A part of the device.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Component {
    /// Which model.
    #[field(note = PART)]
    pub model: Option<String>,
    /// Which kind.
    #[field(note = PART)]
    pub device_type: Option<String>,
    /// Version of its software; empty if it has none.
    #[field(note = PART)]
    pub firmware_version: Option<String>,
    pub(crate) extra: Extra,
}

/// Parameters from far away.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct RemoteParams {
    /// Their names.
    #[field(note = "the model's `options`")]
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
