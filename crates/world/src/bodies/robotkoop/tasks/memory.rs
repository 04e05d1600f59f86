//! The robot's database: what there is, where it belongs, where it was seen last. It may be wrong.
//!
//! It begins as after a setup: with the things of the world file, each at home. What the
//! robot sees and does changes it; what others do without being seen does not.

use latimer_core::model::signal::Alternative;

use super::UnknownObject;
use super::lessons::Lessons;
use crate::config::{Place, WorldFile, is_called, place_called};

/// Most alternatives offered at once.
const MOST_ALTERNATIVES: usize = 5;

/// Names that an error lists at most.
const MOST_LISTED: usize = 30;

#[derive(Clone, Debug, PartialEq)]
struct Known {
    name: String,
    /// Other names that it is found by.
    aliases: Vec<String>,
    category: Option<String>,
    /// Where it belongs.
    home: Option<String>,
    /// Where it was seen last.
    place: Option<String>,
}

/// The database.
#[derive(Clone, Debug)]
pub(in crate::bodies::robotkoop) struct Memory {
    places: Vec<Place>,
    things: Vec<Known>,
    faces: Vec<String>,
    /// What it learned from demonstrations.
    pub(in crate::bodies::robotkoop) lessons: Lessons,
}

impl Memory {
    /// The robot's knowledge of a world.
    pub(in crate::bodies::robotkoop) fn new(file: &WorldFile) -> Self {
        let known = |object: &crate::config::Object| Known {
            name: object.name.clone(),
            aliases: object.aliases.clone(),
            category: Some(object.category.clone()),
            home: Some(object.place.clone()),
            place: Some(object.place.clone()),
        };
        Self {
            places: file.places.clone(),
            things: file.objects.iter().map(known).collect(),
            faces: file.known_faces.clone(),
            lessons: Lessons::default(),
        }
    }

    /// The places it knows.
    pub(in crate::bodies::robotkoop) fn places(&self) -> &[Place] {
        &self.places
    }

    /// A place by one of its names in any spelling.
    pub(in crate::bodies::robotkoop) fn place(&self, name: &str) -> Option<&Place> {
        place_called(&self.places, name)
    }

    /// A thing's own name, for any of its names in any spelling.
    pub(super) fn spelled<'a>(&'a self, name: &'a str) -> &'a str {
        let exact = self.things.iter().find(|thing| thing.name == name);
        let found = exact.or_else(|| self.things.iter().find(|it| is_called(&it.name, &it.aliases, name)));
        found.map_or(name, |thing| &thing.name)
    }

    /// A face's name, if the robot knows it.
    pub(in crate::bodies::robotkoop) fn recognize(&self, name: Option<&str>) -> Option<String> {
        name.filter(|name| self.faces.iter().any(|face| face == name)).map(str::to_owned)
    }

    /// Forgets all faces.
    pub(super) fn forget_faces(&mut self) {
        self.faces.clear();
    }

    /// Where it believes a thing to be.
    pub(super) fn place_of(&self, thing: &str) -> Option<&str> {
        self.find(thing)?.place.as_deref()
    }

    /// Where a thing belongs.
    pub(super) fn home_of(&self, thing: &str) -> Option<&str> {
        self.find(thing)?.home.as_deref()
    }

    /// What sort of thing it is.
    pub(super) fn category_of(&self, thing: &str) -> Option<&str> {
        self.find(thing)?.category.as_deref()
    }

    /// These things, and no others, were seen at a place.
    pub(super) fn saw(&mut self, place: &str, things: &[String]) {
        for thing in &mut self.things {
            if thing.place.as_deref() == Some(place) && !things.contains(&thing.name) {
                thing.place = None;
            }
        }
        for name in things {
            self.put(name, Some(place));
        }
    }

