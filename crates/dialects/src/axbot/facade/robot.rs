//! One hub robot as a chassis: what all of its sockets and requests share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use latimer_core::hub::Shared;
use latimer_core::memory::Share;
use latimer_core::model::signal::{LinkState, OfKind, Velocity};
use latimer_core::model::{Kind, Signal};
use latimer_core::{Hub, PartName, RobotId, Timestamp};
use tokio::sync::watch;

use super::cameras::Fed;
use super::state::RestState;
use super::statics::Statics;
use crate::axbot::config::AxbotConfig;
use crate::axbot::limits::SPEED_MAX_AGE;
use crate::axbot::style::Style;

/// Wheels that are slower stand.
const GOES_MPS: f64 = 0.005;
/// The same for turns; gyroscopes are noisier.
const TURNS_RADPS: f64 = 0.02;

/// What holds for all served robots.
#[derive(Clone, Debug)]
pub(in crate::axbot) struct Settings {
    /// How messages are written.
    pub(super) style: Style,
    /// What requests must carry.
    pub(super) secret: Option<String>,
    /// How long a robot boots.
    pub(super) boot: Duration,
    /// The status of a service that was carried out.
    pub(super) service_status: u16,
    /// How long a `/twist` drives the wheels.
    pub(super) twist_timeout: Duration,
    /// Whether requests that are known to fail are refused.
    pub(super) strict: bool,
}

impl Settings {
    pub(in crate::axbot) fn new(config: &AxbotConfig) -> Self {
        Self {
            style: config.style(),
            secret: config.secret.clone(),
            boot: config.boot(),
            service_status: config.service_status,
            twist_timeout: config.twist_timeout(),
            strict: config.strict,
        }
    }
}

/// A robot of the hub, served as a chassis.
#[derive(Debug)]
pub(super) struct FacadeRobot {
    pub(super) robot: RobotId,
    pub(super) hub: Hub,
    pub(super) settings: Arc<Settings>,
    /// Pictures to be fetched.
    pub(super) statics: Statics,
    /// What its requests keep: moves, maps, whether it boots.
    pub(super) rest_state: RestState,
    /// Whether a task updates its REST state.
    pub(super) synced: AtomicBool,
    /// Grows when the robot's programs are restarted, which ends its sockets.
    pub(super) restarts: watch::Sender<u64>,
    /// When cameras that are not its own last sent a picture.
    pub(super) fed: Fed,
}

impl FacadeRobot {
    pub(super) fn new(robot: RobotId, hub: Hub, settings: Arc<Settings>) -> Self {
        let rest_state = RestState::new(hub.clock().now(), settings.boot, hub.memory());
        let statics = Statics::new(hub.memory().hold(Share::Pictures));
        Self {
            robot,
            hub,
            settings,
            statics,
            rest_state,
            synced: AtomicBool::new(false),
            restarts: watch::Sender::new(0),
            fed: Fed::default(),
        }
    }

    /// Whether messages of the robot itself arrive.
    pub(super) fn is_reachable(&self) -> bool {
        self.hub.robot(&self.robot).is_some_and(|robot| robot.link.state == LinkState::Up)
    }

    /// Whether its wheels go; `None` of a robot that does not tell, or did not lately.
    pub(super) fn goes(&self, now: Timestamp) -> Option<bool> {
        let measured = self.last_of(Kind::Velocity, Velocity::MEASURED)?;
        let Signal::Velocity(velocity) = &measured.signal else { return None };
        (now.since(measured.received) < SPEED_MAX_AGE).then_some(())?;
        let [linear_mps, angular_radps] = [velocity.linear_mps?, velocity.angular_radps?];
        Some(linear_mps.abs() > GOES_MPS || angular_radps.abs() > TURNS_RADPS)
    }

    /// The last update of a kind that has no parts.
    pub(super) fn last(&self, kind: Kind) -> Option<Arc<Shared>> {
        self.hub.last(&self.robot, kind, None)
    }

    /// The last record of a kind that has no parts.
    pub(super) fn record<T: OfKind + Clone>(&self) -> Option<T> {
        self.last(T::KIND).and_then(|update| T::of(&update.signal).cloned())
    }

    /// The last record of one part.
    pub(super) fn record_of<T: OfKind + Clone>(&self, part: &str) -> Option<T> {
        self.last_of(T::KIND, part).and_then(|update| T::of(&update.signal).cloned())
    }

    /// The last update of one part of a kind.
    pub(super) fn last_of(&self, kind: Kind, part: &str) -> Option<Arc<Shared>> {
        self.hub.last(&self.robot, kind, Some(&PartName::of(part)))
    }
}
