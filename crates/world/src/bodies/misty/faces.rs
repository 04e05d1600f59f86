//! Faces: who is before the camera, and whom the robot knows.

use latimer_core::model::signal::{Face, FaceIdentity};

use super::training::{Before, Training};
use crate::bodies::moment::Moment;
use crate::bodies::reports::Reports;
use crate::geometry::{Pose2, wrap_angle};

/// Steps between two reports of a face: 5 a second.
const PERIOD: u64 = 20;

/// Half of the camera's field of view, radians.
const HALF_VIEW_RAD: f64 = 0.7;

/// Farthest face that is found, metres.
const FARTHEST_M: f64 = 5.0;

/// How far a face is above the camera, metres.
const ABOVE_CAMERA_M: f64 = 0.25;

/// Most faces kept at a time.
const MAX_VISITORS: usize = 16;

/// Whose face it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Person {
    Named(String),
    Stranger(i64),
}

/// Somebody who stands in the world.
struct Visitor {
    person: Person,
    at: [f64; 2],
    until_s: f64,
    track_id: i64,
}

/// The camera's faces.
pub(super) struct Faces {
    detecting: bool,
    recognizing: bool,
    visitors: Vec<Visitor>,
    next_track: i64,
    known: Vec<(Person, String)>,
    training: Option<Training>,
}

impl Faces {
    pub(super) fn new(known: &[String]) -> Self {
        let known = known.iter().map(|name| (Person::Named(name.to_lowercase()), name.clone())).collect();
        Self {
            detecting: false,
            recognizing: false,
            visitors: Vec::new(),
            next_track: 1,
            known,
            training: None,
        }
    }

    /// The names of the faces that it knows.
    pub(super) fn names(&self) -> Vec<String> {
        self.known.iter().map(|(_, name)| name.clone()).collect()
    }

    /// Looks for faces or not.
    pub(super) fn detect(&mut self, on: bool) {
        self.detecting = on;
    }

    /// Compares faces with known ones or not.
    pub(super) fn recognize(&mut self, on: bool) {
        self.recognizing = on;
    }

    /// Whether the camera is in use.
    pub(super) fn is_watching(&self) -> bool {
        self.detecting || self.recognizing || self.training.is_some()
    }

    /// Whether pictures are taken to learn a face.
    pub(super) fn is_taking_pictures(&self) -> bool {
        self.training.as_ref().is_some_and(Training::takes_pictures)
    }

    /// Somebody steps to a point of the world and stays for a while.
    pub(super) fn visit(&mut self, label: Option<String>, at: [f64; 2], until_s: f64) {
        let track_id = self.next_track;
        self.next_track += 1;
        let person = label.map_or(Person::Stranger(track_id), |name| Person::Named(name.to_lowercase()));
        self.visitors.retain(|visitor| visitor.person != person);
        if self.visitors.len() >= MAX_VISITORS {
            self.visitors.remove(0);
        }
        self.visitors.push(Visitor { person, at, until_s, track_id });
    }

    /// Begins to learn the face in view; the reason if it cannot.
    pub(super) fn train(
        &mut self,
        name: &str,
        time_s: f64,
        reports: &mut Reports,
    ) -> Result<(), &'static str> {
        let taken = self.known.iter().any(|(_, known)| known.eq_ignore_ascii_case(name));
        let training = Training::begin(name, self.training.is_some(), taken, time_s, reports)?;
        self.training = Some(training);
        Ok(())
    }

    /// Ends learning; the reason if there is none.
    pub(super) fn cancel_training(&mut self, reports: &mut Reports) -> Result<(), &'static str> {
        let training = self.training.take().ok_or("no face training is running; start one first")?;
        training.cancel(reports);
        Ok(())
    }

    /// Forgets a face or all; tells whether there was such a face.
    pub(super) fn forget(&mut self, name: Option<&str>) -> bool {
        let before = self.known.len();
        match name {
            Some(name) => self.known.retain(|(_, known)| !known.eq_ignore_ascii_case(name)),
            None => self.known.clear(),
        }
        name.is_none() || self.known.len() < before
    }

    /// Watches and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, camera: &Camera) {
        self.visitors.retain(|visitor| now.time_s < visitor.until_s);
        if self.training.is_some() {
            self.learn(now.time_s, camera, now.reports);
        }
        if !now.every(PERIOD) || !(self.detecting || self.recognizing) {
            return;
        }
        for visitor in &self.visitors {
            let Some((bearing, distance)) = camera.sees(visitor.at) else { continue };
            let (identity, label) = self.identify(&visitor.person);
            now.reports.say(Face {
                identity,
                label,
                track_id: Some(visitor.track_id),
                bearing_rad: Some(bearing + now.rng.normal(0.01)),
                elevation_rad: Some(ABOVE_CAMERA_M.atan2(distance) + camera.pitch_rad + now.rng.normal(0.01)),
                distance_m: Some((distance * (1.0 + now.rng.normal(0.03)) * 100.0).round() / 100.0),
            });
        }
    }

    fn identify(&self, person: &Person) -> (FaceIdentity, Option<String>) {
        if !self.recognizing {
            return (FaceIdentity::Detected, None);
        }
        match self.known.iter().find(|(known, _)| known == person) {
            Some((_, name)) => (FaceIdentity::Known, Some(name.clone())),
            None => (FaceIdentity::Stranger, None),
        }
    }

    fn learn(&mut self, time_s: f64, camera: &Camera, reports: &mut Reports) {
        let mut in_view = self.visitors.iter().filter_map(|visitor| {
            let (_, distance_m) = camera.sees(visitor.at)?;
            Some(Before { person: &visitor.person, distance_m })
        });
        let (first, second) = (in_view.next(), in_view.next());
        let Some(training) = &mut self.training else { return };
        let learnt = training.update(time_s, first, second.is_some(), reports);
        let over = training.is_over();
        if let Some((person, name)) = learnt {
            self.known.push((person, name));
        }
        if over {
            self.training = None;
        }
    }
}

/// Where the camera looks.
pub(super) struct Camera {
    /// The robot.
    pub(super) pose: Pose2,
    /// Head to the left of the robot's ahead.
    pub(super) yaw_rad: f64,
    /// Head down.
    pub(super) pitch_rad: f64,
}

impl Camera {
    /// Direction from the camera's middle and distance, if in view.
    fn sees(&self, [x, y]: [f64; 2]) -> Option<(f64, f64)> {
        let [ahead, left] = self.pose.point_in(x, y);
        let bearing = wrap_angle(left.atan2(ahead) - self.yaw_rad);
        let distance = ahead.hypot(left);
        (bearing.abs() < HALF_VIEW_RAD && distance < FARTHEST_M).then_some((bearing, distance))
    }
}
