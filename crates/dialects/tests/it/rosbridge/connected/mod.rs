//! The gateway as a client of a robot behind a real bridge.

mod actions;
mod described;
mod honest;
mod reading;
mod stop;

use std::time::Duration;

use latimer_core::model::signal::{Link, LinkState};
use latimer_core::{Clock, Command, Hub, Outcome, RobotId};
use latimer_dialects::rosbridge::NAME;
use latimer_dialects::{BuildContext, find};
use serde_json::json;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::real::RealBridge;
use crate::rig::{Observer, PATIENCE, Running, checked};
use crate::time::Time;

/// A gateway that is connected to the robot behind a bridge, whose topics are not below a name.
pub(super) struct Gateway {
    hub: Hub,
    observer: Observer,
    _running: Running,
    _guard: DropGuard,
}

impl Gateway {
    /// With more keys of the entry that connects to it.
    async fn of(bridge: &RealBridge, keys: &str, observes: &str) -> Self {
        let hub = Hub::new(Clock::system());
        let observer = Observer::of(&hub, &format!("base-1/link {observes}"));
        let address = &bridge.address;
        let table = format!("[[connect]]\nrobot = 'base-1'\naddress = '{address}'\nname = ''\n{keys}");
        let dialect = checked(find(NAME).unwrap(), &table).unwrap();
        let running = Running::start(dialect, BuildContext::new(&hub)).await;
        // What sees to it that a stop has an effect.
        let end = CancellationToken::new();
        tokio::spawn(hub.clone().guard(end.clone()));
        Self { hub, observer, _running: running, _guard: end.drop_guard() }
    }

    /// The link, once it is of a sort; time passes until then.
    async fn link(&self, time: &Time, wanted: impl Fn(&Link) -> bool) -> Link {
        loop {
            tokio::select! {
                biased;
                link = self.observer.link(&wanted) => return link,
                () = time.pass(Duration::from_millis(500)) => {}
            }
        }
    }

    /// What is wrong, once something is, though the link is up.
    async fn problem(&self, time: &Time) -> String {
        let link = self.link(time, |it| it.state == LinkState::Up && it.reason.is_some()).await;
        link.reason.expect("it has one")
    }

    async fn command(&self, command: Command) -> Outcome {
        self.hub.command(&robot(), command, PATIENCE).await
    }
}

const TWIST: &str = "geometry_msgs/Twist";
const ODOMETRY: &str = "nav_msgs/Odometry";

/// A drive without an end.
const DRIVE: Command = Command::Drive { linear_mps: 0.25, angular_radps: 0.5, duration: None };

/// A message of an odometry.
fn odometry(x_m: f64, speed_mps: f64) -> String {
    let zero = json!({"x": 0.0, "y": 0.0, "z": 0.0});
    json!({"header": {"frame_id": "odom"}, "child_frame_id": "base_footprint",
        "pose": {"pose": {"position": {"x": x_m, "y": 0.0, "z": 0.0}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}},
        "twist": {"twist": {"linear": {"x": speed_mps, "y": 0.0, "z": 0.0}, "angular": zero}}})
    .to_string()
}

/// Why a command is refused.
fn refusal(outcome: Outcome) -> String {
    match outcome {
        Outcome::Refused(refusal) => refusal.reason,
        other => panic!("{other:?}"),
    }
}

fn robot() -> RobotId {
    RobotId::new("base-1").unwrap()
}
