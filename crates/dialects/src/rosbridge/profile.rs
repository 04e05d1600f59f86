//! What every robot has and can that is reached over a bridge: its topics tell what it has; it drives where it is told.

use std::sync::{Arc, LazyLock};

use latimer_core::model::RobotProfile;

/// The profile of every such robot.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(Arc::default);
