//! The lamps: a pattern of one colour that runs over them, or a colour for each.
//!
//! ```text
//! level of lamp i = off + amp · (1 + cos(2π (phase + i · dphase) / 256)) / 2, at most max_drive
//! colour of lamp i = rgb · level / 255
//! ```
//!
//! The names of the parameters are published, not what they do. Programs of the maker keep `dphase` at 64 and let `phase` run
//! from 0 to 255 by themselves, so the one is taken for the way from lamp to lamp and the other for where the wave stands.
//! `max_drive` 0 is no pattern; without a pattern `lights_raw` counts: red, green, blue of each lamp.

use std::f64::consts::TAU;

/// Parameters of the pattern, as on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::miro) struct Pattern {
    pub(in crate::miro) max_drive: u8,
    pub(in crate::miro) dphase: u8,
    pub(in crate::miro) phase: u8,
    pub(in crate::miro) amp: u8,
    pub(in crate::miro) off: i16,
    pub(in crate::miro) rgb: [u8; 3],
}

/// The colours of six lamps.
pub(in crate::miro) fn lamps(pattern: &Pattern, raw: &[u8; 18]) -> [[u8; 3]; 6] {
    let runs = pattern.max_drive > 0 && (pattern.amp > 0 || pattern.off > 0);
    std::array::from_fn(|lamp| {
        if runs {
            return of_pattern(pattern, lamp);
        }
        std::array::from_fn(|colour| raw.get(lamp * 3 + colour).copied().unwrap_or(0))
    })
}

fn of_pattern(pattern: &Pattern, lamp: usize) -> [u8; 3] {
    let steps = f64::from(pattern.phase) + lamp as f64 * f64::from(pattern.dphase);
    let wave = (1.0 + (TAU * steps / 256.0).cos()) / 2.0;
    let level = f64::from(pattern.off) + f64::from(pattern.amp) * wave;
    let level = level.clamp(0.0, f64::from(pattern.max_drive));
    pattern.rgb.map(|colour| (f64::from(colour) * level / 255.0).round().clamp(0.0, 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Pattern =
        Pattern { max_drive: 255, dphase: 64, phase: 0, amp: 254, off: 0, rgb: [255, 0, 100] };

    fn reds(pattern: &Pattern) -> [u8; 6] {
        lamps(pattern, &[9; 18]).map(|[red, ..]| red)
    }

    #[test]
    fn a_wave_runs_from_lamp_to_lamp() {
        assert_eq!(reds(&RED), [254, 127, 0, 127, 254, 127]);
        assert_eq!(lamps(&RED, &[0; 18])[0], [254, 0, 100]);
        let later = Pattern { phase: 64, ..RED };
        assert_eq!(reds(&later), [127, 0, 127, 254, 127, 0], "one lamp further");
        assert_eq!(reds(&Pattern { phase: 128, dphase: 0, ..RED }), [0; 6]);
    }

    #[test]
    fn the_drive_is_limited_and_a_wave_swings_about_its_offset() {
        assert_eq!(reds(&Pattern { max_drive: 100, ..RED }), [100, 100, 0, 100, 100, 100]);
        assert_eq!(reds(&Pattern { amp: 0, off: 50, ..RED }), [50; 6]);
        assert_eq!(reds(&Pattern { off: 255, ..RED }), [255; 6], "no overflow");
        assert_eq!(reds(&Pattern { off: -100, ..RED }), [154, 27, 0, 27, 154, 27], "below zero is dark");
    }

    #[test]
    fn without_a_pattern_each_lamp_has_its_colour() {
        let raw = std::array::from_fn(|i| i as u8);
        let own = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17]];
        assert_eq!(lamps(&Pattern::default(), &raw), own);
        assert_eq!(lamps(&Pattern { max_drive: 127, rgb: [255; 3], ..Pattern::default() }, &raw), own);
        assert_eq!(lamps(&Pattern { max_drive: 0, ..RED }, &raw), own);
    }
}
