//! The gateway as MiRos: any robot of the hub, at a ROS master.
//!
//! ```text
//! hub ──signals──▶ upstream ──Publisher──▶ any node
//! hub ◀──commands── control ◀──Subscription── any node
//! ```
//!
//! One node speaks for all robots. Each of them is a [`member::Member`] with two tasks, which know of each other only by what the member
//! holds: what `control` is doing shows in `platform/state`.
//!
//! | file | holds |
//! |---|---|
//! | `member` | one served robot |
//! | `upstream` | what it says |
//! | `control` | the commands that its clients publish |
//! | `statics` | where its frames are that never move |
//! | `time` | the time it lives by |
//! | `clock` | the world's time for other nodes |

mod clock;
mod control;
mod member;
mod statics;
mod time;
mod upstream;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;

use crate::miro::limits::{NAMESAKE_LOOK_INTERVAL, NODE_RETRY_DELAY};

use crate::contract::BuildContext;
use latimer_core::service::BuildError;
use latimer_core::{Hub, RobotId};
use latimer_ros1::name::base_name;
use latimer_ros1::node::{Ended, MasterLink, Node, NodeError, Running};
use latimer_simulator_api::WorldClock;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use super::NAME;
use super::config::Serve;
use super::node::{NodeAddress, Now, bind, wall};
use super::topic::Topic;
use super::types::Types;
use clock::SimTime;
pub(super) use clock::{USE_SIM_TIME, true_value};
use statics::Statics;
use time::RobotTime;
use upstream::Upstream;

/// Which robots are served, and where.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) node: String,
    pub(super) place: NodeAddress,
    pub(super) serve: Vec<Serve>,
    pub(super) serve_all: bool,
    /// What ROS calls robots that are connected to at the same master.
    pub(super) taken: Vec<String>,
    pub(super) sounds: Arc<[String]>,
    pub(super) types: Types,
    /// The time of the simulated world, if there is one.
    pub(super) world: Option<WorldClock>,
    /// Whether all nodes at the master are to live by it.
    pub(super) sim_time: bool,
}

impl Settings {
    /// The time that the world's clients live by, if they shall.
    fn sim_time(&self) -> Option<&WorldClock> {
        self.world.as_ref().filter(|_| self.sim_time)
    }

    /// What stamps the node's own messages.
    fn now(&self, hub: &Hub) -> Now {
        match self.sim_time().cloned() {
            Some(world) => Arc::new(move || world.now()),
            None => wall(hub.clock()),
        }
    }
}

/// All served robots at their master.
pub(super) struct Facade {
    hub: Hub,
    settings: Settings,
    bound: (Node, Running),
}

