//! A client that does not see everything.

use zenoh_keyexpr::keyexpr;

use super::{Hub, Topic};
use crate::access::{Caller, Role};
use crate::model::{Author, Kind, RobotId, key};

/// Who sees a hub, and through which dialect.
#[derive(Clone, Debug)]
pub(super) struct Viewer {
    pub(super) dialect: &'static str,
    pub(super) caller: Caller,
}

impl Viewer {
    pub(super) fn sees(&self, key: &keyexpr) -> bool {
        self.caller.sees(self.dialect, key)
    }

    pub(super) fn sees_below(&self, below: &keyexpr) -> bool {
        self.caller.sees_below(self.dialect, below)
    }
}

impl Hub {
    /// The same hub with the robots, last values, subscriptions and commands that a client may see.
    #[must_use]
    pub fn seen_by(&self, author: &Author) -> Self {
        let viewer =
            author.caller().map(|caller| Viewer { dialect: author.granted_by(), caller: caller.clone() });
        Self(self.0.clone(), viewer)
    }

    /// Whether it shows a robot.
    pub fn shows(&self, robot: &RobotId) -> bool {
        self.1.as_ref().is_none_or(|it| it.caller.knows(it.dialect, robot))
    }

    /// Whether it shows some kind of a robot's signals.
    pub fn shows_kind(&self, robot: &RobotId, kind: Kind) -> bool {
        self.shows_key(&key(robot, kind, None))
    }

    /// Whether it shows what is published at a key, `robot/kind[/part]`.
    pub fn shows_key(&self, key: &str) -> bool {
        self.1.as_ref().is_none_or(|it| keyexpr::new(key).is_ok_and(|key| it.sees(key)))
    }

    /// Whether it shows all that it shows of a robot as a whole, also what the robot itself sent.
    pub fn shows_whole_robots(&self) -> bool {
        self.1.as_ref().is_none_or(|it| it.caller.sees_whole_robots(it.dialect))
    }

    /// Whether it shows everything of every robot.
    pub fn shows_all(&self) -> bool {
        self.1.as_ref().is_none_or(|it| it.caller.may_everywhere(Role::See, it.dialect))
    }

    pub(super) fn shows_topic(&self, topic: &Topic) -> bool {
        self.1.as_ref().is_none_or(|it| it.sees(&topic.name.key))
    }
}
