//! Messages received of a robot, in any layout of theirs, as signals with their original bytes.

use latimer_core::hub::Source;
use latimer_core::model::signal::Playback;
use latimer_core::model::{Class, Kind, Native, PartName, Signal, Stamp, Update};
use latimer_core::{Clock, Timestamp};
use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::msgs::std_msgs::Header;
use latimer_ros1::msgs::{sensor_msgs, std_msgs};
use latimer_ros1::node::Incoming;
use serde::de::DeserializeOwned;

use super::senses::SENSES;
use crate::describe::{Incomplete, Translate};
use crate::link::publish_unknown;
use crate::miro::NAME;
use crate::miro::limits::OWN_POSE_MAX_AGE;
use crate::miro::map::{
    Decoded, PictureError, Reader, compressed_from_wire, image_from_wire, signals_from_state,
};
use crate::miro::messages::signals::p2u_r;
use crate::miro::messages::{CoreState, Moment, PlatformMics, PlatformSensors, PlatformState};
use crate::miro::node::timestamp_from_time;
use crate::miro::topic::Topic;
use crate::throttled_warning::ThrottledWarning;

/// Of signals that nobody follows closely one in so many messages is published: once a second.
const SELDOM: u64 = 50;

/// Decodes the messages of one robot and publishes their signals.
pub(super) struct Receiver {
    clock: Clock,
    reader: Reader,
    messages: u64,
    /// The platform's last state.
    state: Vec<Signal>,
    vocalising: bool,
    /// What it was asked to play.
    plays: Option<String>,
    /// When the robot itself published last where it is.
    pose: Option<Timestamp>,
    odd: ThrottledWarning,
    problem: Option<String>,
}

