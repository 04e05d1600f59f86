//! One robot of the hub as one of the swarm: what was sent of it, and what it reads.

use std::time::Duration;

use bytes::Bytes;
use latimer_core::hub::{DemandLevel, RobotReport, Selection, Sink, Subscription, SubscriptionId};
use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Imu, LinkState, Orientation, Pose, TextChannel};
use latimer_core::{Hub, RobotId, Signal, Timestamp, Update};

use super::body::Step;
use super::place::{in_arena, reality_of};
use crate::pera::NAME;
use crate::pera::limits::{BODY_READING_INTERVAL, PLACE_MIN_INTERVAL, READING_INTERVAL, REPEAT_INTERVAL};
use crate::pera::map::{FRONT, looks_ahead, message_from_update};
use crate::pera::messages::robot::{Coordinate, Live};
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Sensor, Topic};
use crate::pera::wire::{Message, Number, Reality};

/// How far a robot must have moved until that is published, centimetres.
const MOVED_CM: f64 = 1.0;
/// How far it must have turned, degrees.
const TURNED_DEGREES: f64 = 2.0;

/// One robot of the hub as one of the swarm.
pub(super) struct Member {
    pub(super) id: SwarmId,
    pub(super) robot: RobotId,
    pub(super) reality: Reality,
    /// The frame of places.
    pub(super) frame: String,
    /// It is the body of a program: where that put it last.
    pub(super) body: Option<Option<Step>>,
    follows: Vec<SubscriptionId>,
    /// It is none of the swarm.
    is_foreign: bool,
    /// Whose deliveries make news of the compass of a robot that is none of the swarm.
    headings: Option<SubscriptionId>,
    place: Option<(Coordinate, Timestamp)>,
    /// Whether the swarm got its announcement.
    pub(super) is_introduced: bool,
    /// Whether a query for it waits for its announcement.
    pub(super) is_missed: bool,
    reported: Vec<(Topic, Bytes, Timestamp)>,
}

impl Member {
    pub(super) fn new(id: SwarmId, report: &RobotReport, frame: &str, is_body: bool, sink: &Sink) -> Self {
        let mut member = Self {
            id,
            frame: frame.to_owned(),
            body: is_body.then_some(None),
            robot: report.info.robot.clone(),
            reality: reality_of(report),
            follows: Vec::new(),
            is_foreign: report.info.family != NAME,
            headings: None,
            place: None,
            is_introduced: false,
            is_missed: false,
            reported: Vec::new(),
        };
        member.follow(sink);
        member
    }

    /// Begins to listen to it.
    pub(super) fn follow(&mut self, sink: &Sink) {
        let derived = self.is_foreign;
        let of = |kinds: &[Kind], every, demand| {
            let select = Selection::of_kinds(&self.robot, kinds);
            sink.subscribe(Subscription { every, demand, derived, ..Subscription::to(select) })
        };
        // A program drives by what its body senses.
        let (readings_every, readings) = match self.body {
            Some(_) => (BODY_READING_INTERVAL, DemandLevel::Full),
            None => (READING_INTERVAL, DemandLevel::Slow),
        };
        self.follows = vec![
            of(&[Kind::Pose], PLACE_MIN_INTERVAL, DemandLevel::Full),
            of(&[Kind::Range, Kind::Color], readings_every, readings),
            of(&[Kind::Lamp, Kind::Text], Duration::ZERO, DemandLevel::Slow),
        ];
        // The yaw of an inertial unit counts from where it started; a compass does not.
        let compass = if self.is_foreign { Kind::Pose } else { Kind::Imu };
        let headings = of(&[compass], READING_INTERVAL, DemandLevel::Slow);
        self.follows.push(headings);
        self.headings = self.is_foreign.then_some(headings);
    }

    /// Stops listening to it.
    pub(super) fn leave(self, sink: &Sink) {
        self.follows.into_iter().for_each(|follow| sink.unsubscribe(follow));
    }

    /// Whether the robot itself is there.
    pub(super) fn is_reachable(&self, hub: &Hub) -> bool {
        hub.robot(&self.robot).is_some_and(|report| report.link.state == LinkState::Up)
    }

