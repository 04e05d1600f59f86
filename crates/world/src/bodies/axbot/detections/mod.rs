//! What the robot knows of things around it: racks, pallets, codes, poles, people, other robots, doors.
//!
//! Things are seen from where the robot truly is, and published where they must then be on its map, which is as
//! wrong as the place where it believes to be. Other robots send their own pose by radio, and doors are
//! marked on the map; neither is wrong by that.

mod nearby;
#[cfg(test)]
pub(super) mod rig;
mod things;

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::{DetectedObject, Frame, Objects, Pose};

use crate::bodies::moment::Moment;
use crate::geometry::Pose2;
use crate::physics::{DoorState, Surroundings};
use things::Seen;

/// Steps between two looks around: 2 a second for things and robots (plausible), 1 a second for doors.
const THINGS_PERIOD: u64 = 50;
const ROBOTS_PERIOD: u64 = 50;
const DOORS_PERIOD: u64 = 100;

/// Steps after which even an empty list is published again: 1 s.
const REFRESH_PERIOD: u64 = 100;

/// How things of a kind are found.
type Look = fn(&Surroundings<'_>) -> Vec<Seen>;

/// Kinds of things that are published, each as a part of its own, and how they are found.
const LOOKS: [(&str, Look); 5] = [
    ("racks", things::racks),
    ("pallets", things::pallets),
    ("barcodes", things::barcodes),
    ("landmarks", things::landmarks),
    ("vision", things::people),
];

/// The organ.
#[derive(Debug, Default)]
pub(super) struct Sights {
    /// Which of [`LOOKS`] were published with something.
    found: [bool; LOOKS.len()],
    /// Whether other robots were published.
    met: bool,
    /// The depth camera fails: what is found by it is not.
    shallow: bool,
    /// The doors published last, by their place in the world file, and how they stood.
    doors: Vec<(usize, DoorState)>,
}

impl Sights {
    /// Nothing seen yet.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Whether the depth camera works.
    pub(super) fn set_depth(&mut self, works: bool) {
        self.shallow = !works;
    }

    /// Looks around, believing to be at a pose on the map, and reports what there is.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>, believed: Pose2) {
        if now.due(Kind::Objects, THINGS_PERIOD) {
            self.publish_things(now, around, believed);
        }
        if now.due(Kind::Neighbours, ROBOTS_PERIOD) {
            let neighbours = nearby::robots(around);
            if is_due(now, &mut self.met, !neighbours.robots.is_empty()) {
                now.reports.publish(neighbours);
            }
        }
        let changed = !nearby::doors(around).map(nearby::standing).eq(self.doors.iter().copied());
        if changed || now.due(Kind::Doors, DOORS_PERIOD) {
            self.doors.clear();
            self.doors.extend(nearby::doors(around).map(nearby::standing));
            now.reports.publish(nearby::door_signals(around));
        }
    }

    fn publish_things(&mut self, now: &mut Moment<'_>, around: &Surroundings<'_>, believed: Pose2) {
        for ((part, look), found) in LOOKS.iter().zip(&mut self.found) {
            // Pallets are low; only the depth camera sees their pockets.
            let hidden = self.shallow && *part == "pallets";
            let seen = if hidden { Vec::new() } else { look(around) };
            if is_due(now, found, !seen.is_empty()) {
                let objects = seen.into_iter().map(|it| detected(it, around, believed)).collect();
                now.reports.of(&PartName::of(part), Objects { objects });
            }
        }
    }
}

/// The codes in reach, each with its true place.
pub(super) fn barcodes_in_reach(around: &Surroundings<'_>) -> Vec<(String, Pose2)> {
    named(things::barcodes(around))
}

/// The people that the front camera makes out: where each is, how wide and how tall.
pub(super) fn people_in_sight(around: &Surroundings<'_>) -> impl Iterator<Item = ([f64; 2], f64, f64)> {
    let bodies = things::people(around).into_iter().map(|it| it.number);
    bodies.filter_map(|number| {
        let walker = around.people.iter().nth(number)?;
        Some((walker.at, walker.person.radius_m, walker.person.height_m))
    })
}

/// The poles in reach, each with its true place.
pub(super) fn landmarks_in_reach(around: &Surroundings<'_>) -> Vec<(String, Pose2)> {
    named(things::landmarks(around))
}

fn named(seen: Vec<Seen>) -> Vec<(String, Pose2)> {
    seen.into_iter().filter_map(|it| Some((it.label?, it.pose))).collect()
}