/// A member at work.
struct Serving {
    /// What ROS calls the robot.
    name: String,
    time: RobotTime,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Facade {
    pub(super) async fn bind(context: &BuildContext, settings: Settings) -> Result<Self, BuildError> {
        let hub = context.hub.clone();
        let bound = bind(&settings.node, &settings.place, settings.now(&hub));
        let bound = bound.await.map_err(|error| build_error(error, settings.place.bind))?;
        Ok(Self { hub, settings, bound })
    }

    /// Serves until `stop`.
    pub(super) async fn run(self, stop: CancellationToken) {
        let Self { hub, settings, bound } = self;
        let mut next = Some(bound);
        let mut number = 1;
        while !stop.is_cancelled() {
            if let Some((node, running)) = next.take() {
                match serve(&hub, &settings, node, running, &stop).await {
                    Ended::Stopped => return,
                    Ended::ShutDown(reason) => {
                        tracing::warn!(node = %settings.node, %reason, "the node was shut down from outside; it comes again");
                    }
                }
            }
            let clock = hub.clock();
            tokio::select! {
                () = stop.cancelled() => return,
                () = clock.sleep(NODE_RETRY_DELAY) => {}
            }
            // The node that took the name keeps it; two that take it from each other would never end.
            number += 1;
            let name = format!("{}_{number}", settings.node);
            match bind(&name, &settings.place, settings.now(&hub)).await {
                Ok(bound) => next = Some(bound),
                Err(error) => tracing::warn!(%error, "robots are not served"),
            }
        }
    }
}

/// Serves by one node until it ends.
async fn serve(
    hub: &Hub,
    settings: &Settings,
    node: Node,
    running: Running,
    stop: &CancellationToken,
) -> Ended {
    let mut members: BTreeMap<RobotId, Serving> = BTreeMap::new();
    let mut left_out = BTreeSet::new();
    let mut statics = Statics::advertise(&node)
        .inspect_err(|error| tracing::warn!(%error, "frames that never move are not published"))
        .ok();
    let mut population = hub.population();
    let mut link = node.link();
    let names = watch::Sender::new(Vec::new());
    let _others = AbortOnDropHandle::new(tokio::spawn(warn_of_others(node.clone(), names.subscribe())));
    let sim_time = settings.sim_time().map(|world| Arc::new(SimTime::new(node.clone(), world.clone())));
    let _told =
        sim_time.clone().map(|it| AbortOnDropHandle::new(tokio::spawn(async move { it.run().await })));
    let mut running = std::pin::pin!(running.run(stop.clone()));
    let ended = loop {
        tokio::select! {
            ended = &mut running => break ended,
            () = population.changed() => {
                follow(hub, settings, &node, &mut members, &mut left_out).await;
                if let Some(statics) = &mut statics {
                    statics.tell(hub, members.iter().map(|(robot, serving)| (robot, &serving.time)));
                }
                names.send_replace(members.values().map(|member| member.name.clone()).collect());
            }
            Ok(()) = link.changed() => match &*link.borrow_and_update() {
                MasterLink::Up => tracing::info!(master = %settings.place.master, "robots are served"),
                MasterLink::Waiting(reason) => {
                    tracing::warn!(master = %settings.place.master, %reason, "the master is waited for");
                }
            },
        }
    };
    for member in members.values() {
        member.stop.cancel();
    }
    for (_, member) in members {
        member.end().await;
    }
    if let Some(sim_time) = sim_time {
        sim_time.end().await;
    }
    ended
}

/// Warns once of each robot that another node publishes as well: clients would hear two robots as one.
async fn warn_of_others(node: Node, names: watch::Receiver<Vec<String>>) {
    let mut doubled = BTreeSet::new();
    loop {
        tokio::time::sleep(NAMESAKE_LOOK_INTERVAL).await;
        let names = names.borrow().clone();
        doubled.retain(|name| names.contains(name));
        for name in names {
            let topic = Topic::Sensors.of(&name);
            match node.other_publishers(&topic, NAMESAKE_LOOK_INTERVAL).await {
                Ok(others) if others.is_empty() => _ = doubled.remove(&name),
                Ok(others) => {
                    if doubled.insert(name.clone()) {
                        let others = others.join(", ");
                        tracing::warn!(%name, %others, "another node serves a robot of this name at the same master, so clients hear both as one; give one of them another name (miro.serve, name)");
                    }
                }
                Err(error) => tracing::debug!(%topic, %error, "the master does not say who else publishes"),
            }
        }
    }
}

/// Takes in robots that came, and lets go those that are only served while they are there.
async fn follow(
    hub: &Hub,
    settings: &Settings,
    node: &Node,
    members: &mut BTreeMap<RobotId, Serving>,
    left_out: &mut BTreeSet<RobotId>,
) {
    let wanted = wanted(hub, settings, left_out);
    // One that comes back as a robot of the other sort begins anew, in the other time.
    let world = settings.world.as_ref();
    let gone = members.extract_if(.., |robot, serving| {
        !wanted.contains_key(robot) || !serving.time.is_of(hub, world, robot)
    });
    for (_, serving) in gone.collect::<Vec<_>>() {
        serving.end().await;
    }
    for (robot, name) in wanted {
        if members.contains_key(&robot) {
            continue;
        }
        match Upstream::advertise(hub, node, settings, robot.clone(), name) {
            Ok(upstream) => drop(members.insert(robot, Serving::begin(upstream))),
            Err(error) => tracing::warn!(%robot, %error, "the robot is not served"),
        }
    }
}

/// Who is to be served, and as whom; a warning of each that newly cannot be.
fn wanted(hub: &Hub, settings: &Settings, left_out: &mut BTreeSet<RobotId>) -> BTreeMap<RobotId, String> {
    let warned = std::mem::take(left_out);
    let mut wanted: BTreeMap<RobotId, String> =
        settings.serve.iter().map(|it| (it.robot.clone(), it.ros_name())).collect();
    let mut by_name: BTreeMap<String, RobotId> =
        wanted.iter().map(|(robot, name)| (name.clone(), robot.clone())).collect();
    if settings.serve_all {
        for report in hub.robots() {
            // Those that are at a master already are not repeated.
            let name = base_name(report.info.robot.as_str());
            let speaks = report.info.is_connected_by(NAME);
            let robot = report.info.robot;
            if speaks || wanted.contains_key(&robot) {
                continue;
            }
            let first = by_name.get(&name).map(RobotId::as_str);
            if first.is_none() && !settings.taken.contains(&name) {
                by_name.insert(name.clone(), robot.clone());
                wanted.insert(robot, name);
                continue;
            }
            if !warned.contains(&robot) {
                let first = first.unwrap_or("a robot that is connected to");
                tracing::warn!(%robot, %first, %name, "both have one name in ROS, and only the first is there; serve the robot by its own miro.serve with another name");
            }
            left_out.insert(robot);
        }
    }
    wanted
}

impl Serving {
    fn begin(upstream: Upstream) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let (name, time) = (upstream.member().name.clone(), upstream.member().time.clone());
        tasks.spawn(control::run(upstream.member().clone(), stop.clone()));
        tasks.spawn(upstream.run(stop.clone()));
        tasks.close();
        Self { name, time, tasks, stop }
    }

