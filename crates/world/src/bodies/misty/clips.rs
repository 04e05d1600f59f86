//! Sound clips on the robot, and the one that plays.

use latimer_core::model::Refusal;
use latimer_core::model::signal::Playback;

use crate::acoustics::{Emission, Kind};
use crate::bodies::reports::Reports;

/// One clip: name, folder, length in seconds, mood as valence, arousal, dominance.
type Clip = (&'static str, &'static str, f64, [f64; 3]);

/// The clips: the first is the specification's sample, the others are plausible.
const CLIPS: [Clip; 8] = [
    ("002-Ahhh.wav", "Idle", 1.1, [0.0, 0.0, -0.5]),
    ("001-Veep.wav", "Idle", 0.4, [0.2, 0.3, 0.0]),
    ("002-Growl-01.wav", "Anger", 1.3, [-0.7, 0.6, 0.5]),
    ("002-Weerd.wav", "Curiosity", 0.8, [0.1, 0.4, -0.1]),
    ("003-UmmMmmUmm.wav", "Thinking", 1.6, [0.0, -0.2, -0.2]),
    ("005-Eurra.wav", "Joy", 0.9, [0.8, 0.7, 0.3]),
    ("005-OoAhhh.wav", "Awe", 1.2, [0.6, 0.3, -0.3]),
    ("008-Neener.wav", "Teasing", 1.0, [0.3, 0.6, 0.6]),
];

/// How loud clips are at first, 0..1 (plausible).
const FIRST_VOLUME: f64 = 0.5;

/// The clip that plays.
struct Playing {
    clip: &'static Clip,
    ends_s: f64,
    volume: f64,
}

/// What plays, and how loud it is unless a clip is asked for louder or softer.
pub(super) struct Clips {
    playing: Option<Playing>,
    volume: f64,
}

/// The names of all clips.
pub(super) fn names() -> Vec<String> {
    CLIPS.iter().map(|(name, ..)| (*name).to_owned()).collect()
}

impl Clips {
    pub(super) fn new() -> Self {
        Self { playing: None, volume: FIRST_VOLUME }
    }

    /// Sets how loud clips are, 0..1, the one that plays included.
    pub(super) fn set_volume(&mut self, volume: f64) {
        self.volume = volume;
        if let Some(playing) = &mut self.playing {
            playing.volume = volume;
        }
    }

    /// The beep that is heard of the clip that plays.
    pub(super) fn emission(&self) -> Option<Emission> {
        let Playing { clip: (_, _, seconds, [valence, ..]), volume, .. } = self.playing.as_ref()?;
        // Gay sounds are higher, and long ones lower.
        let pitch_hz = 500.0 + 200.0 * valence - 80.0 * seconds;
        Some(Emission { kind: Kind::Tone { pitch_hz }, level: *volume })
    }

    /// Plays a clip in place of the one before; the reason if there is no such clip.
    pub(super) fn play(&mut self, name: &str, volume: Option<f64>, time_s: f64) -> Result<(), Refusal> {
        let Some(clip) = CLIPS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) else {
            let known: Vec<&str> = CLIPS.iter().map(|(name, ..)| *name).collect();
            let shown: String = name.chars().take(80).collect();
            return Err(Refusal::bad_argument(format!(
                "no sound {shown:?} on the robot; there are: {}",
                known.join(", ")
            )));
        };
        self.playing = Some(Playing { clip, ends_s: time_s + clip.2, volume: volume.unwrap_or(self.volume) });
        Ok(())
    }

    /// Reports a clip that has ended.
    pub(super) fn update(&mut self, time_s: f64, reports: &mut Reports) {
        if let Some(Playing { clip: (name, directory, seconds, affect), .. }) =
            self.playing.take_if(|playing| time_s >= playing.ends_s)
        {
            reports.publish(Playback {
                name: (*name).to_owned(),
                directory: Some((*directory).to_owned()),
                duration_s: Some(*seconds),
                affect: affect.to_vec(),
            });
        }
    }
}
