//! Switches: control mode, sleep, inputs and outputs, lights.
//!
//! ```text
//!  Awake ──nothing to do for an hour──▶ Sleeping ──wake up, a goal──▶ Awakening ──2.5 s──▶ Awake
//! ```

use latimer_core::Outcome;
use latimer_core::model::Kind;
use latimer_core::model::signal::{Control, ControlMode, Indicators, Pins, SleepState};

use crate::bodies::moment::Moment;
use crate::drive::Speeds;

/// Boards, and pins of each kind on a board.
const BOARDS: usize = 2;
const PINS: usize = 8;

/// How long it takes to wake up, seconds: two to three.
const AWAKENING_S: f64 = 2.5;

/// How long nothing is to be done before it sleeps, seconds: the lidar's default of an hour.
const IDLE_S: f64 = 3_600.0;

/// Turning faster than this shows an indicator, rad/s; braking harder than this lights the brake light, m/s.
const TURNING_RADPS: f64 = 0.2;
const BRAKING_MPS: f64 = 0.004;

/// Steps between two reports of what stays as it is: 1 s.
const PERIOD: u64 = 100;

/// The switches.
pub(super) struct Switches {
    control: Control,
    published: Option<Control>,
    pins: Pins,
    pins_published: bool,
    indicators: Option<Indicators>,
    speed_mps: f64,
    idle_since_s: f64,
    awake_at_s: f64,
}

impl Switches {
    pub(super) fn new() -> Self {
        let none = || vec![vec![false; PINS]; BOARDS];
        Self {
            control: Control {
                mode: ControlMode::Auto,
                emergency_stop: false,
                wheels_released: Some(false),
                power: Some(SleepState::Awake),
            },
            published: None,
            pins: Pins { inputs: none(), outputs: none() },
            pins_published: false,
            indicators: None,
            speed_mps: 0.0,
            idle_since_s: 0.0,
            awake_at_s: 0.0,
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

    /// Whether its sensors are on.
    pub(super) fn is_awake(&self) -> bool {
        self.control.power == Some(SleepState::Awake)
    }

    /// Sets the control mode.
    pub(super) fn set_mode(&mut self, mode: ControlMode) {
        self.control.mode = mode;
        self.control.wheels_released = Some(mode == ControlMode::Manual);
    }

    /// Presses or releases the emergency stop.
    pub(super) fn stop(&mut self, pressed: bool) {
        self.control.emergency_stop = pressed;
    }

    /// WakeUps it up.
    pub(super) fn wake(&mut self, time_s: f64) {
        self.idle_since_s = time_s;
        if self.control.power == Some(SleepState::Sleeping) {
            self.control.power = Some(SleepState::Awakening);
            self.awake_at_s = time_s + AWAKENING_S;
        }
    }

    /// Switches outputs, numbered over all boards.
    pub(super) fn set_pins(&mut self, enable: &[u32], disable: &[u32]) -> Result<(), Outcome> {
        let all = (BOARDS * PINS) as u32;
        if let Some(wrong) = enable.iter().chain(disable).find(|pin| **pin >= all) {
            let why = format!("there is no output {wrong}; they are numbered from 0 to {}", all - 1);
            return Err(Outcome::bad_argument(why));
        }
        for (pins, on) in [(enable, true), (disable, false)] {
            for pin in pins {
                let pin = *pin as usize;
                self.pins.outputs[pin / PINS][pin % PINS] = on;
            }
        }
        self.pins_published = false;
        Ok(())
    }

    /// Lives through a step and reports; busy robots do not fall asleep.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, running: Speeds, busy: bool) {
        if busy || running != Speeds::REST {
            self.idle_since_s = now.time_s;
        }
        self.control.power = Some(match self.control.power {
            Some(SleepState::Awakening) if now.time_s < self.awake_at_s => SleepState::Awakening,
            Some(SleepState::Sleeping) => SleepState::Sleeping,
            _ if now.time_s - self.idle_since_s > IDLE_S => SleepState::Sleeping,
            _ => SleepState::Awake,
        });
        if self.published.as_ref() != Some(&self.control) || now.due(Kind::Control, PERIOD) {
            self.published = Some(self.control.clone());
            now.reports.publish(self.control.clone());
        }
        if !std::mem::replace(&mut self.pins_published, true) || now.due(Kind::Pins, PERIOD) {
            now.reports.publish(self.pins.clone());
        }
        let brake = self.speed_mps.abs() - running.linear_mps.abs() > BRAKING_MPS;
        self.speed_mps = running.linear_mps;
        let shown = Indicators {
            turn_left: running.angular_radps > TURNING_RADPS,
            turn_right: running.angular_radps < -TURNING_RADPS,
            brake,
            reverse: running.linear_mps < -0.01,
        };
        if self.indicators.as_ref() != Some(&shown) || now.due(Kind::Indicators, PERIOD) {
            self.indicators = Some(shown.clone());
            now.reports.publish(shown);
        }
    }
}
