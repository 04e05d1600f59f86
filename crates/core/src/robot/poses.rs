//! Where a robot says that it is, and whether that changes.

use std::time::Duration;

use crate::authority::PlanarPose;
use crate::clock::Timestamp;
use crate::model::signal::{Frame, Pose};
use crate::model::{PartName, Update};

/// Changes of a pose below these are noise, metres and radians.
const MOVED_M: f64 = 0.005;
const TURNED_RAD: f64 = 0.02;

/// Poses that are compared with the ones before; robots publish one or two, each in a frame of its own.
const MOST_POSES: usize = 4;

/// The last pose of a part in a frame, and when it changed last.
#[derive(Debug)]
struct LastPose {
    part: Option<PartName>,
    frame: Frame,
    at: PlanarPose,
    since: Timestamp,
}

/// Whether a pose is another one than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Since {
    Changed,
    /// It has not changed for so long; 0 for the first one.
    Still(Duration),
}

/// What a robot reports of where it is.
#[derive(Debug, Default)]
pub(super) struct Poses {
    all: Vec<LastPose>,
    /// Where it is on its map or, without one, from where it started, and when it said so.
    place: Option<(Frame, PlanarPose, Timestamp)>,
}

impl Poses {
    /// Where it is, and when it said so.
    pub(super) fn place(&self) -> Option<(PlanarPose, Timestamp)> {
        self.place.map(|(_, place, received)| (place, received))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Compares those to come with none before. Where it was it has been all the same.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    pub(super) fn observe(&mut self, pose: &Pose, update: &Update) -> Since {
        let at = [pose.x_m, pose.y_m, pose.yaw_rad];
        let is_better = self.place.is_none_or(|(frame, ..)| frame != Frame::Map || pose.frame == Frame::Map);
        if update.part.is_none() && matches!(pose.frame, Frame::Map | Frame::Odom) && is_better {
            self.place = Some((pose.frame, at, update.received));
        }
        let known = self.all.iter_mut().find(|it| it.part == update.part && it.frame == pose.frame);
        let Some(before) = known else {
            if self.all.len() < MOST_POSES {
                let (part, frame, since) = (update.part.clone(), pose.frame, update.received);
                self.all.push(LastPose { part, frame, at, since });
            }
            return Since::Still(Duration::ZERO);
        };
        let [x_m, y_m, yaw_rad] = before.at;
        let turned_rad = (pose.yaw_rad - yaw_rad).sin().abs();
        if (pose.x_m - x_m).hypot(pose.y_m - y_m) >= MOVED_M || turned_rad >= TURNED_RAD {
            (before.at, before.since) = (at, update.received);
            return Since::Changed;
        }
        Since::Still(update.received.since(before.since))
    }
}
