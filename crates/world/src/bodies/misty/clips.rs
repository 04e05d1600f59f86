//! Sound clips on the robot, and the one that plays.

use latimer_core::model::Refusal;
use latimer_core::model::signal::Playback;

use crate::acoustics::{Emission, Kind};
use crate::bodies::reports::Reports;

/// One clip: name, folder, length in seconds, mood as valence, arousal, dominance.
type Clip = (&'static str, &'static str, f64, [f64; 3]);

/// The clips: names as published, the lengths and moods plausible; of those after the makers' the first is the specification's sample.
const CLIPS: [Clip; 37] = [
    ("s_Acceptance.wav", "System", 0.7, [0.5, 0.0, 0.1]),
    ("s_Amazement.wav", "System", 0.9, [0.6, 0.8, 0.0]),
    ("s_Anger.wav", "System", 1.0, [-0.7, 0.7, 0.5]),
    ("s_Annoyance.wav", "System", 0.8, [-0.5, 0.4, 0.3]),
    ("s_Awe.wav", "System", 1.2, [0.6, 0.3, -0.3]),
    ("s_Awe2.wav", "System", 1.1, [0.6, 0.3, -0.3]),
    ("s_Awe3.wav", "System", 1.3, [0.6, 0.4, -0.3]),
    ("s_Boredom.wav", "System", 1.4, [-0.4, -0.7, -0.2]),
    ("s_Disapproval.wav", "System", 0.8, [-0.5, 0.1, 0.4]),
    ("s_DisorientedConfused.wav", "System", 1.3, [-0.3, 0.3, -0.5]),
    ("s_DisorientedConfused4.wav", "System", 1.2, [-0.3, 0.3, -0.5]),
    ("s_Distraction.wav", "System", 0.7, [0.0, 0.3, -0.2]),
    ("s_Fear.wav", "System", 0.9, [-0.7, 0.7, -0.7]),
    ("s_Grief.wav", "System", 1.6, [-0.8, -0.2, -0.5]),
    ("s_Joy.wav", "System", 0.9, [0.8, 0.7, 0.3]),
    ("s_Joy2.wav", "System", 1.0, [0.8, 0.7, 0.3]),
    ("s_Joy3.wav", "System", 0.8, [0.8, 0.6, 0.3]),
    ("s_Love.wav", "System", 1.1, [0.9, 0.3, 0.1]),
    ("s_PhraseByeBye.wav", "System", 0.9, [0.3, 0.1, 0.0]),
    ("s_PhraseEvilAhHa.wav", "System", 1.2, [-0.2, 0.6, 0.8]),
    ("s_PhraseHello.wav", "System", 0.7, [0.6, 0.4, 0.1]),
    ("s_PhraseOwwww.wav", "System", 0.8, [-0.6, 0.6, -0.4]),
    ("s_PhraseUhOh.wav", "System", 0.7, [-0.3, 0.4, -0.2]),
    ("s_Rage.wav", "System", 1.3, [-0.9, 0.9, 0.7]),
    ("s_Sadness.wav", "System", 1.5, [-0.7, -0.3, -0.4]),
    ("s_Sleepy.wav", "System", 1.7, [0.1, -0.9, -0.3]),
    ("s_SystemCameraShutter.wav", "System", 0.2, [0.0, 0.0, 0.0]),
    ("s_SystemSuccess.wav", "System", 0.5, [0.5, 0.3, 0.2]),
    ("s_SystemWakeWord.wav", "System", 0.4, [0.1, 0.2, 0.0]),
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
                directory: Some((*directory).to_owned()),
                duration_s: Some(*seconds),
                affect: affect.to_vec(),
                ..Playback::of(*name)
            });
        }
    }
}