    /// A thing is at a place now, or nowhere that the robot knows.
    pub(super) fn put(&mut self, thing: &str, place: Option<&str>) {
        let place = place.map(str::to_owned);
        match self.things.iter_mut().find(|it| it.name == thing) {
            Some(known) => known.place = place,
            None => {
                let name = thing.to_owned();
                let aliases = Vec::new();
                self.things.push(Known { name, aliases, category: None, home: None, place });
            }
        }
    }

    /// A thing belongs to a place.
    pub(super) fn learn_home(&mut self, thing: &str, place: &str) {
        if let Some(known) = self.things.iter_mut().find(|it| it.name == thing) {
            known.home = Some(place.to_owned());
        }
    }

    /// From now on a thing belongs nowhere.
    pub(in crate::bodies::robotkoop) fn forget_home(&mut self, thing: &str) -> Result<(), UnknownObject> {
        let name = self.spelled(thing).to_owned();
        match self.things.iter_mut().find(|it| it.name == name) {
            Some(known) => known.home = None,
            None => {
                let known: Vec<&str> =
                    self.things.iter().map(|it| it.name.as_str()).take(MOST_LISTED).collect();
                return Err(UnknownObject {
                    name: thing.chars().take(80).collect(),
                    known: known.join(", "),
                });
            }
        }
        Ok(())
    }

    /// Those of some things that belong elsewhere, or that it does not know where they belong.
    pub(super) fn strays(&self, things: &[String], place: &str) -> Vec<String> {
        things.iter().filter(|thing| self.home_of(thing) != Some(place)).cloned().collect()
    }

    /// What is like a thing and where it believes that to be.
    pub(super) fn instead_of(&self, thing: &str) -> Vec<Alternative> {
        let Some(category) = self.category_of(thing) else { return Vec::new() };
        let like =
            self.things.iter().filter(|it| it.name != thing && it.category.as_deref() == Some(category));
        let offer = like.filter_map(|it| {
            let (object, location) = (it.name.clone(), it.place.clone()?);
            Some(Alternative { object, location, known_location: it.home.clone() })
        });
        offer.take(MOST_ALTERNATIVES).collect()
    }

    /// Things beside which one could lie that belongs nowhere: of its kind first.
    pub(super) fn beside_what(&self, thing: &str) -> Vec<Alternative> {
        let category = self.category_of(thing);
        let like = |it: &&Known| it.category.is_some() && it.category.as_deref() == category;
        let others = self.things.iter().filter(|it| it.name != thing);
        let ordered = others.clone().filter(like).chain(others.filter(|it| !like(it)));
        let mut offers: Vec<Alternative> = Vec::new();
        for it in ordered {
            let Some(home) = &it.home else { continue };
            if offers.len() < MOST_ALTERNATIVES && offers.iter().all(|offer| offer.location != *home) {
                let known_location = Some(home.clone());
                offers.push(Alternative { object: it.name.clone(), location: home.clone(), known_location });
            }
        }
        offers
    }

    /// Where to look for a thing, from a point: where its like belongs first, then the nearest.
    pub(super) fn search_order(&self, thing: &str, from_m: [f64; 2]) -> Vec<String> {
        let category = self.category_of(thing);
        let likely = |place: &Place| {
            let belongs = |it: &Known| it.home.as_deref() == Some(&place.name);
            category.is_some()
                && self.things.iter().any(|it| it.category.as_deref() == category && belongs(it))
        };
        let off_m = |place: &Place| place.pose().distance_to(from_m[0], from_m[1]);
        let mut order: Vec<&Place> = self.places.iter().collect();
        order.sort_by(|a, b| likely(b).cmp(&likely(a)).then(off_m(a).total_cmp(&off_m(b))));
        order.into_iter().map(|place| place.name.clone()).collect()
    }

