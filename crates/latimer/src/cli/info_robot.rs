//! `latimer info ROBOT`: how a robot is connected and served, what it has and can, who may drive it and who does, and whether it moves.

use std::fmt::Display;
use std::io::Write;

use super::lines::time_of_day;
use super::robots::skew_text;
use crate::api::Me;
use crate::client::Gateway;
use crate::exit::Ended;
use latimer_wire::v1::{Author, Bounds, Endpoint, Link, Motion, PartRole, Robot, RobotProfile, Unstopped};

pub(super) async fn info(gateway: &Gateway, robot: &str) -> Ended {
    let robot: Robot = gateway.get(&format!("/api/v1/robots/{robot}")).await?;
    let me: Me = gateway.get("/api/v1/me").await?;
    Ok(write!(std::io::stdout().lock(), "{}", text(&robot, &me))?)
}

/// What is known of a robot, a line each.
#[derive(Default)]
struct Text(String);

impl Text {
    /// A line; the name of what it is about stands before the first one of several.
    fn line(&mut self, name: &str, text: impl Display) {
        self.0 += &format!("{name:<11} {text}\n");
    }

    fn list(&mut self, name: &str, words: &[String]) {
        if !words.is_empty() {
            self.line(name, words.join(", "));
        }
    }
}

fn text(robot: &Robot, me: &Me) -> String {
    let mut text = Text::default();
    let from = robot
        .address
        .as_ref()
        .map_or_else(|| "simulated in this gateway".to_owned(), |address| format!("connected at {address}"));
    text.line(&robot.robot, format_args!("a robot of the family {}, {from}", robot.family));
    text.line("link", link(&robot.link));
    for (number, Endpoint { dialect, url, try_line, .. }) in robot.endpoints.iter().enumerate() {
        text.line(if number == 0 { "served" } else { "" }, format_args!("as {dialect} at {url}"));
        text.line("", format_args!("  {try_line}"));
    }
    if robot.endpoints.is_empty() {
        text.line("served", "in no dialect; the API and the command line have it all the same");
    }
    if let Some(profile) = &robot.profile {
        has(&mut text, profile);
    }
    if let Some(bounds) = &robot.bounds {
        bounded(&mut text, bounds);
    }
    text.line(
        "you",
        match me.drives.contains(&robot.robot) {
            true => "may drive it",
            false => "may not drive it: no role of yours allows that",
        },
    );
    text.line(
        "driver",
        match (&robot.driver, robot.driven) {
            (None, _) => "nobody has driven it".to_owned(),
            (Some(author), true) => format!("{} drives it now", name(author)),
            (Some(author), false) => format!("nobody; {} drove it last", name(author)),
        },
    );
    if let Some(Motion { state, reason, since }) = &robot.motion {
        let since = since.as_ref().map(|it| format!(", at {}", time_of_day(it))).unwrap_or_default();
        text.line("motion", format_args!("{state}: {reason}{since}"));
    }
    text.line(
        "stop",
        match &robot.unstopped {
            Some(Unstopped { since, message }) => format!("open since {}: {message}", time_of_day(since)),
            None => "none is open".to_owned(),
        },
    );
    if let Some(author) = &robot.emergency_stop {
        text.line("estop", format_args!("pressed by {}", name(author)));
    }
    let robot = &robot.robot;
    text.line(
        "see also",
        format_args!(
            "latimer topics {robot} · latimer echo {robot} · latimer commands {robot} · latimer trace {robot}"
        ),
    );
    text.0
}

fn name(author: &Author) -> String {
    if author.name.is_empty() {
        author.dialect.clone()
    } else {
        format!("{} {}", author.dialect, author.name)
    }
}

fn link(Link { state, since, reconnects, skew_min_s, skew_max_s, reason }: &Link) -> String {
    let mut text = format!("{state} since {}", time_of_day(since));
    if *reconnects > 0 {
        text += &format!(", came back {reconnects} times");
    }
    if let (Some(min_s), Some(max_s)) = (skew_min_s, skew_max_s) {
        text += &format!(", its clock is off by {}", skew_text(*min_s, *max_s));
    }
    match reason {
        Some(reason) => format!("{text}: {reason}"),
        None => text,
    }
}

