//! `sensor_msgs`, in units of the SI.

use bytes::Bytes;

use super::Time;
use super::geometry_msgs::{Point32, Quaternion, Transform, Twist, Vector3, Wrench};
use super::macros::messages;
use super::std_msgs::Header;

messages! { "sensor_msgs";
    /// A picture as it lies in memory, row by row, `step` bytes each.
    Image {
        header: Header,
        height: u32,
        width: u32,
        encoding: String,
        is_bigendian: u8,
        step: u32,
        data: Bytes,
    }

    /// A picture as a file: `jpeg` or `png`.
    CompressedImage { header: Header, format: String, data: Bytes }

    /// A part of a picture.
    RegionOfInterest { x_offset: u32, y_offset: u32, height: u32, width: u32, do_rectify: bool }

    /// How a camera sees.
    #[allow(non_snake_case)]
    CameraInfo {
        header: Header,
        height: u32,
        width: u32,
        distortion_model: String,
        D: Vec<f64>,
        K: [f64; 9],
        R: [f64; 9],
        P: [f64; 12],
        binning_x: u32,
        binning_y: u32,
        roi: RegionOfInterest,
    }

    /// Turn, turning and acceleration; a covariance that begins with -1 says that its value is not known.
    Imu {
        header: Header,
        orientation: Quaternion,
        orientation_covariance: [f64; 9],
        angular_velocity: Vector3,
        angular_velocity_covariance: [f64; 9],
        linear_acceleration: Vector3,
        linear_acceleration_covariance: [f64; 9],
    }

    /// Joints, each list as long as `name` or empty.
    JointState {
        header: Header,
        name: Vec<String>,
        position: Vec<f64>,
        velocity: Vec<f64>,
        effort: Vec<f64>,
    }

    /// Joints of several degrees of freedom.
    MultiDOFJointState {
        header: Header,
        joint_names: Vec<String>,
        transforms: Vec<Transform>,
        twist: Vec<Twist>,
        wrench: Vec<Wrench>,
    }

    /// Distances in a plane.
    LaserScan {
        header: Header,
        angle_min: f32,
        angle_max: f32,
        angle_increment: f32,
        time_increment: f32,
        scan_time: f32,
        range_min: f32,
        range_max: f32,
        ranges: Vec<f32>,
        intensities: Vec<f32>,
    }

    /// What one ray brought back.
    LaserEcho { echoes: Vec<f32> }

    /// Distances in a plane, several of each ray.
    MultiEchoLaserScan {
        header: Header,
        angle_min: f32,
        angle_max: f32,
        angle_increment: f32,
        time_increment: f32,
        scan_time: f32,
        range_min: f32,
        range_max: f32,
        ranges: Vec<LaserEcho>,
        intensities: Vec<LaserEcho>,
    }

    /// A distance; `radiation_type` is 0 for sound and 1 for infrared.
    Range {
        header: Header,
        radiation_type: u8,
        field_of_view: f32,
        min_range: f32,
        max_range: f32,
        range: f32,
    }

    /// A battery; what is not measured is NaN.
    BatteryState {
        header: Header,
        voltage: f32,
        temperature: f32,
        current: f32,
        charge: f32,
        capacity: f32,
        design_capacity: f32,
        percentage: f32,
        power_supply_status: u8,
        power_supply_health: u8,
        power_supply_technology: u8,
        present: bool,
        cell_voltage: Vec<f32>,
        cell_temperature: Vec<f32>,
        location: String,
        serial_number: String,
    }

    /// Degrees Celsius.
    Temperature { header: Header, temperature: f64, variance: f64 }

    /// Pascals.
    FluidPressure { header: Header, fluid_pressure: f64, variance: f64 }

    /// Lux.
    Illuminance { header: Header, illuminance: f64, variance: f64 }

    /// 0 to 1.
    RelativeHumidity { header: Header, relative_humidity: f64, variance: f64 }

    /// Tesla.
    MagneticField { header: Header, magnetic_field: Vector3, magnetic_field_covariance: [f64; 9] }

    /// Whether satellites are seen, and of which system.
    NavSatStatus { status: i8, service: u16 }

    /// A place on Earth.
    NavSatFix {
        header: Header,
        status: NavSatStatus,
        latitude: f64,
        longitude: f64,
        altitude: f64,
        position_covariance: [f64; 9],
        position_covariance_type: u8,
    }

    /// Another clock's time.
    TimeReference { header: Header, time_ref: Time, source: String }

    /// A joystick.
    Joy { header: Header, axes: Vec<f32>, buttons: Vec<i32> }

    /// What a joystick shall do.
    JoyFeedback { r#type: u8, id: u8, intensity: f32 }

    /// What a joystick shall do, several at once.
    JoyFeedbackArray { array: Vec<JoyFeedback> }

    /// One number of each point.
    ChannelFloat32 { name: String, values: Vec<f32> }

    /// Points, with more numbers of each.
    PointCloud { header: Header, points: Vec<Point32>, channels: Vec<ChannelFloat32> }

    /// Where a number lies within a point.
    PointField { name: String, offset: u32, datatype: u8, count: u32 }

    /// Points as they lie in memory.
    PointCloud2 {
        header: Header,
        height: u32,
        width: u32,
        fields: Vec<PointField>,
        is_bigendian: bool,
        point_step: u32,
        row_step: u32,
        data: Bytes,
        is_dense: bool,
    }
}