    /// The answer to the query whether it is there.
    pub(super) fn live(&self) -> Live {
        Live { id: self.id, reality: Some(self.reality) }
    }

    /// What it says when it begins; `None` as long as it knows no place on the map, because simulators put who says none
    /// in the middle, where it would stand in everybody's way.
    pub(super) fn introduction(&self, hub: &Hub) -> Option<Vec<Message>> {
        let place = self.place(hub)?;
        let lamps = hub.last_of_parts(&self.robot, Kind::Lamp);
        let lamp = lamps.first().and_then(|update| self.message(hub, update));
        let update = Message::LocalizationUpdate(vec![place.clone()]);
        Some([Some(Message::Create(place)), lamp, Some(update)].into_iter().flatten().collect())
    }

    /// Where it is, if it knows.
    pub(super) fn place(&self, hub: &Hub) -> Option<Coordinate> {
        let mut poses = hub.last_of_parts(&self.robot, Kind::Pose);
        poses.sort_by_key(|update| !is_on_map(update));
        poses.iter().find_map(|update| match self.message(hub, update)? {
            Message::LocalizationUpdate(list) => list.into_iter().next(),
            _ => None,
        })
    }

    /// What a sensor of it read last; of several that look ahead, the one that sees the least far.
    pub(super) fn reading(&self, hub: &Hub, sensor: Sensor) -> Option<Message> {
        let kind = match sensor {
            Sensor::Distance => Kind::Range,
            Sensor::Color => Kind::Color,
            Sensor::Compass if self.is_foreign => return self.heading(hub),
            Sensor::Compass => Kind::Imu,
            Sensor::Proximity => return None,
        };
        let known = hub.last_of_parts(&self.robot, kind);
        let ahead = known.iter().filter(|update| kind == Kind::Imu || looks_ahead(update.part.as_ref()));
        let readings = ahead.filter_map(|update| self.message(hub, update));
        readings.min_by(|a, b| distance_of(a).total_cmp(&distance_of(b)))
    }

    /// How it is turned in the arena, as a compass tells it.
    fn heading(&self, hub: &Hub) -> Option<Message> {
        let pose = hub.pose(&self.robot)?;
        let update = Update::now(&self.robot, hub.clock().now(), pose.into());
        let in_arena = in_arena(hub, &self.frame, &update)?;
        let Signal::Pose(Pose { roll_rad, pitch_rad, yaw_rad, .. }) = in_arena.signal else { return None };
        let orientation = Some(Orientation { roll_rad, pitch_rad, yaw_rad });
        let imu = Imu { orientation, angular_velocity: None, linear_acceleration: None };
        self.message(hub, &Update::now(&self.robot, update.received, imu.into()))
    }

    /// Why a sensor of it will never read anything, if so.
    pub(super) fn lacks(&self, hub: &Hub, sensor: Sensor) -> Option<String> {
        let offers = |kind, part| hub.offers(&self.robot, kind, part);
        let has_it = match sensor {
            Sensor::Distance => offers(Kind::Range, Some(FRONT)),
            Sensor::Color => offers(Kind::Color, Some(FRONT)),
            Sensor::Compass if self.is_foreign => offers(Kind::Pose, None),
            Sensor::Compass => offers(Kind::Imu, None),
            Sensor::Proximity => false,
        };
        (!has_it).then(|| format!("{} has no sensor for {}", self.robot, sensor.as_str()))
    }