fn has(text: &mut Text, profile: &RobotProfile) {
    let roles = |all: &[PartRole]| all.iter().map(|it| it.role.clone()).collect::<Vec<_>>();
    text.list("reports", &profile.kinds);
    text.list("can", &profile.abilities);
    text.list("cameras", &roles(&profile.cameras));
    text.list("joints", &roles(&profile.joints));
    let lamps: Vec<String> =
        profile.lamps.iter().map(|it| it.clone().unwrap_or_else(|| "one".to_owned())).collect();
    text.list("lamps", &lamps);
    let range = |it: &latimer_wire::v1::RangeSensor| {
        let part = it.part.as_ref().map(|part| format!(" {part}")).unwrap_or_default();
        let most = it.max_m.map(|most| format!(" to {most} m")).unwrap_or_default();
        format!("{}{part}{most}", it.kind)
    };
    text.list("distances", &profile.ranges.iter().map(range).collect::<Vec<_>>());
    text.list("contacts", &roles(&profile.placed));
    let wheels = [
        profile.max_wheel_mps.map(|it| format!("{it} m/s at most")),
        profile.wheel_gap_m.map(|it| format!("{it} m apart")),
    ];
    text.list("wheels", &wheels.into_iter().flatten().collect::<Vec<_>>());
    text.line("map", &profile.map);
}

fn bounded(text: &mut Text, bounds: &Bounds) {
    let limits = [
        bounds.linear_mps.map(|it| format!("{it} m/s")),
        bounds.angular_radps.map(|it| format!("{it} rad/s")),
        bounds.linear_mps2.map(|it| format!("{it} m/s²")),
        bounds.angular_radps2.map(|it| format!("{it} rad/s²")),
        bounds.area_m.as_ref().map(|it| format!("an area with {} corners", it.len())),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    text.line(
        "bounds",
        match (limits.as_slice(), bounds.beyond.as_str()) {
            ([], _) => "none by the config".to_owned(),
            (limits, "refuse") => format!("{}; what is beyond is refused", limits.join(", ")),
            (limits, _) => format!("{}; what is beyond is limited", limits.join(", ")),
        },
    );
    text.list("only", &bounds.commands);
    let ranks = bounds.priorities.iter().map(|(who, priority)| format!("{who} {priority}"));
    let ranks: Vec<String> = ranks.chain(["all others 0".to_owned()]).collect();
    text.line(
        "priority",
        format_args!(
            "{}; of equals the {} drives, and keeps it for {} s",
            ranks.join(", "),
            bounds.equals,
            bounds.hold_s
        ),
    );
    text.list("observers", &bounds.observers);
    text.line(
        "drives end",
        match bounds.drive_timeout_s {
            Some(seconds) => format!("{seconds} s after their client was seen last"),
            None => "when they are stopped, whether or not their client is there".to_owned(),
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_is_explained_a_line_each() {
        let robot: Robot = serde_json::from_value(serde_json::json!({
            "robot": "misty-1", "family": "misty", "origin": "connected", "address": "10.0.0.7:80",
            "link": {"state": "up", "since": "2026-11-21T10:04:05.000Z", "reconnects": 2, "skew_min_s": 0.01, "skew_max_s": 0.01,
                "reason": null},
            "driver": {"dialect": "page", "name": "10.0.0.3"}, "driven": true,
            "emergency_stop": {"dialect": "cli", "name": "10.0.0.3"},
            "unstopped": {"since": "2026-11-21T10:05:00.000Z", "message": "it did not take a stop, which is sent again"},
            "motion": {"state": "moving", "reason": "it reports a speed", "since": "2026-11-21T10:05:01.000Z"},
            "received": 1, "refused": 0, "unknown": 0,
            "endpoints": [{"robot": "misty-1", "dialect": "misty", "url": "http://127.0.0.1:8081", "try_line": "curl http://127.0.0.1:8081/api/battery"}],
            "profile": {"footprint_m": [], "max_wheel_mps": 0.6, "wheel_gap_m": 0.2, "wheel_radius_m": null,
                "cameras": [{"part": "rgb", "role": "front"}], "joints": [], "lamps": [null], "ranges": [], "placed": [],
                "kinds": ["battery", "pose"], "map": "makes", "abilities": ["drive"]},
            "bounds": {"linear_mps": 0.5, "angular_radps": null, "linear_mps2": null, "angular_radps2": null, "beyond": "limit",
                "area_m": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], "commands": [], "priorities": {"page": 10}, "equals": "newest",
                "observers": ["pera"], "releasers": ["page"], "hold_s": 1.0, "drive_timeout_s": 10.0},
        }))
        .unwrap();
        let me: Me = serde_json::from_value(
            serde_json::json!({"has_users": true, "name": "ada", "drives": ["misty-1"], "is_admin": false}),
        )
        .unwrap();
        insta::assert_snapshot!(text(&robot, &me));
    }
}
