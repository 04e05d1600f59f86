//! Who may move which robot, by the config.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use super::population::ByName;
use super::{Hub, RobotEntry};
use crate::authority::Policy;
use crate::clock::Timestamp;
use crate::model::RobotId;
use crate::robot::{Event, Robot};

/// Who may move which robot: by name, or any other.
///
/// ```
/// use std::time::Duration;
///
/// use latimer_core::authority::{Envelope, Policy};
/// use latimer_core::hub::{Origin, Policies, RobotInfo};
/// use latimer_core::{Author, Clock, Command, Hub, RobotId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let hub = Hub::new(Clock::system());
/// # let robot: RobotId = "rover-1".parse()?;
/// # let mut source = hub.register(RobotInfo::new(robot.clone(), "rover", Origin::Simulated))?;
/// let slow = Envelope { linear_mps: Some(0.1), ..Envelope::default() };
/// hub.set_policies(Policies { others: Policy { envelope: slow, ..Policy::default() }, ..Policies::default() });
///
/// let fast = Command::Drive { linear_mps: 0.5, angular_radps: 0.0, duration: None };
/// let answer = hub.command_client(Author::new("example", "ada")).command(&robot, fast, Duration::from_secs(1));
/// assert!(answer.note().is_some(), "its caller learns that it was limited");
/// let limited = Command::Drive { linear_mps: 0.1, angular_radps: 0.0, duration: None };
/// assert_eq!(source.next_command().await.command, limited);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// Of robots that have one of their own.
    pub of: BTreeMap<RobotId, Policy>,
    /// Of all others.
    pub others: Policy,
}

impl Policies {
    /// That of a robot.
    pub fn get(&self, robot: &RobotId) -> &Policy {
        self.of.get(robot).unwrap_or(&self.others)
    }
}

/// A robot that moves and whose bounds would be wider, and the key in the config of what is.
type Loosened = (RobotId, &'static str);

impl Hub {
    /// Sets who may move which robot, also of those that are here already.
    pub fn set_policies(&self, policies: Policies) {
        let (now, policies) = (self.0.clock.now(), Arc::new(policies));
        // Before the robots are looked through: one that comes meanwhile finds it.
        self.0.owners.policies.store(policies.clone());
        for (robot, entry) in self.0.robots.all().iter() {
            self.0.step(entry, Event::Policy(policies.get(robot).clone()), now);
        }
    }

    /// The same, unless bounds of a robot that moves would be wider: then nothing changes.
    pub fn set_policies_of_standing(&self, policies: Policies) -> Result<(), Vec<Loosened>> {
        let now = self.0.clock.now();
        let robots = self.0.robots.all();
        // Locked together, in the order of their names: none sets out between the look and the change.
        let mut locked = self.loosened(&policies, &robots);
        let moving = in_motion(&locked, now);
        if !moving.is_empty() {
            return Err(moving);
        }
        let effects: Vec<_> = locked
            .iter_mut()
            .map(|(entry, _, owner)| {
                let policy = Event::Policy(policies.get(&entry.info.robot).clone());
                (*entry, self.0.step_locked(entry, owner, policy, now))
            })
            .collect();
        drop(locked);
        for (entry, effects) in effects {
            self.0.follow_up(entry, effects);
        }
        self.set_policies(policies);
        Ok(())
    }

    /// Who may move which robot.
    pub fn policies(&self) -> Arc<Policies> {
        self.0.owners.policies.load_full()
    }

    /// Robots that move and whose bounds would be wider by these policies.
    pub fn loosened_in_motion(&self, policies: &Policies) -> Vec<Loosened> {
        in_motion(&self.loosened(policies, &self.0.robots.all()), self.0.clock.now())
    }

    /// Robots whose bounds would be wider by these policies, locked.
    fn loosened<'a>(&self, policies: &Policies, robots: &'a ByName) -> Vec<Locked<'a>> {
        let before = self.policies();
        let loosened = robots.iter().filter_map(|(robot, entry)| {
            let key = policies.get(robot).loosens(before.get(robot))?;
            Some((&**entry, key, entry.robot()))
        });
        loosened.collect()
    }
}

/// A robot, the key of the bound that would be wider, and its owner.
type Locked<'a> = (&'a RobotEntry, &'static str, MutexGuard<'a, Robot>);

fn in_motion(locked: &[Locked<'_>], now: Timestamp) -> Vec<Loosened> {
    let moving = locked.iter().filter(|(.., owner)| owner.moves(now) || owner.owes_stop());
    moving.map(|(entry, key, _)| (entry.info.robot.clone(), *key)).collect()
}