    /// What an update is to the swarm, if that is worth telling.
    pub(super) fn changes(
        &mut self,
        hub: &Hub,
        id: SubscriptionId,
        update: &Update,
        now: Timestamp,
    ) -> Option<Message> {
        // Derived parts are for the programs of other families.
        if update.provenance.is_some() && !self.is_foreign {
            return None;
        }
        let message = match &update.signal {
            _ if self.headings == Some(id) => self.heading(hub)?,
            // Odometry is published of robots without a pose on the map: alternating between both, the pose would jump.
            Signal::Pose(pose) if pose.frame != Frame::Map && self.is_on_map(hub) => return None,
            Signal::Range(_) if looks_ahead(update.part.as_ref()) => self.reading(hub, Sensor::Distance)?,
            // The sender knows what it sent to the robot.
            Signal::Text(text) if text.channel == TextChannel::Chat && is_for_swarm(update) => return None,
            Signal::Text(_) => return self.message(hub, update),
            _ => self.message(hub, update)?,
        };
        if let Message::LocalizationUpdate(list) = &message {
            let place = list.first()?;
            let known = self.place.as_ref();
            if known.is_some_and(|(known, reported)| {
                now.since(*reported) < REPEAT_INTERVAL && !has_moved(known, place)
            }) {
                return None;
            }
            self.place = Some((place.clone(), now));
            return Some(message);
        }
        let (topic, (_, payload)) = (message.topic(), message.write());
        // A lamp is published when it changes; of several sensors that look ahead each makes news of the same reading.
        let is_lamp = topic == Topic::Neopixel;
        match self.reported.iter_mut().find(|(known, ..)| *known == topic) {
            Some((_, known, reported)) => {
                let age = now.since(*reported);
                let is_old = if is_lamp {
                    *known == payload && age < REPEAT_INTERVAL
                } else {
                    age < READING_INTERVAL / 2
                };
                if is_old {
                    return None;
                }
                (*known, *reported) = (payload, now);
            }
            None => self.reported.push((topic, payload, now)),
        }
        Some(message)
    }

    fn is_on_map(&self, hub: &Hub) -> bool {
        hub.pose(&self.robot).is_some_and(|pose| pose.frame == Frame::Map)
    }

    fn message(&self, hub: &Hub, update: &Update) -> Option<Message> {
        message_from_update(self.id, &*in_arena(hub, &self.frame, update)?, Some(self.reality))
    }
}

fn is_on_map(update: &Update) -> bool {
    matches!(&update.signal, Signal::Pose(pose) if pose.frame == Frame::Map)
}

fn is_for_swarm(update: &Update) -> bool {
    update.part.as_ref().is_some_and(|part| part.as_str().starts_with("comm_in"))
}

pub(super) fn distance_of(message: &Message) -> f64 {
    match message {
        Message::Distance(request) => request.dist.map_or(f64::INFINITY, |dist| dist.0),
        _ => 0.0,
    }
}

