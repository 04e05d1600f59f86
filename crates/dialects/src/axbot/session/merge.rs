//! What several topics tell together: the model has one record where the robot has two messages; no I/O.

use std::collections::BTreeMap;
use std::sync::Arc;

use latimer_core::model::Stamp;
use latimer_core::model::signal::{Battery, Control, MapFeature, Neighbours, SleepState};
use latimer_core::{PartName, Signal, Timestamp};

use crate::axbot::limits::TOPIC_ALIVE_TIME;
use crate::axbot::map::{Received, signals_from_message};
use crate::axbot::messages::around::{NearbyRobotFootprints, NearbyRobots};
use crate::axbot::messages::codecs::outline;
use crate::axbot::messages::state::POWER;
use crate::axbot::wire::Message;
use crate::describe::Incomplete;

/// Most outlines remembered.
const MOST_OUTLINES: usize = 256;

/// What several topics tell together.
#[derive(Debug, Default)]
pub(in crate::axbot) struct Merge {
    control: Option<Control>,
    power: Option<SleepState>,
    /// When `/battery_state` came last.
    beat: Option<Timestamp>,
    /// What `/detailed_battery_state` said last.
    detailed: Option<(Timestamp, Battery)>,
    neighbours: Option<Neighbours>,
    /// Names of outlines by robot.
    digests: BTreeMap<String, String>,
    /// Outlines by name: x ahead, y to the left.
    outlines: BTreeMap<String, Vec<[f64; 2]>>,
    marks: Option<Arc<[MapFeature]>>,
    /// The frames of video that came since the robot was connected, by camera.
    frames: BTreeMap<Option<PartName>, i64>,
}

impl Merge {
    /// Who drives, if known.
    pub(super) fn control(&self) -> Option<&Control> {
        self.control.as_ref()
    }

    /// The robot was sent the control mode, and agreed.
    pub(super) fn control_mut(&mut self) -> Option<&mut Control> {
        self.control.as_mut()
    }

    /// What is marked on the map, if known.
    pub(super) fn marks(&self) -> Option<Arc<[MapFeature]>> {
        self.marks.clone()
    }

    /// All that a message says, together with what is known from the other topics.
    pub(in crate::axbot) fn signals(
        &mut self,
        message: &Message,
        received: Timestamp,
    ) -> Result<Vec<Received>, Incomplete> {
        match message {
            Message::SensorManagerState(state) => {
                self.power = state.power_state.as_deref().and_then(|word| POWER.meaning(word)).or(self.power);
                return Ok(self.again(received, self.control.clone().map(Signal::from)));
            }
            Message::NearbyRobotFootprints(footprints) => {
                self.learn_outlines(footprints);
                return Ok(self.again(received, self.neighbours.clone().map(Signal::from)));
            }
            Message::NearbyRobots(robots) => self.learn_digests(robots),
            Message::DetailedBatteryState(_) => return self.detailed(message, received),
            Message::BatteryState(_) => self.beat = Some(received),
            _ => {}
        }
        let mut signals = signals_from_message(message, received)?;
        signals.iter_mut().for_each(|it| self.complete(it, received));
        Ok(signals)
    }

    /// What is known already, because something else of it changed.
    fn again(&self, received: Timestamp, known: Option<Signal>) -> Vec<Received> {
        let Some(mut signal) = known else { return Vec::new() };
        match &mut signal {
            Signal::Control(control) => control.power = self.power.or(control.power),
            Signal::Neighbours(neighbours) => self.outline(neighbours),
            _ => {}
        }
        vec![Received { part: None, stamp: Stamp::gateway(received), signal }]
    }

    fn complete(&mut self, Received { part, signal, .. }: &mut Received, received: Timestamp) {
        match signal {
            // The robot does not number them; a socket loses none.
            Signal::Video(video) => {
                let frames = self.frames.entry(part.clone()).or_default();
                *frames += 1;
                video.sequence = *frames;
            }
            Signal::Control(control) => {
                control.power = control.power.or(self.power);
                self.control = Some(control.clone());
            }
            Signal::Battery(battery) => {
                if let Some((at, detailed)) = &self.detailed
                    && received.since(*at) <= TOPIC_ALIVE_TIME
                {
                    complete_battery(battery, detailed);
                }
            }
            Signal::Neighbours(neighbours) => {
                self.outline(neighbours);
                self.neighbours = Some(neighbours.clone());
            }
            Signal::MapInfo(map) => self.marks = Some(map.features.as_slice().into()),
            _ => {}
        }
    }

    /// The cells go with the next `/battery_state`; a robot without it is recognised by this topic.
    fn detailed(&mut self, message: &Message, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
        let signals = signals_from_message(message, received)?;
        for it in &signals {
            if let Signal::Battery(battery) = &it.signal {
                self.detailed = Some((received, battery.clone()));
            }
        }
        let beats = self.beat.is_some_and(|beat| received.since(beat) <= TOPIC_ALIVE_TIME);
        Ok(if beats { Vec::new() } else { signals })
    }

