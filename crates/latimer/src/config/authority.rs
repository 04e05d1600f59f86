//! `[[authority]]`: who may move which robot, and how.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use latimer_core::RobotId;
use latimer_core::authority::{Area, Beyond, Envelope, Equals, Policy};
use latimer_core::hub::Policies;
use latimer_core::service::ConfigError;
use latimer_dialects::DIALECTS;
use latimer_dialects::config::robot_id;
use serde::{Deserialize, Deserializer};

use latimer_wire::v1::Command;
use latimer_wire::words::{advice, explained, nearest};

/// Longest time that can be configured, seconds.
const MAX_S: f64 = 3600.0;

/// One entry: of a robot, or of all that have none of their own. What it does not set is as in that for all.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Authority {
    /// Whom it is for; every other robot if not given.
    #[serde(deserialize_with = "some_robot_id")]
    pub robot: Option<RobotId>,
    /// Priorities of dialects and of clients' addresses or names; 0 if not given, 10 for the page.
    pub priorities: Option<BTreeMap<String, i32>>,
    /// Dialects, addresses and names that never command.
    pub observers: Option<BTreeSet<String>>,
    /// Dialects, addresses and names that release an emergency stop which somebody else pressed.
    pub releasers: Option<BTreeSet<String>>,
    /// Which of two clients of the same priority drives.
    pub equals: Option<EqualsWord>,
    /// How long a client keeps a robot after its last command, seconds.
    pub hold_s: Option<f64>,
    /// How long a drive without an end goes on after its client was seen last, seconds.
    pub drive_timeout_s: Option<f64>,
    /// The same for a client whose connection is open, and silent, seconds.
    pub silence_s: Option<f64>,
    /// Whether a client that is connected has to renew a drive without an end, too.
    pub renew_drives: Option<bool>,
    /// Whether a drive without an end goes on when its client has gone.
    pub drive_until_stopped: Option<bool>,
    /// What becomes of the robot when the gateway finds it.
    pub start: Option<StartWord>,
    /// The only commands that are allowed; all if not given.
    pub commands: Option<BTreeSet<String>>,
    /// Greatest speed forward and backward.
    pub max_linear_mps: Option<f64>,
    /// Greatest speed of a turn.
    pub max_angular_radps: Option<f64>,
    /// Greatest acceleration forward and backward.
    pub max_linear_mps2: Option<f64>,
    /// Greatest acceleration of a turn.
    pub max_angular_radps2: Option<f64>,
    /// What becomes of a command that asks for a higher speed.
    pub beyond: Option<BeyondWord>,
    /// Where the robot may be, the corners of a polygon on its map, metres.
    pub area: Option<Vec<[f64; 2]>>,
    /// How wide the border within the area is, in which the robot is slower, metres.
    pub border_m: Option<f64>,
    /// Greatest speed in the border.
    pub border_mps: Option<f64>,
}

/// The border of an area, if nothing is configured.
const BORDER_M: f64 = 0.5;
const BORDER_MPS: f64 = 0.1;

/// Slower than this is not worth the steps.
const MIN_ACCELERATION: f64 = 0.01;

fn some_robot_id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<RobotId>, D::Error> {
    robot_id(from).map(Some)
}

/// [`Equals`] in the config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EqualsWord {
    /// The one that commanded last.
    Newest,
    /// The one that began first.
    First,
}

/// What becomes of a robot when the gateway finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StartWord {
    /// Nothing, unless the gateway left it moving.
    Keep,
    /// It is stopped.
    Stop,
}

/// [`Beyond`] in the config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BeyondWord {
    /// It is brought within the bounds.
    Limit,
    /// It is refused.
    Refuse,
}

