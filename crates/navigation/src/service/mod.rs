//! The gateway's navigator: takes robots to goals that drive, but have no navigation of their own.
//!
//! ```text
//! NavigationRequest ──▶ Pilot, one a robot ──▶ Trip ──▶ Drive, ten a second ──▶ robot
//!                         ▲ map: its own, or another robot's       ▲ Pose, Scan
//!                                                 Trip ──▶ ROBOT/navigation, ROBOT/path/planned
//! ```
//!
//! Without a map of the site, the floor counts as free but for what the robot's own sensors see.

mod floor;
mod goal;
mod trip;

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use latimer_core::hub::{NavigationRequest, NavigationRequests, NavigationTopics, Residency};
use latimer_core::model::Provenance;
use latimer_core::service::Service;
use latimer_core::{Command, Hub, Outcome, RobotId};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use trip::Trip;

/// Goals that may wait for one robot; each takes the place of the one before.
const WAITING: usize = 16;

/// The words of the commands that the navigator takes.
pub const COMMANDS: [&str; 2] = ["navigate", "cancel_navigation"];

/// How the navigator's reports come about.
pub const HOW: &str = "the gateway's navigator";

/// The navigator of a hub; robots that are registered before it is made are left to themselves.
pub struct Navigating {
    hub: Hub,
    requests: NavigationRequests,
}

impl Navigating {
    /// The navigator; `None` if the hub has one.
    pub fn of(hub: &Hub) -> Option<Self> {
        Some(Self { hub: hub.clone(), requests: hub.navigation_requests()? })
    }
}

impl Service for Navigating {
    fn run(mut self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let mut population = self.hub.population();
            let mut pilots: HashMap<RobotId, (Option<Residency>, mpsc::Sender<NavigationRequest>)> =
                HashMap::new();
            let tasks = TaskTracker::new();
            loop {
                tokio::select! {
                    () = shutdown.cancelled() => break,
                    () = population.changed() => {
                        pilots.retain(|robot, (stay, _)| *stay == self.hub.stay(robot));
                    }
                    request = self.requests.next() => {
                        let Some(request) = request else { break };
                        let robot = request.control.robot().clone();
                        let stay = self.hub.stay(&robot);
                        let pilot = pilots.get(&robot).filter(|(known, _)| *known == stay).map(|(_, pilot)| pilot.clone());
                        let pilot = pilot.unwrap_or_else(|| {
                            let (sender, receiver) = mpsc::channel(WAITING);
                            let pilot = Pilot { hub: self.hub.clone(), robot: robot.clone(), next_id: 1, topics: None };
                            tasks.spawn(pilot.run(receiver, shutdown.clone()));
                            pilots.insert(robot, (stay, sender.clone()));
                            sender
                        });
                        if let Err(full) = pilot.try_send(request) {
                            full.into_inner().answer(Outcome::busy("too many goals at once; send one at a time"));
                        }
                    }
                }
            }
            // The pilots stop their robots.
            drop(pilots);
            tasks.close();
            tasks.wait().await;
        })
    }
}

/// Who drives one robot.
struct Pilot {
    hub: Hub,
    robot: RobotId,
    next_id: i64,
    /// From the first goal on, so that the last report stays as long as the robot.
    topics: Option<NavigationTopics>,
}

impl Pilot {
    async fn run(mut self, mut requests: mpsc::Receiver<NavigationRequest>, shutdown: CancellationToken) {
        while let Some(request) = requests.recv().await {
            let mut request = Some(request);
            while let Some(current) = request.take() {
                let Command::Navigate(goal) = &current.command else {
                    current.answer(Outcome::Done);
                    continue;
                };
                let goal = goal.clone();
                if self.topics.is_none() {
                    let provenance = Provenance { from: format!("{}/pose", self.robot).into(), how: HOW };
                    self.topics = self.hub.navigation_topics(&self.robot, provenance);
                }
                let id = goal.id.unwrap_or(self.next_id);
                let control = current.control.clone();
                match Trip::plan(&self.hub, control.clone(), &goal, id).await {
                    Err(refusal) => {
                        control.end();
                        current.answer(refusal);
                    }
                    Ok(mut trip) => {
                        self.next_id = id.wrapping_add(1);
                        // Who is answered may look at once how the drive stands, and must not see the end of the one before.
                        trip.begin(self.topics.as_ref());
                        current.answer(Outcome::Accepted);
                        request = trip.run(self.topics.as_ref(), &mut requests, &shutdown).await;
                    }
                }
            }
        }
    }
}
