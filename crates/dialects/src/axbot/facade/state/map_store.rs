//! The maps that somebody gave, and those that the robot drives by itself; bounded in number and in bytes.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_core::memory::{Exceeded, Reservation};
use latimer_core::model::signal::{MapFeature, MapInfo, OccupancyGrid};

use crate::axbot::limits::{MAX_PUBLISHED_MAPS, MAX_STORED_MAPS, STORED_MAPS_MAX_BYTES};
use crate::axbot::overlays::overlays_from_features;

/// The number of a map that was given without being kept.
pub(in super::super) const UNSAVED: i64 = -1;

/// A map.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Map {
    pub(in super::super) id: i64,
    pub(in super::super) uid: Option<String>,
    pub(in super::super) name: String,
    pub(in super::super) version: Option<i64>,
    pub(in super::super) overlays_version: Option<i64>,
    /// GeoJSON as it was given, with all that nobody here understands.
    pub(in super::super) overlays: String,
    /// What is sent to the robot of it.
    pub(in super::super) features: Vec<MapFeature>,
    pub(in super::super) created: Timestamp,
    pub(in super::super) modified: Timestamp,
    pub(in super::super) grid: Option<OccupancyGrid>,
    /// The picture as it was given.
    pub(in super::super) png: Option<Bytes>,
    /// The scanner's own map as it was given, if it is not made of the cells.
    pub(in super::super) pbstream: Option<Bytes>,
    /// It is known from the robot, which has its cells.
    pub(in super::super) of_robot: bool,
    /// Cells that were published earlier are those of another map.
    pub(in super::super) since: Timestamp,
}

impl Map {
    /// What is sent to the robot of it.
    pub(in super::super) fn info(&self) -> MapInfo {
        MapInfo {
            name: self.name.clone(),
            uid: self.uid.clone(),
            version: self.version,
            features_version: self.overlays_version,
            features: self.features.clone(),
        }
    }

    fn of_info(info: &MapInfo, id: i64, since: Timestamp, now: Timestamp) -> Self {
        let MapInfo { name, uid, version, features_version, features } = info.clone();
        Self {
            id,
            uid,
            name,
            version,
            overlays_version: features_version,
            overlays: overlays_from_features(&features),
            features,
            created: now,
            modified: now,
            grid: None,
            png: None,
            pbstream: None,
            of_robot: true,
            since,
        }
    }

    fn bytes(&self) -> usize {
        let file = |bytes: &Option<Bytes>| bytes.as_ref().map_or(0, Bytes::len);
        let cells = self.grid.as_ref().map_or(0, |grid| grid.cells.len());
        cells + file(&self.png) + file(&self.pbstream) + self.overlays.len()
    }

    /// Whether the robot means this map.
    fn is_meant(&self, info: &MapInfo) -> bool {
        match (&info.uid, &self.uid) {
            (Some(reported), Some(own)) => reported == own,
            // A robot may not keep the name that a map has among all maps.
            (None, _) => self.name == info.name,
            (Some(_), None) => false,
        }
    }
}

/// There is no room for a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in super::super) enum MapStoreFull {
    /// Too many.
    #[error("there is room for {MAX_STORED_MAPS} maps; DELETE one that is not needed")]
    Maps,
    /// Too large.
    #[error("there is room for {} MB of maps; DELETE one that is not needed", STORED_MAPS_MAX_BYTES >> 20)]
    Bytes,
    /// The maps of all robots are too large.
    #[error("{0}")]
    Memory(Exceeded),
}

/// The maps that somebody gave, and those that the robot drives by itself.
#[derive(Debug, Default)]
pub(in super::super) struct MapStore {
    maps: Vec<Arc<Map>>,
    /// Which one the robot drives by.
    current: Option<i64>,
    /// When it was commanded to use that; older messages do not count.
    chosen: Option<Timestamp>,
    incoming: bool,
    last_id: i64,
    /// Memory of the maps; tests have none.
    room: Option<Reservation>,
}

impl MapStore {
    /// No maps yet; those that come take their memory from a share of all robots.
    pub(in super::super) fn new(room: Reservation) -> Self {
        Self { room: Some(room), ..Self::default() }
    }

    fn bytes(&self) -> usize {
        self.maps.iter().map(|map| map.bytes()).sum()
    }

    /// Takes in what robots published themselves, and gives back what is not needed any more.
    fn account(&mut self) {
        let bytes = self.bytes() as u64;
        if let Some(room) = &mut self.room {
            room.set(bytes);
        }
    }

