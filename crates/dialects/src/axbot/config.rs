//! The dialect's table of the config file.

use std::time::Duration;

use latimer_core::RobotId;
use latimer_core::service::{ConfigError, Rules};
use serde::Deserialize;

use super::style::{ObstacleMaps, PoseAtRest, ScanStamps, Score, Style};
use super::topic::BEAT;
use crate::config::{Serve, check_address, check_names, check_served, robot_id};

/// Port of a chassis's own server.
pub(super) const AXBOT_PORT: u16 = 8090;

/// Longest boot that can be played, seconds.
const MAX_BOOT_S: f64 = 600.0;

/// Longest time between two poses, seconds.
const MAX_POSE_S: f64 = 60.0;

/// After how long a base was seen to stop that no other `/twist` reached: at four a second it stops after each of them, at
/// five a second it drives.
const TWIST_TIMEOUT_S: f64 = 0.22;

/// Shortest and longest time that a `/twist` drives the wheels, seconds.
const MIN_TWIST_S: f64 = 0.05;
const MAX_TWIST_S: f64 = 10.0;

/// Shortest and longest time after which a drive's state is sent again, seconds.
const MIN_PLANNING_S: f64 = 0.5;
const MAX_PLANNING_S: f64 = 600.0;

/// `[axbot]`: robots to connect to, and ports to serve robots on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AxbotConfig {
    /// What requests must carry in their header `Secret`; anybody may ask if not given.
    pub secret: Option<String>,
    /// How long a served robot boots, at first and after `restart_service`, in seconds.
    pub boot_s: f64,
    /// The status of a service that was carried out: 200 or 201.
    pub service_status: u16,
    /// Whether drives and jacks that are known to fail or to do harm are refused; robots take them, and fail.
    pub strict: bool,
    /// The unit of the stamps of `/scan_matched_points2` and `/path`.
    pub scan_stamps: ScanStamps,
    /// How the score of `/global_positioning_state` is written.
    pub score: Score,
    /// What `/tracked_pose` does while the robot stands.
    pub pose_at_rest: PoseAtRest,
    /// Least time between two poses while the robot moves, in seconds; robots were seen to send one a second.
    pub pose_every_s: f64,
    /// After how long `/planning_state` is sent again though nothing changed, in seconds; robots were seen to do so every 12.
    pub planning_every_s: f64,
    /// How obstacle maps are written.
    pub obstacle_maps: ObstacleMaps,
    /// After how long the wheels stop if no other `/twist` came, in seconds.
    pub twist_timeout_s: f64,
    /// Robots to connect to.
    pub connect: Vec<Connect>,
    /// Robots to serve on a port of their own.
    pub serve: Vec<Serve>,
}

impl Default for AxbotConfig {
    fn default() -> Self {
        Self {
            secret: None,
            boot_s: 0.0,
            service_status: 200,
            strict: false,
            scan_stamps: ScanStamps::default(),
            score: Score::default(),
            pose_at_rest: PoseAtRest::default(),
            pose_every_s: 1.0,
            planning_every_s: BEAT.as_secs_f64(),
            obstacle_maps: ObstacleMaps::default(),
            twist_timeout_s: TWIST_TIMEOUT_S,
            connect: Vec::new(),
            serve: Vec::new(),
        }
    }
}

/// `[[axbot.connect]]`: a chassis, or another gateway that serves one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// The name it gets here.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// `host` or `host:port`, or a URL such as `https://host`, and a path if it is not served at the root.
    pub address: String,
    /// What goes into the header `Secret`.
    pub secret: Option<String>,
}

impl AxbotConfig {
    /// How messages are written.
    pub(super) fn style(&self) -> Style {
        Style {
            scan_stamps: self.scan_stamps,
            score: self.score,
            pose_at_rest: self.pose_at_rest,
            pose_every: Duration::from_secs_f64(self.pose_every_s.clamp(0.0, MAX_POSE_S)),
            planning_every: Duration::from_secs_f64(
                self.planning_every_s.clamp(MIN_PLANNING_S, MAX_PLANNING_S),
            ),
            obstacle_maps: self.obstacle_maps,
        }
    }

    /// How long a `/twist` drives the wheels.
    pub(super) fn twist_timeout(&self) -> Duration {
        Duration::from_secs_f64(self.twist_timeout_s.clamp(MIN_TWIST_S, MAX_TWIST_S))
    }

    /// How long a served robot boots.
    pub(super) fn boot(&self) -> Duration {
        Duration::from_secs_f64(self.boot_s.clamp(0.0, MAX_BOOT_S))
    }

