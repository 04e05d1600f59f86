//! The robot's identity, its overall state, and its control mode.

use latimer_core::RobotId;
use latimer_core::model::Kind;
use latimer_core::model::signal::{
    Alert, Alerts, CameraState, Control, ControlMode, Device, RunState, Severity, Status,
};

use crate::bodies::moment::Moment;
use crate::rng::Rng;

/// Steps between two reports of what it is: 10 s.
const DEVICE_PERIOD: u64 = 1_000;
/// Steps between two reports of its state and control mode: 1 s.
const STATUS_PERIOD: u64 = 100;

/// Number of the alert that it fell; no numbers are published.
const FELL: i64 = 1;

/// The robot's identity, and its switches.
pub(super) struct Identity {
    device: Device,
    shown: bool,
    control: Control,
    published: Option<Control>,
    /// Whether its fall was published.
    fell: Option<bool>,
}

impl Identity {
    pub(super) fn new(robot: &RobotId, rng: &mut Rng) -> Self {
        let number = rng.bits();
        Self {
            device: Device {
                maker: Some("RobotKoop".to_owned()),
                model: Some("household robot".to_owned()),
                serial: Some(format!("SIM{:08}", number % 100_000_000)),
                name: Some(robot.to_string()),
                simulated: true,
                ..Device::UNKNOWN
            },
            shown: false,
            control: Control {
                mode: ControlMode::Auto,
                emergency_stop: false,
                wheels_released: Some(false),
                power: None,
            },
            published: None,
            fell: None,
        }
    }

    /// The control mode.
    pub(super) fn mode(&self) -> ControlMode {
        self.control.mode
    }

    /// Whether an emergency stop is pressed.
    pub(super) fn is_stopped(&self) -> bool {
        self.control.emergency_stop
    }

    /// Another client drives.
    pub(super) fn set_mode(&mut self, mode: ControlMode) {
        self.control.mode = mode;
        self.control.wheels_released = Some(mode == ControlMode::Manual);
    }

    /// An emergency stop is pressed or released.
    pub(super) fn stop(&mut self, pressed: bool) {
        self.control.emergency_stop = pressed;
    }

    /// Reports the fault that keeps it from working until a person comes.
    pub(super) fn warn(&mut self, now: &mut Moment<'_>, fallen: bool) {
        if self.fell == Some(fallen) && !now.due(Kind::Alerts, STATUS_PERIOD) {
            return;
        }
        self.fell = Some(fallen);
        let message = "it fell over an edge; put it elsewhere".to_owned();
        let fell = fallen.then_some(Alert { code: FELL, severity: Severity::Error, message });
        now.reports.publish(Alerts { active: fell.into_iter().collect() });
    }

    /// Reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, camera: CameraState) {
        if !std::mem::replace(&mut self.shown, true) || now.due(Kind::Device, DEVICE_PERIOD) {
            now.reports.publish(self.device.clone());
        }
        if now.due(Kind::Status, STATUS_PERIOD) {
            now.reports.publish(Status {
                run_state: RunState::Running,
                camera: Some(camera),
                taking_picture: None,
                ip_address: None,
            });
        }
        if self.published.as_ref() != Some(&self.control) || now.due(Kind::Control, STATUS_PERIOD) {
            self.published = Some(self.control.clone());
            now.reports.publish(self.control.clone());
        }
    }
}
