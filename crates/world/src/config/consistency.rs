//! Whether the parts of a world file fit together; what does not is named with its line.

use std::collections::HashSet;

use super::{WorldFile, walks};
use crate::geometry::inside;

/// Most shapes accepted in one file.
const MAX_SHAPES: usize = 5_000;

/// One entry of a list in the file: the list's key and a number from 0.
pub(super) type Part = (&'static str, usize);

/// A part that does not fit.
pub(super) struct Misfit {
    pub(super) part: Part,
    pub(super) what: String,
}

/// Something in the file that has a name or a place that must be in the room.
struct Entry<'a> {
    part: Part,
    /// Empty if it has none.
    name: &'a str,
    points: Vec<[f64; 2]>,
}

/// What one entry of a list is called.
fn kind_of(key: &str) -> &str {
    match key {
        "people" => "person",
        "boxes" => "box",
        "rack_areas" => "area of racks",
        other => other.trim_end_matches('s'),
    }
}

/// Keys of a list whose entries hang in the air or are only marks, so that they may be over a drop.
const FLOATING: [&str; 6] = ["sounds", "lights", "frames", "doors", "rack_areas", "lifts"];

impl WorldFile {
    pub(super) fn check(&self) -> Result<(), Misfit> {
        self.check_count()?;
        let mut names = HashSet::new();
        for entry in self.entries() {
            self.check_name(&entry, &mut names)?;
            self.check_points(&entry)?;
        }
        self.check_references()?;
        self.check_aliases()?;
        self.check_windows()?;
        walks::check(self)
    }

    fn check_count(&self) -> Result<(), Misfit> {
        let corners: usize = self.walls.iter().map(|wall| wall.points_m.len()).sum();
        let steps: usize = self.people.iter().map(|person| person.walk_m.len()).sum();
        let shapes = [
            corners,
            steps,
            self.boxes.len(),
            self.cylinders.len(),
            self.tables.len(),
            self.windows.len(),
            self.floors.len(),
            self.drops.len(),
            self.people.len(),
            self.sounds.len(),
            self.doors.len(),
            self.racks.len(),
            self.rack_areas.iter().map(|area| area.polygon_m.len()).sum(),
            self.pallets.len(),
            self.barcodes.len(),
            self.landmarks.len(),
            self.lights.len(),
            self.places.len(),
            self.objects.len(),
            self.frames.len(),
            self.spawns.len(),
            self.chargers.len(),
        ];
        let shapes: usize = shapes.iter().sum();
        if shapes > MAX_SHAPES {
            let what = format!(
                "{shapes} things, wall corners and points of walks, but {MAX_SHAPES} is the most; leave some out"
            );
            return Err(Misfit { part: ("walls", 0), what });
        }
        Ok(())
    }

