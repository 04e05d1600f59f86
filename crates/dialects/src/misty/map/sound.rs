//! SourceTrackDataMessage and SourceFocusConfigMessage: where sounds come from.
//!
//! | wire | model |
//! |---|---|
//! | `degreeOfArrivalSpeech`, `degreeOfArrivalNoise`, degrees 0..360 | `sound_source`, rad within ±π |
//! | `timeOffset`, ms | `offset_s` |
//! | `voiceActivityPolar`, 360 of 0..255 | `activity_ratio` |
//! | `voiceActivitySectors` | `sectors_active` |
//! | `gainStep`, `sectorsEnabled` | `sound_focus` |
//! | `sectorStartAngles`, degrees 0..360 | `sector_starts_rad`, 0..2π: bounds of a circle, not directions |
//!
//! 0 is ahead, and angles count counter-clockwise: of the four sectors, the one from 315 to 45 looks forward. Neither
//! message carries a time.

use latimer_core::model::signal::{SoundFocus, SoundSource};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::units::{
    byte_from_ratio, deg360_from_rad, ms_from_s, ratio_from_byte, s_from_ms, wrapped_rad_from_deg,
};
use crate::misty::wire::Extra;
use crate::misty::wire::audio::{SourceFocusConfigMessage, SourceTrackDataMessage};

/// Directions in `voiceActivityPolar`.
const DIRECTIONS: usize = 360;

/// Where sounds come from.
pub(super) fn heard_from_source_track(message: &SourceTrackDataMessage, received: Timestamp) -> Received {
    let SourceTrackDataMessage {
        degree_of_arrival_noise,
        degree_of_arrival_speech,
        time_offset,
        voice_activity_polar,
        voice_activity_sectors,
        extra: _,
    } = message;
    let polar = voice_activity_polar.iter().flatten();
    Received::new(
        None,
        Stamp::gateway(received),
        SoundSource {
            speech_bearing_rad: degree_of_arrival_speech.map(wrapped_rad_from_deg),
            noise_bearings_rad: degree_of_arrival_noise
                .iter()
                .flatten()
                .copied()
                .map(wrapped_rad_from_deg)
                .collect(),
            offset_s: time_offset.map(s_from_ms),
            activity_ratio: polar.map(|byte| ratio_from_byte(*byte)).collect(),
            sectors_active: voice_activity_sectors.clone().unwrap_or_default(),
        },
    )
}

/// A message about where sounds come from.
pub(super) fn source_track_from_sound_source(source: &SoundSource) -> SourceTrackDataMessage {
    let SoundSource { speech_bearing_rad, noise_bearings_rad, offset_s, activity_ratio, sectors_active } =
        source;
    SourceTrackDataMessage {
        degree_of_arrival_noise: Some(degrees_from_rad(noise_bearings_rad)),
        degree_of_arrival_speech: speech_bearing_rad.and_then(deg360_from_rad),
        time_offset: offset_s.and_then(ms_from_s),
        voice_activity_polar: Some(polar_from_activity(activity_ratio)),
        voice_activity_sectors: Some(sectors_active.clone()),
        extra: Extra::new(),
    }
}

/// Every client counts on 360 directions, so a coarser or finer robot's are spread over those.
fn polar_from_activity(activity_ratio: &[f64]) -> Vec<u8> {
    match activity_ratio.len() {
        0 | DIRECTIONS => activity_ratio.iter().copied().map(byte_from_ratio).collect(),
        steps => (0..DIRECTIONS)
            .map(|degree| (degree * steps + DIRECTIONS / 2) / DIRECTIONS % steps)
            .map(|nearest| byte_from_ratio(activity_ratio[nearest]))
            .collect(),
    }
}

/// How the sound localisation is set up.
pub(super) fn heard_from_source_focus(message: &SourceFocusConfigMessage, received: Timestamp) -> Received {
    let SourceFocusConfigMessage { gain_step, sectors_enabled, sector_start_angles, extra: _ } = message;
    Received::new(
        None,
        Stamp::gateway(received),
        SoundFocus {
            gain_step: *gain_step,
            sectors_enabled: sectors_enabled.clone().unwrap_or_default(),
            sector_starts_rad: sector_start_angles.iter().flatten().copied().map(f64::to_radians).collect(),
        },
    )
}

/// A message about how the sound localisation is set up.
pub(super) fn source_focus_from_sound_focus(focus: &SoundFocus) -> SourceFocusConfigMessage {
    let SoundFocus { gain_step, sectors_enabled, sector_starts_rad } = focus;
    SourceFocusConfigMessage {
        gain_step: *gain_step,
        sectors_enabled: Some(sectors_enabled.clone()),
        sector_start_angles: Some(degrees_from_rad(sector_starts_rad)),
        extra: Extra::new(),
    }
}

fn degrees_from_rad(angles_rad: &[f64]) -> Vec<f64> {
    angles_rad.iter().copied().filter_map(deg360_from_rad).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_microphones_are_spread_over_the_circle() {
        let polar = polar_from_activity(&[1.0, 0.0, 0.2, 0.4]);
        assert_eq!(polar.len(), DIRECTIONS);
        assert_eq!([polar[0], polar[44], polar[359]], [255; 3], "ahead");
        assert_eq!([polar[45], polar[134]], [0; 2], "left");
        assert_eq!([polar[135], polar[224]], [51; 2], "behind");
        assert_eq!([polar[225], polar[314]], [102; 2], "right");
        assert_eq!(polar_from_activity(&[]), [0; 0]);
        assert_eq!(polar_from_activity(&vec![f64::NAN; 10_000]), vec![0; DIRECTIONS]);
    }
}
