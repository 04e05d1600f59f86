//! Two microphones, left and right: what they give as samples.

use super::arrival::{Arrival, arrive};
use super::source::Source;
use super::waveform::unit;
use crate::geometry::Pose2;

/// Samples a second and ear.
pub const SAMPLE_RATE_HZ: f64 = 20_000.0;

/// Hiss of the microphones themselves, of full scale.
const FLOOR: f64 = 0.001;

/// Loudness at which samples are not yet at their ends, of full scale.
const HEADROOM: f64 = 0.6;

/// Longest frame, samples an ear.
const MAX_SAMPLES: usize = 200_000;

/// How fine the samples are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// The whole range of 16 bits.
    #[default]
    Sixteen,
    /// One 10-bit converter's -512..=511, so that a division by 512 gives -1..1. It samples the ears in turn, at twice the rate.
    Ten,
}

/// Two microphones of one robot.
///
/// It remembers how each source arrived at the end of the last frame and goes on from there: a robot that
/// turns, a door that closes or a sound that is there no more makes no click.
#[derive(Clone, Debug)]
pub struct Ears {
    spacing_m: f64,
    resolution: Resolution,
    seed: u64,
    heard: Vec<(Source, Arrival)>,
    /// Samples given so far.
    count: i64,
}

/// A source on its way through a frame.
struct Way<'a> {
    source: &'a Source,
    from: Arrival,
    to: Arrival,
}

impl Ears {
    /// Microphones so far from each other; the seed is that of their own hiss.
    pub fn new(spacing_m: f64, resolution: Resolution, seed: u64) -> Self {
        Self { spacing_m, resolution, seed, heard: Vec::new(), count: 0 }
    }

    /// The next frame: so many samples an ear, left and right in turn, the left ear's first one at a time of the
    /// world's clock. At its end the head is at the given pose, between the two ears.
    pub fn hear(&mut self, sources: &[Source], head: Pose2, start_s: f64, samples: usize) -> Vec<i16> {
        let samples = samples.min(MAX_SAMPLES);
        let known = if head.is_finite() && start_s.is_finite() { sources } else { &[] };
        let now: Vec<(Source, Arrival)> =
            known.iter().map(|source| (source.clone(), arrive(source, head, self.spacing_m))).collect();
        let mut sums = vec![0.0; samples * 2];
        for way in ways(&self.heard, &now) {
            way.add([start_s, start_s + self.resolution.right_later_s()], &mut sums);
        }
        let frame = sums.iter().map(|sum| {
            self.count += 1;
            let hiss = FLOOR * (2.0 * unit(self.seed, self.count) - 1.0);
            self.resolution.sample(sum * HEADROOM + hiss)
        });
        let frame = frame.collect();
        self.heard = now;
        frame
    }
}

impl Resolution {
    /// How much later than the left ear's samples the right ear's are taken.
    const fn right_later_s(self) -> f64 {
        match self {
            Self::Sixteen => 0.0,
            Self::Ten => 0.5 / SAMPLE_RATE_HZ,
        }
    }

    fn sample(self, value: f64) -> i16 {
        // The casts hold what is too loud at the ends.
        match self {
            Self::Sixteen => (value * 32_767.0).round() as i16,
            Self::Ten => ((value * 512.0).round() as i16).clamp(-512, 511),
        }
    }
}

/// Pairs the sources of the last block with those of this one: new ones fade in, removed ones fade out.
fn ways<'a>(before: &'a [(Source, Arrival)], now: &'a [(Source, Arrival)]) -> impl Iterator<Item = Way<'a>> {
    let find = |all: &'a [(Source, Arrival)], id: u64| all.iter().find(|(source, _)| source.id == id);
    let silent = |arrival: Arrival| Arrival { gain: [0.0; 2], ..arrival };
    let here = now.iter().map(move |(source, to)| {
        let from = find(before, source.id).map_or(silent(*to), |(_, from)| *from);
        Way { source, from, to: *to }
    });
    let gone = before.iter().filter(move |(source, _)| find(now, source.id).is_none());
    here.chain(gone.map(move |(source, from)| Way { source, from: *from, to: silent(*from) }))
}

impl Way<'_> {
    /// Adds the source to both ears' sums; each ear's first sample has a time of its own.
    fn add(&self, start_s: [f64; 2], sums: &mut [f64]) {
        let count = sums.len() as f64 / 2.0;
        for (ear, start_s) in start_s.into_iter().enumerate() {
            let (from, to) = (self.from, self.to);
            if from.gain[ear] == 0.0 && to.gain[ear] == 0.0 {
                continue;
            }
            for (i, sum) in sums.iter_mut().skip(ear).step_by(2).enumerate() {
                let part = i as f64 / count;
                let delay_s = from.delay_s[ear] + part * (to.delay_s[ear] - from.delay_s[ear]);
                let gain = from.gain[ear] + part * (to.gain[ear] - from.gain[ear]);
                *sum += gain * self.source.sample(start_s + i as f64 / SAMPLE_RATE_HZ - delay_s);
            }
        }
    }
}
