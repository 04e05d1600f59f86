//! The topics. The leading slash is real: the first level of each is empty.

use std::fmt;
use std::str::FromStr;

/// A topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// What robots report on tasks.
    RobotsStatus,
    /// What robots ask of the dialogue system.
    RobotsTask,
    /// What robots are asked to do.
    DialogueTask,
    /// What the dialogue system says of reports: that it took them.
    DialogueStatus,
}

/// A text that is none of the topics.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no topic of household robots; there are: {}", names())]
pub struct UnknownTopic {
    /// What was given, cut to a readable length.
    given: String,
}

impl Topic {
    /// All of them.
    pub const ALL: &[Self] =
        &[Self::RobotsStatus, Self::RobotsTask, Self::DialogueTask, Self::DialogueStatus];

    /// The topic as it is on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RobotsStatus => "/robots/status",
            Self::RobotsTask => "/robots/task",
            Self::DialogueTask => "/dialogue/task",
            Self::DialogueStatus => "/dialogue/status",
        }
    }
}

fn names() -> String {
    Topic::ALL.iter().map(|topic| topic.as_str()).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Topic {
    type Err = UnknownTopic;

    fn from_str(text: &str) -> Result<Self, UnknownTopic> {
        let known = Self::ALL.iter().find(|topic| topic.as_str() == text);
        known.copied().ok_or_else(|| UnknownTopic { given: text.chars().take(80).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_read_as_it_is_written_and_nothing_else_is() {
        for topic in Topic::ALL {
            assert_eq!(topic.to_string().parse(), Ok(*topic));
            assert!(topic.as_str().starts_with('/'));
        }
        let error = "robots/status".parse::<Topic>().unwrap_err().to_string();
        assert!(error.contains("/robots/status, /robots/task"), "{error}");
    }
}
