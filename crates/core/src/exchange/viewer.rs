//! A client that does not see everything.

use crate::key_expression::Key;

use crate::access::{Caller, Role};
use crate::model::RobotId;

/// A client with its roles, and the dialect through which it subscribes.
#[derive(Clone, Debug)]
pub(crate) struct Viewer {
    pub(crate) dialect: &'static str,
    pub(crate) caller: Caller,
    /// Whether it is shown nothing of a robot of which it sees some kinds alone.
    pub(crate) of_whole_robots: bool,
}

impl Viewer {
    /// Whether it sees what is published at a key, `robot/kind[/part]`.
    pub(crate) fn sees(&self, key: Key<'_>) -> bool {
        match self.of_whole_robots {
            true => self.sees_robot_of(key),
            false => self.caller.sees(self.dialect, key),
        }
    }

    /// Whether it sees anything below a key expression.
    pub(crate) fn sees_below(&self, below: Key<'_>) -> bool {
        match self.of_whole_robots {
            true => self.sees_robot_of(below),
            false => self.caller.sees_below(self.dialect, below),
        }
    }

    /// Whether it sees everything of the robot that a key names.
    fn sees_robot_of(&self, key: Key<'_>) -> bool {
        let robot = key.as_str().split('/').next().and_then(|robot| RobotId::new(robot).ok());
        robot.is_some_and(|robot| self.caller.may(Role::See, self.dialect, &robot))
    }

    /// Whether it knows of a robot.
    pub(crate) fn knows(&self, robot: &RobotId) -> bool {
        match self.of_whole_robots {
            true => self.caller.may(Role::See, self.dialect, robot),
            false => self.caller.knows(self.dialect, robot),
        }
    }

    /// Whether it sees all that it sees of a robot as a whole, also what the robot itself sent.
    pub(crate) fn sees_whole_robots(&self) -> bool {
        self.caller.sees_whole_robots(self.dialect)
    }

    /// Whether it sees everything of every robot.
    pub(crate) fn sees_all(&self) -> bool {
        self.caller.may_everywhere(Role::See, self.dialect)
    }
}
