//! `/external_rgb_camera_control`: which cameras of somebody else's are wished for.
//!
//! Not every robot takes pictures of cameras beside it. Of one that does, one is wished for while somebody watches a camera of the robot that
//! has sent nothing for a while.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use latimer_core::model::Kind;
use latimer_core::model::profile::Ability;
use latimer_core::{PartName, Timestamp};
use serde_json::{Value, json};

use super::request::Camera;
use super::robot::FacadeRobot;
use crate::axbot::limits::{CAMERA_SILENCE_TIMEOUT, SENT_PICTURE_HOLD_TIME};
use crate::axbot::topic::Topic;

/// When cameras that are not the robot's own last sent a picture.
#[derive(Debug, Default)]
pub(super) struct Fed(Mutex<[Option<Timestamp>; 2]>);

impl Fed {
    /// A picture came.
    pub(super) fn note(&self, camera: Camera, now: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)[camera as usize] = Some(now);
    }

    fn lately(&self, camera: Camera, now: Timestamp) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner)[camera as usize];
        last.is_some_and(|last| now.since(last) < SENT_PICTURE_HOLD_TIME)
    }
}

/// What was sent to one client of the cameras that are wished for.
#[derive(Debug, Default)]
pub(super) struct CameraDemand {
    reported: Option<Vec<Camera>>,
    /// Since when each is watched.
    watched: [Option<Timestamp>; 2],
}

impl CameraDemand {
    /// The message, if the client does not know it yet; none of a robot that would refuse the pictures.
    pub(super) fn changes(&mut self, robot: &FacadeRobot, now: Timestamp) -> Option<Bytes> {
        let profile = robot.hub.profile(&robot.robot);
        profile.can(Ability::TakePictures).then_some(())?;
        let mut wished = Camera::ALL.to_vec();
        wished.retain(|camera| self.is_wished(robot, *camera, now));
        if self.reported.as_ref() == Some(&wished) {
            return None;
        }
        let frame = frame(&wished);
        self.reported = Some(wished);
        Some(frame)
    }

    fn is_wished(&mut self, robot: &FacadeRobot, camera: Camera, now: Timestamp) -> bool {
        let since = &mut self.watched[camera as usize];
        if !is_watched(robot, camera) {
            *since = None;
            return false;
        }
        let since = *since.get_or_insert(now);
        if robot.fed.lately(camera, now) {
            return true;
        }
        let own = topics(camera).iter().flat_map(|topic| topic.origins());
        let last = own.filter_map(|(kind, part)| robot.last_of(*kind, part.as_ref()?)).map(|it| it.received);
        now.since(last.max().unwrap_or(since).max(since)) >= CAMERA_SILENCE_TIMEOUT
    }
}

const fn topics(camera: Camera) -> &'static [Topic] {
    match camera {
        Camera::Front => &[Topic::FrontVideo, Topic::FrontCompressed],
        Camera::Back => &[Topic::BackVideo, Topic::BackCompressed],
    }
}

fn is_watched(robot: &FacadeRobot, camera: Camera) -> bool {
    let part = PartName::of(camera.part());
    let kinds = [Kind::Video, Kind::CompressedImage];
    kinds.into_iter().any(|kind| robot.hub.is_watched(&robot.robot, kind, &part))
}

fn frame(wished: &[Camera]) -> Bytes {
    let device = |camera: &Camera| -> Value {
        let name = match camera {
            Camera::Front => "Front Camera",
            Camera::Back => "Back Camera",
        };
        let topic = camera.data_topic();
        json!({"name": name, "width": 320, "height": 240, "fps": 5, "external_data_topic": topic})
    };
    let devices: Vec<_> = wished.iter().map(device).collect();
    let topic = Topic::ExternalRgbCameraControl.as_str();
    json!({"topic": topic, "enabled_devices": devices}).to_string().into()
}