    pub(super) fn check(&self, rules: &Rules) -> Result<(), ConfigError> {
        if rules.users && self.secret.is_some() {
            return Err(ConfigError::new(
                "axbot.secret",
                "a secret of this dialect alone stands beside the users of [access]",
                "leave it out; clients send NAME:PASSWORD of a user, or a token, in their header Secret",
            ));
        }
        if !(0.0..=MAX_BOOT_S).contains(&self.boot_s) {
            let problem = format!("{} is no time to boot", self.boot_s);
            return Err(ConfigError::new("axbot.boot_s", problem, "write seconds from 0 to 600"));
        }
        if !(0.0..=MAX_POSE_S).contains(&self.pose_every_s) {
            let problem = format!("{} is no time between poses", self.pose_every_s);
            return Err(ConfigError::new("axbot.pose_every_s", problem, "write seconds from 0 to 60"));
        }
        if !(MIN_PLANNING_S..=MAX_PLANNING_S).contains(&self.planning_every_s) {
            let problem = format!("{} is no time between states of a drive", self.planning_every_s);
            return Err(ConfigError::new("axbot.planning_every_s", problem, "write seconds from 0.5 to 600"));
        }
        if !(MIN_TWIST_S..=MAX_TWIST_S).contains(&self.twist_timeout_s) {
            let problem = format!("{} is no time between twists", self.twist_timeout_s);
            return Err(ConfigError::new("axbot.twist_timeout_s", problem, "write seconds from 0.05 to 10"));
        }
        if ![200, 201].contains(&self.service_status) {
            let problem = format!("{} is no status of a service", self.service_status);
            return Err(ConfigError::new("axbot.service_status", problem, "write 200 or 201"));
        }
        if self.secret.as_deref().is_some_and(|secret| !is_header(secret)) {
            return Err(ConfigError::new("axbot.secret", "cannot be a header", "write letters and digits"));
        }
        check_served(super::NAME, &self.serve, rules)?;
        check_names(super::NAME, self.connect.iter().map(|connect| &connect.robot))?;
        for (i, connect) in self.connect.iter().enumerate() {
            let key = |name: &str| format!("axbot.connect[{i}].{name}");
            check_address(key("address"), &connect.address, true)?;
            if connect.secret.as_deref().is_some_and(|secret| !is_header(secret)) {
                return Err(ConfigError::new(
                    key("secret"),
                    "cannot be a header",
                    "write letters and digits",
                ));
            }
        }
        Ok(())
    }
}

/// Whether a text can be sent as the value of a header.
fn is_header(secret: &str) -> bool {
    !secret.is_empty() && secret.bytes().all(|byte| (0x21..0x7f).contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AxbotConfig, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn the_reference_is_a_config() {
        let config = read(
            &super::super::ENTRY.reference.replace("[axbot]", "").replace("axbot.", "").replace("# ", "#"),
        );
        assert!(config.is_ok(), "{config:?}");
    }

    #[test]
    fn refuses_what_cannot_work() {
        let problem = |text: &str| read(text).unwrap().check(&Rules::default()).unwrap_err().to_string();
        assert!(read("scan_stamps = 'hours'").unwrap_err().to_string().contains("milliseconds"));
        assert!(read("[[serve]]\nrobot = 'a'\nlisten = '127.0.0.1:1'\nport = 3").is_err());
        assert!(problem("[[serve]]\nrobot = 'a'\nlisten = '0.0.0.0:8090'").contains("--insecure"));
        assert!(problem("boot_s = -1.0").contains("axbot.boot_s"));
        assert!(problem("planning_every_s = 0.0").contains("axbot.planning_every_s"));
        assert!(problem("twist_timeout_s = 0.01").contains("axbot.twist_timeout_s"));
        assert!(problem("twist_timeout_s = nan").contains("axbot.twist_timeout_s"));
        assert!(read("pose_at_rest = 'never'").unwrap_err().to_string().contains("repeats"));
        assert!(problem("service_status = 404").contains("200 or 201"));
        assert!(problem("secret = 'a b'").contains("axbot.secret"));
        assert!(problem("[[connect]]\nrobot='a'\naddress='ftp://h'").contains("axbot.connect[0].address"));
        assert!(
            problem("[[connect]]\nrobot='a'\naddress='h'\n[[connect]]\nrobot='a'\naddress='g'")
                .contains("twice")
        );
    }
}
