//! The sounds that the robot makes: two libraries of its own, numbered from 1, and any that is streamed to it.
//!
//! | asked for | is |
//! |---|---|
//! | `P1/7`, `P2/7` | number 7 of a library |
//! | `7` | number 7 of the first |
//! | `P3/purr` | the sound `purr`, which the client stores and streams to the speaker |

use latimer_core::model::Refusal;
use latimer_core::model::signal::{Library, Playback};

use crate::acoustics::{Emission, Kind};
use crate::bodies::reports::Reports;

/// The libraries and how many sounds each has (published).
const LIBRARIES: [(&str, u32); 2] = [("P1", 30), ("P2", 23)];

/// What is streamed is called so, and how long its name may be.
const STREAMED: &str = "P3";
const LONGEST_NAME: usize = 80;

/// Length of the shortest sound and how much longer the longest is, seconds (plausible).
const SHORTEST_S: f64 = 0.3;
const SPREAD_S: f64 = 1.2;

/// How loud sounds are that are asked for without a volume, 0..1 (plausible).
const USUAL_VOLUME: f64 = 0.5;

/// A sound.
#[derive(Clone, Debug, PartialEq)]
struct Sound {
    directory: &'static str,
    name: String,
    length_s: f64,
}

/// What plays and when it ends, and whether the list of sounds was published.
#[derive(Default)]
pub(super) struct Voice {
    playing: Option<(Sound, f64)>,
    /// Of what plays, 0..1.
    volume: f64,
    listed: bool,
}

impl Voice {
    /// Plays a sound in place of the one before.
    pub(super) fn play(&mut self, name: &str, volume: Option<f64>, time_s: f64) -> Result<(), Refusal> {
        let Some(sound) = find(name) else {
            let shown: String = name.chars().take(LONGEST_NAME).collect();
            let [(first, most), (second, others)] = LIBRARIES;
            return Err(Refusal::bad_argument(format!(
                "no sound {shown:?} on the robot; there are {first}/1 to {first}/{most} and {second}/1 to \
                 {second}/{others}, and {STREAMED}/NAME is streamed"
            )));
        };
        let ends_s = time_s + sound.length_s;
        self.volume = volume.unwrap_or(USUAL_VOLUME);
        self.playing = Some((sound, ends_s));
        Ok(())
    }

    /// Gives voice, with a sound of the second library that is the higher in number the more excited it is, 0..1.
    pub(super) fn call(&mut self, volume: f64, excited: f64, time_s: f64) {
        let [_, (library, most)] = LIBRARIES;
        let number = 1 + (excited.clamp(0.0, 1.0) * f64::from(most - 1)).round() as u32;
        if let Some(sound) = find(&format!("{library}/{number}")) {
            self.volume = volume;
            self.playing = Some((sound.clone(), time_s + sound.length_s));
        }
    }

    /// Whether a sound plays.
    pub(super) const fn is_audible(&self) -> bool {
        self.playing.is_some()
    }

    /// The beep that is heard of the sound that plays; short ones are higher.
    pub(super) fn emission(&self) -> Option<Emission> {
        let (sound, _) = self.playing.as_ref()?;
        let pitch_hz = 900.0 - 300.0 * sound.length_s;
        Some(Emission { kind: Kind::Tone { pitch_hz }, level: self.volume })
    }

    /// Plays nothing any more, and reports what ended so.
    pub(super) fn stop(&mut self, time_s: f64, reports: &mut Reports) {
        if let Some((sound, ends_s)) = self.playing.take() {
            let missing_s = (ends_s - time_s).clamp(0.0, sound.length_s);
            let length_s = sound.length_s - missing_s;
            reports.publish(ended(Sound { length_s, ..sound }));
        }
    }

    /// Reports what sounds there are, once, and one that has ended.
    pub(super) fn update(&mut self, time_s: f64, reports: &mut Reports) {
        if !std::mem::replace(&mut self.listed, true) {
            reports.publish(Library { faces: Vec::new(), sounds: names().collect() });
        }
        if let Some((sound, _)) = self.playing.take_if(|(_, ends_s)| time_s >= *ends_s) {
            reports.publish(ended(sound));
        }
    }
}

fn ended(sound: Sound) -> Playback {
    let Sound { directory, name, length_s } = sound;
    Playback { directory: Some(directory.to_owned()), duration_s: Some(length_s), ..Playback::of(name) }
}

/// The names of all sounds of its own.
pub(super) fn names() -> impl Iterator<Item = String> {
    let library = |(library, most): &'static (&'static str, u32)| {
        (1..=*most).map(move |number| format!("{library}/{number}"))
    };
    LIBRARIES.iter().flat_map(library)
}

fn find(name: &str) -> Option<Sound> {
    let [(first, _), _] = LIBRARIES;
    let (directory, name) = name.split_once('/').unwrap_or((first, name));
    if directory.eq_ignore_ascii_case(STREAMED) {
        let fits = !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(char::is_control);
        let sum = name.bytes().map(u32::from).sum::<u32>();
        return fits.then(|| Sound {
            directory: STREAMED,
            name: name.to_owned(),
            length_s: length_s(2, sum),
        });
    }
    let library = LIBRARIES.iter().position(|(known, _)| known.eq_ignore_ascii_case(directory))?;
    let (directory, most) = LIBRARIES[library];
    let number = name.parse().ok().filter(|number| (1..=most).contains(number))?;
    Some(Sound { directory, name: number.to_string(), length_s: length_s(library, number) })
}

/// Sounds differ in length, each always the same.
fn length_s(library: usize, number: u32) -> f64 {
    SHORTEST_S + SPREAD_S * f64::from((number * 7 + library as u32 * 3) % 11) / 10.0
}
