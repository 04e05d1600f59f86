//! What every robot has and can that is reached over a bridge: its topics show what it has, and it takes goals and speeds. An emergency stop
//! is passed on to a bridge that has a service for it, such as another gateway's.

use std::sync::{Arc, LazyLock};

use latimer_core::model::RobotProfile;
use latimer_core::model::profile::Ability;

/// The profile of every such robot.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    let abilities = vec![Ability::EmergencyStop];
    Arc::new(RobotProfile { abilities, ..RobotProfile::default() })
});
