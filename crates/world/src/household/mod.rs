//! Where the small things of a household are, and what becomes of them.
//!
//! ```text
//!            TakeObject                    PutObject
//!  at a place ─────────▶ carried by a robot ─────────▶ at a place · with a person · on the floor
//!      ▲                                                    │
//!      └────────────────────── TakeObject ──────────────────┘       remove: gone, until moved back
//! ```
//!
//! Nothing bumps into these things, so they are no part of the physics: a thing is where it was put, or
//! where its carrier is. What a robot believes about them is its own affair.

mod layout;
mod whereabouts;

pub use whereabouts::Whereabouts;

use latimer_core::model::Refusal;

use crate::config::{Object, WorldFile};

/// Things that may be added to those of a world file; keeps a runaway script from filling the memory.
const MOST_OBJECTS: usize = 5_000;

/// Names that an error lists at most.
const MOST_LISTED: usize = 30;

/// Why a thing is not moved, added or taken away.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HouseholdError {
    /// No object has the name; the text says which there are.
    #[error("{0}")]
    Unknown(String),
    /// Another object has the name.
    #[error("there is an object {0:?} in this world already; move it, or write another name")]
    Duplicate(String),
    /// It is not in the room.
    #[error("the object {0:?} was taken away already; move it to have it back")]
    Gone(String),
    /// The world is full.
    #[error("this world has {MOST_OBJECTS} objects, which is the most; take some away")]
    Full,
}

impl From<HouseholdError> for Refusal {
    fn from(error: HouseholdError) -> Self {
        let reason = error.to_string();
        match error {
            HouseholdError::Unknown(_) => Self::bad_argument(reason),
            HouseholdError::Duplicate(_) | HouseholdError::Gone(_) | HouseholdError::Full => {
                Self::not_now(reason)
            }
        }
    }
}

/// A thing and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is, and where it lay first.
    pub object: Object,
    /// Where it is now.
    pub whereabouts: Whereabouts,
    /// When it came there, counted in changes; things at one place lie in this order.
    since: u64,
}

/// All things of one world.
#[derive(Clone, Debug, Default)]
pub struct Household {
    items: Vec<Item>,
    changes: u64,
}

impl Household {
    /// The things of a world file, where the file says.
    pub fn new(file: &WorldFile) -> Self {
        let item = |object: &Object| Item {
            object: object.clone(),
            whereabouts: Whereabouts::Place(object.place.clone()),
            since: 0,
        };
        Self { items: file.objects.iter().map(item).collect(), changes: 0 }
    }

    /// Every thing, in the order of the world file.
    pub fn iter(&self) -> impl Iterator<Item = &Item> {
        self.items.iter()
    }