    /// Takes in which map the robot says that it drives by.
    pub(in super::super) fn observe(&mut self, info: &MapInfo, received: Timestamp, now: Timestamp) {
        if self.chosen.is_some_and(|chosen| received <= chosen) {
            return;
        }
        // The first map may have been driven by long before anybody listened.
        let since = if std::mem::replace(&mut self.incoming, true) { received } else { Timestamp::default() };
        if info.name.is_empty() && info.uid.is_none() {
            self.current = None;
            return;
        }
        // The one that it was commanded to use, if several are alike.
        let mut meant = self.maps.iter().filter(|map| map.is_meant(info)).map(|map| map.id);
        let current = self.current.filter(|current| meant.clone().any(|id| id == *current));
        let Some(id) = current.or_else(|| meant.next()) else {
            self.last_id += 1;
            let map = Map::of_info(info, self.last_id, since, now);
            self.current = Some(map.id);
            self.maps.push(Arc::new(map));
            self.forget_own();
            self.account();
            return;
        };
        self.current = Some(id);
        let Some(map) = self.maps.iter_mut().find(|map| map.id == id) else { return };
        let same_version = info.features_version.is_some() && info.features_version == map.overlays_version;
        // A robot that does not keep marks has nothing to say of them.
        let tells_none = info.features_version.is_none() && info.features.is_empty();
        let same_marks = same_version || tells_none || info.features == map.features;
        if same_marks && (info.version == map.version || info.version.is_none()) {
            return;
        }
        let map = Arc::make_mut(map);
        map.modified = now;
        if info.version.is_some() && info.version != map.version {
            map.version = info.version;
            map.since = received;
            // The picture that was given is of the map as it was.
            (map.grid, map.png, map.of_robot) = (None, None, true);
        }
        if !same_marks {
            map.overlays = overlays_from_features(&info.features);
            map.features = info.features.clone();
            map.overlays_version = info.features_version.or(map.overlays_version);
        }
        self.account();
    }

    /// Forgets what the robot drove by long ago, if nobody gave it and its cells are not known.
    fn forget_own(&mut self) {
        let current = self.current;
        let is_old = |map: &Arc<Map>| map.of_robot && Some(map.id) != current;
        while self.maps.iter().filter(|map| is_old(map)).count() > MAX_PUBLISHED_MAPS {
            if let Some(oldest) = self.maps.iter().position(is_old) {
                self.maps.remove(oldest);
            }
        }
    }

    /// Those that are kept.
    pub(in super::super) fn list(&self) -> impl Iterator<Item = &Arc<Map>> {
        self.maps.iter().filter(|map| map.id != UNSAVED)
    }

    /// A map by its number.
    pub(in super::super) fn get(&self, id: i64) -> Option<&Arc<Map>> {
        self.maps.iter().find(|map| map.id == id)
    }

    /// A map by its name among all maps anywhere.
    pub(in super::super) fn by_uid(&self, uid: &str) -> Option<&Arc<Map>> {
        self.maps.iter().find(|map| map.uid.as_deref() == Some(uid))
    }

    /// The one that the robot drives by.
    pub(in super::super) fn current(&self) -> Option<&Arc<Map>> {
        self.get(self.current?)
    }

    /// Whether another map has this name.
    pub(in super::super) fn is_taken(&self, name: &str, by_other_than: Option<i64>) -> bool {
        self.list().any(|map| map.name == name && Some(map.id) != by_other_than)
    }

    /// Adds a map of a client, under a new number unless it has one.
    pub(in super::super) fn put(
        &mut self,
        mut map: Map,
        client: impl fmt::Display,
    ) -> Result<Arc<Map>, MapStoreFull> {
        if map.id == 0 {
            map.id = self.last_id + 1;
        }
        let others = || self.maps.iter().filter(|other| other.id != map.id);
        if others().count() >= MAX_STORED_MAPS {
            return Err(MapStoreFull::Maps);
        }
        let bytes = others().map(|other| other.bytes()).sum::<usize>() + map.bytes();
        if bytes > STORED_MAPS_MAX_BYTES {
            return Err(MapStoreFull::Bytes);
        }
        if let Some(room) = &mut self.room {
            room.resize(bytes as u64, client).map_err(MapStoreFull::Memory)?;
        }
        self.last_id = self.last_id.max(map.id);
        let map = Arc::new(map);
        match self.maps.iter_mut().find(|other| other.id == map.id) {
            Some(place) => *place = map.clone(),
            None => self.maps.push(map.clone()),
        }
        Ok(map)
    }

    /// Removes a map.
    pub(in super::super) fn remove(&mut self, id: i64) {
        self.maps.retain(|map| map.id != id);
        self.account();
    }

