//! What the robot is, and what became of its checks of itself.

use super::number::Moment;
use super::record::record;

record! {
    /// Section "Device Info".
    pub struct DeviceInfoBrief {
        /// Version of ROS.
        rosversion: String,
        /// Name of that version.
        rosdistro: String,
        /// Version of the software.
        axbot_version: String,
        /// The device.
        device: DeviceNames,
        /// The base board.
        baseboard: Component,
        /// The wheels' controller.
        wheel_control: Component,
        /// The laser scanner.
        lidar: Component,
        /// The sensors below.
        bottom_sensor_pack: Component,
        /// The depth camera.
        depth_camera: Component,
        /// Parameters from far away.
        remote_params: RemoteParams,
    }
}

record! {
    /// The device; the specification shows its model alone.
    pub struct DeviceNames {
        /// Which model.
        model: String,
        /// Serial number.
        sn: String,
        /// What its owner calls it.
        name: String,
    }
}

record! {
    /// A part of the device.
    pub struct Component {
        /// Which model.
        model: String,
        /// Which kind.
        device_type: String,
        /// Version of its software.
        firmware_version: String,
    }
}

record! {
    /// Parameters from far away.
    pub struct RemoteParams {
        /// Their names.
        tags: Vec<String>,
    }
}

record! {
    /// `/action`: something ended that takes its time; not in the specification, but in the vendor's manual.
    pub struct Action {
        /// Seconds since 1970.
        timestamp: Moment,
        /// Who asked.
        email: String,
        /// Who asked.
        username: String,
        /// The robot's serial number.
        device_name as "deviceName": String,
        /// What ended, e.g. `recalibrate_imu`.
        action: String,
        /// What became of it; begins with `error: ` if it failed.
        message: String,
    }
}
