//! What can happen to it.

use latimer_core::Outcome;
use latimer_core::model::Command;
use latimer_simulator_api::Stimulus;

use super::Axbot;
use crate::bodies::check;

/// What can fail.
const FALLIBLE: [&str; 16] = [
    "lidar",
    "imu",
    "imu_calibration",
    "gyro_calibration",
    "wheels",
    "jack",
    "planner",
    "costs",
    "map_server",
    "mapper",
    "odometry",
    "imu_node",
    "depth_camera",
    "charger",
    "camera_front",
    "camera_back",
];

/// Until when each thing that fails is broken, seconds of the world's clock.
#[derive(Default)]
pub(super) struct Faults {
    pub(super) lidar_s: f64,
    pub(super) imu_s: f64,
    pub(super) imu_calibration_s: f64,
    pub(super) gyro_calibration_s: f64,
    pub(super) wheels_s: f64,
    pub(super) jack_s: f64,
    pub(super) costs_s: f64,
    pub(super) map_server_s: f64,
    pub(super) mapper_s: f64,
    pub(super) odometry_s: f64,
    pub(super) imu_node_s: f64,
    pub(super) depth_camera_s: f64,
    pub(super) planner_s: f64,
    pub(super) charger_s: f64,
    /// How hot it is on cue, degrees Celsius, and until when.
    pub(super) heat: (f64, f64),
}

impl Faults {
    /// Until when a part of that name is broken, if that is known here.
    fn until(&mut self, part: &str) -> Option<&mut f64> {
        Some(match part {
            "lidar" => &mut self.lidar_s,
            "imu" => &mut self.imu_s,
            "imu_calibration" => &mut self.imu_calibration_s,
            "gyro_calibration" => &mut self.gyro_calibration_s,
            "wheels" => &mut self.wheels_s,
            "jack" => &mut self.jack_s,
            "planner" => &mut self.planner_s,
            "costs" => &mut self.costs_s,
            "map_server" => &mut self.map_server_s,
            "mapper" => &mut self.mapper_s,
            "odometry" => &mut self.odometry_s,
            "imu_node" => &mut self.imu_node_s,
            "depth_camera" => &mut self.depth_camera_s,
            "charger" => &mut self.charger_s,
            _ => return None,
        })
    }
}

impl Axbot {
    /// Lets something happen.
    pub(super) fn happen(&mut self, stimulus: Stimulus) -> Result<Outcome, Outcome> {
        let now_s = self.state.time_s;
        let until = |hold| check::seconds("hold in seconds", hold).map(|seconds| now_s + seconds);
        match stimulus {
            Stimulus::Bump { part, hold } => {
                if !self.rover.bumpers.press(&part, until(hold)?) {
                    let names = self.rover.bumpers.names();
                    return Err(Outcome::bad_argument(format!("no bumper {part}; there are: {names}")));
                }
            }
            Stimulus::Battery(ratio) => {
                self.rover.power.battery.set_charge(check::within("charge", ratio, 0.0, 1.0)?)
            }
            Stimulus::Lift { hold } => self.state.lifted_until_s = until(hold)?,
            Stimulus::LosePose { hold } => {
                self.rover.bearings.lose(hold.map(until).transpose()?);
            }
            Stimulus::EmergencyStop(pressed) => return self.obey(Command::EmergencyStop(pressed)),
            Stimulus::Heat { temperature_c, hold } => {
                let hot_c = check::within("temperature in degrees Celsius", temperature_c, -40.0, 150.0)?;
                self.faults.heat = (hot_c, until(hold)?);
            }
            Stimulus::Fail { part, hold } => {
                let until_s = until(hold)?;
                match (part.as_str(), self.faults.until(part.as_str())) {
                    ("lidar", Some(fault)) => {
                        *fault = until_s;
                        self.rover.bearings.fail(until_s);
                    }
                    (_, Some(fault)) => *fault = until_s,
                    ("camera_front", None) => self.front.fail(until_s),
                    ("camera_back", None) => self.back.fail(until_s),
                    _ => {
                        let why = format!("{part} cannot fail; there are: {}", FALLIBLE.join(", "));
                        return Err(Outcome::bad_argument(why));
                    }
                }
            }
            Stimulus::Place { .. } => {
                return Err(Outcome::unsupported("only the world can put a robot elsewhere"));
            }
            Stimulus::Touch { .. }
            | Stimulus::Face { .. }
            | Stimulus::KeyPhrase { .. }
            | Stimulus::Sound { .. }
            | Stimulus::Serial(_)
            | Stimulus::ForgetHome { .. }
            | Stimulus::SkillMessage { .. } => {
                return Err(Outcome::unsupported("an AutoXing chassis has no sense for that"));
            }
        }
        Ok(Outcome::Done)
    }
}
