//! Parameters of one command, read so that all that is wrong with them is said at once.

use std::time::Duration;

use thiserror::Error;

use super::{param_type::FromParam, params::Params};

/// Longest time that a command may name: a day.
const LONGEST_MS: f64 = 86_400_000.0;

/// A command that cannot run as it was called, in a robot's words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Cannot {verb} {}", problems.iter().map(|problem| format!(" - {problem}.")).collect::<String>())]
pub struct CommandError {
    /// What cannot be done, `drive`.
    pub verb: String,
    /// What stands in the way, a sentence without its full stop each.
    pub problems: Vec<String>,
}

/// Reads parameters and gathers what is wrong with them.
#[derive(Debug)]
#[must_use = "`finish` returns what is wrong"]
pub struct CommandParams<'a> {
    params: &'a Params,
    verb: &'a str,
    problems: Vec<String>,
}

impl<'a> CommandParams<'a> {
    pub(super) fn new(params: &'a Params, verb: &'a str) -> Self {
        Self { params, verb, problems: Vec::new() }
    }

    /// A parameter that the command cannot do without; the default stands in until `finish` refuses.
    pub fn required<T: FromParam + Default>(&mut self, name: &str) -> T {
        match self.params.get::<T>(name) {
            Ok(Some(value)) => return value,
            Ok(None) => {
                self.problems.push(format!("Missing required {} parameter '{name}'", T::TYPE_NAME));
            }
            Err(error) => self.problems.push(error.to_string()),
        }
        T::default()
    }

    /// A parameter that may be left out.
    pub fn optional<T: FromParam>(&mut self, name: &str) -> Option<T> {
        self.params.get(name).unwrap_or_else(|error| {
            self.problems.push(error.to_string());
            None
        })
    }

    /// A time in milliseconds.
    pub(super) fn time(&mut self, ms: f64) -> Duration {
        if !(0.0..=LONGEST_MS).contains(&ms) {
            self.refuse(format!("Invalid time of {ms} ms, use 0 to {LONGEST_MS}"));
            return Duration::ZERO;
        }
        Duration::from_secs_f64(ms / 1000.0)
    }

    /// What is wrong, with a problem of the command's own: a sentence without its full stop.
    pub(super) fn refused(mut self, problem: String) -> CommandError {
        self.problems.push(problem);
        CommandError { verb: self.verb.to_owned(), problems: self.problems }
    }

    /// Adds a problem of the command's own: a sentence without its full stop.
    pub fn refuse(&mut self, problem: impl Into<String>) {
        self.problems.push(problem.into());
    }

    /// Says whether the command can run.
    pub fn finish(self) -> Result<(), CommandError> {
        if self.problems.is_empty() {
            return Ok(());
        }
        Err(CommandError { verb: self.verb.to_owned(), problems: self.problems })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, body: &str) -> Params {
        Params::read(query, body).unwrap()
    }

    #[test]
    fn missing_parameters_are_reported_in_the_robots_words() {
        let params = read("", r#"{"Heading":null}"#);
        let mut drive = params.for_command("drive");
        for name in ["Heading", "Distance", "TimeMs"] {
            drive.required::<f64>(name);
        }
        assert_eq!(
            drive.finish().unwrap_err().to_string(),
            "Cannot drive  - Missing required double parameter 'Heading'. - Missing required double parameter \
             'Distance'. - Missing required double parameter 'TimeMs'."
        );
    }

    #[test]
    fn wrong_parameters_are_reported_with_what_was_sent() {
        let params = read("Red=256&Hold=maybe", r#"{"Position":[1]}"#);
        let mut command = params.for_command("do it");
        assert_eq!(command.required::<u8>("Red"), 0);
        assert_eq!(command.optional::<bool>("Hold"), None);
        command.optional::<f64>("Position");
        command.refuse("Robot is asleep");
        assert_eq!(
            command.finish().unwrap_err().to_string(),
            "Cannot do it  - Invalid byte parameter 'Red': \"256\" is not a whole number from 0 to 255. \
             - Invalid boolean parameter 'Hold': \"maybe\" is not true or false. \
             - Invalid double parameter 'Position': [1] is not a number. - Robot is asleep."
        );
    }

    #[test]
    fn a_complete_command_runs() {
        let params = read("", r#"{"LinearVelocity":"20","AngularVelocity":-5}"#);
        let mut drive = params.for_command("drive");
        assert_eq!(drive.required::<f64>("LinearVelocity"), 20.0);
        assert_eq!(drive.required::<f64>("AngularVelocity"), -5.0);
        assert_eq!(drive.finish(), Ok(()));
    }
}