    fn check_name<'a>(
        &self,
        entry: &Entry<'a>,
        names: &mut HashSet<(&'static str, &'a str)>,
    ) -> Result<(), Misfit> {
        let (key, name) = (entry.part.0, entry.name);
        // Boxes and cylinders share their names, because both are moved by them. People may be namesakes.
        let group = if key == "cylinders" { "boxes" } else { key };
        if name.is_empty() || key == "people" || names.insert((group, name)) {
            return Ok(());
        }
        let what = match group {
            "boxes" => format!("two boxes or cylinders are called {name:?}; rename one"),
            _ => format!("two {key} are called {name:?}; rename one"),
        };
        Err(Misfit { part: entry.part, what })
    }

    fn check_points(&self, entry: &Entry<'_>) -> Result<(), Misfit> {
        let (part, name) = (entry.part, entry.name);
        let kind = kind_of(part.0);
        let what = if name.is_empty() { format!("this {kind}") } else { format!("{kind} {name:?}") };
        let wrong = |what: String| Err(Misfit { part, what });
        for [x, y] in &entry.points {
            if !self.contains(*x, *y) {
                return wrong(format!("{what} is outside the room; move it or enlarge size_m"));
            }
            let over = self.drops.iter().any(|drop| inside(&drop.polygon_m, *x, *y));
            if over && !FLOATING.contains(&part.0) {
                return wrong(format!("{what} is over a drop; move it"));
            }
            if part.0 == "spawns"
                && let Some(thing) = walks::stands_at(self, [*x, *y])
            {
                return wrong(format!("{what} is within {thing}; move one of them"));
            }
        }
        Ok(())
    }

    /// Frames of spawn points and places of objects.
    fn check_references(&self) -> Result<(), Misfit> {
        for (i, spawn) in self.spawns.iter().enumerate() {
            let Some(frame) = spawn.frame.as_deref().filter(|name| self.frame(name).is_none()) else {
                continue;
            };
            let known = list(self.frames.iter().map(|it| it.name.as_str()), "frames");
            let what = format!("spawn {:?} is in the frame {frame:?}, but {known}", spawn.name);
            return Err(Misfit { part: ("spawns", i), what });
        }
        for (i, object) in self.objects.iter().enumerate() {
            if self.place(&object.place).is_none() {
                let known = list(self.places.iter().map(|it| it.name.as_str()), "places");
                let what =
                    format!("object {:?} is at the place {:?}, but {known}", object.name, object.place);
                return Err(Misfit { part: ("objects", i), what });
            }
        }
        Ok(())
    }

    fn check_windows(&self) -> Result<(), Misfit> {
        let misfits = self.windows.iter().enumerate();
        let mut misfits =
            misfits.filter_map(|(i, it)| Some(Misfit { part: ("windows", i), what: it.misfit(self)? }));
        misfits.next().map_or(Ok(()), Err)
    }

    fn entries(&self) -> Vec<Entry<'_>> {
        let mut all = Vec::new();
        macro_rules! entries {
            ($($list:ident: $it:ident => $name:expr, $points:expr;)*) => {
                $(for (number, $it) in self.$list.iter().enumerate() {
                    let part = (stringify!($list), number);
                    all.push(Entry { part, name: $name, points: $points });
                })*
            };
        }
        // Where a spawn is depends on its frame, so an unknown frame is reported before a place outside.
        let in_frame = |name: &Option<String>| name.as_deref().is_none_or(|name| self.frame(name).is_some());
        entries! {
            frames: it => &it.name, vec![it.position_m];
            chargers: it => &it.name, vec![it.position_m];
            spawns: it => &it.name, if in_frame(&it.frame) { vec![it.position_m] } else { Vec::new() };
            people: it => it.name.as_deref().unwrap_or_default(),
                std::iter::once(it.start_m).chain(it.walk_m.iter().copied()).collect();
            sounds: it => "", vec![it.position_m];
            boxes: it => it.name.as_deref().unwrap_or_default(), Vec::new();
            cylinders: it => it.name.as_deref().unwrap_or_default(), Vec::new();
            tables: it => "", vec![it.center_m];
            lifts: it => &it.name, vec![it.position_m];
            doors: it => &it.name, it.points_m.to_vec();
            racks: it => &it.name, vec![it.position_m];
            rack_areas: it => &it.name, it.polygon_m.clone();
            pallets: it => &it.id, vec![it.position_m];
            barcodes: it => &it.id, vec![it.position_m];
            landmarks: it => &it.id, vec![it.position_m];
            lights: it => &it.name, vec![it.position_m];
            places: it => &it.name, vec![it.position_m, it.surface()];
            objects: it => &it.name, Vec::new();
        }
        all
    }
}

/// "there are …" for an error, so that the error lists the choices.
fn list<'a>(names: impl Iterator<Item = &'a str>, kind: &str) -> String {
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [] => format!("there are no {kind} here; add one"),
        some => format!("the {kind} here are: {}", some.join(", ")),
    }
}

/// The line where a part begins.
pub(super) fn line_of(text: &str, (key, number): Part) -> usize {
    let place = toml::de::DeTable::parse(text).ok().and_then(|table| {
        let item = table.get_ref().get(key)?.get_ref().get(number)?;
        Some(item.span().start)
    });
    text.as_bytes().iter().take(place.unwrap_or(0)).filter(|byte| **byte == b'\n').count() + 1
}
