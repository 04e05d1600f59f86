//! A scenario file: what happens in the simulated world, and when.
//!
//! ```toml
//! repeat_s = 60.0              # from the start again; once if not given
//!
//! [[events]]
//! at_s = 5.0                   # seconds of the world's time
//! robot = "misty-1"
//! stimulus = "touch"           # as in POST /api/v1/robots/{id}/poke
//! part = "touch_chin"
//!
//! [[events]]
//! at_s = 8.0
//! happening = "door"           # as in POST /api/v1/world/poke
//! name = "workshop"
//! open = true
//!
//! [[events]]
//! at_s = 9.0
//! robot = "misty-1"
//! command = "stop"             # as in POST /api/v1/robots/{id}/commands
//! ```

use std::path::Path;

use latimer_core::RobotId;
use latimer_core::model::IdError;
use latimer_simulator_api::{Cue, Scenario, ScenarioEvent};
use serde::de::DeserializeOwned;
use toml::{Spanned, Table, Value};

use super::{Diagnostic, Document};
use latimer_wire::v1::{Command, Happening, InvalidField, Stimulus};
use latimer_wire::words::explained;

/// Longest time of an event, seconds: a week.
const LONGEST_S: f64 = 604_800.0;

/// What an event is recognised by.
const WHAT: [&str; 3] = ["stimulus", "happening", "command"];

