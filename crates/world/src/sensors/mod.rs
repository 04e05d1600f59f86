//! Sensors and actuators that bodies are built from. None of them knows which robot it sits in.
//!
//! Each takes what is physically so and gives what such a part would report of it, noise included.

mod accelerometer;
mod battery;
mod cone;
mod drift;
mod edge;
mod encoders;
mod imu;
mod joint;
mod lidar;
mod odometry;
mod press;
mod time_of_flight;

pub use accelerometer::Accelerometer;
pub use battery::{BatteryPack, Cell};
pub use cone::{Cone, Echo};
pub use drift::{Drift, DriftModel};
pub use edge::EdgeSensor;
pub use encoders::TrackEncoders;
pub use imu::{Attitude, ImuSensor};
pub use joint::JointMotor;
pub use latimer_core::model::signal::Scan;
pub use lidar::Lidar;
pub use odometry::Odometry;
pub use press::{BumperArc, Press};
pub use time_of_flight::TimeOfFlight;
