//! Waveforms as functions of time: the same moment always has the same value.

use std::f64::consts::TAU;

/// Harmonics of a voice, and how strong each is: an "a" more or less.
const HARMONICS: [f64; 10] = [0.55, 0.8, 0.7, 0.9, 0.75, 0.5, 0.32, 0.2, 0.14, 0.1];

/// How much [`HARMONICS`] add up to at most in practice.
const VOICE_PEAK: f64 = 3.2;

/// Syllables a second.
const SYLLABLES_HZ: f64 = 4.0;

/// Noise is made of layers that change so often a second, with such strengths; above is nothing.
const LAYERS: [(f64, f64); 4] = [(300.0, 0.3), (900.0, 0.35), (2_700.0, 0.4), (6_000.0, 0.35)];

/// A speaking person: each has a pitch of their own, and syllables that are never quite alike.
pub(super) fn voice(time_s: f64, seed: u64) -> f64 {
    let pitch_hz = 110.0 + 110.0 * unit(seed, 0);
    // The pitch sways; a phase that is a sum of sines stays smooth whatever the time.
    let sway = 1.2 * (TAU * 0.7 * time_s).sin() + 0.8 * (TAU * 1.9 * time_s).sin();
    let phase = TAU * (pitch_hz * time_s).fract() + sway;
    let sum: f64 = (1_u8..).zip(HARMONICS).map(|(n, strength)| strength * (f64::from(n) * phase).sin()).sum();
    let into = time_s * SYLLABLES_HZ;
    let syllable = (0.5 - 0.5 * (TAU * into.fract()).cos()).sqrt();
    let strength = 0.45 + 0.55 * unit(seed ^ 0x5eed, into.floor() as i64);
    sum / VOICE_PEAK * syllable * strength
}

/// A hiss with no more in it than 20 kHz sampling can hold.
pub(super) fn noise(time_s: f64, seed: u64) -> f64 {
    let layers = (0_u64..).zip(LAYERS);
    layers
        .map(|(i, (rate_hz, strength))| strength * wander(time_s * rate_hz, seed.wrapping_add(i << 32)))
        .sum()
}

/// A beep.
pub(super) fn tone(time_s: f64, pitch_hz: f64) -> f64 {
    (TAU * (pitch_hz * time_s).fract()).sin()
}

/// A smooth line through chance numbers in -1..1, one at each whole `at`.
fn wander(at: f64, seed: u64) -> f64 {
    let floor = at.floor();
    let (step, part) = (floor as i64, at - floor);
    let value = |i: i64| 2.0 * unit(seed, step + i) - 1.0;
    let (before, from, to, after) = (value(-1), value(0), value(1), value(2));
    // Catmull and Rom: goes through the numbers, without corners.
    let slope = to - before;
    let bend = 2.0 * before - 5.0 * from + 4.0 * to - after;
    let twist = 3.0 * (from - to) + after - before;
    from + 0.5 * part * (slope + part * (bend + part * twist))
}

/// A chance number in 0..1 for a place in a sequence.
pub(super) fn unit(seed: u64, place: i64) -> f64 {
    let mut z = seed.wrapping_add((place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_are_loud_enough_bounded_and_without_offset() {
        for wave in [voice, noise] {
            for start_s in [0.0, 86_400.0] {
                let samples: Vec<f64> =
                    (0..40_000).map(|i| wave(start_s + f64::from(i) / 20_000.0, 5)).collect();
                let mean = samples.iter().sum::<f64>() / 40_000.0;
                let rms = (samples.iter().map(|it| it * it).sum::<f64>() / 40_000.0).sqrt();
                let peak = samples.iter().fold(0.0_f64, |peak, it| peak.max(it.abs()));
                assert!(mean.abs() < 0.03 && (0.1..0.6).contains(&rms) && peak < 1.6, "{mean} {rms} {peak}");
            }
        }
    }

    #[test]
    fn each_voice_sounds_different() {
        assert_ne!(voice(1.03, 1), voice(1.03, 2));
        assert_ne!(noise(1.03, 1), noise(1.03, 2));
        assert_eq!(noise(1.03, 1), noise(1.03, 1));
    }
}
