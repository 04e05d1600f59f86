//! What a facade keeps for each robot while the robot is there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use latimer_core::hub::Residency;
use latimer_core::{Hub, RobotId};

/// A value for each robot; it goes when the robot goes, and a robot that comes back begins with a new one.
#[derive(Debug)]
pub(crate) struct PerRobot<T> {
    hub: Hub,
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    /// How many robots had gone when those that went were last forgotten.
    gone: u64,
    of: BTreeMap<RobotId, (Option<Residency>, Arc<T>)>,
}

impl<T> PerRobot<T> {
    pub(crate) fn new(hub: Hub) -> Self {
        Self { hub, kept: Mutex::new(Kept { gone: 0, of: BTreeMap::new() }) }
    }

    /// The robot's value, made if there is none. A robot that is not there yet keeps its value when it comes.
    pub(crate) fn get(&self, robot: &RobotId, make: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = self.hub.robots_gone();
        if std::mem::replace(&mut kept.gone, gone) != gone {
            kept.of.retain(|robot, (stay, _)| stay.is_none() || *stay == self.hub.stay(robot));
        }
        let (stay, value) = kept.of.entry(robot.clone()).or_insert_with(|| (None, Arc::new(make())));
        if stay.is_none() {
            *stay = self.hub.stay(robot);
        }
        value.clone()
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;
    use latimer_core::hub::{Origin, RobotInfo};

    use super::*;

    #[test]
    fn a_value_lives_as_long_as_its_robot_is_there() {
        let hub = Hub::new(Clock::system());
        let kept = PerRobot::new(hub.clone());
        let robot = RobotId::new("r").unwrap();
        let info = || RobotInfo::new(robot.clone(), "test", Origin::Simulated);
        let early = kept.get(&robot, || 1);
        let source = hub.register(info()).unwrap();
        assert_eq!(*kept.get(&robot, || 2), 1, "it was asked for before the robot came");
        drop(source);
        let source = hub.register(info()).unwrap();
        assert_eq!(*kept.get(&robot, || 3), 3, "another robot of that name");
        drop(source);
        let other = RobotId::new("other").unwrap();
        kept.get(&other, || 4);
        assert_eq!(kept.kept.lock().unwrap().of.keys().collect::<Vec<_>>(), [&other]);
        assert_eq!(Arc::strong_count(&early), 1);
    }
}
