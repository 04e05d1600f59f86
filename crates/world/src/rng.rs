//! Repeatable chance: the same seed gives the same noise in every version of every dependency.

/// A small generator (SplitMix64), good for noise and choices, not for secrets.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator of its own for something that has a name, so that one robot's noise does not
    /// depend on how many others there are.
    #[must_use]
    pub fn of(seed: u64, name: &str) -> Self {
        // FNV-1a: stable, unlike the standard library's hasher.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut rng = Self(seed ^ hash);
        rng.bits();
        rng
    }

    /// 64 fresh bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Bell-shaped about 0 with a standard deviation; never beyond 3.5 of them.
    pub fn normal(&mut self, sigma: f64) -> f64 {
        // Four even numbers added: variance 4/12, hence the factor.
        let sum: f64 = (0..4).map(|_| self.between(-0.5, 0.5)).sum();
        sum * sigma * 3.0_f64.sqrt()
    }

    /// True with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_asked_width_and_no_offset() {
        let mut rng = Rng::of(7, "misty-1");
        let samples: Vec<f64> = (0..20_000).map(|_| rng.normal(2.0)).collect();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / samples.len() as f64;
        assert!(mean.abs() < 0.05, "{mean}");
        assert!((variance.sqrt() - 2.0).abs() < 0.05, "{variance}");
        assert!(samples.iter().all(|x| x.abs() <= 7.0));
    }

    #[test]
    fn names_have_streams_of_their_own() {
        assert_ne!(Rng::of(7, "a").bits(), Rng::of(7, "b").bits());
        assert_eq!(Rng::of(7, "a").bits(), Rng::of(7, "a").bits());
    }
}
