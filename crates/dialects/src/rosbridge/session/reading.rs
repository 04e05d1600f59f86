//! What a message of a topic tells.

use latimer_core::model::Kind;
use latimer_core::{Signal, Timestamp};

use super::graph::{Incoming, Reader};
use super::localizer::Localizer;
use crate::describe::Received;
use crate::rosbridge::topics::{self, DecodeError, Foreign, frame_in};

/// What a message tells, and what of it is not understood.
pub(super) fn read(
    incoming: &Incoming,
    localizer: &mut Localizer,
    message: &str,
    now: Timestamp,
) -> Result<(Vec<Received>, Option<DecodeError>), DecodeError> {
    let Incoming { reader, part, .. } = incoming;
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
            let (stamp, points) = topics::points(message, now)?;
            vec![Received::new(part.clone(), stamp, points)]
        }
    };
    Ok((received, None))
}
