//! The topics of one socket: from a client's request to the hub's subscriptions, and back from a delivery to a
//! frame.

use std::sync::Arc;

use bytes::Bytes;
use foldhash::HashMap;
use latimer_core::hub::{
    DemandLevel, ModelView, PLANNED, Pace, Selection, Shared, Sink, Subscription, SubscriptionId, View,
};
use latimer_core::model::profile::Ability;
use latimer_core::model::{Class, Kind, Path, RobotProfile, Signal, Value};
use latimer_core::{Hub, PartName, Timestamp};
use serde_json::json;

use super::change_filter::ChangeFilter;
use super::encode;
use super::robot::FacadeRobot;
use crate::axbot::messages::drive::AT_REST_M;
use crate::axbot::style::PoseAtRest;
use crate::axbot::topic::{Rhythm, Topic};
use crate::axbot::{NAME, needs};

/// A topic that is enabled.
struct Entry {
    topic: Topic,
    subscription: Option<SubscriptionId>,
    /// Since when.
    since: Timestamp,
    changes: ChangeFilter,
}

/// The topics of one socket.
pub(super) struct Enabled {
    robot: Arc<FacadeRobot>,
    /// What the client calls them, newest first.
    names: Vec<(String, Named)>,
    entries: Vec<Entry>,
    by_id: HashMap<SubscriptionId, Topic>,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    /// A topic of this gateway's.
    Topic(Topic),
    /// One that is passed on as a connected chassis sends it.
    PassedOn(SubscriptionId),
    /// One that comes unasked for.
    Answer,
}

/// A frame to be sent.
pub(super) enum ToSend {
    /// Of a topic of this gateway's.
    OfTopic(Topic, Bytes),
    /// As a chassis sent it.
    PassedOn(Bytes),
}

/// There is no topic of that name.
pub(super) struct Unknown;

impl Enabled {
    pub(super) fn new(robot: Arc<FacadeRobot>) -> Self {
        Self { robot, names: Vec::new(), entries: Vec::new(), by_id: HashMap::default() }
    }

