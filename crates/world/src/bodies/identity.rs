//! The identity that a robot publishes: maker, model, serial number, addresses.

use latimer_core::RobotId;
use latimer_core::model::Kind;
use latimer_core::model::signal::Device;

use super::moment::Moment;
use crate::rng::Rng;

/// Steps between two publications: 10 s.
const PERIOD: u64 = 1_000;

/// The identity of one robot.
pub(super) struct DeviceIdentity {
    device: Device,
    published: bool,
}

impl DeviceIdentity {
    /// The identity of a robot of a model, with a serial number of its own.
    pub(super) fn new(robot: &RobotId, maker: &str, model: &str, firmware: &str, rng: &mut Rng) -> Self {
        let number = rng.bits();
        let [.., a, b, c, d] = number.to_be_bytes();
        let device = Device {
            maker: Some(maker.to_owned()),
            model: Some(model.to_owned()),
            serial: Some(format!("SIM{:011}", number % 100_000_000_000)),
            name: Some(robot.to_string()),
            firmware: Some(firmware.to_owned()),
            // The second bit of the first byte marks an address that no maker gave out.
            mac_address: Some(format!("02:4c:{a:02x}:{b:02x}:{c:02x}:{d:02x}")),
            simulated: true,
            ..Device::UNKNOWN
        };
        Self { device, published: false }
    }

    /// The same with what only robots of its family tell of themselves.
    pub(super) fn with(mut self, tell: impl FnOnce(&mut Device)) -> Self {
        tell(&mut self.device);
        self
    }

    /// Publishes it at the first step, then periodically.
    pub(super) fn update(&mut self, now: &mut Moment<'_>) {
        if !std::mem::replace(&mut self.published, true) || now.due(Kind::Device, PERIOD) {
            now.reports.publish(self.device.clone());
        }
    }
}
