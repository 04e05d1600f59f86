//! A source: a robot, real or simulated, as the hub sees it. It publishes and takes commands.

use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashMap;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{CommandClient, CommandRequest, Hub, HubInner, RobotEntry};
use crate::exchange::{Topic, WakeUps};
use crate::frames::{Placement, Pose2, RobotFrames};
use crate::limits::MAX_KEYS_PER_ROBOT;
use crate::memory::Budget;
use crate::model::signal::{Link, LinkState};
use crate::model::{Author, Kind, KindSet, PartName, RobotId, RobotProfile, Signal, Update};
use crate::robot::{EVIDENCE, Event};
use crate::supervisor::MOVING;

/// Where a robot's updates come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The simulated world.
    Simulated,
    /// A connection to this address.
    Connected(String),
}

/// Who a robot is, and what it has and can.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotInfo {
    /// Its name in this gateway.
    pub robot: RobotId,
    /// The family whose dialect it speaks at home.
    pub family: &'static str,
    /// Where its updates come from.
    pub origin: Origin,
    /// What it has and can.
    pub profile: Arc<RobotProfile>,
    /// Where its frames are, as far as its source knows.
    pub frames: RobotFrames,
}

impl RobotInfo {
    /// A robot that declares nothing of what it has and can. The map of a simulated one is the world's, unless it is placed
    /// otherwise.
    pub fn new(robot: RobotId, family: &'static str, origin: Origin) -> Self {
        let map = (origin == Origin::Simulated).then(|| Placement::in_world(Pose2::default()));
        Self { robot, family, origin, profile: Arc::default(), frames: RobotFrames { map, odom: None } }
    }

    /// The same with its frames where they are.
    pub fn placed(self, frames: RobotFrames) -> Self {
        Self { frames: frames.or(&self.frames), ..self }
    }

    /// The same with what it has and can.
    pub fn with(self, profile: impl Into<Arc<RobotProfile>>) -> Self {
        Self { profile: profile.into(), ..self }
    }

    /// Whether the gateway is connected to it by a dialect, so that it has clients of that dialect beside the gateway.
    pub fn is_connected_by(&self, dialect: &str) -> bool {
        self.family == dialect && matches!(self.origin, Origin::Connected(_))
    }
}

/// A robot's topics by kind and part; `None` for one that cannot be a key.
pub(super) type KnownTopics = HashMap<(Kind, Option<PartName>), Option<Arc<Topic>>>;

/// The publishing end. Dropping it takes the robot out of the hub.
#[must_use = "a source that is dropped takes its robot out of the hub"]
pub struct Source {
    pub(super) hub: Arc<HubInner>,
    pub(super) entry: Arc<RobotEntry>,
    pub(super) topics: Mutex<KnownTopics>,
}

impl Source {
    /// The robot's name.
    pub fn robot(&self) -> &RobotId {
        &self.entry.info.robot
    }

    /// The memory that others can fill.
    pub fn memory(&self) -> &Budget {
        &self.hub.memory
    }

    /// Delivers an update to all subscribers. Never waits.
    pub fn publish(&self, update: Update) {
        self.publish_with(update, &mut WakeUps::default());
    }

    /// The same for one of many updates: readers are woken when `wakes` is dropped.
    pub fn publish_with(&self, update: Update, wakes: &mut WakeUps) {
        debug_assert_eq!(&update.robot, self.robot(), "a source speaks for its own robot");
        self.entry.observe(&update);
        if let Signal::Navigation(report) = &update.signal
            && !self.entry.drives.publishes(report)
        {
            return;
        }
        self.deliver(update, wakes);
    }

    fn deliver(&self, mut update: Update, wakes: &mut WakeUps) {
        self.entry.name_stand_in(&mut update);
        let topic = self.topic(update.kind(), update.part.as_ref());
        match topic {
            Some(topic) => self.hub.exchange.publish(&topic, update, wakes),
            None => self.entry.count_refused(),
        }
    }

    fn topic(&self, kind: Kind, part: Option<&PartName>) -> Option<Arc<Topic>> {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(topic) = topics.get(&(kind, part.cloned())) {
            return topic.clone();
        }
        if topics.len() >= MAX_KEYS_PER_ROBOT {
            return None;
        }
        let topic = self.hub.exchange.add_topic(self.robot(), kind, part);
        topics.insert((kind, part.cloned()), topic.clone());
        topic
    }

