//! Recognition by the camera on the mast: which objects and which people it sees.
//!
//! It sees what lies ahead of it and is not behind a wall. What it knows of a thing's place is the place
//! whose surface is near. People it finds all around, because the mast turns to people in the scan.

use latimer_core::model::signal::{DetectedObject, Face, FaceIdentity, Frame, Objects, Pose, Size};
use latimer_core::model::{Kind, is_same_name};
use latimer_core::{PartName, Timestamp};

use super::parts::{CAMERA_HEIGHT_M, HALF_VIEW_RAD, PERSON_SIGHT_M, SIGHT_M};
use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::physics::Surroundings;

/// Steps between two looks around: 10 a second for people, 2 a second for things.
const PEOPLE_PERIOD: u64 = 10;
const THINGS_PERIOD: u64 = 50;

/// How near to a place's surface a thing lies that is there, metres.
const AT_PLACE_M: f64 = 0.8;

/// A thing so near is seen wherever the camera looks: it looks down, metres.
const BENEATH_M: f64 = 0.4;

/// The number of the first person among all that is seen; things have smaller ones.
const FIRST_PERSON: usize = 10_000;

/// A small thing in view.
#[derive(Clone, Debug)]
struct Thing {
    name: String,
    category: String,
    /// On the map, and above the floor, metres.
    at_m: [f64; 3],
    size_m: [f64; 2],
}

/// A person, seen now or before.
#[derive(Clone, Debug)]
struct Person {
    name: Option<String>,
    /// Where last, on the map, metres.
    at_m: Option<[f64; 2]>,
    /// How far away, if seen now.
    distance_m: Option<f64>,
    /// Came into view at the last look.
    came: bool,
}

/// The recognized objects and people.
#[derive(Default)]
pub(super) struct Recognition {
    people: Vec<Person>,
    /// The nearest person, and where.
    nearest: Option<(usize, [f64; 2])>,
    failed_until_s: f64,
    time_s: f64,
}

impl Recognition {
    /// The camera fails for a while.
    pub(super) fn fail(&mut self, until_s: f64) {
        self.failed_until_s = self.failed_until_s.max(until_s);
    }

    /// Whether the camera is broken.
    pub(super) fn is_blind(&self) -> bool {
        self.time_s < self.failed_until_s
    }

    /// Looks around and reports what is in view; `recognize` knows faces by their names.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        recognize: impl Fn(Option<&str>) -> Option<String>,
    ) {
        self.time_s = now.time_s;
        if now.every(PEOPLE_PERIOD) || self.people.is_empty() {
            self.find_people(around);
            let came = self.people.iter().enumerate().filter(|(_, it)| it.came);
            for (number, person) in came {
                now.reports.publish(face(number, person, recognize(person.name.as_deref()), around.pose));
            }
        }
        if now.due(Kind::Objects, THINGS_PERIOD) {
            let objects = if self.is_blind() { Vec::new() } else { self.objects(around) };
            now.reports.of(&PartName::of("seen"), Objects { objects });
        }
    }

    fn find_people(&mut self, around: &Surroundings<'_>) {
        let blind = self.is_blind();
        let at = around.pose;
        let mut people = std::mem::take(&mut self.people).into_iter();
        let find = |walker: &crate::physics::Walker| {
            let before = people.next();
            let was_seen = before.as_ref().is_some_and(|it| it.distance_m.is_some());
            let before = before.and_then(|it| it.at_m);
            let distance_m = at.distance_to(walker.at[0], walker.at[1]);
            let seen = !blind && distance_m < PERSON_SIGHT_M && in_sight(around, walker.at);
            Person {
                name: walker.person.name.clone(),
                at_m: if seen { Some(walker.at) } else { before },
                distance_m: seen.then_some(distance_m),
                came: seen && !was_seen,
            }
        };
        self.people = around.people.iter().map(find).collect();
        let off_m = |it: &[f64; 2]| at.distance_to(it[0], it[1]);
        let all = around.people.iter().map(|it| it.at).enumerate();
        self.nearest = all.min_by(|a, b| off_m(&a.1).total_cmp(&off_m(&b.1)));
    }

    /// The person who gives an order: the nearest one in sight.
    pub(super) fn asker(&mut self) -> Option<usize> {
        let (number, at_m) = self.nearest?;
        self.people.get_mut(number)?.at_m = Some(at_m);
        Some(number)
    }

    /// The names of those who live here.
    pub(super) fn names(&self) -> Vec<String> {
        self.people.iter().filter_map(|it| it.name.clone()).collect()
    }

    /// Whose name it is.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.people.iter().position(|it| it.name.as_deref().is_some_and(|it| is_same_name(it, name)))
    }

    /// The name of a person, as others call them.
    pub(super) fn name_of(&self, person: usize) -> Option<&str> {
        self.people.get(person)?.name.as_deref()
    }

    /// Where a person was seen last, on the map, metres.
    pub(super) fn last_seen(&self, person: usize) -> Option<[f64; 2]> {
        self.people.get(person)?.at_m
    }

    /// Distance of a person, if in sight, metres.
    pub(super) fn distance_m(&self, person: usize) -> Option<f64> {
        self.people.get(person)?.distance_m
    }

    /// The names of the things at a place, as far as they are in view.
    pub(super) fn look(&self, place: &str, around: &Surroundings<'_>) -> Vec<String> {
        let here = |thing: &Thing| place_of(thing.at_m, around) == Some(place);
        in_view(around).filter(here).map(|thing| thing.name).collect()
    }

    fn objects(&self, around: &Surroundings<'_>) -> Vec<DetectedObject> {
        let things = in_view(around).map(|it| {
            let size = Size { length_m: it.size_m[0], width_m: it.size_m[0], height_m: Some(it.size_m[1]) };
            let pose = relative_pose(around.pose, it.at_m);
            let number = around.household.iter().position(|item| item.object.name == it.name);
            detected(number.unwrap_or_default(), it.category, Some(it.name), pose, Some(size), around.now)
        });
        let things: Vec<DetectedObject> = things.collect();
        let people = self.people.iter().enumerate().filter(|(_, it)| it.distance_m.is_some());
        let people = people.filter_map(|(number, it)| {
            let [x_m, y_m] = it.at_m?;
            let pose = relative_pose(around.pose, [x_m, y_m, 0.0]);
            Some(detected(
                FIRST_PERSON + number,
                "person".to_owned(),
                it.name.clone(),
                pose,
                None,
                around.now,
            ))
        });
        things.into_iter().chain(people).collect()
    }
}

