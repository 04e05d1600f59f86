//! What a message of a topic tells.

use std::collections::BTreeSet;

use latimer_core::model::signal::{Contact, ContactSensor, Frame, PointCloud, Scan};
use latimer_core::model::{Kind, PartName};
use latimer_core::{Signal, Stamp, Timestamp};

use super::graph::{Incoming, Reader};
use super::localizer::Localizer;
use crate::describe::Received;
use crate::rosbridge::topics::{self, DecodeError, Foreign, frame_in, frame_name};

/// What messages before say about one.
pub(super) struct Known {
    pub(super) localizer: Localizer,
    /// Bumpers that are pressed by the last list of them.
    pressed: BTreeSet<PartName>,
}

impl Known {
    /// Of a robot whose topics begin with `prefix`.
    pub(super) fn new(prefix: &str) -> Self {
        Self { localizer: Localizer::new(prefix), pressed: BTreeSet::new() }
    }
}

fn contact(stamp: Stamp, part: PartName, contacted: bool) -> Received {
    let contact =
        Contact { contacted, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink };
    Received::new(Some(part), stamp, contact)
}

/// Says where the scanner was, if transforms say where its frame is.
fn place_scan(scan: &mut Scan, localizer: &Localizer, message: &str) -> Result<(), DecodeError> {
    let placed = frame_name(message)?.and_then(|name| localizer.place(&name).ok());
    let Some((frame, Some(placing))) = placed else { return Ok(()) };
    let mut pose = placing.pose(frame);
    if placing.is_upside_down() {
        (scan.angle_min_rad, scan.angle_increment_rad) = (-scan.angle_min_rad, -scan.angle_increment_rad);
        (pose.roll_rad, pose.pitch_rad) = (0.0, 0.0);
    }
    scan.pose = Some(localizer.on_map(pose));
    Ok(())
}

/// What a message tells, and what of it is not understood.
pub(super) fn read(
    incoming: &Incoming,
    known: &mut Known,
    message: &str,
    now: Timestamp,
) -> Result<(Vec<Received>, Option<DecodeError>), DecodeError> {
    let (Incoming { reader, part, .. }, localizer) = (incoming, &mut known.localizer);
    let received = match reader {
        Reader::Own(topic) if topic.kind == Kind::Velocity => {
            let mut received = topic.decode(message, part.as_ref(), now)?;
            let frame = match frame_in(message) {
                Ok(frame) => frame,
                // How fast it is counts all the same.
                Err(error) => {
                    received.truncate(1);
                    return Ok((received, Some(error)));
                }
            };
            for it in &mut received {
                if let Signal::Pose(pose) = &mut it.signal {
                    pose.frame = frame.unwrap_or(pose.frame);
                    *pose = localizer.reckoned(pose.clone());
                }
            }
            received
        }
        Reader::Own(topic) => {
            let mut received = topic.decode(message, part.as_ref(), now)?;
            for it in &mut received {
                match &mut it.signal {
                    Signal::Pose(pose) => pose.frame = frame_in(message)?.unwrap_or(pose.frame),
                    Signal::Map(map) => map.frame = frame_in(message)?.unwrap_or(map.frame),
                    Signal::Scan(scan) => place_scan(scan, localizer, message)?,
                    _ => {}
                }
            }
            received
        }
        Reader::Foreign(Foreign::PoseWithCovariance) => {
            let (stamp, pose) = topics::pose(message, now)?;
            localizer.localized(&pose);
            vec![Received::new(None, stamp, pose)]
        }
        Reader::Foreign(Foreign::Transforms) => {
            let told = localizer.transformed(topics::transforms(message, now)?);
            told.into_iter().map(|(stamp, pose)| Received::new(None, stamp, pose)).collect()
        }
        Reader::Foreign(Foreign::Image) => {
            let (stamp, image) = topics::image(message, now)?;
            vec![Received::new(part.clone(), stamp, image)]
        }
        Reader::Foreign(Foreign::Points) => {
            let (stamp, mut points_m) = topics::points(message, now)?;
            let (frame, placing) = match frame_name(message)? {
                Some(name) => localizer.place(&name)?,
                None => (Frame::BaseLink, None),
            };
            if let Some(placing) = placing {
                points_m.iter_mut().for_each(|point| *point = placing.point_out(*point));
            }
            vec![Received::new(part.clone(), stamp, PointCloud { frame, points_m })]
        }
        Reader::Foreign(Foreign::BumperEvent) => {
            let bump = topics::bumper(message)?;
            bump.into_iter().map(|(part, pressed)| contact(Stamp::gateway(now), part, pressed)).collect()
        }
        Reader::Foreign(Foreign::Hazards) => {
            let (stamp, pressed) = topics::bumps(message, now)?;
            let gone = known.pressed.difference(&pressed).map(|part| contact(stamp, part.clone(), false));
            let new = pressed.difference(&known.pressed).map(|part| contact(stamp, part.clone(), true));
            let told = gone.chain(new).collect();
            known.pressed = pressed;
            told
        }
    };
    Ok((received, None))
}
