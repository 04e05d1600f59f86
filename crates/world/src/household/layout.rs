//! Where things are in space: for cameras and pictures, and for arms that reach for them.
//!
//! What lies at a place lies beside each other on its surface, from left to right as a robot sees them
//! that is there, in the order in which they came: those of the world file first.

use super::{Household, Item, Whereabouts};
use crate::config::{Place, WorldFile};
use crate::geometry::Pose2;

/// Air between things that lie beside each other, metres.
const GAP_M: f64 = 0.06;

/// How far before a robot's middle and how high its hand carries a thing, metres (plausible).
const HAND_M: [f64; 2] = [0.3, 0.8];

/// How high a person holds a thing, metres (plausible).
const PERSON_HAND_M: f64 = 1.0;

impl Household {
    /// Every thing that is in the room, with its middle on the map and its height above the floor,
    /// metres. Robots and people are those of the world, in their order.
    pub fn placed<'a>(
        &'a self,
        file: &'a WorldFile,
        robots: impl Fn(usize) -> Option<Pose2> + 'a,
        people: impl Fn(usize) -> Option<[f64; 2]> + 'a,
    ) -> impl Iterator<Item = (&'a Item, [f64; 3])> {
        self.items.iter().filter_map(move |item| {
            let at = match &item.whereabouts {
                Whereabouts::Place(place) => {
                    let [x_m, y_m] = self.beside(item, file.place(place)?);
                    [x_m, y_m, item.object.height_m]
                }
                Whereabouts::Floor([x_m, y_m]) => [*x_m, *y_m, 0.0],
                Whereabouts::Robot(number) => {
                    let [x_m, y_m] = robots(*number)?.point_out(HAND_M[0], 0.0);
                    [x_m, y_m, HAND_M[1]]
                }
                Whereabouts::Person(number) => {
                    let [x_m, y_m] = people(*number)?;
                    [x_m, y_m, PERSON_HAND_M]
                }
                Whereabouts::Gone => return None,
            };
            Some((item, at))
        })
    }

    /// Where a thing lies in the row of those at its place.
    fn beside(&self, item: &Item, place: &Place) -> [f64; 2] {
        let here = |other: &&Item| other.whereabouts == item.whereabouts;
        let (mut count, mut before, mut widest_m) = (0_u32, 0_u32, 0.0_f64);
        // Equal times keep the order of the file.
        let mut own_seen = false;
        for other in self.items.iter().filter(here) {
            let own = other.object.name == item.object.name;
            count += 1;
            before += u32::from(other.since < item.since || other.since == item.since && !own && !own_seen);
            own_seen |= own;
            widest_m = widest_m.max(other.object.size_m[0]);
        }
        let left_m = (f64::from(count.saturating_sub(1)) / 2.0 - f64::from(before)) * (widest_m + GAP_M);
        let [x_m, y_m] = place.surface();
        Pose2::new(x_m, y_m, place.yaw_deg.to_radians()).point_out(0.0, left_m)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn at(household: &Household, name: &str) -> Option<[f64; 3]> {
        let file = file();
        let robots = |number: usize| (number == 0).then(|| Pose2::new(2.0, 2.0, 0.0));
        let people = |number: usize| (number == 0).then_some([0.5, 0.5]);
        let found = household.placed(&file, robots, people).find(|(item, _)| item.object.name == name);
        found.map(|(_, at)| at)
    }

    #[test]
    fn things_lie_beside_each_other_as_the_world_file_says() {
        let (file, household) = (file(), Household::new(&file()));
        for (object, [x, y]) in file.objects_at() {
            let [found_x, found_y, z] = at(&household, &object.name).unwrap();
            assert!((found_x - x).abs() < 1e-9 && (found_y - y).abs() < 1e-9 && z == object.height_m);
        }
        assert_ne!(at(&household, "cup"), at(&household, "mug"));
    }

    #[test]
    fn a_carried_thing_is_where_its_carrier_is() {
        let mut household = Household::new(&file());
        household.take("cup", 0);
        assert_eq!(at(&household, "cup"), Some([2.3, 2.0, 0.8]));
        assert_eq!(at(&household, "mug"), Some([1.0, 0.4, 0.7]), "alone, it lies in the middle");
        household.put("cup", 0, Whereabouts::Person(0));
        assert_eq!(at(&household, "cup"), Some([0.5, 0.5, 1.0]));
        household.move_to("cup", Whereabouts::Place("Shelf".to_owned())).unwrap();
        assert!(at(&household, "cup").unwrap()[0] < at(&household, "mug").unwrap()[0], "it came last");
        household.move_to("cup", Whereabouts::Gone).unwrap();
        assert_eq!(at(&household, "cup"), None);
    }
}