/// A person who came into view, as the camera on the mast meets a face.
fn face(number: usize, person: &Person, label: Option<String>, robot: Pose2) -> Face {
    let bearing = person.at_m.map(|[x_m, y_m]| {
        let [ahead, left] = robot.point_in(x_m, y_m);
        left.atan2(ahead)
    });
    Face {
        identity: if label.is_some() { FaceIdentity::Known } else { FaceIdentity::Stranger },
        label,
        track_id: Some(number as i64 + 1),
        bearing_rad: bearing,
        elevation_rad: None,
        distance_m: person.distance_m,
    }
}

fn detected(
    number: usize,
    class: String,
    label: Option<String>,
    pose: Pose,
    size: Option<Size>,
    now: Timestamp,
) -> DetectedObject {
    DetectedObject {
        id: number as i64 + 1,
        class: Some(class),
        label,
        pose,
        size,
        pockets: None,
        confidence_ratio: None,
        sensed: true,
        first_seen: None,
        last_seen: Some(now),
    }
}

/// A point on the map in the robot's axes.
fn relative_pose(robot: Pose2, [x_m, y_m, z_m]: [f64; 3]) -> Pose {
    let [ahead, left] = robot.point_in(x_m, y_m);
    Pose { z_m, ..Pose::planar(Frame::BaseLink, ahead, left, 0.0) }
}

/// Whether no wall and no shut door is between the robot and a point.
fn in_sight(around: &Surroundings<'_>, to: [f64; 2]) -> bool {
    around.walls.between([around.pose.x_m, around.pose.y_m], to) == 0
}

/// Every small thing that the camera sees; what a person holds is covered by the hand.
fn in_view<'a>(around: &'a Surroundings<'_>) -> impl Iterator<Item = Thing> + 'a {
    let placed = around.household.placed(around.file, |_| None, |_| None);
    placed.filter(|(_, at_m)| sees(around, *at_m)).map(|(item, at_m)| Thing {
        name: item.object.name.clone(),
        category: item.object.category.clone(),
        at_m,
        size_m: item.object.size_m,
    })
}

fn sees(around: &Surroundings<'_>, [x_m, y_m, z_m]: [f64; 3]) -> bool {
    let [ahead, left] = around.pose.point_in(x_m, y_m);
    let off_m = ahead.hypot(left);
    let in_picture = left.atan2(ahead).abs() < HALF_VIEW_RAD || off_m < BENEATH_M;
    in_picture && off_m.hypot(z_m - CAMERA_HEIGHT_M) < SIGHT_M && in_sight(around, [x_m, y_m])
}

/// The place whose surface is nearest to a thing, if it is near.
fn place_of<'a>([x_m, y_m, _]: [f64; 3], around: &'a Surroundings<'_>) -> Option<&'a str> {
    let off_m = |surface: [f64; 2]| (surface[0] - x_m).hypot(surface[1] - y_m);
    let places = around.file.places.iter().map(|place| (place.name.as_str(), off_m(place.surface())));
    places.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|it| it.1 < AT_PLACE_M).map(|it| it.0)
}
