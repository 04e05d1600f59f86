//! The robot's sounds as `platform/state` reports them: whether one plays, and how full the buffers for streamed sound are.
//!
//! Robots tell when a sound ends; one that does not is taken to be silent after a while.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::signal::Playback;

use crate::miro::limits::SOUND_MAX_TIME;

/// Buffers for frames of streamed sound, and those that wait in them while a sound is streamed (plausible).
const BUFFERS: u32 = 8;
const FILLED: u32 = 6;

/// Between two frames of streamed sound (plausible: as long as one of the microphones').
const FRAME: Duration = Duration::from_millis(100);

#[derive(Debug)]
struct Sound {
    name: String,
    /// When its frames began to be sent, if it is streamed.
    streamed: bool,
    since: Timestamp,
}

/// What the robot plays at present.
#[derive(Debug, Default)]
pub(super) struct Voice {
    sound: Option<Sound>,
    /// Frames of sounds that were streamed before.
    frames: u16,
}

impl Voice {
    /// The robot plays a sound in place of the one before.
    pub(super) fn plays(&mut self, name: &str, streamed: bool, now: Timestamp) {
        self.ends(now);
        self.sound = Some(Sound { name: name.to_owned(), streamed, since: now });
    }

    /// The robot says that a sound has ended.
    pub(super) fn receive(&mut self, playback: &Playback, now: Timestamp) {
        if self.sound.as_ref().is_some_and(|it| playback.is_of(&it.name)) {
            self.ends(now);
        }
    }

    /// It is silent.
    pub(super) fn ends(&mut self, now: Timestamp) {
        self.frames = self.last_frame(now);
        self.sound = None;
    }

    /// Time goes by.
    pub(super) fn step(&mut self, now: Timestamp) {
        if self.sound.as_ref().is_some_and(|it| now.since(it.since) >= SOUND_MAX_TIME) {
            self.ends(now);
        }
    }

    /// Whether a sound is made.
    pub(super) const fn is_audible(&self) -> bool {
        self.sound.is_some()
    }

    /// Room for frames of streamed sound.
    pub(super) fn free(&self) -> u32 {
        if self.sound.as_ref().is_some_and(|it| it.streamed) { BUFFERS - FILLED } else { BUFFERS }
    }

    /// The number of the last frame of streamed sound that was taken.
    pub(super) fn last_frame(&self, now: Timestamp) -> u16 {
        let streamed = self.sound.as_ref().filter(|it| it.streamed);
        let more = streamed.map_or(0, |it| 1 + now.since(it.since).as_millis() / FRAME.as_millis());
        self.frames.wrapping_add(more as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(ms))
    }

    fn ended(directory: Option<&str>, name: &str) -> Playback {
        Playback { directory: directory.map(str::to_owned), ..Playback::of(name) }
    }

    #[test]
    fn a_sound_is_heard_until_the_robot_says_that_it_ended() {
        let mut voice = Voice::default();
        voice.plays("P1/7", false, at(0));
        voice.receive(&ended(Some("P1"), "6"), at(10));
        assert!(voice.is_audible(), "another one ended");
        assert_eq!((voice.free(), voice.last_frame(at(10))), (8, 0));
        voice.receive(&ended(Some("P1"), "7"), at(20));
        assert!(!voice.is_audible());
        voice.plays("a.wav", false, at(30));
        voice.receive(&ended(None, "a.wav"), at(40));
        assert!(!voice.is_audible());
        voice.plays("a.wav", false, at(50));
        voice.step(at(40_000));
        assert!(!voice.is_audible(), "nobody said so");
    }

    #[test]
    fn frames_of_streamed_sound_are_counted() {
        let mut voice = Voice::default();
        voice.plays("P3/hello", true, at(0));
        assert_eq!((voice.free(), voice.last_frame(at(250))), (2, 3));
        voice.ends(at(450));
        assert_eq!((voice.free(), voice.last_frame(at(900))), (8, 5));
    }
}