/// Checks all entries; each is named by its place.
pub(super) fn validate(entries: &[Authority]) -> Result<(), ConfigError> {
    let mut robots = BTreeSet::new();
    for (i, entry) in entries.iter().enumerate() {
        let place = format!("authority[{i}]");
        entry.validate(&place)?;
        if !robots.insert(&entry.robot) {
            let whose = entry.robot.as_ref().map_or("all robots".to_owned(), ToString::to_string);
            let problem = format!("there are two entries for {whose}");
            return Err(ConfigError::new(format!("{place}.robot"), problem, "write all of it into one"));
        }
    }
    Ok(())
}

/// Parts of the gateway whose clients are known by a word, beside the dialects.
const PARTS: [&str; 3] = ["api", "cli", "page"];

/// What is allowed, and probably not meant: entries that hold for nobody. `robots` are those that the config names.
pub(super) fn doubts(entries: &[Authority], robots: &BTreeSet<String>, has_users: bool) -> Vec<String> {
    let words: Vec<&str> = DIALECTS.iter().map(|entry| entry.name).chain(PARTS).collect();
    let mut doubts = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        if let Some(robot) = entry.robot.as_ref().filter(|it| !robots.contains(it.as_str())) {
            let advice = advice(robot.as_str(), robots.iter().map(String::as_str));
            doubts.push(format!(
                "authority[{i}].robot: the config has no robot {robot}, so that this holds for nobody unless one comes by itself; {advice}"
            ));
        }
        let lists = [
            ("observers", entry.observers.iter().flatten().collect::<Vec<_>>()),
            ("releasers", entry.releasers.iter().flatten().collect()),
            ("priorities", entry.priorities.iter().flat_map(BTreeMap::keys).collect()),
        ];
        for (key, names) in lists {
            let unproven = names.iter().find(|name| !has_users && ["page", "cli"].contains(&name.as_str()));
            // Listed beside `api` they say no more than it.
            if let Some(name) = unproven.filter(|_| !names.iter().any(|it| *it == "api")) {
                doubts.push(format!(
                    "authority[{i}].{key}: without users ([access]) any client of the API may call itself {name}; write api, or give the gateway users, who log in"
                ));
            }
            for name in names.into_iter().filter(|name| !words.contains(&name.as_str())) {
                // Else it is the name or the address of a client.
                if let Some(meant) = nearest(name, words.iter().copied()) {
                    doubts.push(format!(
                        "authority[{i}].{key}: no dialect is called {name}; did you mean {meant}? Else it is the name of a client"
                    ));
                }
            }
        }
    }
    doubts
}

/// The policies of the hub.
pub fn policies(entries: &[Authority]) -> Policies {
    let others = entries.iter().find(|it| it.robot.is_none());
    let others = others.map_or_else(Policy::default, |it| it.policy(&Policy::default()));
    let of = entries.iter().filter_map(|it| Some((it.robot.clone()?, it.policy(&others))));
    Policies { of: of.collect(), others }
}

