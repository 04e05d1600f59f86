//! Text that passes through the robot.

use std::sync::Arc;

use crate::model::Value;
use crate::model::record::{record, words};

words! {
    /// Which way the text came.
    pub enum TextChannel {
        /// From hardware on the serial port.
        Serial = "serial",
        /// From a program that runs on the robot.
        Skill = "skill",
        /// From the robot's own log.
        Log = "log",
        /// From another robot or a person.
        Chat = "chat",
    }
}

impl TextChannel {
    /// What a log has for people to read: the robot's own lines, and what it says aloud.
    pub const LINES: &[Self] = &[Self::Log, Self::Chat];

    /// Whether it is one of those.
    pub fn is_line(self) -> bool {
        Self::LINES.contains(&self)
    }
}

record! {
    /// A line of text, with data if the sender attached some.
    pub struct Text {
        /// Which way it came.
        pub channel: TextChannel,
        /// The text.
        pub text: Arc<str>,
        /// What was attached.
        pub data: Option<Value>,
        /// Whether the robot cut it.
        pub truncated: Option<bool>,
    }
}
