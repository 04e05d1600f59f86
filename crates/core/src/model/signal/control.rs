//! Who drives, what is switched, what is wrong.

use crate::model::record::{record, words};

words! {
    /// Who drives.
    pub enum ControlMode {
        /// The robot itself.
        Auto = "auto",
        /// Somebody pushes it.
        Manual = "manual",
        /// Somebody far away.
        Remote = "remote",
    }
}

words! {
    /// Whether sensors and motors are switched on.
    pub enum SleepState {
        /// Everything works.
        Awake = "awake",
        /// It takes a moment yet.
        Awakening = "awakening",
        /// Some sensors are off.
        Sleeping = "sleeping",
    }
}

record! {
    /// Who drives, and whether it can be driven.
    pub struct Control {
        /// Who drives.
        pub mode: ControlMode,
        /// Whether an emergency stop is pressed.
        pub emergency_stop: bool,
        /// Whether the wheels turn freely.
        pub wheels_released: Option<bool>,
        /// Whether sensors and motors are switched on.
        pub power: Option<SleepState>,
    }
}

record! {
    /// Digital inputs and outputs, board by board.
    pub struct Pins {
        /// Inputs.
        pub inputs: Vec<Vec<bool>>,
        /// Outputs.
        pub outputs: Vec<Vec<bool>>,
    }
}

words! {
    /// How bad it is.
    pub enum Severity {
        /// It works, but somebody should look.
        Warning = "warning",
        /// It does not work.
        Error = "error",
    }
}

record! {
    /// Something that is wrong.
    pub struct Alert {
        /// The robot's own number for it.
        pub code: i64,
        /// How bad it is.
        pub severity: Severity,
        /// What it is, for a person to read.
        pub message: String,
    }
}

record! {
    /// Everything that is wrong now.
    pub struct Alerts {
        /// Each of them; empty if all is well.
        pub active: Vec<Alert>,
    }
}

record! {
    /// How warm it is inside the robot.
    pub struct Temperature {
        /// Degrees Celsius.
        pub temperature_c: f64,
    }
}
