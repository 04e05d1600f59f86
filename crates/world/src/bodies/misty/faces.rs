//! Faces: who is before the camera, and whom the robot knows.

use latimer_core::model::signal::{Face, FaceIdentity};

use super::camera::{Camera, Sight};
use super::training::{Before, Training};
use crate::bodies::moment::Moment;
use crate::bodies::reports::Reports;
use crate::physics::Surroundings;

/// Steps between two reports of a face: 5 a second.
const PERIOD: u64 = 20;

/// Most faces kept at a time.
const MAX_VISITORS: usize = 16;

/// Whose face it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Person {
    Named(String),
    Stranger(i64),
    /// A person without a name in the world file, by number.
    Nameless(usize),
}

/// A person in view.
struct InView {
    person: Person,
    track_id: i64,
    sight: Sight,
}

/// A person who came on cue.
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
    /// Track numbers of those who walk about, by their number in the world file.
    tracks: Vec<(usize, i64)>,
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
            tracks: Vec::new(),
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

    /// A person steps to a point of the world and stays for a while.
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

    /// Forgets a face or all; returns whether there was such a face.
    pub(super) fn forget(&mut self, name: Option<&str>) -> bool {
        let before = self.known.len();
        match name {
            Some(name) => self.known.retain(|(_, known)| !known.eq_ignore_ascii_case(name)),
            None => self.known.clear(),
        }
        name.is_none() || self.known.len() < before
    }

    /// Watches and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, camera: &Camera, around: &Surroundings<'_>) {
        self.visitors.retain(|visitor| now.time_s < visitor.until_s);
        let reporting = now.every(PERIOD) && (self.detecting || self.recognizing);
        if !reporting && self.training.is_none() {
            return;
        }
        let in_view = self.in_view(camera, around);
        if self.training.is_some() {
            self.learn(now.time_s, &in_view, now.reports);
        }
        if !reporting {
            return;
        }
        for InView { person, track_id, sight } in in_view {
            let (identity, label) = self.identify(&person);
            now.reports.publish(Face {
                identity,
                label,
                track_id: Some(track_id),
                bearing_rad: Some(sight.bearing_rad + now.rng.normal(0.01)),
                elevation_rad: Some(sight.elevation_rad + now.rng.normal(0.01)),
                distance_m: Some((sight.distance_m * (1.0 + now.rng.normal(0.03)) * 100.0).round() / 100.0),
            });
        }
    }

    /// Who is in view: those who came on cue, then those who walk by and are behind no wall.
    fn in_view(&mut self, camera: &Camera, around: &Surroundings<'_>) -> Vec<InView> {
        let came = self.visitors.iter().filter_map(|visitor| {
            let sight = camera.sees(visitor.at)?;
            Some(InView { person: visitor.person.clone(), track_id: visitor.track_id, sight })
        });
        let mut in_view: Vec<InView> = came.collect();
        let here = [camera.pose.x_m, camera.pose.y_m];
        for (number, walker) in around.people.iter().enumerate() {
            let Some(sight) = camera.sees_standing(walker.at, walker.person.height_m) else { continue };
            if around.walls.between(here, walker.at) == 0 {
                let name = walker.person.name.as_deref().map(str::to_lowercase);
                let person = name.map_or(Person::Nameless(number), Person::Named);
                in_view.push(InView { person, track_id: self.track_of(number), sight });
            }
        }
        in_view
    }

    /// The track number of a person who walks about; a new one at first sight.
    fn track_of(&mut self, number: usize) -> i64 {
        if let Some((_, track)) = self.tracks.iter().find(|(known, _)| *known == number) {
            return *track;
        }
        let track = self.next_track;
        self.next_track += 1;
        self.tracks.push((number, track));
        track
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

    fn learn(&mut self, time_s: f64, in_view: &[InView], reports: &mut Reports) {
        let mut faces =
            in_view.iter().map(|it| Before { person: &it.person, distance_m: it.sight.distance_m });
        let (first, second) = (faces.next(), faces.next());
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
