//! The frames beside messages: what a program asks, and what the robot answers.

use std::time::Duration;

use latimer_core::{Command, Outcome};
use serde::{Deserialize, Serialize};

/// Centimetres in a metre.
const CM: f64 = 100.0;

/// What a program sends: topics to follow, or a command with its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The topics that the robot sends it from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<Vec<String>>,
    /// The command's number, which its answer has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// How to drive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<Drive>,
    /// To stand still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<bool>,
}

/// How to drive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Ahead, cm/s.
    #[serde(default)]
    pub speed: f64,
    /// Counter-clockwise, degrees a second.
    #[serde(default)]
    pub turn: f64,
    /// How long; until the next command if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// What a robot sends that is no message: what became of a command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The command's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Whether it was taken.
    pub done: bool,
    /// If not, why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The topic of a robot's message; none of an answer.
#[derive(Debug, Deserialize)]
pub struct Head {
    /// Its topic.
    #[serde(default)]
    pub topic: Option<String>,
}

impl Request {
    /// The command that it gives; `None` if it gives none.
    pub fn command(&self) -> Option<Command> {
        match self {
            Self { stop: Some(true), .. } => Some(Command::Stop { hold: false }),
            Self { drive: Some(Drive { speed, turn, seconds }), .. } => Some(Command::Drive {
                linear_mps: speed / CM,
                angular_radps: turn.to_radians(),
                duration: seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()),
            }),
            _ => None,
        }
    }

    /// The request that gives a command; `None` if the robot knows none.
    pub fn of(id: u64, command: &Command) -> Option<Self> {
        let request = Self { id: Some(id), ..Self::default() };
        match command {
            Command::Drive { linear_mps, angular_radps, duration } => {
                let seconds = duration.map(|it| it.as_secs_f64());
                let drive = Drive { speed: linear_mps * CM, turn: angular_radps.to_degrees(), seconds };
                Some(Self { drive: Some(drive), ..request })
            }
            _ if command.is_stop() => Some(Self { stop: Some(true), ..request }),
            _ => None,
        }
    }
}

impl Answer {
    /// The answer that tells an outcome.
    pub fn of(id: Option<u64>, outcome: &Outcome) -> Self {
        let why = match outcome {
            Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => None,
            Outcome::Refused(refusal) => Some(refusal.to_string()),
            Outcome::TimedOut => Some("the robot does not answer".to_owned()),
        };
        Self { id, done: why.is_none(), why }
    }

    /// The outcome that it tells.
    pub fn outcome(self) -> Outcome {
        match self.done {
            true => Outcome::Done,
            false => Outcome::not_now(self.why.unwrap_or_else(|| "the robot does not say why".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_go_there_and_back() {
        let drive = |duration| Command::Drive { linear_mps: 0.2, angular_radps: -0.5, duration };
        for command in [drive(None), drive(Some(Duration::from_millis(1500))), Command::Stop { hold: false }]
        {
            let request = serde_json::to_string(&Request::of(7, &command).unwrap()).unwrap();
            let read: Request = serde_json::from_str(&request).unwrap();
            assert_eq!((read.id, read.command()), (Some(7), Some(command)));
        }
        assert_eq!(Request::of(7, &Command::Volume(0.5)), None);
    }

    #[test]
    fn a_refusal_keeps_its_words() {
        let refused = Answer::of(Some(1), &Outcome::not_now("the stairs are ahead"));
        let text = serde_json::to_string(&refused).unwrap();
        assert!(text.contains("the stairs are ahead"), "{text}");
        assert!(!serde_json::from_str::<Answer>(&text).unwrap().outcome().is_ok());
    }
}
