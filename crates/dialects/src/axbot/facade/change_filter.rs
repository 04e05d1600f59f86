//! What of a topic is news to one client.

use std::time::Duration;

use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_core::hub::{Encoding, Shared};
use latimer_core::model::Signal;
use latimer_core::model::signal::{OccupancyGrid, Pose, Video};
use serde_json::{Map, Value};

use crate::axbot::topic::{Rhythm, Topic};

/// A robot that moved less stands, metres.
const MOVED_M: f64 = 0.001;
/// A robot that turned less stands, radians.
const TURNED_RAD: f64 = 0.001;

/// A robot whose wheels stand is elsewhere only if it is so far away: the rest is noise of its localisation.
const MOVED_AT_REST_M: f64 = 0.1;
/// The same for turns.
const TURNED_AT_REST_RAD: f64 = 0.1;

/// What is known of a robot's moves.
#[derive(Debug, Default)]
struct Moves {
    /// The pose that was sent last.
    last: Option<Pose>,
    /// Whether its wheels go, if it tells.
    goes: Option<bool>,
    /// Whether a pose was sent since the wheels stand.
    settled: bool,
}

/// What counts as a change, with the last message.
#[derive(Debug)]
enum Measure {
    /// Everything.
    All,
    /// What differs from the last.
    Changes(Option<Bytes>),
    /// A map that differs from the last, whenever it was drawn.
    Maps(Option<OccupancyGrid>),
    /// A pose that differs enough from the last.
    Moves(Moves),
    /// Frames that can be decoded: from a key frame on, without a gap. Holds the number of the last one.
    Video(Option<i64>),
}

/// What was sent to one client of a topic.
#[derive(Debug)]
pub(super) struct ChangeFilter {
    topic: Topic,
    rhythm: Rhythm,
    measure: Measure,
    /// The newest message, sent or not, for topics that are sent repeatedly.
    newest: Option<Bytes>,
    /// When a message was sent last.
    reported: Timestamp,
    /// Whether the message that was sent last was a repetition.
    repeats: bool,
}

impl ChangeFilter {
    /// For a subscriber that has received nothing yet.
    pub(super) fn new(topic: Topic, rhythm: Rhythm, now: Timestamp) -> Self {
        let measure = match topic {
            Topic::Map | Topic::MapV2 => Measure::Maps(None),
            Topic::TrackedPose if rhythm.changes_only => Measure::Moves(Moves::default()),
            Topic::FrontVideo | Topic::BackVideo | Topic::FrontAugmentedVideo => Measure::Video(None),
            _ if rhythm.changes_only => Measure::Changes(None),
            _ => Measure::All,
        };
        Self { topic, rhythm, measure, newest: None, reported: now, repeats: false }
    }

    /// Notes a pose as sent, so that only moves away from it count as changes.
    pub(super) fn stands_at(&mut self, update: &Shared) {
        if let (Measure::Moves(moves), Signal::Pose(pose)) = (&mut self.measure, &update.signal) {
            moves.last = Some(pose.clone());
        }
    }

    /// Whether the robot's wheels go, as far as that is known.
    pub(super) const fn wheels_go(&mut self, goes: Option<bool>) {
        if let Measure::Moves(moves) = &mut self.measure {
            moves.goes = goes;
        }
    }

    /// Whether no pose was sent or taken as sent, where that counts.
    pub(super) fn knows_no_pose(&self) -> bool {
        matches!(self.measure, Measure::Moves(Moves { last: None, .. }))
    }

    /// Whether a message differs from the last one; if so it counts as sent.
    pub(super) fn passes(&mut self, update: &Shared, frame: &Bytes, now: Timestamp) -> bool {
        if self.rhythm.beat.is_some() {
            self.newest = Some(frame.clone());
        }
        let passes = match (&mut self.measure, &update.signal) {
            (Measure::Changes(last), _) => {
                let compared = compared(self.topic, update, frame);
                last.replace(compared.clone()) != Some(compared)
            }
            (Measure::Maps(last), Signal::Map(map)) => {
                let differs = last.as_ref() != Some(map);
                if differs {
                    *last = Some(map.clone());
                }
                differs
            }
            (Measure::Moves(moves), Signal::Pose(pose)) => moves.passes(pose),
            (Measure::Video(last), Signal::Video(video)) => continues(last, video),
            _ => true,
        };
        if passes {
            (self.reported, self.repeats) = (now, false);
        }
        passes
    }