/// Whether to publish a list: an empty list after an empty one is published once a second only.
fn is_due(now: &Moment<'_>, was_there: &mut bool, is_there: bool) -> bool {
    let had = std::mem::replace(was_there, is_there);
    had || is_there || now.every(REFRESH_PERIOD)
}

/// Something seen, as published.
fn detected(seen: Seen, around: &Surroundings<'_>, believed: Pose2) -> DetectedObject {
    let at = around.in_frame(seen.pose.seen_from(around.pose).out_of(believed));
    DetectedObject {
        id: seen.number as i64 + 1,
        class: Some(seen.class.to_owned()),
        label: seen.label,
        // What has no direction is published along the map's x axis, however the robot is turned.
        pose: Pose::planar(Frame::Map, at.x_m, at.y_m, if seen.turned { at.yaw_rad } else { 0.0 }),
        size: seen.size,
        pockets: seen.pockets,
        confidence_ratio: Some(seen.confidence_ratio),
        sensed: true,
        first_seen: None,
        last_seen: Some(around.now),
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::Signal;

    use super::rig::{Rig, near, objects};
    use super::*;
    use crate::bodies::Demand;

    const RACKS: &str = "[[racks]]\nname = \"ahead\"\nposition_m = [4.0, 3.0]\nyaw_deg = 90.0\n\
                         [[racks]]\nname = \"behind\"\nposition_m = [1.0, 3.0]\n\
                         [[racks]]\nname = \"hidden\"\nposition_m = [3.5, 4.2]\n\
                         [[walls]]\npoints_m = [[2.5, 3.7], [4.5, 3.7]]\nheight_m = 2.0\n";

    fn part(rig: &mut Rig, believed: Pose2, name: &str) -> Vec<DetectedObject> {
        let mut sights = Sights::new();
        let published = rig.live(0, Demand::EVERY_KIND, |now, around| sights.update(now, around, believed));
        objects(&published, name).expect("the part is published")
    }

    #[test]
    fn a_rack_ahead_is_seen_but_none_behind_the_robot_or_a_wall() {
        let at = Pose2::new(2.0, 3.0, 0.0);
        let mut rig = Rig::new(RACKS, at);
        let racks = part(&mut rig, at, "racks");
        let labels: Vec<_> = racks.iter().filter_map(|it| it.label.as_deref()).collect();
        assert_eq!(labels, ["ahead"]);
        assert_eq!((racks[0].id, racks[0].class.as_deref()), (1, Some("rack")));
    }

    #[test]
    fn a_carried_rack_is_part_of_the_robot_and_not_seen() {
        let at = Pose2::new(2.0, 3.0, 0.0);
        let mut rig = Rig::new(RACKS, at);
        rig.racks.take(&mut rig.physics, "ahead").expect("it stands");
        assert_eq!(part(&mut rig, at, "racks"), []);
    }

    #[test]
    fn the_published_pose_is_as_wrong_as_the_believed_pose() {
        let mut rig = Rig::new(RACKS, Pose2::new(2.0, 3.0, 0.0));
        rig.frame = Pose2::new(1.0, 0.0, 0.0);
        // Two metres ahead of a robot that believes to look north.
        let racks = part(&mut rig, Pose2::new(5.0, 1.0, std::f64::consts::FRAC_PI_2), "racks");
        let published = Pose2::new(racks[0].pose.x_m, racks[0].pose.y_m, racks[0].pose.yaw_rad);
        assert!(near(published, Pose2::new(4.0, 3.0, std::f64::consts::PI)), "{published:?}");
    }

    #[test]
    fn each_kind_of_thing_has_its_reach() {
        let things = "[[pallets]]\nid = \"p\"\nposition_m = [5.5, 3.0]\n\
                      [[barcodes]]\nid = \"here\"\nposition_m = [2.0, 3.5]\n\
                      [[barcodes]]\nid = \"there\"\nposition_m = [2.7, 3.0]\n\
                      [[landmarks]]\nid = \"pole\"\nposition_m = [0.5, 5.5]\n\
                      [[people]]\nstart_m = [4.0, 4.0]\nheight_m = 1.8\n\
                      [[people]]\nstart_m = [2.0, 5.0]\n";
        let at = Pose2::new(2.0, 3.0, 0.0);
        let mut rig = Rig::new(things, at);
        let mut labels = |name: &str| -> Vec<_> {
            part(&mut rig, at, name).into_iter().map(|it| (it.id, it.label)).collect()
        };
        assert_eq!(labels("pallets"), [(1, Some("p".to_owned()))]);
        assert_eq!(labels("barcodes"), [(1, Some("here".to_owned()))]);
        assert_eq!(labels("landmarks"), [(1, Some("pole".to_owned()))]);
        assert_eq!(labels("vision"), [(1, None)]);
        let person = &part(&mut rig, at, "vision")[0];
        assert_eq!(person.size.as_ref().and_then(|it| it.height_m), Some(1.8));
        assert!(person.confidence_ratio.is_some_and(|it| (0.5..0.95).contains(&it)));
    }

    #[test]
    fn nothing_is_published_once_and_once_a_second() {
        let at = Pose2::new(2.0, 3.0, 0.0);
        let mut rig = Rig::new(RACKS, at);
        let mut sights = Sights::new();
        let mut published = |rig: &mut Rig, tick| {
            let published = rig.live(tick, Demand::EVERY_KIND, |now, around| sights.update(now, around, at));
            (
                objects(&published, "racks").map(|it| it.len()),
                objects(&published, "vision").map(|it| it.len()),
            )
        };
        assert_eq!(published(&mut rig, 50), (Some(1), None));
        rig.racks.take(&mut rig.physics, "ahead").expect("it stands");
        assert_eq!(published(&mut rig, 70), (None, None));
        assert_eq!(published(&mut rig, 100), (Some(0), Some(0)));
        assert_eq!(published(&mut rig, 150), (None, None));
        assert_eq!(published(&mut rig, 200), (Some(0), Some(0)));
    }

    #[test]
    fn other_robots_publish_their_true_pose_through_walls() {
        let at = Pose2::new(2.0, 3.0, 0.0);
        let mut rig = Rig::new(RACKS, at);
        rig.meet("self", at);
        rig.meet("other", Pose2::new(3.5, 5.0, 1.0));
        let believed = Pose2::new(0.5, 0.5, 2.0);
        let mut sights = Sights::new();
        let published = rig.live(0, Demand::EVERY_KIND, |now, around| sights.update(now, around, believed));
        let met = published.iter().find_map(|it| match &it.signal {
            Signal::Neighbours(it) => Some(it.robots.clone()),
            _ => None,
        });
        let met = met.expect("neighbours are published");
        assert_eq!(met.iter().map(|it| it.robot.as_str()).collect::<Vec<_>>(), ["other"]);
        assert_eq!((met[0].pose.x_m, met[0].pose.yaw_rad), (3.5, 1.0));
        assert_eq!(met[0].footprint_m.len(), 8);
    }

    #[test]
    fn a_door_is_published_when_it_moves() {
        let door = "[[walls]]\npoints_m = [[4.0, 0.0], [4.0, 2.5]]\n\
                    [[walls]]\npoints_m = [[4.0, 3.5], [4.0, 6.0]]\n\
                    [[doors]]\nname = \"d\"\nmac = \"aa\"\nmode = \"manual\"\npoints_m = [[4.0, 2.5], [4.0, 3.5]]\n";
        let at = Pose2::new(2.0, 3.0, 0.0);
        let mut rig = Rig::new(door, at);
        let mut sights = Sights::new();
        let mut published = |rig: &mut Rig, tick| {
            let published = rig.live(tick, Demand::NOTHING, |now, around| sights.update(now, around, at));
            published.iter().find_map(|it| match &it.signal {
                Signal::Doors(it) => Some(it.doors[0].clone()),
                _ => None,
            })
        };
        let first = published(&mut rig, 1).expect("a door is news");
        assert_eq!(
            (first.name.as_str(), first.mac.as_deref(), first.state.as_str()),
            ("d", Some("aa"), "closed")
        );
        assert!(first.polygon_m.iter().all(|[x, y]| (x - 4.0).abs() < 0.1 && (y - 3.0).abs() < 0.6));
        assert!(published(&mut rig, 2).is_none() && published(&mut rig, 100).is_some());
        rig.doors.command("d", true).expect("it is there");
        rig.doors.step(&mut rig.physics, &rig.people);
        assert_eq!(
            published(&mut rig, 101).map(|it| it.state.as_str().to_owned()).as_deref(),
            Some("opening")
        );
        assert!(published(&mut rig, 102).is_none());
    }
}
