//! Tasks for robots that are not served here: they pass by, since others may serve them at the same broker, and the log
//! says now and then which robots there are and what to write.

use std::collections::BTreeMap;

use latimer_core::Timestamp;

use super::Facade;
use crate::robotkoop::wire::Head;
use crate::throttled_warning::ThrottledWarning;

/// Most names that are counted apart; more of them share a count.
const MOST: usize = 64;

/// Most characters of a name, and most robots of a list, that are logged.
const MOST_SHOWN: usize = 100;

/// How often tasks came for each robot that is not served.
#[derive(Debug, Default)]
pub(super) struct Strays(BTreeMap<String, ThrottledWarning>);

impl Strays {
    /// Counts a task for a robot, or for none; how many came since the last line, if it is time for another.
    fn due(&mut self, robot: Option<&str>, now: Timestamp) -> Option<u64> {
        let name: String = robot.unwrap_or_default().chars().take(MOST_SHOWN).collect();
        let name = if self.0.len() < MOST || self.0.contains_key(&name) { name } else { String::new() };
        self.0.entry(name).or_default().due(now, 1)
    }
}

impl Facade {
    /// A task is for nobody here.
    pub(super) fn pass_by(&mut self, head: &Head) {
        let target = head.target_id.as_deref();
        if target.is_some_and(|target| self.settings.connected.iter().any(|id| id == target)) {
            return;
        }
        let Some(count) = self.strays.due(target, self.hub.clock().now()) else { return };
        let task: String = head.task_id.chars().take(MOST_SHOWN).collect();
        let served =
            self.robots.values().map(|it| it.id.as_str()).take(MOST_SHOWN).collect::<Vec<_>>().join(", ");
        let served = if served.is_empty() { "none".to_owned() } else { served };
        match target {
            None => tracing::warn!(
                %task, count, %served,
                "a task names no robot; write one of the served ones as its target_id"
            ),
            Some(target) => {
                let id: String = target.chars().take(MOST_SHOWN).collect();
                let hint = self.how_to_serve(&id);
                tracing::warn!(robot = id, %task, count, %served, %hint, "a task is for a robot that is not served here");
            }
        }
    }

    /// What to write into the config, or into the task.
    fn how_to_serve(&self, id: &str) -> String {
        let known = self.hub.robots().into_iter().map(|it| it.info.robot);
        let free: Vec<String> =
            known.filter(|robot| !self.robots.contains_key(robot)).map(|it| it.to_string()).collect();
        let serve = |robot: &str| format!("[[robotkoop.serve]] robot = {robot:?} id = {id:?}");
        match free.iter().find(|robot| *robot == id).or(free.first()) {
            Some(robot) if free.len() == 1 || robot == id => {
                format!("add {} to the config, or write a served robot as target_id", serve(robot))
            }
            Some(robot) => {
                let free = free.iter().take(MOST_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
                format!(
                    "add such as {} to the config, with one of: {free}; or write a served robot as target_id",
                    serve(robot)
                )
            }
            None => format!("write a served robot as target_id, or id = {id:?} at its [[robotkoop.serve]]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_logged_once_in_a_while_and_they_are_bounded() {
        let mut strays = Strays::default();
        let now = Timestamp::from_nanos(0);
        assert_eq!(strays.due(Some("kurt"), now), Some(1));
        assert_eq!(strays.due(Some("kurt"), now), None);
        assert_eq!(strays.due(Some("karl"), now), Some(1));
        for number in 0..10_000 {
            strays.due(Some(&format!("R{number}")), now);
        }
        assert!(strays.0.len() <= MOST + 1);
        let later = now.after(std::time::Duration::from_secs(60));
        assert_eq!(strays.due(Some("kurt"), later), Some(2));
    }
}