    /// How often something changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// A thing by its name.
    pub fn find(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.object.name == name)
    }

    /// Where a thing is.
    pub fn whereabouts(&self, name: &str) -> Option<&Whereabouts> {
        self.find(name).map(|item| &item.whereabouts)
    }

    /// Moves a thing, also out of a robot's hand.
    pub fn move_to(&mut self, name: &str, to: Whereabouts) -> Result<(), HouseholdError> {
        let Some(item) = self.items.iter_mut().find(|item| item.object.name == name) else {
            return Err(HouseholdError::Unknown(self.unknown(name)));
        };
        self.changes += 1;
        (item.whereabouts, item.since) = (to, self.changes);
        Ok(())
    }

    /// Adds a thing; one of the same name that is gone makes room for it, and any that is gone if the world is full.
    pub fn add(&mut self, object: Object, whereabouts: Whereabouts) -> Result<(), HouseholdError> {
        let gone = |item: &Item| item.whereabouts == Whereabouts::Gone;
        let room = match self.items.iter().position(|item| item.object.name == object.name) {
            Some(namesake) if !gone(&self.items[namesake]) => {
                return Err(HouseholdError::Duplicate(object.name));
            }
            None if self.items.len() >= MOST_OBJECTS => {
                Some(self.items.iter().position(gone).ok_or(HouseholdError::Full)?)
            }
            namesake => namesake,
        };
        self.changes += 1;
        let item = Item { object, whereabouts, since: self.changes };
        match room {
            Some(room) => self.items[room] = item,
            None => self.items.push(item),
        }
        Ok(())
    }

    /// Takes a thing out of the room, also out of a robot's hand.
    pub fn remove(&mut self, name: &str) -> Result<(), HouseholdError> {
        match self.whereabouts(name) {
            Some(Whereabouts::Gone) => Err(HouseholdError::Gone(name.to_owned())),
            _ => self.move_to(name, Whereabouts::Gone),
        }
    }

    /// Says that there is no thing of a name, and which there are.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> =
            self.items.iter().map(|item| item.object.name.as_str()).take(MOST_LISTED).collect();
        let more = if self.items.len() > MOST_LISTED { " …" } else { "" };
        let name: String = name.chars().take(80).collect();
        match known.as_slice() {
            [] => format!("there is no object {name:?}; this world has no objects, put one first"),
            some => format!("there is no object {name:?}; the objects are: {}{more}", some.join(", ")),
        }
    }

    /// A robot takes a thing; returns whether it got it.
    pub fn take(&mut self, name: &str, robot: usize) -> bool {
        let free = self.whereabouts(name).is_some_and(Whereabouts::is_free);
        free && self.move_to(name, Whereabouts::Robot(robot)).is_ok()
    }

    /// A robot is taken out of the world: what it carries lies on the floor, and the numbers of those behind it are one less.
    pub fn part_with(&mut self, robot: usize, floor: [f64; 2]) {
        for item in &mut self.items {
            if let Whereabouts::Robot(number) = &mut item.whereabouts {
                if *number == robot {
                    self.changes += 1;
                    (item.whereabouts, item.since) = (Whereabouts::Floor(floor), self.changes);
                } else if *number > robot {
                    *number -= 1;
                }
            }
        }
    }

    /// A robot lets a thing go; returns whether it had it.
    pub fn put(&mut self, name: &str, robot: usize, to: Whereabouts) -> bool {
        let had = self.whereabouts(name) == Some(&Whereabouts::Robot(robot));
        had && self.move_to(name, to).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Color;

    pub(super) fn file() -> WorldFile {
        let text = "name = \"x\"\nsize_m = [4.0, 4.0]\n[[places]]\nname = \"Shelf\"\nposition_m = [1.0, 1.0]\n\
                    surface_m = [1.0, 0.4]\nyaw_deg = -90.0\n[[places]]\nname = \"Sofa\"\n\
                    position_m = [3.0, 3.0]\n[[objects]]\nname = \"cup\"\ncategory = \"dishes\"\n\
                    place = \"Shelf\"\n[[objects]]\nname = \"mug\"\ncategory = \"dishes\"\nplace = \"Shelf\"\n";
        WorldFile::parse(text).unwrap()
    }

    #[test]
    fn a_thing_is_in_one_hand_at_a_time_and_lies_where_it_was_put() {
        let mut household = Household::new(&file());
        assert!(household.take("cup", 1));
        assert!(!household.take("cup", 2), "another robot has it");
        assert!(!household.put("cup", 2, Whereabouts::Gone), "who has it not cannot put it");
        assert!(household.put("cup", 1, Whereabouts::Place("Sofa".to_owned())));
        assert_eq!(household.whereabouts("cup"), Some(&Whereabouts::Place("Sofa".to_owned())));
        assert!(!household.take("ghost", 1) && household.move_to("ghost", Whereabouts::Gone).is_err());
    }

    #[test]
    fn what_a_robot_carried_lies_on_the_floor_when_it_is_gone() {
        let mut household = Household::new(&file());
        assert!(household.take("cup", 1) && household.take("mug", 2));
        household.part_with(1, [1.0, 2.0]);
        assert_eq!(household.whereabouts("cup"), Some(&Whereabouts::Floor([1.0, 2.0])));
        assert!(household.put("mug", 1, Whereabouts::Gone), "its carrier has another number now");
    }

    #[test]
    fn what_is_gone_cannot_be_taken_until_it_is_back() {
        let mut household = Household::new(&file());
        household.move_to("cup", Whereabouts::Gone).unwrap();
        assert!(!household.take("cup", 0));
        household.move_to("cup", Whereabouts::Floor([1.0, 1.0])).unwrap();
        assert!(household.take("cup", 0));
    }

    #[test]
    fn an_added_object_has_a_name_of_its_own() {
        let mut household = Household::new(&file());
        let mut vase = household.find("cup").unwrap().object.clone();
        let shelf = || Whereabouts::Place("Shelf".to_owned());
        assert!(household.add(vase.clone(), shelf()).is_err());
        vase.name = "vase".to_owned();
        household.add(vase.clone(), shelf()).unwrap();
        assert!(household.take("vase", 0));
        household.remove("vase").unwrap();
        assert_eq!(household.remove("vase"), Err(HouseholdError::Gone("vase".to_owned())));
        household.add(vase, Whereabouts::Floor([1.0, 1.0])).unwrap();
        assert_eq!(household.iter().count(), 3, "it is put in its own stead");
        let unknown = household.remove("ghost").unwrap_err().to_string();
        assert_eq!(unknown, "there is no object \"ghost\"; the objects are: cup, mug, vase");
    }

    #[test]
    fn a_full_household_takes_a_thing_in_the_stead_of_one_that_is_gone() {
        let mut household = Household::new(&file());
        let thing =
            |number: usize| Object::new(format!("thing {number}"), "toy".to_owned(), Color::default());
        let floor = || Whereabouts::Floor([1.0, 1.0]);
        let full = (0..).find_map(|number| household.add(thing(number), floor()).err());
        assert_eq!(full, Some(HouseholdError::Full));
        household.remove("cup").unwrap();
        household.add(thing(usize::MAX), floor()).unwrap();
        assert_eq!(household.iter().count(), MOST_OBJECTS);
    }
}
