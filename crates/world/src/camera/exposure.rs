//! What a sensor makes of little light: it amplifies, which shows its noise, and it takes its time.

use super::picture::Picture;

/// Mean brightness that a camera aims at.
const MID_GREY: f64 = 110.0;

/// Greatest amplification.
const MAX_GAIN: f64 = 4.0;

/// Noise before amplification, in steps of a pixel.
const NOISE: f64 = 1.6;

/// Pictures a second that full light allows.
const FULL_LIGHT_RATE: f64 = 60.0;

/// Slowest rate that a camera falls back to, pictures a second.
const SLOWEST_RATE: f64 = 5.0;

impl Picture {
    /// The picture as a sensor gives it: too dark ones are brightened and get noisy by a seed.
    pub fn expose(&mut self, seed: u64) {
        let sum: u64 = self.rgb.iter().map(|part| u64::from(*part)).sum();
        let mean = sum as f64 / self.rgb.len().max(1) as f64;
        let gain = (MID_GREY / mean.max(1.0)).clamp(1.0, MAX_GAIN);
        if gain == 1.0 {
            return;
        }
        let (gain, noise) = (gain as f32, (NOISE * (gain - 1.0)) as f32);
        let mut state = seed;
        for part in &mut self.rgb {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            // Two even numbers added have about the shape of noise, and are quick.
            let (one, two) = ((state >> 40) as u16 & 0xfff, (state >> 52) as u16);
            let grain = (f32::from(one) + f32::from(two)) / 4_096.0 - 1.0;
            *part = (f32::from(*part) * gain + grain * noise * 2.4 + 0.5) as u8;
        }
    }
}

/// The rate that a camera reaches, pictures a second: less than asked for where light (0..1, as
/// [`super::Lighting::at`] tells) is too little for so short an exposure.
pub fn exposed_rate(target_fps: f64, light: f64) -> f64 {
    let possible = (light.max(0.0) * FULL_LIGHT_RATE).max(SLOWEST_RATE);
    target_fps.min(possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dark_is_slow_bright_and_noisy() {
        assert_eq!(exposed_rate(15.0, 1.0), 15.0);
        assert_eq!(exposed_rate(30.0, 0.2), 12.0);
        assert_eq!(exposed_rate(30.0, 0.0), 5.0);
        assert_eq!(exposed_rate(2.0, f64::NAN), 2.0);
        let grey = |level: u8| Picture { width: 40, height: 30, rgb: vec![level; 3_600] };
        let exposed = |level: u8| {
            let mut picture = grey(level);
            picture.expose(7);
            picture
        };
        assert_eq!(exposed(120), grey(120));
        let dark = exposed(20);
        let mean = dark.rgb.iter().map(|it| f64::from(*it)).sum::<f64>() / 3_600.0;
        assert!((mean - 80.0).abs() < 3.0, "four times as bright, not more: {mean}");
        assert!(dark.rgb.iter().any(|it| *it != dark.rgb[0]), "noise");
        assert_eq!(dark, exposed(20));
    }
}
