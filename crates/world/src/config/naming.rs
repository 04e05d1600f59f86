//! Names of places and objects: any of them is found by its own name and by its aliases, however they are written, and a
//! config can call it something else.

use latimer_core::model::is_same_name;

use super::consistency::Misfit;
use super::{Object, Place, WorldFile};

/// Why a place or an object is not called something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamingError {
    /// The world has neither a place nor an object of the name.
    #[error("there is no place and no object {name:?}; the places are: {places}; the objects are: {objects}")]
    Unknown {
        /// The name.
        name: String,
        /// The places of the world.
        places: String,
        /// The objects of the world.
        objects: String,
    },
    /// There is no new name, or an empty one.
    #[error("{name:?} is called nothing; write a name, such as called = [\"Esstisch\"]")]
    Nameless {
        /// The name in the world file.
        name: String,
    },
    /// Something else has the name already.
    #[error("{0}")]
    Taken(String),
}

/// Whether a name is that of something with a name and aliases, however it is written.
pub fn is_called(name: &str, aliases: &[String], given: &str) -> bool {
    std::iter::once(name).chain(aliases.iter().map(String::as_str)).any(|known| is_same_name(known, given))
}

/// The one of some places that has a name or an alias, however it is written.
pub fn place_called<'a>(places: &'a [Place], name: &str) -> Option<&'a Place> {
    let exact = places.iter().find(|place| place.name == name);
    exact.or_else(|| places.iter().find(|place| is_called(&place.name, &place.aliases, name)))
}

impl WorldFile {
    /// A place by one of its names, however it is written.
    pub fn place_called(&self, name: &str) -> Option<&Place> {
        place_called(&self.places, name)
    }

    /// Calls a place, an object or both of a name the first of these names; by the others and by the old one they are
    /// found as well.
    pub fn call(&mut self, name: &str, called: &[String]) -> Result<(), NamingError> {
        let Some((first, more)) =
            called.split_first().filter(|_| called.iter().all(|it| !it.trim().is_empty()))
        else {
            return Err(NamingError::Nameless { name: name.to_owned() });
        };
        let rename = |own: &mut String, aliases: &mut Vec<String>| {
            aliases.splice(0..0, more.iter().cloned().chain([std::mem::replace(own, first.clone())]));
            aliases.retain(|alias| alias != first);
        };
        let (mut places, mut objects) = (0, 0);
        for Place { name: own, aliases, .. } in self.places.iter_mut().filter(|it| it.name == name) {
            rename(own, aliases);
            places += 1;
        }
        for object in &mut self.objects {
            if object.place == name && places > 0 {
                object.place.clone_from(first);
            }
            let Object { name: own, aliases, .. } = object;
            if own == name {
                rename(own, aliases);
                objects += 1;
            }
        }
        if places + objects == 0 {
            return Err(self.nothing_called(name));
        }
        self.check_aliases().map_err(|Misfit { part: _, what }| NamingError::Taken(what))
    }

    fn nothing_called(&self, name: &str) -> NamingError {
        let list = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        NamingError::Unknown {
            name: name.to_owned(),
            places: list(self.places.iter().map(|it| it.name.as_str()).collect()),
            objects: list(self.objects.iter().map(|it| it.name.as_str()).collect()),
        }
    }

    /// Whether no alias is the name of another place, or of another object.
    pub(super) fn check_aliases(&self) -> Result<(), Misfit> {
        let places: Vec<_> = self.places.iter().map(|it| (&it.name, &it.aliases)).collect();
        let objects: Vec<_> = self.objects.iter().map(|it| (&it.name, &it.aliases)).collect();
        for (key, all) in [("places", places), ("objects", objects)] {
            for (number, (_, aliases)) in all.iter().enumerate() {
                for alias in *aliases {
                    let other = all
                        .iter()
                        .enumerate()
                        .find(|(other, (name, aliases))| *other != number && is_called(name, aliases, alias));
                    if let Some((_, (other, _))) = other {
                        let what = format!(
                            "the alias {alias:?} is a name of {other:?}, too; two {key} have no name in common"
                        );
                        return Err(Misfit { part: (key, number), what });
                    }
                    if alias.trim().is_empty() {
                        let what = "an alias is empty; write a name or leave it out".to_owned();
                        return Err(Misfit { part: (key, number), what });
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(more: &str) -> String {
        format!(
            "name = \"x\"\nsize_m = [9.0, 2.0]\n[[places]]\nname = \"Table\"\naliases = [\"dining table\"]\n\
             position_m = [1.0, 1.0]\n[[places]]\nname = \"Kitchen\"\nposition_m = [7.0, 1.0]\n{more}\
             [[objects]]\nname = \"coke\"\ncategory = \"soda\"\nplace = \"Table\"\n"
        )
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn what_is_called_something_else_is_found_by_all_its_names() {
        let mut file = WorldFile::parse(&flat("")).unwrap();
        file.call("Table", &names(&["Esstisch", "Tisch"])).unwrap();
        file.call("coke", &names(&["Cola"])).unwrap();
        for name in ["Esstisch", "esstisch", "TISCH", "table", "Dining Table"] {
            assert_eq!(file.place_called(name).map(|it| it.name.as_str()), Some("Esstisch"), "{name}");
        }
        let object = &file.objects[0];
        assert_eq!((object.name.as_str(), object.place.as_str()), ("Cola", "Esstisch"));
        assert_eq!(object.aliases, ["coke"]);
    }

    #[test]
    fn a_name_that_is_unknown_taken_or_empty_is_refused() {
        let file = || WorldFile::parse(&flat("")).unwrap();
        let refused = |name, called: &[&str]| file().call(name, &names(called)).unwrap_err().to_string();
        let unknown = refused("Attic", &["Speicher"]);
        assert!(unknown.contains("the places are: Table, Kitchen; the objects are: coke"), "{unknown}");
        assert!(refused("Table", &[]).contains("called nothing"));
        assert!(refused("Table", &["Tisch", " "]).contains("called nothing"));
        assert!(refused("Table", &["Tisch", "kitchen"]).contains("a name of \"Kitchen\", too"));
        let twice = flat("aliases = [\"TABLE\"]\n");
        let twice = WorldFile::parse(&twice).unwrap_err().to_string();
        assert!(twice.contains("line 7") && twice.contains("a name of \"Table\", too"), "{twice}");
    }
}