    /// Withdraws its topics.
    async fn end(self) {
        self.stop.cancel();
        self.tasks.wait().await;
    }
}

fn build_error(error: NodeError, bind: IpAddr) -> BuildError {
    match error {
        NodeError::Bind { source, .. } => {
            BuildError::Bind { address: (bind, 0).into(), key: "miro.bind".to_owned(), source }
        }
        other => BuildError::Other(format!("miro: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;
    use latimer_core::hub::{Origin, RobotInfo};

    use super::*;

    #[tokio::test]
    async fn two_robots_do_not_speak_by_one_name() {
        let hub = Hub::new(Clock::system());
        let _sources: Vec<_> = ["rob01", "rob-02", "rob.02", "rob03"]
            .map(|robot| {
                let robot = RobotId::new(robot).unwrap();
                hub.register(RobotInfo::new(robot, "test", Origin::Simulated)).unwrap()
            })
            .into();
        let settings = Settings {
            node: "latimer".to_owned(),
            place: NodeAddress {
                master: String::new(),
                bind: [127, 0, 0, 1].into(),
                host: None,
                policy: Default::default(),
                gate: None,
            },
            serve: Vec::new(),
            serve_all: true,
            taken: vec!["rob01".to_owned()],
            sounds: Arc::default(),
            types: Types::load(crate::miro::config::Layouts::default(), None).unwrap(),
            world: None,
            sim_time: false,
        };
        let mut left_out = BTreeSet::new();
        let mut names: Vec<String> = wanted(&hub, &settings, &mut left_out).into_values().collect();
        names.sort();
        assert_eq!(names, ["rob03", "rob_02"], "what it is connected to as rob01 would hear itself");
        assert_eq!(left_out.len(), 2, "{left_out:?}");
    }
}