    /// What the client calls the topics that are enabled, newest first.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn has(&self, topic: Topic) -> bool {
        self.entries.iter().any(|entry| entry.topic == topic)
    }

    /// Enables a topic; returns it with what is to be sent at once.
    ///
    /// What the hub remembers of states it delivers by itself, once per subscription.
    pub(super) fn enable(&mut self, sink: &Sink, name: &str) -> Result<(Topic, Option<Bytes>), Unknown> {
        let topic: Topic = name.parse().map_err(|()| Unknown)?;
        self.name(name, Named::Topic(topic));
        let now = self.robot.hub.clock().now();
        let is_new = !self.has(topic);
        if is_new {
            let subscription = subscription(&self.robot, topic).map(|it| sink.subscribe(it));
            self.by_id.extend(subscription.map(|id| (id, topic)));
            let mut changes = ChangeFilter::new(topic, self.rhythm(topic), now);
            if self.is_silent(topic)
                && let Some(pose) = self.robot.last(Kind::Pose)
            {
                changes.stands_at(&pose);
            }
            self.entries.push(Entry { topic, subscription, since: now, changes });
        }
        let hub_tells = is_new && topic.origins().iter().all(|(kind, _)| kind.class() != Class::Event);
        if !topic.rhythm().latched || hub_tells || self.is_silent(topic) {
            return Ok((topic, None));
        }
        let entry = self.entries.iter_mut().find(|entry| entry.topic == topic);
        let changes = entry.map(|entry| &mut entry.changes);
        let first = match (last_update(&self.robot, topic), changes) {
            (Some((update, frame)), Some(changes)) => {
                changes.passes(&update, &frame, now);
                Some(frame)
            }
            (None, Some(changes)) => idle(&self.robot, topic).inspect(|frame| changes.sent(frame, now)),
            (_, None) => None,
        };
        Ok((topic, first))
    }

    /// What a robot of another family would need that a topic tells of; nothing if it has that, or the gateway derives it.
    pub(super) fn lacks(&self, topic: Topic) -> Option<String> {
        let FacadeRobot { hub, robot, .. } = &*self.robot;
        let info = hub.robot(robot)?.info;
        if info.family == NAME {
            return None;
        }
        let profile = hub.profile(robot);
        if let Some(ability) = topic.ability().filter(|it| !profile.kinds.is_empty() && !profile.can(*it)) {
            return Some(format!("a robot that can {}", ability.as_str().replace('_', " ")));
        }
        let is_offered = |(kind, part): (Kind, Option<&str>)| match (topic.contact(), part) {
            (Some(contact), _) if !profile.placed.is_empty() => {
                profile.placed.iter().any(|it| it.kind == kind && it.place.contact() == contact)
            }
            // Parts of kinds that no profile declares are a chassis' own, but for the way that is planned.
            (_, Some(part)) if is_undeclared(&profile, kind, part) => {
                hub.last(robot, kind, Some(&PartName::of(part))).is_some()
            }
            _ => hub.offers(robot, kind, part),
        };
        if topic.origins_of(&profile).any(is_offered) {
            return None;
        }
        let wanted = topic.origins().iter().map(|(kind, part)| match part {
            Some(part) => format!("{kind}/{part}"),
            None => kind.to_string(),
        });
        Some(format!("a robot that publishes {}", wanted.collect::<Vec<_>>().join(" or ")))
    }

    fn name(&mut self, name: &str, named: Named) {
        if !self.names.iter().any(|(known, _)| known == name) {
            self.names.insert(0, (name.to_owned(), named));
        }
    }

    /// Enables a topic that this gateway does not make: what a connected chassis sends on it is passed on. Returns what a robot
    /// would need that tells it; nothing of a topic that comes unasked for.
    pub(super) fn pass_on(&mut self, sink: &Sink, name: &str) -> Result<Option<&'static str>, Unknown> {
        if needs::ANSWERS.contains(&name) {
            self.name(name, Named::Answer);
            return Ok(None);
        }
        let (topic, needs) = needs::of_topic(name).ok_or(Unknown)?;
        if !self.names.iter().any(|(known, _)| known == name) {
            let address = format!("{}/{}/{}", self.robot.robot, Kind::Other, needs::part(topic));
            let select: Selection = address.parse().map_err(|_| Unknown)?;
            let id = sink.subscribe(Subscription { pace: Pace::PerSubscription, ..Subscription::to(select) });
            self.name(name, Named::PassedOn(id));
        }
        Ok(Some(needs))
    }

    /// Disables a topic under the name under which it was enabled.
    pub(super) fn disable(&mut self, sink: &Sink, name: &str) -> Result<(), Unknown> {
        let Ok(topic) = name.parse::<Topic>() else { return self.pass_on_no_more(sink, name) };
        self.names.retain(|(known, _)| known != name);
        if self.names.iter().any(|(_, known)| *known == Named::Topic(topic)) {
            return Ok(());
        }
        if let Some(place) = self.entries.iter().position(|entry| entry.topic == topic)
            && let Some(id) = self.entries.swap_remove(place).subscription
        {
            sink.unsubscribe(id);
            self.by_id.remove(&id);
        }
        Ok(())
    }

    fn pass_on_no_more(&mut self, sink: &Sink, name: &str) -> Result<(), Unknown> {
        if needs::of_topic(name).is_none() && !needs::ANSWERS.contains(&name) {
            return Err(Unknown);
        }
        if let Some(place) = self.names.iter().position(|(known, _)| known == name)
            && let (_, Named::PassedOn(id)) = self.names.remove(place)
        {
            sink.unsubscribe(id);
        }
        Ok(())
    }

    /// What there is to send of a delivery; `None` if there is nothing.
    pub(super) fn frame(&mut self, id: SubscriptionId, update: &Shared) -> Option<ToSend> {
        let Some(topic) = self.by_id.get(&id).copied() else {
            let passes = self.names.iter().any(|(_, named)| *named == Named::PassedOn(id));
            let native = update.native.as_ref().filter(|it| passes && it.dialect == NAME)?;
            return Some(ToSend::PassedOn(native.payload.clone()));
        };
        let is_silent = self.is_silent(topic);
        let now = self.robot.hub.clock().now();
        let entry = self.entries.iter_mut().find(|entry| entry.topic == topic)?;
        // What is not remembered for those who come late is news only if it came later than they did.
        if !topic.rhythm().latched && update.received < entry.since {
            return None;
        }
        if is_silent && entry.changes.knows_no_pose() {
            entry.changes.stands_at(update);
            return None;
        }
        let frame = frame(&self.robot, topic, update)?;
        if topic == Topic::TrackedPose {
            entry.changes.wheels_go(self.robot.goes(now));
        }
        entry.changes.passes(update, &frame, now).then_some(ToSend::OfTopic(topic, frame))
    }

    /// Whether anything must be looked at though nothing comes.
    pub(super) fn has_beat(&self) -> bool {
        self.entries.iter().any(|entry| self.rhythm(entry.topic).beat.is_some())
    }

    /// The topics that are due again; none of a robot that is not connected.
    pub(super) fn again(&mut self) -> Vec<(Topic, Bytes)> {
        if !self.robot.is_reachable() {
            return Vec::new();
        }
        let now = self.robot.hub.clock().now();
        self.entries.iter_mut().filter_map(|entry| Some((entry.topic, entry.changes.again(now)?))).collect()
    }

    /// When a topic is sent.
    fn rhythm(&self, topic: Topic) -> Rhythm {
        self.robot.settings.style.rhythm(topic)
    }

    /// Whether it sends moves only.
    fn is_silent(&self, topic: Topic) -> bool {
        topic == Topic::TrackedPose && self.robot.settings.style.pose_at_rest == PoseAtRest::Silent
    }
}

fn frame(robot: &FacadeRobot, topic: Topic, update: &Shared) -> Option<Bytes> {
    let keep = |word: &str, png: &Bytes| robot.statics.keep(word, png);
    encode::frame(&robot.hub, topic, update, robot.settings.style, &keep)
}

