//! How long to wait before another try.

use std::time::Duration;

/// A first wait that doubles up to a cap, then anything from half of that to all of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backoff {
    /// After the first failure.
    pub first: Duration,
    /// At most.
    pub cap: Duration,
}

impl Backoff {
    /// The wait after so many failures in a row; `random` from 0 to 1 keeps many from trying at the same moment.
    pub(super) fn wait(self, failures: u32, random: f64) -> Duration {
        let doubled = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
        let longest = self.first.saturating_mul(doubled).min(self.cap);
        longest.mul_f64(0.5 + 0.5 * random.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff { first: Duration::from_millis(100), cap: Duration::from_secs(5) };

    #[test]
    fn waits_double_up_to_the_cap() {
        let waits = [1, 2, 3, 4, 6, 7, 40, u32::MAX].map(|failures| BACKOFF.wait(failures, 1.0).as_millis());
        assert_eq!(waits, [100, 200, 400, 800, 3200, 5000, 5000, 5000]);
    }

    #[test]
    fn chance_takes_up_to_half_of_it() {
        assert_eq!(BACKOFF.wait(1, 0.0), Duration::from_millis(50));
        assert_eq!(BACKOFF.wait(1, 0.5), Duration::from_millis(75));
        assert_eq!(BACKOFF.wait(1, 7.0), Duration::from_millis(100));
    }
}