    /// Notes a message as sent that comes of no update.
    pub(super) fn sent(&mut self, frame: &Bytes, now: Timestamp) {
        if self.rhythm.beat.is_some() {
            self.newest = Some(frame.clone());
        }
        (self.reported, self.repeats) = (now, false);
    }

    /// The newest message, if it is time to tell it again.
    pub(super) fn again(&mut self, now: Timestamp) -> Option<Bytes> {
        // Where each message counts the robot itself may send at this beat; only when it missed one is it silent.
        let own_beat = !self.rhythm.changes_only && !self.repeats;
        let beat: Duration = self.rhythm.beat?.mul_f64(if own_beat { 1.5 } else { 1.0 });
        let newest = self.newest.as_ref().filter(|_| now.since(self.reported) >= beat)?;
        (self.reported, self.repeats) = (now, true);
        Some(newest.clone())
    }
}

/// `/planning_state` without the distance that is left.
#[derive(PartialEq)]
struct WithoutDistance;

impl Encoding for WithoutDistance {
    const DIALECT: &'static str = crate::axbot::NAME;
    type Output = Bytes;
}

/// What is compared of a message: the remaining distance changes all the time, and tells nothing by itself.
fn compared(topic: Topic, update: &Shared, frame: &Bytes) -> Bytes {
    if topic != Topic::PlanningState {
        return frame.clone();
    }
    let lasting = |_: &latimer_core::Update| match serde_json::from_slice::<Map<String, Value>>(frame) {
        Ok(mut fields) => {
            fields.remove("remaining_distance");
            serde_json::to_vec(&fields).map_or_else(|_| frame.clone(), Bytes::from)
        }
        Err(_) => frame.clone(),
    };
    update.derived(WithoutDistance, lasting).as_ref().clone()
}

impl Moves {
    /// Whether a pose is sent: each that differs while the wheels go, one when they stand, and after that only what
    /// cannot be noise, such as a pose that was found anew.
    fn passes(&mut self, pose: &Pose) -> bool {
        let rests = self.goes == Some(false);
        let (far_m, far_rad) = match rests && self.settled {
            true => (MOVED_AT_REST_M, TURNED_AT_REST_RAD),
            false => (MOVED_M, TURNED_RAD),
        };
        self.settled = rests;
        let moved = self.last.as_ref().is_none_or(|last| is_elsewhere(last, pose, far_m, far_rad));
        if moved {
            self.last = Some(pose.clone());
        }
        moved
    }
}

fn is_elsewhere(last: &Pose, pose: &Pose, far_m: f64, far_rad: f64) -> bool {
    let turned = (pose.yaw_rad - last.yaw_rad).rem_euclid(std::f64::consts::TAU);
    (pose.x_m - last.x_m).hypot(pose.y_m - last.y_m) >= far_m
        || turned.min(std::f64::consts::TAU - turned) >= far_rad
}

