//! The synchronous streams: sensors, state, and what the Standard Interface makes of them.

use latimer_core::Timestamp;
use latimer_core::hub::{Delivery, MailboxLimits, Selection, Sink, Subscription};
use latimer_core::model::Kind;
use latimer_ros1::message::Catalog;
use latimer_ros1::msgs::tf2_msgs::TFMessage;
use latimer_ros1::node::{NodeError, Publisher};
use serde::Serialize;

use super::has_followers;
use crate::describe::Translate as _;
use crate::miro::NAME;
use crate::miro::facade::member::Member;
use crate::miro::map::{
    Frames, KINDS, Own, Snapshot, body_vel_from_snapshot, odometry_from_snapshot, sensors_from_snapshot,
    state_from_snapshot,
};
use crate::miro::messages::{
    CLIFFS, Cliffs, CoreState, LIGHTS, Lights, Moment, NECK, PlatformMics, SONAR, TOUCHES, Touches,
};
use crate::miro::topic::Topic;

/// Messages that may wait for a subscriber: a tenth of a second.
const QUEUE: usize = 5;

/// The topic of the frames of all robots.
const TF: &str = "/tf";

/// Messages of all robots that may wait there.
const TF_QUEUE: usize = 256;

/// The publishers of the platform's sensors and state.
pub(super) struct Body {
    sensors: Publisher,
    state: Publisher,
    body_vel: Publisher,
    odom: Publisher,
    joints: Publisher,
    sonar: Publisher,
    cliff: Publisher,
    light: Publisher,
    touch: Publisher,
    tf: Publisher,
    frames: Frames,
    /// What of the Standard Interface the robot has something to say on.
    offered: Offered,
    core: Publisher,
    /// The last sound that stood out, and the number of its sample.
    event: Option<(Timestamp, u32)>,
    /// While somebody follows.
    sink: Option<Sink>,
    known: Snapshot,
    own_family: bool,
    seed: u32,
    deliveries: Vec<Delivery>,
}

impl Body {
    pub(super) fn advertise(member: &Member) -> Result<Self, NodeError> {
        let advertise = |topic| member.advertise(topic, QUEUE);
        Ok(Self {
            sensors: advertise(Topic::Sensors)?,
            state: advertise(Topic::State)?,
            body_vel: advertise(Topic::BodyVel)?,
            odom: advertise(Topic::Odom)?,
            joints: advertise(Topic::KinematicJoints)?,
            sonar: advertise(Topic::SonarRange)?,
            cliff: advertise(Topic::Cliff)?,
            light: advertise(Topic::Light)?,
            touch: advertise(Topic::Touch)?,
            tf: member.node.advertise(TF, Catalog::common().layout_of::<TFMessage>()?, TF_QUEUE, false)?,
            frames: Frames::default(),
            offered: Offered::default(),
            core: advertise(Topic::CoreState)?,
            event: None,
            sink: None,
            known: Snapshot::default(),
            own_family: super::is_own_family(member),
            seed: rand::random(),
            deliveries: Vec::new(),
        })
    }

    pub(super) fn publishers(&self) -> impl Iterator<Item = &Publisher> {
        let platform = [&self.sensors, &self.state, &self.body_vel, &self.odom, &self.joints];
        let more = [&self.sonar, &self.cliff, &self.light, &self.touch, &self.tf, &self.core];
        platform.into_iter().chain(more)
    }

    /// What the robot has no sense or behaviour for.
    pub(super) fn absent(&self) -> impl Iterator<Item = (Topic, &Publisher)> {
        let Offered { joints, sonar, cliff, light, touch, core } = self.offered;
        let single = [
            (joints, Topic::KinematicJoints, &self.joints),
            (sonar, Topic::SonarRange, &self.sonar),
            (cliff, Topic::Cliff, &self.cliff),
            (light, Topic::Light, &self.light),
            (touch, Topic::Touch, &self.touch),
            (core, Topic::CoreState, &self.core),
        ];
        single
            .into_iter()
            .filter(|(is_offered, ..)| !is_offered)
            .map(|(_, topic, publisher)| (topic, publisher))
    }

    pub(super) const fn is_followed(&self) -> bool {
        self.sink.is_some()
    }

    /// Follows the robot if somebody follows it here; whether that begins now.
    pub(super) fn follow(&mut self, member: &Member) -> bool {
        let followed = self.publishers().any(has_followers);
        if !followed {
            self.sink = None;
        }
        let begins = followed && self.sink.is_none();
        if begins {
            self.begin(member);
        }
        begins
    }

    fn begin(&mut self, member: &Member) {
        self.known = Snapshot::default();
        self.deliveries.clear();
        self.look(member);
        let sink =
            member.hub.internal_sink(NAME, format!("{}/platform", member.name), MailboxLimits::default());
        sink.subscribe(Subscription::to(Selection::of_kinds(&member.robot, KINDS)));
        self.sink = Some(sink);
        // Last, so that nothing is said between this and the subscription.
        self.recall(member);
    }

    /// Takes in the last events, which the hub does not repeat for late subscribers.
    fn recall(&mut self, member: &Member) {
        for kind in [Kind::Contact, Kind::Hazard] {
            for last in member.hub.last_of_parts(&member.robot, kind) {
                self.known.take(&last);
            }
        }
    }

    /// Looks how the robot is made.
    pub(super) fn look(&mut self, member: &Member) {
        self.own_family = super::is_own_family(member);
        self.frames = Frames::of(&member.hub.profile(&member.robot));
        self.offered = Offered::of(member);
    }