    /// The robot was commanded to use a map, or none.
    pub(in super::super) fn choose(&mut self, id: Option<i64>, asked: Timestamp) {
        (self.current, self.chosen, self.incoming) = (id, Some(asked), true);
        if id != Some(UNSAVED) {
            self.remove(UNSAVED);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(s: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_secs(s))
    }

    fn info(name: &str, uid: Option<&str>) -> MapInfo {
        MapInfo {
            name: name.into(),
            uid: uid.map(str::to_owned),
            version: Some(1),
            features_version: Some(1),
            features: Vec::new(),
        }
    }

    fn given(name: &str, uid: &str, bytes: usize) -> Map {
        let map = Map::of_info(&info(name, Some(uid)), 0, at(0), at(0));
        Map { of_robot: false, pbstream: Some(vec![0; bytes].into()), ..map }
    }

    #[test]
    fn the_robots_map_is_always_there() {
        let mut map_store = MapStore::default();
        map_store.observe(&info("hall", Some("a")), at(1), at(1));
        map_store.observe(&info("hall", Some("a")), at(2), at(2));
        assert_eq!(map_store.list().count(), 1);
        assert_eq!(map_store.current().map(|it| (it.id, it.since)), Some((1, at(0))));
        map_store.observe(&info("cellar", Some("b")), at(3), at(3));
        assert_eq!(map_store.current().map(|it| (it.id, it.since)), Some((2, at(3))));
        map_store.observe(&info("", None), at(4), at(4));
        assert_eq!(map_store.current(), None);
        assert_eq!(map_store.list().count(), 2);
    }

    #[test]
    fn what_was_said_before_a_choice_does_not_count() {
        let mut map_store = MapStore::default();
        map_store.observe(&info("hall", Some("a")), at(1), at(1));
        let id = map_store.put(given("cellar", "b", 0), "x").unwrap().id;
        map_store.choose(Some(id), at(5));
        map_store.observe(&info("hall", Some("a")), at(4), at(6));
        assert_eq!(map_store.current().map(|it| it.id), Some(id));
        map_store.observe(&info("cellar", Some("b")), at(6), at(6));
        assert_eq!(map_store.current().map(|it| it.id), Some(id));
        map_store.observe(&info("hall", Some("a")), at(7), at(7));
        assert_eq!(map_store.current().map(|it| it.id), Some(1));
    }

    #[test]
    fn a_text_with_unknown_marks_stays_while_the_robot_says_the_same_version() {
        let mut map_store = MapStore::default();
        let map = Map { overlays: "my own words".into(), ..given("hall", "a", 0) };
        let id = map_store.put(map, "x").unwrap().id;
        map_store.observe(&info("hall", Some("a")), at(1), at(1));
        assert_eq!(map_store.get(id).unwrap().overlays, "my own words");
        let silent = MapInfo { features_version: None, ..info("hall", Some("a")) };
        map_store.observe(&silent, at(1), at(1));
        assert_eq!(map_store.get(id).unwrap().overlays, "my own words");
        let newer = MapInfo { features_version: Some(2), features: vec![mark()], ..info("hall", Some("a")) };
        map_store.observe(&newer, at(2), at(2));
        let map = map_store.get(id).unwrap();
        assert!(map.overlays.contains("FeatureCollection") && map.overlays_version == Some(2));
    }

    fn mark() -> MapFeature {
        MapFeature {
            kind: latimer_core::model::signal::FeatureKind::VirtualWall,
            id: None,
            name: None,
            pose: None,
            points_m: vec![[0.0, 0.0], [1.0, 1.0]],
            mac: None,
        }
    }

    #[test]
    fn there_is_only_so_much_room() {
        let mut map_store = MapStore::default();
        let big = |n: usize| given("big", &n.to_string(), STORED_MAPS_MAX_BYTES / 2);
        map_store.put(big(1), "x").unwrap();
        assert_eq!(map_store.put(big(2), "x").map(|_| ()), Err(MapStoreFull::Bytes));
        map_store.remove(1);
        for n in 0..MAX_STORED_MAPS {
            map_store.put(given("small", &n.to_string(), 0), "x").unwrap();
        }
        assert_eq!(map_store.put(given("small", "x", 0), "x").map(|_| ()), Err(MapStoreFull::Maps));
        for n in 0..100 {
            map_store.observe(&info("own", Some(&format!("own {n}"))), at(n), at(n));
        }
        assert_eq!(map_store.list().count(), MAX_STORED_MAPS + MAX_PUBLISHED_MAPS + 1);
    }
}