/// Why there is no scenario.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("cannot read the scenario {path}: {source}; check the path")]
    File {
        /// Which file.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is wrong.
    #[error(transparent)]
    Wrong(#[from] Diagnostic),
}

/// An event, or the rhythm of all, that cannot be meant.
#[derive(Debug, thiserror::Error)]
enum WrongEvent {
    #[error("a round takes from 0.1 to {LONGEST_S} s")]
    Round,
    #[error("an event needs a time; write at_s = 5.0")]
    NoTime,
    #[error("at_s is {0}; write seconds from 0 to {LONGEST_S}")]
    Time(f64),
    #[error("at {at_s} s it would never happen: the scenario begins again after {round_s} s")]
    AfterRound { at_s: f64, round_s: f64 },
    #[error(transparent)]
    Robot(#[from] IdError),
    #[error("robot is the name of a robot, in quotes")]
    RobotType,
    #[error("which robot? write robot = \"misty-1\"")]
    NoRobot,
    #[error("a happening is the world's; leave out robot")]
    RobotOfHappening,
    #[error("an event is one of: {}; write one of these keys", WHAT.join(", "))]
    What,
    #[error("{}", explained(.0.message()))]
    Toml(#[from] toml::de::Error),
    #[error(transparent)]
    Json(#[from] toml::ser::Error),
    #[error(transparent)]
    Field(#[from] InvalidField),
}

/// Reads and checks a file.
pub fn from_file(path: &Path) -> Result<Scenario, ScenarioError> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(parse(&name, &text)?),
        Err(source) => Err(ScenarioError::File { path: name, source }),
    }
}

/// Reads and checks a text.
pub fn parse(file: &str, text: &str) -> Result<Scenario, Diagnostic> {
    let mut document = Document::parse(file, text)?;
    let repeat_s: Option<f64> = document.read("repeat_s")?;
    check_round(repeat_s).map_err(|error| document.diagnostic_at("repeat_s", error.to_string()))?;
    let entries: Vec<Spanned<Table>> = document.read("events")?.unwrap_or_default();
    document.finish(["repeat_s", "events"])?;
    let mut events = Vec::with_capacity(entries.len());
    for entry in entries {
        let span = entry.span();
        let event = event(entry.into_inner(), repeat_s);
        events.push(event.map_err(|error| document.diagnostic_in(span, error.to_string()))?);
    }
    Ok(Scenario::new(events, repeat_s))
}

/// What is wrong with a scenario that came as JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct EventError {
    /// Where.
    pub place: String,
    /// What is wrong and what to do.
    pub problem: String,
}

/// Checks a scenario whose events came as JSON, with the same keys as in a file.
pub fn from_json(
    repeat_s: Option<f64>,
    entries: Vec<serde_json::Map<String, serde_json::Value>>,
) -> Result<Scenario, EventError> {
    let wrong = |place: String| move |error: WrongEvent| EventError { place, problem: error.to_string() };
    check_round(repeat_s).map_err(wrong("repeat_s".to_owned()))?;
    let events = entries.into_iter().enumerate().map(|(number, mut entry)| {
        // In JSON null is a way to leave something out; TOML has no such word.
        entry.retain(|_, value| !value.is_null());
        let table = Table::try_from(entry).map_err(WrongEvent::from);
        table.and_then(|table| event(table, repeat_s)).map_err(wrong(format!("events[{number}]")))
    });
    Ok(Scenario::new(events.collect::<Result<_, _>>()?, repeat_s))
}

fn check_round(repeat_s: Option<f64>) -> Result<(), WrongEvent> {
    match repeat_s {
        Some(round_s) if !(0.1..=LONGEST_S).contains(&round_s) => Err(WrongEvent::Round),
        _ => Ok(()),
    }
}

fn event(mut entry: Table, repeat_s: Option<f64>) -> Result<ScenarioEvent, WrongEvent> {
    let at_s = match entry.remove("at_s") {
        Some(Value::Float(at_s)) => at_s,
        Some(Value::Integer(at_s)) => at_s as f64,
        _ => return Err(WrongEvent::NoTime),
    };
    if !(0.0..=LONGEST_S).contains(&at_s) {
        return Err(WrongEvent::Time(at_s));
    }
    if let Some(round_s) = repeat_s.filter(|round_s| at_s >= *round_s) {
        return Err(WrongEvent::AfterRound { at_s, round_s });
    }
    let robot = match entry.remove("robot") {
        Some(Value::String(name)) => Some(RobotId::new(&name)?),
        Some(_) => return Err(WrongEvent::RobotType),
        None => None,
    };
    let what: Vec<&str> = WHAT.into_iter().filter(|key| entry.contains_key(*key)).collect();
    let cue = match (what.as_slice(), robot) {
        (["stimulus"], Some(robot)) => Cue::Poke(robot, model::<Stimulus, _>(entry)?),
        (["command"], Some(robot)) => Cue::Command(robot, model::<Command, _>(entry)?),
        (["happening"], None) => Cue::Happen(model::<Happening, _>(entry)?),
        (["happening"], Some(_)) => return Err(WrongEvent::RobotOfHappening),
        ([_], None) => return Err(WrongEvent::NoRobot),
        _ => return Err(WrongEvent::What),
    };
    Ok(ScenarioEvent { at_s, cue })
}

/// A wire type's value in the words of the model.
fn model<W: DeserializeOwned, M: TryFrom<W, Error = InvalidField>>(entry: Table) -> Result<M, WrongEvent> {
    let wire: W = entry.try_into()?;
    Ok(M::try_from(wire)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_event_is_read() {
        let text = "repeat_s = 60\n[[events]]\nat_s = 5\nrobot = \"m\"\nstimulus = \"touch\"\npart = \"touch_chin\"\n\
            [[events]]\nat_s = 1.5\nhappening = \"door\"\nname = \"front\"\nopen = true\n\
            [[events]]\nat_s = 9\nrobot = \"n\"\ncommand = \"stop\"\n";
        let scenario = parse("s.toml", text).unwrap();
        let robots: Vec<&str> = scenario.robots().map(RobotId::as_str).collect();
        assert_eq!(robots, ["m", "n"]);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let error = |text: &str| parse("s.toml", text).unwrap_err().to_string();
        let event = |rest: &str| error(&format!("[[events]]\nat_s = 1\n{rest}"));
        for (rest, expected) in [
            ("stimulus = \"lift\"", "which robot"),
            ("robot = \"m\"", "stimulus, happening, command"),
            ("robot = \"m\"\nstimulus = \"tuoch\"", "touch"),
            ("robot = \"m\"\nhappening = \"door\"", "leave out robot"),
            ("robot = \"m\"\nstimulus = \"battery\"\ncharge_ratio = 7.0", "charge_ratio"),
        ] {
            let message = event(rest);
            assert!(message.contains(expected) && message.contains("s.toml:1"), "{message}");
        }
        assert!(error("[[events]]\nrobot = \"m\"").contains("at_s"));
        let late = "repeat_s = 3.0\n[[events]]\nat_s = 7.0\nrobot = \"m\"\nstimulus = \"lift\"";
        assert!(error(late).contains("never happen") && error(late).contains("s.toml:2"));
        assert!(error("repeat_s = 0").contains("s.toml:1"));
        assert!(error("evnts = 1").contains("events"));
    }
}