    /// Assembles what is known by a moment of the robot's time.
    pub(super) fn publish(&mut self, member: &Member, moment: Timestamp) {
        self.take(member, moment);
        if !self.known.is_connected() {
            return;
        }
        let at = &member.time.moment_of(moment);
        let known = &self.known;
        let sensors = || sensors_from_snapshot(known, at);
        say(member, &self.sensors, sensors);
        say(member, &self.state, || state_from_snapshot(known, self.own(member), at, moment));
        say(member, &self.body_vel, || body_vel_from_snapshot(known, at));
        say(member, &self.odom, || odometry_from_snapshot(known, at));
        let Offered { joints, sonar, cliff, light, touch, core: _ } = self.offered;
        say_if(joints, member, &self.joints, || sensors().joint_state);
        say_if(sonar, member, &self.sonar, || sensors().sonar_range);
        say_if(cliff, member, &self.cliff, || Cliffs::from(sensors()));
        say_if(light, member, &self.light, || Lights::from(sensors()));
        say_if(touch, member, &self.touch, || Touches::from(sensors()));
        let moving = || self.frames.moving(known, at);
        say(member, &self.tf, moving);
        self.known.published();
        self.publish_core(member, at);
    }

    /// How the robot's own behaviour stands, if it tells.
    fn publish_core(&mut self, member: &Member, at: &Moment) {
        let Some(state) = self.known.behaviour() else { return };
        let received = state.sound_event.as_ref().map(|it| it.completed);
        if self.event.map(|(completed, _)| completed) != received {
            self.event =
                received.map(|completed| (completed, sample_at(completed, *member.sampled.borrow())));
        }
        let core = || {
            let mut core = CoreState::encode(state, at).unwrap_or_default();
            core.audio_event.sample_number = self.event.map_or(0, |(_, number)| number);
            core
        };
        say(member, &self.core, core);
    }

    /// Takes in what the robot said since the message before, as far as it was so at a moment.
    fn take(&mut self, member: &Member, moment: Timestamp) {
        let Some(sink) = &self.sink else { return };
        sink.try_receive(&mut self.deliveries);
        let (mut ended, mut missed) = (false, false);
        for delivery in std::mem::take(&mut self.deliveries) {
            match delivery {
                Delivery::Update(_, ref update) if member.time.is_after(update, moment) => {
                    // A fast world is some steps further; it waits for the message of its own moment.
                    self.deliveries.push(delivery);
                }
                Delivery::Update(_, update) => self.known.take(&update),
                Delivery::Gap(gap) => {
                    tracing::debug!(robot = %gap.robot, lost = ?gap.lost, "something was missed");
                    missed = true;
                }
                Delivery::End(_) => ended = true,
            }
        }
        if ended {
            self.begin(member);
        } else if missed {
            self.recall(member);
        }
    }

    fn own(&self, member: &Member) -> Own {
        let doings = *member.doings.borrow();
        Own {
            own_family: self.own_family,
            ready: self.known.is_connected(),
            seed: self.seed,
            body_move: doings.body_move,
            vocalising: doings.vocalising,
            body_reset: doings.body_reset,
            free_stream_buffers: doings.free_stream_buffers,
            last_stream_message: doings.last_stream_message,
            loaded_sounds: u32::try_from(member.sounds.len()).unwrap_or(u32::MAX),
        }
    }
}

/// The number of the sample at a time, by the end of a frame of sound and the number after it; 0 if no sound is published.
fn sample_at(at: Timestamp, frame: Option<(Timestamp, u32)>) -> u32 {
    let Some((ended, next)) = frame else { return 0 };
    let samples = |s: std::time::Duration| (s.as_secs_f64() * PlatformMics::RATE_HZ) as u32;
    if at > ended {
        next.wrapping_add(samples(at.since(ended)))
    } else {
        next.wrapping_sub(samples(ended.since(at)))
    }
}

/// The topics of single senses that a robot has something to say on: `platform/sensors` has values for a sense that is not there,
/// these have none.
#[derive(Clone, Copy, Debug, Default)]
struct Offered {
    joints: bool,
    sonar: bool,
    cliff: bool,
    light: bool,
    touch: bool,
    core: bool,
}

impl Offered {
    fn of(member: &Member) -> Self {
        let any = |kind, parts: &[&str]| {
            parts.iter().any(|part| member.hub.offers(&member.robot, kind, Some(part)))
        };
        Self {
            joints: any(Kind::Joint, &NECK),
            sonar: any(Kind::Range, &[SONAR]),
            cliff: any(Kind::Cliff, &CLIFFS),
            light: any(Kind::Light, &LIGHTS),
            touch: any(Kind::Contact, &TOUCHES),
            core: member.hub.offers(&member.robot, Kind::BehaviourState, None),
        }
    }
}

fn say_if<T: Serialize>(
    is_offered: bool,
    member: &Member,
    publisher: &Publisher,
    message: impl FnOnce() -> T,
) {
    if is_offered {
        say(member, publisher, message);
    }
}

/// Publishes if anybody follows.
fn say<T: Serialize>(member: &Member, publisher: &Publisher, message: impl FnOnce() -> T) {
    if !has_followers(publisher) {
        return;
    }
    if let Err(error) = publisher.publish(&message()) {
        // A layout of the user's own may hold less than what is to be said.
        tracing::debug!(robot = %member.robot, %error, "a message does not fit its layout");
    }
}