impl Authority {
    fn validate(&self, place: &str) -> Result<(), ConfigError> {
        let error = |key: &str, problem: String, advice: &str| {
            Err(ConfigError::new(format!("{place}.{key}"), problem, advice))
        };
        let times = [
            ("hold_s", self.hold_s),
            ("drive_timeout_s", self.drive_timeout_s),
            ("silence_s", self.silence_s),
        ];
        for (key, seconds) in times {
            if let Some(seconds) = seconds.filter(|it| !(0.0..=MAX_S).contains(it)) {
                return error(key, format!("{seconds} is no such time"), "write seconds from 0 to 3600");
            }
        }
        let speeds = [("max_linear_mps", self.max_linear_mps), ("max_angular_radps", self.max_angular_radps)];
        for (key, speed) in speeds {
            if let Some(speed) = speed.filter(|it| !(it.is_finite() && *it > 0.0)) {
                return error(key, format!("{speed} is no speed"), "write a number above 0");
            }
        }
        let accelerations =
            [("max_linear_mps2", self.max_linear_mps2), ("max_angular_radps2", self.max_angular_radps2)];
        for (key, acceleration) in accelerations {
            if let Some(it) = acceleration.filter(|it| !(it.is_finite() && *it >= MIN_ACCELERATION)) {
                return error(key, format!("{it} is no acceleration"), "write a number of at least 0.01");
            }
        }
        if let Some(it) = self.border_m.filter(|it| !(it.is_finite() && *it >= 0.0)) {
            return error("border_m", format!("{it} is no width"), "write metres, 0 for no border");
        }
        if let Some(it) = self.border_mps.filter(|it| !(it.is_finite() && *it > 0.0)) {
            return error("border_mps", format!("{it} is no speed"), "write a number above 0");
        }
        if self.area.is_none() && (self.border_m.is_some() || self.border_mps.is_some()) {
            return error("area", "is missing, so there is no border".into(), "write the area of the robot");
        }
        if self.robot.is_none() && self.area.is_some() {
            return error(
                "area",
                "an area is on the map of one robot".into(),
                "name the robot, `robot = \"…\"`",
            );
        }
        if let Some(Err(problem)) = self.area() {
            return error(
                "area",
                problem.into(),
                "write the corners in order, such as [[0, 0], [4, 0], [4, 3], [0, 3]]",
            );
        }
        for name in self.commands.iter().flatten() {
            // Fields may be missing; the word has to be one.
            let read = serde_json::from_value::<Command>(serde_json::json!({"command": name}));
            let unknown =
                read.err().map(|error| error.to_string()).filter(|it| it.starts_with("unknown variant"));
            if let Some(unknown) = unknown {
                return error("commands", format!("no command is called {name}"), &explained(&unknown));
            }
        }
        Ok(())
    }

