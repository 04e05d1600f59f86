//! Sound clips on the robot, and the one that plays.

use latimer_core::model::Refusal;
use latimer_core::model::signal::Playback;

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

/// What plays.
#[derive(Default)]
pub(super) struct Clips {
    playing: Option<(&'static Clip, f64)>,
}

/// The names of all clips.
pub(super) fn names() -> Vec<String> {
    CLIPS.iter().map(|(name, ..)| (*name).to_owned()).collect()
}

impl Clips {
    /// Plays a clip in place of the one before; the reason if there is no such clip.
    pub(super) fn play(&mut self, name: &str, time_s: f64) -> Result<(), Refusal> {
        let Some(clip) = CLIPS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) else {
            let known: Vec<&str> = CLIPS.iter().map(|(name, ..)| *name).collect();
            let shown: String = name.chars().take(80).collect();
            return Err(Refusal::bad_argument(format!(
                "no sound {shown:?} on the robot; there are: {}",
                known.join(", ")
            )));
        };
        self.playing = Some((clip, time_s + clip.2));
        Ok(())
    }

    /// Reports a clip that has ended.
    pub(super) fn update(&mut self, time_s: f64, reports: &mut Reports) {
        if let Some(((name, directory, seconds, affect), _)) =
            self.playing.take_if(|(_, ends_s)| time_s >= *ends_s)
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