    fn find(&self, thing: &str) -> Option<&Known> {
        self.things.iter().find(|it| it.name == thing)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Two sodas and a plate in the kitchen, a book on the shelf, nothing on the sofa.
    pub(in crate::bodies::robotkoop::tasks) fn flat() -> Memory {
        let place = |name: &str, x: f64| format!("[[places]]\nname = \"{name}\"\nposition_m = [{x}, 1.0]\n");
        let object = |name: &str, category: &str, place: &str| {
            format!("[[objects]]\nname = \"{name}\"\ncategory = \"{category}\"\nplace = \"{place}\"\n")
        };
        let text = ["name = \"x\"\nsize_m = [9.0, 2.0]\nknown_faces = [\"Anna\"]\n".to_owned()]
            .into_iter()
            .chain([place("Sofa", 1.0), place("Shelf", 3.0), place("Kitchen", 7.0)])
            .chain([object("coke", "soda", "Kitchen"), object("fanta", "soda", "Kitchen")])
            .chain([object("plate", "dishes", "Kitchen"), object("book", "reading", "Shelf")]);
        Memory::new(&WorldFile::parse(&text.collect::<String>()).unwrap())
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn seeing_a_place_tells_what_is_there_and_what_is_not() {
        let mut memory = flat();
        memory.saw("Kitchen", &names(&["fanta", "vase"]));
        assert_eq!((memory.place_of("coke"), memory.home_of("coke")), (None, Some("Kitchen")));
        assert_eq!((memory.place_of("vase"), memory.home_of("vase")), (Some("Kitchen"), None));
        assert_eq!(memory.strays(&names(&["fanta", "vase", "book"]), "Kitchen"), ["vase", "book"]);
        memory.learn_home("vase", "Kitchen");
        assert!(memory.strays(&names(&["vase"]), "Kitchen").is_empty());
    }

    #[test]
    fn what_lost_its_home_is_a_stray_everywhere() {
        let mut memory = flat();
        memory.forget_home("COKE").unwrap();
        assert_eq!((memory.home_of("coke"), memory.place_of("coke")), (None, Some("Kitchen")));
        assert_eq!(memory.strays(&names(&["coke", "fanta"]), "Kitchen"), ["coke"]);
        let unknown = memory.forget_home("unicorn").unwrap_err().to_string();
        assert_eq!(unknown, "it knows no object \"unicorn\"; it knows: coke, fanta, plate, book");
    }

    #[test]
    fn the_likely_places_are_searched_first_then_the_near_ones() {
        let memory = flat();
        assert_eq!(memory.search_order("coke", [1.0, 1.0]), ["Kitchen", "Sofa", "Shelf"]);
        assert_eq!(memory.search_order("unicorn", [3.0, 1.0]), ["Shelf", "Sofa", "Kitchen"]);
    }

    #[test]
    fn what_is_offered_instead_is_alike_and_available() {
        let mut memory = flat();
        assert_eq!(memory.instead_of("coke")[0].object, "fanta");
        memory.put("fanta", None);
        assert!(memory.instead_of("coke").is_empty() && memory.instead_of("unicorn").is_empty());
        let beside = memory.beside_what("plate");
        assert_eq!(beside.iter().map(|it| it.location.as_str()).collect::<Vec<_>>(), ["Kitchen", "Shelf"]);
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        let memory = flat();
        assert_eq!((memory.spelled("COKE"), memory.spelled("unicorn")), ("coke", "unicorn"));
        assert_eq!(memory.place("sofa").unwrap().name, "Sofa");
        let mut german = memory.clone();
        german.places[0].name = "Küche".to_owned();
        german.put("Nüsse", Some("Küche"));
        assert_eq!((&*german.place("kueche").unwrap().name, german.spelled("nuesse")), ("Küche", "Nüsse"));
        german.things[0].aliases = vec!["Zuckerwasser".to_owned()];
        german.places[1].aliases = vec!["Regal".to_owned()];
        assert_eq!(
            (german.spelled("zuckerwasser"), &*german.place("REGAL").unwrap().name),
            ("coke", "Shelf")
        );
        assert_eq!(memory.recognize(Some("Anna")).as_deref(), Some("Anna"));
        assert_eq!((memory.recognize(Some("Ben")), memory.recognize(None)), (None, None));
    }
}
