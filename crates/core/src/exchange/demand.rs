//! What is subscribed to, for those who look at the keys of many robots.

use std::sync::Arc;

use crate::key_expression::Key;
use foldhash::HashMap;

use super::interest::Demand;
use super::{DemandLevel, Exchange};
use crate::model::RobotId;

/// What is subscribed to, by the robot that each expression begins with.
pub(crate) struct DemandIndex {
    demand: Arc<Vec<Demand>>,
    of_robot: HashMap<String, Vec<usize>>,
    of_many: Vec<usize>,
}

impl DemandIndex {
    /// What is subscribed to now.
    pub(crate) fn of(exchange: &Exchange) -> Self {
        let demand = exchange.demand.load_full();
        let mut of_robot: HashMap<String, Vec<usize>> = HashMap::default();
        let mut of_many = Vec::new();
        for (i, it) in demand.iter().enumerate() {
            match it.expression.split('/').next() {
                Some(robot) if !robot.contains('*') => of_robot.entry(robot.to_owned()).or_default().push(i),
                _ => of_many.push(i),
            }
        }
        Self { demand, of_robot, of_many }
    }

    /// How closely a key of a robot is followed; `None` if nobody follows it.
    pub(crate) fn level(&self, robot: &RobotId, key: &str) -> Option<DemandLevel> {
        let key = Key::new(key).ok()?;
        let own = self.of_robot.get(robot.as_str()).into_iter().flatten();
        let demand = own.chain(&self.of_many).filter_map(|i| self.demand.get(*i));
        let levels = demand.filter(|it| it.derived && it.expression.intersects(key)).map(|it| it.full);
        levels.max().map(|full| if full { DemandLevel::Full } else { DemandLevel::Slow })
    }
}