    fn area(&self) -> Option<Result<Area, &'static str>> {
        let border_m = self.border_m.unwrap_or(BORDER_M);
        Some(Area::new(self.area.clone()?, border_m, self.border_mps.unwrap_or(BORDER_MPS)))
    }

    /// What it says, and otherwise what `others` says.
    fn policy(&self, others: &Policy) -> Policy {
        // Areas that are none were refused.
        let own_area = self.area().and_then(Result::ok);
        let Self {
            robot: _,
            priorities,
            observers,
            releasers,
            equals,
            hold_s,
            drive_timeout_s,
            silence_s,
            renew_drives,
            drive_until_stopped,
            start,
            commands,
            max_linear_mps,
            max_angular_radps,
            max_linear_mps2,
            max_angular_radps2,
            beyond,
            area: _,
            border_m: _,
            border_mps: _,
        } = self.clone();
        let mut all = others.priorities.clone();
        all.extend(priorities.unwrap_or_default());
        let equals = equals.map(|it| match it {
            EqualsWord::Newest => Equals::Newest,
            EqualsWord::First => Equals::First,
        });
        let beyond = beyond.map(|it| match it {
            BeyondWord::Limit => Beyond::Limit,
            BeyondWord::Refuse => Beyond::Refuse,
        });
        let bounds = others.envelope;
        Policy {
            priorities: all,
            observers: observers.unwrap_or_else(|| others.observers.clone()),
            releasers: releasers.unwrap_or_else(|| others.releasers.clone()),
            equals: equals.unwrap_or(others.equals),
            hold: hold_s.map_or(others.hold, Duration::from_secs_f64),
            drive_timeout: drive_timeout_s.map_or(others.drive_timeout, Duration::from_secs_f64),
            silence: silence_s.map_or(others.silence, Duration::from_secs_f64),
            renew_drives: renew_drives.unwrap_or(others.renew_drives),
            drive_until_stopped: drive_until_stopped.unwrap_or(others.drive_until_stopped),
            stops_at_start: start.map_or(others.stops_at_start, |it| it == StartWord::Stop),
            commands: commands.unwrap_or_else(|| others.commands.clone()),
            envelope: Envelope {
                linear_mps: max_linear_mps.or(bounds.linear_mps),
                angular_radps: max_angular_radps.or(bounds.angular_radps),
                linear_mps2: max_linear_mps2.or(bounds.linear_mps2),
                angular_radps2: max_angular_radps2.or(bounds.angular_radps2),
                beyond: beyond.unwrap_or(bounds.beyond),
                gap_m: None,
            },
            area: own_area,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        authority: Vec<Authority>,
    }

    fn read(text: &str) -> Vec<Authority> {
        toml::from_str::<File>(text).unwrap().authority
    }

    #[test]
    fn entries_for_nobody_are_doubted() {
        let entries = read(
            "[[authority]]\nobservers = [\"mitsy\", \"192.168.1.20\", \"anna\"]\n\
             [[authority]]\nrobot = \"misty-2\"\n[[authority]]\nrobot = \"ax-1\"\nreleasers = [\"page\", \"axbto\"]\n",
        );
        let robots = ["misty-1", "ax-1"].map(str::to_owned).into();
        let doubts = doubts(&entries, &robots, true);
        assert_eq!(doubts.len(), 3, "{doubts:?}");
        assert!(
            doubts[0].starts_with("authority[0].observers: no dialect is called mitsy; did you mean misty?")
        );
        assert!(doubts[1].starts_with("authority[1].robot: the config has no robot misty-2"));
        assert!(doubts[1].contains("misty-1") && doubts[2].contains("axbot"), "{doubts:?}");
    }

    #[test]
    fn a_robot_has_what_is_for_all_but_for_its_own() {
        let entries = read(
            "[[authority]]\nmax_linear_mps = 0.5\npriorities = { misty = 5 }\n\
             [[authority]]\nrobot = \"ax-1\"\nhold_s = 3\npriorities = { axbot = 7 }\nbeyond = \"refuse\"\n",
        );
        validate(&entries).unwrap();
        let Policies { of, others } = policies(&entries);
        assert_eq!((others.hold, others.envelope.beyond), (Policy::default().hold, Beyond::Limit));
        let own = &of[&RobotId::new("ax-1").unwrap()];
        assert_eq!(own.hold, Duration::from_secs(3));
        assert_eq!((own.envelope.linear_mps, own.envelope.beyond), (Some(0.5), Beyond::Refuse));
        let priorities: Vec<_> = own.priorities.iter().map(|(name, it)| (name.as_str(), *it)).collect();
        assert_eq!(priorities, [("axbot", 7), ("misty", 5), ("page", 10)]);
        assert_eq!(policies(&[]).others, Policy::default());
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let problem = |text: &str| {
            let error = validate(&read(&format!("[[authority]]\n{text}\n"))).unwrap_err();
            format!("{}: {}; {}", error.key, error.problem, error.advice)
        };
        assert!(problem("hold_s = -1").starts_with("authority[0].hold_s: -1 is no such time"));
        assert!(problem("max_linear_mps = 0").starts_with("authority[0].max_linear_mps: 0 is no speed"));
        let area = |corners: &str| problem(&format!("robot = \"ax-1\"\narea = {corners}"));
        assert_eq!(
            area("[[0, 0], [1, 1], [1, 0], [0, 1]]"),
            "authority[0].area: its edges cross each other; \
             write the corners in order, such as [[0, 0], [4, 0], [4, 3], [0, 3]]"
        );
        assert!(area("[[0, 0], [1, 1]]").starts_with("authority[0].area: it has fewer than three corners"));
        assert!(problem("area = [[0, 0], [1, 1], [1, 0]]").ends_with("name the robot, `robot = \"…\"`"));
        let unknown = problem("commands = [\"drvie\"]");
        assert!(unknown.starts_with("authority[0].commands: no command is called drvie"), "{unknown}");
        assert!(
            problem("[[authority]]").starts_with("authority[1].robot: there are two entries for all robots")
        );
    }
}