fn has_moved(from: &Coordinate, to: &Coordinate) -> bool {
    let off = |a: Option<Number>, b: Option<Number>| match (a, b) {
        (Some(a), Some(b)) => b.0 - a.0,
        _ => f64::INFINITY,
    };
    let turned = off(from.heading, to.heading).abs();
    off(from.x, to.x).hypot(off(from.y, to.y)) >= MOVED_CM || turned.min(360.0 - turned) >= TURNED_DEGREES
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;
    use latimer_core::PartName;
    use latimer_core::frames::WORLD;
    use latimer_core::hub::{MailboxLimits, Origin, RobotInfo, Source};
    use std::collections::BTreeMap;

    use latimer_core::frames::{FrameTree, Placement, Pose2, RobotFrames};
    use latimer_core::model::signal::{Range, Text};

    use super::*;

    struct Case {
        hub: Hub,
        source: Source,
        member: Member,
        _sink: Sink,
    }

    fn case() -> Case {
        let hub = Hub::new(Clock::system());
        let robot = RobotId::new("rover-3").unwrap();
        let source = hub.register(RobotInfo::new(robot, "test", Origin::Simulated)).unwrap();
        let sink = hub.sink("test", "test", MailboxLimits::default());
        let member = Member::new(3, &hub.robot(source.robot()).unwrap(), WORLD, false, &sink);
        Case { hub, source, member, _sink: sink }
    }

    impl Case {
        fn publish(&mut self, part: Option<&str>, signal: impl Into<Signal>, at_ms: i64) -> Option<String> {
            let now = Timestamp::from_nanos(at_ms * 1_000_000);
            let update = Update::now(self.source.robot(), now, signal.into());
            let update = Update { part: part.map(PartName::of), ..update };
            self.source.publish(update.clone());
            let (topic, payload) =
                self.member.changes(&self.hub, self.member.follows[0], &update, now)?.write();
            Some(format!("{topic} {}", String::from_utf8(payload.to_vec()).unwrap()))
        }
    }

    #[test]
    fn a_place_is_published_when_it_changes_or_after_a_while() {
        let mut case = case();
        let at = |x_m| Pose::planar(Frame::Map, x_m, 0.0, 0.0);
        assert!(case.publish(None, at(0.0), 0).is_some());
        assert_eq!(case.publish(None, at(0.005), 500), None);
        assert!(case.publish(None, at(0.02), 1_000).unwrap().contains("\"x\":2"));
        assert_eq!(case.publish(None, at(0.02), 5_900), None);
        assert!(case.publish(None, at(0.02), 6_000).is_some());
        let turned = Pose::planar(Frame::Map, 0.02, 0.0, -0.04);
        assert!(case.publish(None, turned, 6_500).unwrap().contains("\"heading\":-2.29"));
    }

    #[test]
    fn of_a_place_on_the_map_and_dead_reckoning_the_place_is_told() {
        let mut case = case();
        let origin = || Some(Placement::in_world(Pose2::default()));
        let frames = RobotFrames { map: origin(), odom: origin() };
        let robot = case.member.robot.clone();
        case.hub.set_frames(FrameTree::new(BTreeMap::new(), BTreeMap::from([(robot, frames)])).unwrap());
        let at = |frame, x_m| Pose::planar(frame, x_m, 0.0, 0.0);
        let place = |case: &Case| case.member.place(&case.hub).unwrap().x.unwrap().0;
        assert!(case.publish(Some("a_wheels"), at(Frame::Odom, 1.0), 0).is_some(), "it knows no better");
        assert_eq!(place(&case), 100.0);
        assert!(case.publish(Some("map"), at(Frame::Map, 2.0), 10_000).unwrap().contains("\"x\":200"));
        assert_eq!(case.publish(Some("a_wheels"), at(Frame::Odom, 3.0), 20_000), None);
        assert_eq!(place(&case), 200.0);
    }

    #[test]
    fn a_sensor_that_looks_ahead_is_read() {
        let mut case = case();
        assert!(case.publish(Some("front"), Range::valid(0.5), 0).unwrap().contains("\"dist\":50"));
        assert_eq!(case.publish(Some("front"), Range::valid(0.6), 100), None, "one was just sent");
        assert!(case.publish(Some("front"), Range::valid(0.25), 1_000).unwrap().contains("\"dist\":25"));
        assert_eq!(case.publish(Some("back"), Range::valid(0.1), 3_000), None);
        let reading = case.member.reading(&case.hub, Sensor::Distance).unwrap();
        assert_eq!(distance_of(&reading), 25.0);
        assert_eq!(case.member.reading(&case.hub, Sensor::Color), None);
    }

    #[test]
    fn what_it_says_is_published_each_time_and_what_it_hears_is_not() {
        let mut case = case();
        let text = Text { channel: TextChannel::Chat, text: "hi".into(), data: None, truncated: None };
        for _ in 0..2 {
            let sent = case.publish(Some("comm_out_simple"), text.clone(), 0);
            assert_eq!(sent.as_deref(), Some("comm/out/simple {\"id\":3,\"msg\":\"hi\"}"));
        }
        assert_eq!(case.publish(Some("comm_in_simple"), text, 0), None);
    }

    #[test]
    fn it_introduces_itself_when_it_knows_where_it_is() {
        let mut case = case();
        let sent = |case: &Case| -> Option<Vec<String>> {
            let messages = case.member.introduction(&case.hub)?;
            Some(messages.iter().map(|message| message.topic().to_string()).collect())
        };
        case.publish(None, Pose::planar(Frame::Odom, 1.0, 0.0, 0.0), 0);
        assert_eq!(sent(&case), None, "simulators would put it in the middle");
        case.publish(None, Pose::planar(Frame::Map, 1.0, 0.0, 0.0), 0);
        assert_eq!(sent(&case).unwrap(), ["robot/create", "localization/update"]);
    }
}
