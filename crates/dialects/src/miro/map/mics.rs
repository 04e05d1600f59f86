//! `platform/mics`: what the ears hear.

use latimer_core::model::signal::Audio;

use super::sensors::Moment;
use crate::miro::wire::PlatformMics;

/// Samples a second, of each ear.
const RATE_HZ: u32 = 20_000;
/// Ears.
const EARS: u32 = 2;

/// What a MiRo would hear; nothing of a robot that hears in another form, since nothing is resampled.
pub fn mics_from_audio(audio: &Audio, at: Moment) -> Option<PlatformMics> {
    let Audio { sample_rate_hz, channels, samples } = audio;
    if (*sample_rate_hz, *channels) != (RATE_HZ, EARS) {
        return None;
    }
    let data = samples.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect();
    Some(PlatformMics { header: at.header("head"), msg_flags: 0, time_usec: at.usec, data })
}

/// What was heard.
pub fn audio_from_mics(mics: &PlatformMics) -> Audio {
    let PlatformMics { header: _, msg_flags: _, time_usec: _, data } = mics;
    let samples = data.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    Audio { sample_rate_hz: RATE_HZ, channels: EARS, samples }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_is_the_same_on_both_sides() {
        let samples: Vec<u8> = [-512_i16, 511, 0, 7].into_iter().flat_map(i16::to_le_bytes).collect();
        let audio = Audio { sample_rate_hz: 20_000, channels: 2, samples: samples.into() };
        let mics = mics_from_audio(&audio, Moment::default()).unwrap();
        assert_eq!(mics.data, [-512, 511, 0, 7]);
        assert_eq!(audio_from_mics(&mics), audio);
        assert_eq!(mics_from_audio(&Audio { sample_rate_hz: 16_000, ..audio }, Moment::default()), None);
    }
}
