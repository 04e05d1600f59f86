//! What every robot has and can that is reached over a bridge: its topics show what it has, and it takes goals and speeds.

use std::sync::{Arc, LazyLock};

use latimer_core::model::RobotProfile;

/// The profile of every such robot.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(Arc::default);
