//! Pictures, sound and the state of the core: followed only while somebody follows them here, each on its own.

use std::future::poll_fn;
use std::task::Poll;

use latimer_core::hub::Source;
use latimer_core::model::{Kind, PartName};
use latimer_ros1::node::{Incoming, Node, NodeError, Subscription};

use super::Settings;
use crate::miro::topic::Topic;

/// A frame that is not read in time gives way to the next.
const QUEUE: usize = 1;

/// What is followed on demand: the topic, and the kind and part that it becomes.
pub(super) const SENSES: [(Topic, Kind, Option<&str>); 6] = [
    (Topic::CamL, Kind::Image, Some("camera_left")),
    (Topic::CamR, Kind::Image, Some("camera_right")),
    (Topic::CamLCompressed, Kind::CompressedImage, Some("camera_left")),
    (Topic::CamRCompressed, Kind::CompressedImage, Some("camera_right")),
    (Topic::Mics, Kind::Audio, Some("mics")),
    (Topic::CoreState, Kind::BehaviourState, None),
];

/// Followers of these topics.
#[derive(Default)]
pub(super) struct Senses {
    followed: [Option<Subscription>; SENSES.len()],
}

impl Senses {
    /// Follows what is wanted now, and leaves the rest.
    pub(super) fn follow(
        &mut self,
        source: &Source,
        node: &Node,
        settings: &Settings,
    ) -> Result<(), NodeError> {
        for (slot, (topic, kind, part)) in self.followed.iter_mut().zip(SENSES) {
            let wanted = source.wants(kind, part.map(PartName::of).as_ref());
            match (wanted, &slot) {
                (true, None) => {
                    let name = topic.of(&settings.name);
                    *slot = Some(match topic {
                        // What the microphones' message is called differs between releases.
                        Topic::Mics => node.subscribe(&name, None, QUEUE)?,
                        _ => node.subscribe_like(&name, settings.types.of(topic), QUEUE)?,
                    });
                }
                (false, Some(_)) => *slot = None,
                _ => {}
            }
        }
        Ok(())
    }

    /// The next message of any; pending while there is none. Cancel safe.
    pub(super) async fn next(&mut self) -> (Topic, Incoming) {
        let mut waiting: Vec<_> = self
            .followed
            .iter_mut()
            .zip(SENSES)
            .filter_map(|(slot, (topic, ..))| Some((topic, Box::pin(slot.as_mut()?.next()))))
            .collect();
        poll_fn(|context| {
            for (topic, next) in &mut waiting {
                if let Poll::Ready(Some(message)) = next.as_mut().poll(context) {
                    return Poll::Ready((*topic, message));
                }
            }
            Poll::Pending
        })
        .await
    }
}