    /// Sets the link state. When it is lost, the drive that the robot is on ends for its clients; when it is up again, all subscribers
    /// receive a gap.
    pub fn link(&self, state: LinkState, reason: Option<String>) {
        let now = self.hub.clock.now();
        if state != LinkState::Up {
            let robot = self.robot();
            // That it moved is no news of a drive.
            let why =
                reason.as_deref().map(|it| it.strip_prefix(MOVING).unwrap_or(it).trim_start_matches(": "));
            let why = why.filter(|it| !it.is_empty()).map_or_else(String::new, |why| format!(": {why}"));
            if let Some(end) = self.entry.drives.lose(format!("{robot} is out of reach{why}")) {
                self.deliver(Update::now(robot, now, end.into()), &mut WakeUps::default());
            }
        }
        let change = self.entry.set_link(state, reason, now);
        self.hub.step(&self.entry, Event::Link { is_up: state == LinkState::Up }, now);
        if let Some(silent_since) = change.silent_since {
            self.hub.exchange.report_link_gap(self.robot(), silent_since);
        }
        self.publish(Update::now(self.robot(), now, change.link.into()));
    }

    /// What the hub knows of the link.
    pub fn link_now(&self) -> Link {
        self.entry.link()
    }

    /// Publishes the link again, with the skew as measured by now.
    pub fn refresh_link(&self) {
        self.publish(Update::now(self.robot(), self.hub.clock.now(), self.link_now().into()));
    }

    /// Whether the gateway itself needs this kind of report, even if nobody subscribes.
    fn is_needed(&self, kind: Kind) -> bool {
        EVIDENCE.contains(&kind) && self.entry.robot().needs_reports()
    }

    /// Whether a kind, or one part of it, is subscribed to, or needed by the gateway itself.
    pub fn wants(&self, kind: Kind, part: Option<&PartName>) -> bool {
        self.is_needed(kind) || self.hub.exchange.wants(self.robot(), kind, part)
    }

    /// Whether a subscription names this part itself, and not only more than it.
    pub fn is_named(&self, kind: Kind, part: &PartName) -> bool {
        self.hub.exchange.is_named(self.robot(), kind, part)
    }

    /// The kinds that may be subscribed to at full rate; cheap, and sometimes more than [`Self::wants`] finds.
    pub fn wanted(&self) -> KindSet {
        let wanted = self.hub.exchange.wanted(self.robot());
        match self.entry.robot().needs_reports() {
            true => EVIDENCE.into_iter().fold(wanted, KindSet::with),
            false => wanted,
        }
    }

    /// A number that grows with each change of the subscriptions.
    pub fn demand_number(&self) -> u64 {
        self.hub.exchange.demand_number()
    }

    /// Changes with the subscriptions.
    pub fn demand(&self) -> watch::Receiver<u64> {
        self.hub.exchange.demand_changes()
    }

    /// The next command that may still be sent; pending until there is one. Stops come first. Cancel safe.
    pub async fn next_command(&mut self) -> CommandRequest {
        self.entry.commands.next().await
    }

    /// The next command that may still be sent, if one waits.
    pub fn try_next_command(&mut self) -> Option<CommandRequest> {
        self.entry.commands.pop()
    }

    /// Whether the robot moved when it was heard last, judged by its commands and reports.
    pub fn moved_when_heard(&self) -> bool {
        self.entry.robot().moved_when_heard(self.hub.clock.now())
    }

    /// Whether it was given a stop, and nothing has shown yet that it stands.
    pub fn owes_stop(&self) -> bool {
        self.entry.robot().owes_stop()
    }

    /// Commands robots as the gateway itself.
    pub fn gateway(&self) -> CommandClient {
        Hub(self.hub.clone(), None).command_client(Author::gateway())
    }

    /// Cancelled when the robot does not take its commands: its connection must be made anew.
    pub fn kicked(&self) -> CancellationToken {
        self.entry.kick_token()
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.entry.commands.close();
        let topics = self.topics.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.hub.remove(&self.entry, topics.values().flatten().map(|topic| &**topic));
    }
}
