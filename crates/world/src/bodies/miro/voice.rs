//! The sounds that the robot can make: two libraries, numbered from 1.

use latimer_core::model::signal::{Library, Playback};

use crate::bodies::reports::Reports;

/// The libraries and how many sounds each has (published).
const LIBRARIES: [(&str, u32); 2] = [("P1", 30), ("P2", 23)];

/// Length of the shortest sound and how much longer the longest is, seconds (plausible).
const SHORTEST_S: f64 = 0.3;
const SPREAD_S: f64 = 1.2;

/// A sound: number of its library, its own number, when it ends.
type Playing = (usize, u32, f64);

/// What plays, and whether the list of sounds was told.
#[derive(Default)]
pub(super) struct Voice {
    playing: Option<Playing>,
    listed: bool,
}

impl Voice {
    /// Plays a sound in place of the one before: `P1/7` or `P2/7`, `7` is of the first library.
    pub(super) fn play(&mut self, name: &str, time_s: f64) -> Result<(), String> {
        let Some((library, number)) = find(name) else {
            let shown: String = name.chars().take(80).collect();
            let [(first, most), (second, others)] = LIBRARIES;
            return Err(format!(
                "no sound {shown:?} on the robot; there are {first}/1 to {first}/{most} and {second}/1 to \
                 {second}/{others}"
            ));
        };
        self.playing = Some((library, number, time_s + length_s(library, number)));
        Ok(())
    }

    /// Reports what sounds there are, once, and one that has ended.
    pub(super) fn update(&mut self, time_s: f64, reports: &mut Reports) {
        if !std::mem::replace(&mut self.listed, true) {
            reports.say(Library { faces: Vec::new(), sounds: names().collect() });
        }
        if let Some((library, number, _)) = self.playing.take_if(|(.., ends_s)| time_s >= *ends_s) {
            let (directory, _) = LIBRARIES[library];
            reports.say(Playback {
                name: number.to_string(),
                directory: Some(directory.to_owned()),
                duration_s: Some(length_s(library, number)),
                affect: Vec::new(),
            });
        }
    }
}

/// The names of all sounds.
pub(super) fn names() -> impl Iterator<Item = String> {
    let library = |(library, most): &'static (&'static str, u32)| {
        (1..=*most).map(move |number| format!("{library}/{number}"))
    };
    LIBRARIES.iter().flat_map(library)
}

fn find(name: &str) -> Option<(usize, u32)> {
    let (library, number) = match name.split_once('/') {
        Some((library, number)) => {
            (LIBRARIES.iter().position(|(known, _)| known.eq_ignore_ascii_case(library))?, number)
        }
        None => (0, name),
    };
    let number = number.parse().ok()?;
    (1..=LIBRARIES[library].1).contains(&number).then_some((library, number))
}

/// Sounds differ in length, each always the same.
fn length_s(library: usize, number: u32) -> f64 {
    SHORTEST_S + SPREAD_S * f64::from((number * 7 + library as u32 * 3) % 11) / 10.0
}
