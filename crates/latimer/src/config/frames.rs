//! `[[frame]]` and `[[robot]]`: frames of the site, and where robots' own frames are in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use latimer_core::RobotId;
use latimer_core::frames::{FrameError, FrameTree, Placement, Pose2, RobotFrames, WORLD};
use latimer_core::service::ConfigError;
use latimer_dialects::config::robot_id;
use serde::Deserialize;

/// A frame of the site.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteFrame {
    /// Its name.
    pub name: String,
    /// The frame that it is in; the root if not given.
    #[serde(default = "world", rename = "in")]
    pub parent: String,
    /// Its origin there, metres.
    pub x_m: f64,
    /// See `x_m`.
    pub y_m: f64,
    /// How it is turned there; counter-clockwise.
    #[serde(default)]
    pub yaw_deg: f64,
}

/// A robot's own frames.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RobotTable {
    /// Its name.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// Where its map is.
    #[serde(default)]
    pub map: Option<PlacementTable>,
    /// Where it started, if it goes by dead reckoning.
    #[serde(default)]
    pub odom: Option<PlacementTable>,
}

/// Where a frame is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacementTable {
    /// The frame that it is in; the root if not given.
    #[serde(default = "world", rename = "in")]
    pub parent: String,
    /// Its origin there, metres.
    pub x_m: f64,
    /// See `x_m`.
    pub y_m: f64,
    /// How it is turned there; counter-clockwise.
    #[serde(default)]
    pub yaw_deg: f64,
}

fn world() -> String {
    WORLD.to_owned()
}

fn placement(parent: &str, [x_m, y_m, yaw_deg]: [f64; 3]) -> Placement {
    Placement { parent: parent.into(), at: Pose2::new(x_m, y_m, yaw_deg.to_radians()) }
}

impl From<&PlacementTable> for Placement {
    fn from(table: &PlacementTable) -> Self {
        placement(&table.parent, [table.x_m, table.y_m, table.yaw_deg])
    }
}

/// The frames of a config, and those of a world where it names none of the same name.
pub fn tree(
    frames: &[SiteFrame],
    robots: &[RobotTable],
    world: &[(Arc<str>, Placement)],
) -> Result<FrameTree, FrameError> {
    let own = frames.iter().map(|it| {
        let place = placement(&it.parent, [it.x_m, it.y_m, it.yaw_deg]);
        (Arc::from(it.name.as_str()), place)
    });
    let site = world.iter().cloned().chain(own).collect();
    let placed = robots.iter().map(|it| {
        let frames =
            RobotFrames { map: it.map.as_ref().map(Into::into), odom: it.odom.as_ref().map(Into::into) };
        (it.robot.clone(), frames)
    });
    FrameTree::new(site, placed.collect())
}

/// Checks what can be checked without the world.
pub(super) fn validate(frames: &[SiteFrame], robots: &[RobotTable]) -> Result<(), ConfigError> {
    let finite = |numbers: [f64; 3]| numbers.iter().all(|it| it.is_finite());
    let no_number =
        |key: String| ConfigError::new(key, "a place needs numbers", "write such as x_m = 1.2, y_m = 0.8");
    let twice =
        |key: String, name: &str| ConfigError::new(key, format!("{name} is there twice"), "keep one of them");
    for (i, frame) in frames.iter().enumerate() {
        let key = |name: &str| format!("frame[{i}].{name}");
        if !finite([frame.x_m, frame.y_m, frame.yaw_deg]) {
            return Err(no_number(key("x_m")));
        }
        if frames[..i].iter().any(|other| other.name == frame.name) {
            return Err(twice(key("name"), &frame.name));
        }
    }
    let mut seen = BTreeMap::new();
    for (i, robot) in robots.iter().enumerate() {
        for (name, table) in [("map", &robot.map), ("odom", &robot.odom)] {
            if table.as_ref().is_some_and(|it| !finite([it.x_m, it.y_m, it.yaw_deg])) {
                return Err(no_number(format!("robot[{i}].{name}")));
            }
        }
        if seen.insert(&robot.robot, i).is_some() {
            return Err(twice(format!("robot[{i}].robot"), robot.robot.as_str()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Overrides};

    fn problem(text: &str) -> Option<String> {
        Config::parse("test", text, &Overrides::default()).err().map(|error| error.to_string())
    }

    #[test]
    fn frames_are_read_and_mistakes_are_named() {
        let good = "[[frame]]\nname = 'arena'\nx_m = 1.0\ny_m = 2\n[[robot]]\nrobot = 'a'\nmap = { in = 'arena', x_m = 0, y_m = 0, yaw_deg = 90 }\n";
        assert_eq!(problem(good), None);
        let config = Config::parse("test", good, &Overrides::default()).unwrap();
        let tree = super::tree(&config.frames, &config.robots, &[]).unwrap();
        assert_eq!(tree.names().collect::<Vec<_>>(), ["world", "arena"]);
        let twice = good.replace("[[robot]]", "[[frame]]\nname = 'arena'\nx_m = 1\ny_m = 1\n[[robot]]");
        assert!(problem(&twice).unwrap().contains("arena is there twice"));
        assert!(problem(&good.replace("1.0", "nan")).unwrap().contains("needs numbers"));
        let nowhere =
            Config::parse("test", &good.replace("in = 'arena'", "in = 'hall'"), &Overrides::default());
        let nowhere = nowhere.unwrap();
        let error = super::tree(&nowhere.frames, &nowhere.robots, &[]).unwrap_err().to_string();
        assert!(error.contains("no frame \"hall\"; there are: world, arena"), "{error}");
    }
}
