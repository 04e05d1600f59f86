//! The chassis itself: who drives, what is wrong, how far it went.

use super::number::Moment;
use super::record::record;

record! {
    /// Section "Wheel State".
    pub struct WheelState {
        /// `auto`, `remote`, `manual`; also `unknown`.
        control_mode: String,
        /// Whether in emergency stop mode.
        emergency_stop_pressed: bool,
        /// Whether the wire that frees the wheels is active; some models only.
        wheels_released: bool,
    }
}

record! {
    /// Section "Sensor Manager State".
    pub struct SensorManagerState {
        /// `awake`, `awakening`, `sleeping`; also `unknown`.
        power_state: String,
    }
}

record! {
    /// Section "Robot Signal".
    pub struct RobotSignal {
        /// Turning left.
        turn_left: bool,
        /// Turning right.
        turn_right: bool,
        /// Braking.
        brake: bool,
        /// Backing up.
        reverse: bool,
    }
}

record! {
    /// Section "Bumper State".
    pub struct BumperState {
        /// The one in front.
        front_bumper_pressed: bool,
        /// The one behind.
        rear_bumper_pressed: bool,
    }
}

record! {
    /// Section "Traveled Distance".
    pub struct TravelledDistance {
        /// When the present move began, seconds since 1970.
        start_time: i64,
        /// How long it takes so far, seconds.
        duration: Moment,
        /// How long it is so far, metres.
        distance: f64,
        /// Since the robot was switched on, metres.
        accumulated_distance: f64,
    }
}

record! {
    /// `/motion_metrics`: how fast it goes; not in the specification, but in the vendor's client.
    pub struct MotionMetrics {
        /// Metres per second, forward.
        linear_velocity: f64,
        /// Metres per second squared.
        linear_acc: f64,
        /// Radians per second, counter-clockwise.
        angular_velocity: f64,
    }
}

record! {
    /// Section "Alerts".
    pub struct Alerts {
        /// What is wrong now.
        alerts: Vec<Alert>,
    }
}

record! {
    /// Something that is wrong.
    pub struct Alert {
        /// The vendor's number for it: thousands tell the component, hundreds whether it is a warning.
        code: i64,
        /// `warning`, `error`; also `none`.
        level: String,
        /// For a person to read.
        msg: String,
    }
}

record! {
    /// Section "Digital Input/Output".
    pub struct IoPinsState {
        /// 0 or 1, board by board.
        inputs: Vec<Vec<i64>>,
        /// 0 or 1, board by board.
        outputs: Vec<Vec<i64>>,
    }
}

record! {
    /// Section "Jack State".
    pub struct JackState {
        /// `unknown`, `hold`, `jacking_up`, `jacking_down`.
        state: String,
        /// Where it stands, 0 down to 1 up.
        progress: f64,
        /// Whether it checks itself.
        self_checking: bool,
        /// `no_error`, `up`, `down`, `error`, `unknown`.
        self_check_state: String,
    }
}

record! {
    /// Section "Roller State".
    pub struct RollerState {
        /// `unknown`, `hold`, `loading`, `unloading`.
        state: String,
    }
}