impl Receiver {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            reader: Reader::default(),
            messages: 0,
            state: Vec::new(),
            vocalising: false,
            plays: None,
            pose: None,
            odd: ThrottledWarning::default(),
            problem: None,
        }
    }

    /// What was not understood last.
    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The robot is asked to play a sound.
    pub(super) fn plays(&mut self, name: String) {
        self.plays = Some(name);
    }

    /// `platform/sensors`; what it tells, if it is understood.
    pub(super) fn sensors(&mut self, source: &Source, message: &Incoming) -> Option<Vec<Decoded>> {
        let read: PlatformSensors = self.understood(source, Topic::Sensors, message)?;
        let now = self.clock.now();
        let mut decoded = self.reader.read(&read);
        if self.pose.is_some_and(|since| now.since(since) < OWN_POSE_MAX_AGE) {
            decoded.retain(|it| it.signal.kind() != Kind::Pose);
        }
        let seldom = self.messages.is_multiple_of(SELDOM);
        self.messages += 1;
        let wanted = source.wanted();
        let received = ReceivedMessage::new(Topic::Sensors, message, &read.header, now);
        for it in &decoded {
            let kind = it.signal.kind();
            if seldom || kind.class() == Class::Event || wanted.contains(kind) {
                received.publish(source, it.part, it.signal.clone());
            }
        }
        Some(decoded)
    }

    /// `platform/state`; on change, and once a second.
    pub(super) fn state(&mut self, source: &Source, message: &Incoming) {
        let Some(read) = self.understood::<PlatformState>(source, Topic::State, message) else {
            return;
        };
        let received = ReceivedMessage::new(Topic::State, message, &read.header, self.clock.now());
        let signals = signals_from_state(&read);
        let seldom = self.messages.is_multiple_of(SELDOM);
        for (i, signal) in signals.iter().enumerate() {
            if seldom || self.state.get(i) != Some(signal) {
                received.publish(source, None, signal.clone());
            }
        }
        self.state = signals;
        let vocalising = read.P2U_R_signals & p2u_r::VOCALISING != 0;
        if std::mem::replace(&mut self.vocalising, vocalising) && !vocalising {
            received.publish(source, None, playback(self.plays.take()).into());
        }
    }

    /// `log`.
    pub(super) fn log(&mut self, source: &Source, message: &Incoming) {
        let Some(read) = self.understood::<std_msgs::String>(source, Topic::Log, message) else {
            return;
        };
        let received = ReceivedMessage::new(Topic::Log, message, &Header::default(), self.clock.now());
        if let Ok(text) = read.decode(&Moment::default()) {
            received.publish(source, None, text.into());
        }
    }

    /// `sensors/odom`: where the robot itself believes to be; its word counts for more than a sum made here.
    pub(super) fn odometry(&mut self, source: &Source, message: &Incoming) {
        let Some(read) = self.understood::<Odometry>(source, Topic::Odom, message) else { return };
        if let Ok(pose) = read.decode(&Moment::default()) {
            let now = self.clock.now();
            self.pose = Some(now);
            // Its pose does not jump when its word stops coming.
            self.reader.stand_at(&pose);
            let received = ReceivedMessage::new(Topic::Odom, message, &read.header, now);
            received.publish(source, None, pose.into());
        }
    }

    /// Pictures, sound and the state of the core.
    pub(super) fn sense(&mut self, source: &Source, topic: Topic, message: &Incoming) {
        let part = SENSES.iter().find(|(it, ..)| *it == topic).and_then(|(.., part)| *part);
        let (header, signal): (Header, Result<Signal, SignalError>) = match topic {
            Topic::Mics => {
                let Some(read) = self.understood::<PlatformMics>(source, topic, message) else {
                    return;
                };
                let audio = read.decode(&Moment::default()).map(Signal::from).map_err(SignalError::from);
                (read.header, audio)
            }
            Topic::CoreState => {
                let Some(read) = self.understood::<CoreState>(source, topic, message) else {
                    return;
                };
                let assembled = timestamp_from_time(read.header.stamp).unwrap_or_else(|| self.clock.now());
                let at = Moment { at: assembled, usec: read.time_usec, ..Moment::default() };
                let state = read.decode(&at).map(Signal::from).map_err(SignalError::from);
                (read.header, state)
            }
            Topic::CamL | Topic::CamR => {
                let Some(read) = self.understood::<sensor_msgs::Image>(source, topic, message) else {
                    return;
                };
                let image = image_from_wire(&read).map(Signal::from).map_err(SignalError::from);
                (read.header, image)
            }
            _ => {
                let read = self.understood::<sensor_msgs::CompressedImage>(source, topic, message);
                let Some(read) = read else { return };
                let image = compressed_from_wire(&read).map(Signal::from).map_err(SignalError::from);
                (read.header, image)
            }
        };
        match signal {
            Ok(signal) => {
                ReceivedMessage::new(topic, message, &header, self.clock.now()).publish(source, part, signal);
            }
            Err(error) => self.complain(source, topic, message, error.to_string()),
        }
    }

    fn understood<T: DeserializeOwned>(
        &mut self,
        source: &Source,
        topic: Topic,
        message: &Incoming,
    ) -> Option<T> {
        match message.decode() {
            Ok(read) => Some(read),
            Err(error) => {
                self.complain(source, topic, message, error.to_string());
                None
            }
        }
    }

    /// Passes on what is not understood as it came.
    fn complain(&mut self, source: &Source, topic: Topic, message: &Incoming, problem: String) {
        let now = self.clock.now();
        publish_unknown(source, now, native(topic, message));
        if let Some(count) = self.odd.due(now, 1) {
            tracing::warn!(robot = %source.robot(), %topic, %problem, count, "a message is not understood");
        }
        self.problem = Some(problem);
    }
}

/// Why a message is no signal.
#[derive(Debug, thiserror::Error)]
enum SignalError {
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// A message with its stamps and its bytes, of which signals are published.
struct ReceivedMessage {
    stamp: Stamp,
    received: Timestamp,
    native: Native,
}

impl ReceivedMessage {
    fn new(topic: Topic, message: &Incoming, header: &Header, received: Timestamp) -> Self {
        let stamp = timestamp_from_time(header.stamp).map_or(Stamp::gateway(received), Stamp::robot);
        let native = native(topic, message);
        Self { stamp, received, native }
    }

    fn publish(&self, source: &Source, part: Option<&str>, signal: Signal) {
        source.publish(Update {
            robot: source.robot().clone(),
            part: part.map(PartName::of),
            stamp: self.stamp,
            received: self.received,
            signal,
            native: Some(self.native.clone()),
            provenance: None,
        });
    }
}

/// A message as it came.
fn native(topic: Topic, message: &Incoming) -> Native {
    let (payload, definition) = (message.bytes.clone(), Some(message.layout.shared_definition()));
    Native { dialect: NAME, topic: topic.as_str().into(), payload, definition }
}

/// The end of a sound; what it was is known if it was asked for here.
fn playback(name: Option<String>) -> Playback {
    let name = name.unwrap_or_else(|| "sound".to_owned());
    let (directory, name) = match name.split_once('/') {
        Some((directory, name)) => (Some(directory.to_owned()), name.to_owned()),
        None => (None, name),
    };
    Playback { directory, ..Playback::of(name) }
}
