//! A robot, as lists show it.

use latimer_core::hub::{Origin, RobotInfo, RobotReport};
use latimer_core::model::signal::Link as ModelLink;
use latimer_core::{MotionCondition, Unstopped as CoreUnstopped};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use super::bounds::Bounds;
use super::command_record::Author;
use super::endpoint::Endpoint;
use super::profile::RobotProfile;
use super::time::rfc3339_from_timestamp;

/// How the link to a robot stands.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Link {
    /// `connecting`, `up` or `down`.
    pub state: String,
    /// Since when.
    pub since: String,
    /// How often it came back.
    pub reconnects: u32,
    /// Gateway clock minus robot clock, at least. It is less than at most by the resolution of the robot's stamps.
    #[schema(required)]
    pub skew_min_s: Option<f64>,
    /// Gateway clock minus robot clock, at most.
    #[schema(required)]
    pub skew_max_s: Option<f64>,
    /// Why it is down.
    #[schema(required)]
    pub reason: Option<String>,
}

/// A stop that a robot was given some seconds ago, and that nothing shows it to have obeyed.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Unstopped {
    /// When it was given.
    pub since: String,
    /// What is known: it moves still, did not take it, or does not confirm that it stands.
    pub message: String,
}

/// Whether a robot moves, and what shows it.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Motion {
    /// `standing`, which it reported lately, `moving`, or `unknown`.
    pub state: String,
    /// What shows it.
    pub reason: String,
    /// When that was heard or commanded last.
    #[schema(required)]
    pub since: Option<String>,
}

/// A robot.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Robot {
    /// Its name in this gateway.
    pub robot: String,
    /// The family whose dialect it speaks at home.
    pub family: String,
    /// `simulated` or `connected`.
    pub origin: String,
    /// Where it is connected to.
    #[schema(required)]
    pub address: Option<String>,
    /// How the link stands.
    pub link: Link,
    /// Who drives it, or drove it last.
    #[schema(required)]
    pub driver: Option<Author>,
    /// Whether that client drives it now.
    pub driven: bool,
    /// Who pressed its emergency stop through the gateway.
    #[schema(required)]
    pub emergency_stop: Option<Author>,
    /// The stop that it was given, and that nothing shows it to have obeyed.
    #[serde(default)]
    #[schema(required)]
    pub unstopped: Option<Unstopped>,
    /// Whether it moves, and what shows it.
    #[serde(default)]
    #[schema(required)]
    pub motion: Option<Motion>,
    /// Updates received.
    pub received: u64,
    /// Updates refused because the robot has too many keys.
    pub refused: u64,
    /// Updates that no kind fits.
    pub unknown: u64,
    /// Where it can be reached, in which dialect.
    pub endpoints: Vec<Endpoint>,
    /// What it has and can; left out of lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<RobotProfile>,
    /// Who may move it, and how, by the config; left out of lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
}

impl Robot {
    /// A robot with the addresses at which the gateway serves it.
    pub fn new(report: &RobotReport, endpoints: Vec<Endpoint>) -> Self {
        let RobotReport {
            info,
            link,
            received,
            refused,
            unknown,
            driver,
            is_driven,
            motion: MotionCondition { state: motion, reason: motion_reason, since: motion_since },
            emergency_stop,
            unstopped,
        } = report;
        let RobotInfo { robot, family, origin, profile: _, frames: _ } = info;
        let ModelLink { state, since, reconnects, skew_min_s, skew_max_s, reason } = link;
        let (origin, address) = match origin {
            Origin::Simulated => ("simulated", None),
            Origin::Connected(address) => ("connected", Some(address.clone())),
        };
        Self {
            robot: robot.to_string(),
            family: (*family).to_owned(),
            origin: origin.to_owned(),
            address,
            link: Link {
                state: state.to_string(),
                since: rfc3339_from_timestamp(*since),
                reconnects: *reconnects,
                skew_min_s: *skew_min_s,
                skew_max_s: *skew_max_s,
                reason: reason.clone(),
            },
            driver: driver.as_ref().map(|it| (&it.author).into()),
            driven: *is_driven,
            emergency_stop: emergency_stop.as_ref().map(|it| (&it.author).into()),
            unstopped: unstopped.map(|CoreUnstopped { since, message }| Unstopped {
                since: rfc3339_from_timestamp(since),
                message: message.to_owned(),
            }),
            motion: Some(Motion {
                state: motion.as_str().to_owned(),
                reason: (*motion_reason).to_owned(),
                since: motion_since.map(rfc3339_from_timestamp),
            }),
            received: *received,
            refused: *refused,
            unknown: *unknown,
            endpoints,
            profile: None,
            bounds: None,
        }
    }
}