    fn learn_digests(&mut self, robots: &NearbyRobots) {
        self.digests.clear();
        let named = robots.robots.iter().flatten().take(MOST_OUTLINES);
        self.digests
            .extend(named.filter_map(|robot| Some((robot.uid.clone()?, robot.footprint_digest.clone()?))));
    }

    fn learn_outlines(&mut self, footprints: &NearbyRobotFootprints) {
        for footprint in footprints.footprints.iter().flatten().take(MOST_OUTLINES) {
            if let (Some(digest), Some(corners)) = (&footprint.digest, &footprint.coordinates) {
                if self.outlines.len() >= MOST_OUTLINES {
                    self.outlines.clear();
                }
                self.outlines.insert(digest.clone(), outline(corners));
            }
        }
    }

    fn outline(&self, neighbours: &mut Neighbours) {
        for neighbour in neighbours.robots.iter_mut().filter(|it| it.footprint_m.is_empty()) {
            let digest = self.digests.get(&neighbour.robot);
            if let Some(outline) = digest.and_then(|digest| self.outlines.get(digest)) {
                neighbour.footprint_m.clone_from(outline);
            }
        }
    }
}

/// What only the detailed topic tells.
fn complete_battery(battery: &mut Battery, detailed: &Battery) {
    if battery.cell_voltages_v.is_empty() {
        battery.cell_voltages_v.clone_from(&detailed.cell_voltages_v);
    }
    battery.health_ratio = battery.health_ratio.or(detailed.health_ratio);
    battery.temperature_c = battery.temperature_c.or(detailed.temperature_c);
    battery.capacity_ah = battery.capacity_ah.or(detailed.capacity_ah);
    battery.design_capacity_ah = battery.design_capacity_ah.or(detailed.design_capacity_ah);
    battery.cycles = battery.cycles.or(detailed.cycles);
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{Frame, Neighbour, Pose};

    use super::*;
    use crate::axbot::map::FromRecord as _;
    use crate::axbot::messages::Context;
    use crate::axbot::messages::camera::CameraVideo;
    use crate::axbot::topic::Topic;

    #[test]
    fn frames_of_video_are_numbered_as_they_come() {
        let mut merge = Merge::default();
        let mut number = |camera: fn(Box<CameraVideo>) -> Message| {
            let frame = CameraVideo { data: Some("AAAAAWWI".to_owned()), ..CameraVideo::default() };
            let message = camera(Box::new(frame));
            let Signal::Video(video) =
                merge.signals(&message, Timestamp::default()).unwrap().remove(0).signal
            else {
                panic!()
            };
            assert!(video.key_frame);
            video.sequence
        };
        let front = Message::FrontVideo;
        assert_eq!([front, Message::BackVideo, front, front].map(&mut number), [1, 1, 2, 3]);
    }

    #[test]
    fn robots_and_their_outlines_find_each_other_by_digest() {
        let neighbour = |robot: &str, footprint_m: Vec<[f64; 2]>| {
            let pose = Pose::planar(Frame::Map, 1.0, 2.0, 0.5);
            Neighbour { robot: robot.into(), pose, footprint_m, trend_m: vec![[1.0, 2.5]] }
        };
        let square = vec![[0.3, 0.2], [0.3, -0.2], [-0.3, -0.2], [-0.3, 0.2]];
        let long = vec![[0.9, 0.2], [0.9, -0.2], [-0.3, 0.0]];
        let robots = vec![
            neighbour("a", square.clone()),
            neighbour("b", long),
            neighbour("c", square),
            neighbour("d", vec![]),
        ];
        let known = Neighbours { robots };
        let encoded = |topic| Message::of(topic, &known.clone().into(), &Context::default()).unwrap();
        let outlines =
            NearbyRobotFootprints::from_record(&known, Topic::NearbyRobotFootprints, &Context::default());
        assert_eq!(outlines.unwrap().footprints.map(|it| it.len()), Some(2));
        let Message::NearbyRobots(robots) = encoded(Topic::NearbyRobots) else { panic!() };
        let digest = robots.robots.unwrap()[0].footprint_digest.clone().unwrap();
        assert!(digest.len() == 8 && digest.bytes().all(|digit| digit.is_ascii_hexdigit()), "{digest}");
        for topics in [
            [Topic::NearbyRobots, Topic::NearbyRobotFootprints],
            [Topic::NearbyRobotFootprints, Topic::NearbyRobots],
        ] {
            let mut merge = Merge::default();
            let signals = topics.map(|topic| merge.signals(&encoded(topic), Timestamp::default()).unwrap());
            assert_eq!(signals[1][0].signal, known.clone().into());
        }
    }
}
