//! What the robot is, and what it is doing as a whole.

use latimer_core::RobotId;
use latimer_core::model::Kind;
use latimer_core::model::signal::{CameraState, Device, Library, RunState, Status};

use crate::bodies::moment::Moment;
use crate::bodies::reports::Reports;
use crate::rng::Rng;

/// Steps between two reports of what it is: 10 s.
const DEVICE_PERIOD: u64 = 1_000;
/// Steps between two reports of what it is doing: 0.5 s.
const STATUS_PERIOD: u64 = 50;

/// The robot's papers.
pub(super) struct Identity {
    device: Device,
    shown: bool,
    library: Option<Library>,
}

impl Identity {
    pub(super) fn new(robot: &RobotId, rng: &mut Rng) -> Self {
        let number = rng.bits();
        let [.., a, b, c, d] = number.to_be_bytes();
        Self {
            device: Device {
                maker: Some("Misty Robotics".to_owned()),
                model: Some("Misty II".to_owned()),
                serial: Some(format!("SIM{:011}", number % 100_000_000_000)),
                name: Some(robot.to_string()),
                firmware: Some("2.0.2".to_owned()),
                hardware: None,
                ip_address: None,
                // The second bit of the first byte marks an address that no maker gave out.
                mac_address: Some(format!("02:4c:{a:02x}:{b:02x}:{c:02x}:{d:02x}")),
                simulated: true,
            },
            shown: false,
            library: None,
        }
    }

    /// Reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, camera: CameraState, taking_picture: bool) {
        // Papers are shown at once, not when the robot's own offset says so.
        if !std::mem::replace(&mut self.shown, true) || now.due(Kind::Device, DEVICE_PERIOD) {
            now.reports.say(self.device.clone());
        }
        if now.due(Kind::Status, STATUS_PERIOD) {
            now.reports.say(Status {
                run_state: RunState::Running,
                camera: Some(camera),
                taking_picture: Some(taking_picture),
                ip_address: None,
            });
        }
    }

    /// Reports what it keeps in store, whenever that changes.
    pub(super) fn keep(&mut self, library: Library, reports: &mut Reports) {
        if self.library.as_ref() != Some(&library) {
            reports.say(library.clone());
            self.library = Some(library);
        }
    }
}
