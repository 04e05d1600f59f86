//! What the robot is, and what it is doing as a whole.

use latimer_core::RobotId;
use latimer_core::model::Kind;
use latimer_core::model::signal::{CameraState, Library, RunState, Status};

use crate::bodies::identity::DeviceIdentity;
use crate::bodies::moment::Moment;
use crate::bodies::reports::Reports;
use crate::rng::Rng;

/// Steps between two reports of what it is doing: 0.5 s.
const STATUS_PERIOD: u64 = 50;

/// The robot's identity, and its library.
pub(super) struct Identity {
    device: DeviceIdentity,
    library: Option<Library>,
}

impl Identity {
    pub(super) fn new(robot: &RobotId, rng: &mut Rng) -> Self {
        let device = DeviceIdentity::new(robot, "Misty Robotics", "Misty II", "2.0.2", rng);
        Self { device, library: None }
    }

    /// Reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, camera: CameraState, taking_picture: bool) {
        self.device.update(now);
        if now.due(Kind::Status, STATUS_PERIOD) {
            now.reports.publish(Status {
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
            reports.publish(library.clone());
            self.library = Some(library);
        }
    }
}
