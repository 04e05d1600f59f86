//! Something that sounds, at a moment.

use super::envelope;
use super::waveform;
use crate::config::{Sound, SoundKind};

/// What a wall lets through of a sound.
const THROUGH_WALL: f64 = 0.3;

/// What so many walls let through of a sound, 0..=1.
pub fn through_walls(walls: usize) -> f64 {
    THROUGH_WALL.powi(walls.min(10) as i32)
}

/// What a sound is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A person speaks.
    Voice,
    /// Anything that hisses or rumbles.
    Noise,
    /// A robot's beep.
    Tone {
        /// Its pitch, Hz.
        pitch_hz: f64,
    },
}

/// What a robot sounds like from where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emission {
    /// What it is like.
    pub kind: Kind,
    /// How loud it is at a metre or nearer, 0..1.
    pub level: f64,
}

/// Something that sounds, as it reaches one listener.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Tells it from the others, and gives it a voice of its own; the same in each frame.
    pub id: u64,
    /// What it is like.
    pub kind: Kind,
    /// Where it is, metres on the map.
    pub position_m: [f64; 2],
    /// How loud it is at a metre or nearer, 0..1.
    pub level: f64,
    /// What the walls between it and the listener let through, 0..=1: see [`through_walls`].
    pub through_walls: f64,
    /// Seconds on, off, on, off and so on, then again from the start; always on if empty.
    pub pattern_s: Vec<f64>,
}

impl Source {
    /// A sound of a world file, without walls between.
    pub fn of_sound(id: u64, sound: &Sound) -> Self {
        let kind = match sound.kind {
            SoundKind::Voice => Kind::Voice,
            SoundKind::Noise => Kind::Noise,
        };
        Self {
            id,
            kind,
            position_m: sound.position_m,
            level: sound.level,
            through_walls: 1.0,
            pattern_s: sound.pattern_s.clone(),
        }
    }

    /// What a robot emits at a place, without walls between.
    pub fn of_emission(id: u64, Emission { kind, level }: Emission, position_m: [f64; 2]) -> Self {
        Self { id, kind, position_m, level, through_walls: 1.0, pattern_s: Vec::new() }
    }

    /// The same as it comes through so many walls.
    pub fn behind(&self, walls: usize) -> Self {
        Self { through_walls: self.through_walls * through_walls(walls), ..self.clone() }
    }

    /// Whether it sounds at a moment of the world's time.
    pub fn is_on(&self, time_s: f64) -> bool {
        envelope::gate(&self.pattern_s, time_s) > 0.0
    }

    /// A robot's beep, for as long as it is among the sources.
    pub fn tone(id: u64, position_m: [f64; 2], pitch_hz: f64, level: f64, through_walls: f64) -> Self {
        let kind = Kind::Tone { pitch_hz };
        Self { id, kind, position_m, level, through_walls, pattern_s: Vec::new() }
    }

    /// What comes from it at a moment of the world's time, -1..1 at its full level.
    pub(super) fn sample(&self, time_s: f64) -> f64 {
        let on = envelope::gate(&self.pattern_s, time_s);
        if on == 0.0 {
            return 0.0;
        }
        on * match self.kind {
            Kind::Voice => waveform::voice(time_s, self.id),
            Kind::Noise => waveform::noise(time_s, self.id),
            Kind::Tone { pitch_hz } => waveform::tone(time_s, pitch_hz),
        }
    }

    /// Its level at a distance, as a listener meets it.
    pub fn level_at(&self, distance_m: f64) -> f64 {
        let level = self.level.clamp(0.0, 1.0) * self.through_walls.clamp(0.0, 1.0);
        let level = level / distance_m.max(1.0);
        if level.is_finite() { level } else { 0.0 }
    }
}