/// A robot's last message on a topic, if it said anything.
pub(super) fn last(robot: &FacadeRobot, topic: Topic) -> Option<Bytes> {
    let keep = |word: &str, png: &Bytes| robot.statics.keep(word, png);
    encode::last(&robot.hub, &robot.robot, topic, robot.settings.style, &keep)
}

fn last_update(robot: &FacadeRobot, topic: Topic) -> Option<(Arc<Shared>, Bytes)> {
    let keep = |word: &str, png: &Bytes| robot.statics.keep(word, png);
    encode::last_update(&robot.hub, &robot.robot, topic, robot.settings.style, &keep)
}

/// How a robot's drive stands that drives by itself and has not done so yet.
fn idle(robot: &FacadeRobot, topic: Topic) -> Option<Bytes> {
    if topic != Topic::PlanningState {
        return None;
    }
    let map = robot.last(Kind::MapInfo);
    if map.is_none() && !robot.hub.profile(&robot.robot).can(Ability::Navigate) {
        return None;
    }
    // Moves are numbered from 1; clients count on the number.
    let mut idle = json!({
        "topic": topic.as_str(), "action_id": 0, "action_type": "none", "move_state": "idle",
        "fail_reason": 0, "fail_reason_str": "none", "remaining_distance": AT_REST_M, "target_poses": [], "move_intent": "", "stuck_state": "none",
    });
    if let Some(Signal::MapInfo(map)) = map.as_ref().map(|it| &it.signal)
        && let Some(uid) = &map.uid
    {
        idle["map_uid"] = uid.as_str().into();
    }
    Some(idle.to_string().into())
}

/// The subscription behind a topic; `None` if the gateway makes it itself.
fn subscription(robot: &FacadeRobot, topic: Topic) -> Option<Subscription> {
    Some(Subscription {
        every: robot.settings.style.rhythm(topic).every,
        pace: Pace::PerSubscription,
        demand: DemandLevel::Full,
        view: Arc::new(TopicView { hub: robot.hub.clone(), topic }),
        ..Subscription::to(selection(robot, topic)?)
    })
}

/// The signals behind a topic. Of a robot that is not there, every part that may play a role: [`TopicView`] chooses when it comes.
fn selection(robot: &FacadeRobot, topic: Topic) -> Option<Selection> {
    let profile = robot.hub.profile(&robot.robot);
    let any = topic.kind_by_role().filter(|_| !robot.hub.has(&robot.robot));
    let whole = any.map(|kind| (kind, None));
    let robot = &robot.robot;
    let expression = |(kind, part): (Kind, Option<&str>)| match part {
        Some(part) => format!("{robot}/{kind}/{part}"),
        None => format!("{robot}/{kind}"),
    };
    topic.origins_of(&profile).chain(whole).map(expression).collect::<Vec<_>>().join(",").parse().ok()
}

/// The kinds that a topic can be encoded from. It also keeps other kinds from taking their place.
struct TopicView {
    hub: Hub,
    topic: Topic,
}

impl View for TopicView {
    fn covers(&self, kind: Kind, part: Option<&PartName>) -> bool {
        self.topic.carries(kind, part)
    }

    fn knows(&self, update: &Shared) -> bool {
        let profile = self.hub.profile(&update.robot);
        let is_placed = match &update.signal {
            Signal::Pose(pose) => self.hub.on_map(&update.robot, pose).is_some(),
            _ => true,
        };
        is_placed
            && encode::is_published_on(self.topic, &profile, update)
            && self.is_first_choice(&profile, update)
    }

    fn value(&self, update: &Shared, path: &Path) -> Option<Value> {
        ModelView.value(update, path)
    }
}

impl TopicView {
    /// Whether nothing is known that comes before it in the list of origins: a scan and a cloud are not mixed.
    fn is_first_choice(&self, profile: &RobotProfile, update: &Shared) -> bool {
        let part = update.part.as_ref().map(PartName::as_str);
        let is_it = |(kind, of): &(Kind, Option<&str>)| {
            *kind == update.kind() && of.is_none_or(|of| part == Some(of))
        };
        let is_known = |(kind, of): (Kind, Option<&str>)| match of {
            Some(of) => self.hub.last(&update.robot, kind, Some(&PartName::of(of))).is_some(),
            None => !self.hub.last_of_parts(&update.robot, kind).is_empty(),
        };
        !self.topic.origins_of(profile).take_while(|origin| !is_it(origin)).any(is_known)
    }
}

/// Whether no profile says which robot has that part, and this robot's does not say it of its cameras.
fn is_undeclared(profile: &RobotProfile, kind: Kind, part: &str) -> bool {
    match kind {
        _ if profile.kinds.is_empty() => false,
        Kind::Path => part != PLANNED,
        // A speed is measured of any base that publishes one, whether or not one has come so far.
        Kind::Velocity => false,
        Kind::Image | Kind::CompressedImage | Kind::Video => {
            profile.cameras.iter().all(|camera| camera.part.as_str() != part)
        }
        kind => profile.has_part(kind, part).is_none(),
    }
}