fn continues(last: &mut Option<i64>, video: &Video) -> bool {
    let follows = last.and_then(|last| last.checked_add(1)) == Some(video.sequence);
    *last = (video.key_frame || follows).then_some(video.sequence);
    last.is_some()
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::image::Codec;
    use latimer_core::model::signal::{Frame, Navigation, NavigationKind, NavigationState};
    use latimer_core::{RobotId, Update};

    use super::*;
    use crate::axbot::style::{PoseAtRest, Style};

    fn shared(signal: impl Into<Signal>) -> Shared {
        Shared::new(Update::now(&RobotId::new("r").unwrap(), Timestamp::default(), signal.into()), 1)
    }

    fn at(x_m: f64, yaw_rad: f64) -> Shared {
        let zero =
            Pose { frame: Frame::Map, x_m, y_m: 0.0, z_m: 0.0, roll_rad: 0.0, pitch_rad: 0.0, yaw_rad };
        shared(zero)
    }

    fn seconds(seconds: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_secs(seconds))
    }

    fn filter(topic: Topic) -> ChangeFilter {
        ChangeFilter::new(topic, Style::default().rhythm(topic), seconds(0))
    }

    #[test]
    fn a_robot_that_stands_is_no_news() {
        let mut changes = filter(Topic::TrackedPose);
        let mut passes = |update: &Shared| changes.passes(update, &Bytes::new(), seconds(0));
        assert!(passes(&at(1.0, 3.1412)));
        assert!(!passes(&at(1.0009, 3.1412)));
        assert!(!passes(&at(1.0, -3.1412)), "0.8 mrad further around");
        assert!(passes(&at(1.0011, 3.1412)));
        assert!(passes(&at(1.0011, 3.1395)));
    }

    #[test]
    fn noise_of_a_robot_whose_wheels_stand_is_no_news() {
        let mut changes = filter(Topic::TrackedPose);
        let mut passes = |goes: Option<bool>, x_m: f64| {
            changes.wheels_go(goes);
            changes.passes(&at(x_m, 0.0), &Bytes::new(), seconds(0))
        };
        assert!(passes(Some(false), 1.0), "a new client gets the pose");
        assert!(!passes(Some(false), 1.01) && !passes(Some(false), 0.98));
        assert!(passes(Some(true), 1.05) && passes(Some(true), 1.07));
        assert!(passes(Some(false), 1.08), "where it came to stand");
        assert!(!passes(Some(false), 1.1) && !passes(Some(false), 1.06));
        assert!(passes(Some(false), 3.0), "it was found elsewhere");
        assert!(!passes(Some(false), 3.02));
        assert!(passes(None, 3.01), "of others the poses alone tell");
    }

    #[test]
    fn a_pose_that_repeats_comes_with_its_noise_and_also_of_a_robot_that_is_silent() {
        let style = Style { pose_at_rest: PoseAtRest::Repeats, ..Style::default() };
        let mut changes = ChangeFilter::new(Topic::TrackedPose, style.rhythm(Topic::TrackedPose), seconds(0));
        changes.wheels_go(Some(false));
        for now in 0..3 {
            assert!(changes.passes(&at(1.0, 0.0), &Bytes::from("here"), seconds(now)));
            assert_eq!(changes.again(seconds(now + 1)), None, "the robot sends it itself");
        }
        let silent = [3, 4, 5, 6].map(|now| changes.again(seconds(now)).is_some());
        assert_eq!(silent, [false, true, true, true]);
    }

    #[test]
    fn a_drive_is_news_when_more_than_its_distance_changes_and_every_12_seconds() {
        let drive = |distance: f64, state: &str| {
            let navigation = Navigation {
                remaining_m: Some(distance),
                ..Navigation::new(1, NavigationKind::Goto, NavigationState::Moving)
            };
            let frame = format!(
                r#"{{"topic":"/planning_state","move_state":"{state}","remaining_distance":{distance}}}"#
            );
            (shared(navigation), Bytes::from(frame))
        };
        let mut changes = filter(Topic::PlanningState);
        let mut publish = |distance, state, now| {
            let (update, frame) = drive(distance, state);
            changes.passes(&update, &frame, seconds(now))
        };
        assert!(publish(3.0, "moving", 0));
        assert!(!publish(2.5, "moving", 1));
        assert!(publish(2.0, "succeeded", 2));
        assert!(!publish(1.5, "succeeded", 3));
        assert_eq!(changes.again(seconds(13)), None);
        let again = changes.again(seconds(14)).unwrap();
        assert!(again.ends_with(b"\"remaining_distance\":1.5}"), "{again:?}");
        assert_eq!(changes.again(seconds(15)), None);
    }

    #[test]
    fn video_begins_with_a_key_frame_and_has_no_holes() {
        let frame = |sequence: i64, key_frame: bool| {
            let data = Bytes::from_static(b"x");
            shared(Video { codec: Codec::H264, key_frame, sequence, width: 2, height: 2, data })
        };
        let mut changes = filter(Topic::FrontVideo);
        let mut passes = |sequence, key| changes.passes(&frame(sequence, key), &Bytes::new(), seconds(0));
        let reported = [(3, false), (4, true), (5, false), (7, false), (8, false), (9, true), (10, false)]
            .map(|(sequence, key)| passes(sequence, key));
        assert_eq!(reported, [false, true, true, false, false, true, true]);
    }

    #[test]
    fn the_same_again_is_no_news_where_changes_count() {
        let mut changes = filter(Topic::RobotSignal);
        let update = at(0.0, 0.0);
        let reported =
            ["a", "a", "b", "a"].map(|text| changes.passes(&update, &Bytes::from(text), seconds(0)));
        assert_eq!(reported, [true, false, true, true]);
        let mut changes = filter(Topic::Alerts);
        assert!(
            changes.passes(&update, &Bytes::new(), seconds(0))
                && changes.passes(&update, &Bytes::new(), seconds(0))
        );
    }
}
