//! Pictures to be fetched under `static-files/`, by the hash of what is in them.
//!
//! What is in a picture never changes, so that browsers may keep it; which ones are kept here is bounded, and the
//! one that was asked for longest ago goes first.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use latimer_core::memory::Reservation;

use crate::axbot::limits::{MAX_PICTURES, PICTURES_MAX_BYTES};
use crate::axbot::picture::{FOLDER, address};

/// The pictures of one robot.
#[derive(Debug, Default)]
pub(super) struct Statics(Mutex<Pictures>);

#[derive(Debug, Default)]
struct Pictures {
    list: Vec<Picture>,
    /// Memory of the pictures; tests have none.
    room: Option<Reservation>,
}

struct Picture {
    name: String,
    png: Bytes,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Picture").field("name", &self.name).field("bytes", &self.png.len()).finish()
    }
}

impl Statics {
    /// No pictures yet; those that come take their memory from a share of all robots.
    pub(super) fn new(room: Reservation) -> Self {
        Self(Mutex::new(Pictures { list: Vec::new(), room: Some(room) }))
    }

    /// Keeps a picture; the address to fetch it at, below the robot's own.
    pub(super) fn keep(&self, word: &str, png: &Bytes) -> String {
        if let Some(known) = self.touch(|it| is_same(&it.png, png) && is_named(&it.name, word)) {
            return format!("{FOLDER}{}", known.name);
        }
        let address = address(word, png);
        let name = address.strip_prefix(FOLDER).unwrap_or(&address).to_owned();
        if self.touch(|it| it.name == name).is_none() {
            let mut pictures = self.lock();
            pictures.list.push(Picture { name, png: png.clone() });
            while pictures.list.len() > 1 && !pictures.fit() {
                pictures.list.remove(0);
            }
            pictures.fit();
        }
        address
    }

    /// A picture by its name, such as `map-….png`.
    pub(super) fn get(&self, name: &str) -> Option<Bytes> {
        self.touch(|it| it.name == name).map(|it| it.png)
    }

    /// Finds a picture and puts it last, where those are that go last.
    fn touch(&self, is_it: impl Fn(&Picture) -> bool) -> Option<Picture> {
        let pictures = &mut self.lock().list;
        let place = pictures.iter().position(is_it)?;
        pictures[place..].rotate_left(1);
        pictures.last().map(|it| Picture { name: it.name.clone(), png: it.png.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, Pictures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The very same bytes, which needs no look at them; they cannot be others as long as they are kept.
fn is_same(a: &Bytes, b: &Bytes) -> bool {
    a.as_ptr() == b.as_ptr() && a.len() == b.len()
}

/// Whether a name begins with a word and its dash.
fn is_named(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| rest.starts_with('-'))
}

impl Pictures {
    /// Whether they are not too many, and no picture of any robot lacks memory.
    fn fit(&mut self) -> bool {
        let bytes = self.list.iter().map(|it| it.png.len()).sum::<usize>();
        let has_memory = self.room.as_mut().is_none_or(|room| {
            room.set(bytes as u64);
            !room.is_exceeded()
        });
        has_memory && self.list.len() <= MAX_PICTURES && bytes <= PICTURES_MAX_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(address: &str) -> &str {
        address.strip_prefix("static-files/").unwrap()
    }

    #[test]
    fn the_name_is_the_hash_of_what_is_in_it() {
        let statics = Statics::default();
        let png = Bytes::from_static(b"abc");
        let kept = statics.keep("map", &png);
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(kept, format!("static-files/map-{hash}.png"));
        assert_eq!(kept, address("map", &png));
        assert_eq!(kept, statics.keep("map", &png), "the same bytes again");
        assert_eq!(kept, statics.keep("map", &Bytes::copy_from_slice(&png)), "as good as the same");
        assert_ne!(kept, statics.keep("costmap", &png));
        assert_eq!(statics.get(name(&kept)), Some(png));
        assert_eq!(statics.get("../secret"), None);
        assert_eq!(statics.lock().list.len(), 2);
    }

    #[test]
    fn the_one_that_nobody_asked_for_goes_first() {
        let statics = Statics::default();
        let kept: Vec<_> = (0..32_u8).map(|number| statics.keep("map", &Bytes::from(vec![number]))).collect();
        assert!(statics.get(name(&kept[0])).is_some());
        statics.keep("map", &Bytes::from_static(b"one more"));
        assert!(statics.get(name(&kept[0])).is_some());
        assert!(statics.get(name(&kept[1])).is_none());
        for number in 0..5_u8 {
            statics.keep("map", &Bytes::from(vec![number; 20 << 20]));
        }
        assert_eq!(statics.lock().list.len(), 3, "of 20 MiB each");
    }
}
