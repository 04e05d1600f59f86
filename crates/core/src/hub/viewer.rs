//! The hub as a client sees it that does not see everything.

use crate::key_expression::Key;

use super::Hub;
use crate::exchange::{Topic, Viewer};
use crate::model::{Author, Kind, PartName, RobotId, key};

impl Hub {
    /// The same hub with the robots, last values, subscriptions and commands that a client may see.
    #[must_use]
    pub fn seen_by(&self, author: &Author) -> Self {
        let viewer = author.caller().map(|caller| Viewer {
            dialect: author.granted_by(),
            caller: caller.clone(),
            of_whole_robots: false,
        });
        Self(self.0.clone(), viewer)
    }

    /// The same hub with the robots alone that its client sees as a whole, for messages that may hold any kind: also after
    /// the client's roles have changed.
    #[must_use]
    pub fn of_whole_robots(&self) -> Self {
        let viewer = self.1.clone().map(|viewer| Viewer { of_whole_robots: true, ..viewer });
        Self(self.0.clone(), viewer)
    }

    /// The same hub without the restrictions of its client's grants: encodings that several clients share are made with it, and
    /// not by what the first of them may see.
    #[must_use]
    pub fn unfiltered(&self) -> Self {
        Self(self.0.clone(), None)
    }

    /// Whether it shows a robot.
    pub fn shows(&self, robot: &RobotId) -> bool {
        self.1.as_ref().is_none_or(|it| it.knows(robot))
    }

    /// Whether it shows a part of a kind of a robot's signals or, if none is named, any.
    pub fn shows_some_of(&self, robot: &RobotId, kind: Kind, part: Option<&PartName>) -> bool {
        let Some(viewer) = &self.1 else { return true };
        match part {
            Some(part) => self.shows_key(&key(robot, kind, Some(part))),
            None => {
                let below = format!("{robot}/{kind}/**");
                Key::new(&below).is_ok_and(|below| viewer.sees_below(below))
            }
        }
    }

    /// Whether it shows some kind of a robot's signals.
    pub fn shows_kind(&self, robot: &RobotId, kind: Kind) -> bool {
        self.shows_key(&key(robot, kind, None))
    }

    /// Whether it shows all parts of a kind of a robot's signals, those that may come included.
    pub fn shows_all_of(&self, robot: &RobotId, kind: Kind) -> bool {
        self.1.is_none() || self.shows_key(&format!("{robot}/{kind}/**"))
    }

    /// Whether it shows what is published at a key, `robot/kind[/part]`.
    pub fn shows_key(&self, key: &str) -> bool {
        self.1.as_ref().is_none_or(|it| Key::new(key).is_ok_and(|key| it.sees(key)))
    }

    /// Whether it shows all that it shows of a robot as a whole, also what the robot itself sent.
    pub fn shows_whole_robots(&self) -> bool {
        self.1.as_ref().is_none_or(Viewer::sees_whole_robots)
    }

    /// Whether it shows everything of every robot.
    pub fn shows_all(&self) -> bool {
        self.1.as_ref().is_none_or(Viewer::sees_all)
    }

    pub(super) fn shows_topic(&self, topic: &Topic) -> bool {
        self.1.as_ref().is_none_or(|it| it.sees(topic.key().as_key()))
    }
}
