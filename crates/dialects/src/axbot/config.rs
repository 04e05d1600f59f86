//! The dialect's table of the config file.

use std::time::Duration;

use latimer_core::service::{ConfigError, Rules};

use super::NAME;
use super::style::{ObstacleMaps, PoseAtRest, ScanStamps, Score, Style};
use super::topic::BEAT;
use crate::config::{
    Serve, Table, check_address, check_connected, check_range, check_served, entries, table,
};

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

table! {
    /// `[axbot]`: robots to connect to, and ports to serve robots on.
    AxbotConfig {
        /// What requests must carry in their header `Secret`; anybody may ask if not given.
        pub secret: Option<String>,
        /// How long a served robot boots, at first and after `restart_service`, in seconds.
        pub boot_s: f64,
        /// The status of a service that was carried out: 200 or 201.
        pub service_status: u16 = 200,
        /// Whether drives and jacks that are known to fail or to do harm are refused; robots take them, and fail.
        pub strict: bool,
        /// The unit of the stamps of `/scan_matched_points2` and `/path`.
        pub scan_stamps: ScanStamps,
        /// How the score of `/global_positioning_state` is written.
        pub score: Score,
        /// What `/tracked_pose` does while the robot stands.
        pub pose_at_rest: PoseAtRest,
        /// Least time between two poses while the robot moves, in seconds; robots were seen to send one a second.
        pub pose_every_s: f64 = 1.0,
        /// After how long `/planning_state` is sent again though nothing changed, in seconds; robots were seen to do so every 12.
        pub planning_every_s: f64 = BEAT.as_secs_f64(),
        /// How obstacle maps are written.
        pub obstacle_maps: ObstacleMaps,
        /// After how long the wheels stop if no other `/twist` came, in seconds.
        pub twist_timeout_s: f64 = TWIST_TIMEOUT_S,
        /// Robots to connect to.
        pub connect: Vec<Connect>,
        /// Robots to serve on a port of their own.
        pub serve: Vec<Serve>,
    }
}

entries! {
    /// `[[axbot.connect]]`: a chassis, or another gateway that serves one.
    Connect {
        /// `host` or `host:port`, or a URL such as `https://host`, and a path if it is not served at the root.
        address: String,
        /// What goes into the header `Secret`.
        secret: Option<String>,
    }
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
}

impl Table for AxbotConfig {
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        if rules.users && self.secret.is_some() {
            return Err(ConfigError::new(
                "axbot.secret",
                "a secret of this dialect alone stands beside the users of [access]",
                "leave it out; clients send NAME:PASSWORD of a user, or a token, in their header Secret",
            ));
        }
        for (key, value, range, what) in [
            ("axbot.boot_s", self.boot_s, 0.0..=MAX_BOOT_S, "time to boot"),
            ("axbot.pose_every_s", self.pose_every_s, 0.0..=MAX_POSE_S, "time between poses"),
            (
                "axbot.planning_every_s",
                self.planning_every_s,
                MIN_PLANNING_S..=MAX_PLANNING_S,
                "time between states of a drive",
            ),
            ("axbot.twist_timeout_s", self.twist_timeout_s, MIN_TWIST_S..=MAX_TWIST_S, "time between twists"),
        ] {
            check_range(key, value, range, what)?;
        }
        if ![200, 201].contains(&self.service_status) {
            let problem = format!("{} is no status of a service", self.service_status);
            return Err(ConfigError::new("axbot.service_status", problem, "write 200 or 201"));
        }
        check_secret("axbot.secret", self.secret.as_deref())?;
        check_served(NAME, &self.serve, rules)?;
        check_connected(NAME, &self.connect, |it, key| {
            check_address(key("address"), &it.address, true)?;
            check_secret(&key("secret"), it.secret.as_deref())
        })
    }
}

/// Refuses what cannot be sent as the value of a header.
fn check_secret(key: &str, secret: Option<&str>) -> Result<(), ConfigError> {
    let is_header = |it: &str| !it.is_empty() && it.bytes().all(|byte| (0x21..0x7f).contains(&byte));
    match secret.is_none_or(is_header) {
        true => Ok(()),
        false => Err(ConfigError::new(key, "cannot be a header", "write letters and digits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AxbotConfig, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn refuses_what_cannot_work() {
        let problem = crate::config::problem::<AxbotConfig>;
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
