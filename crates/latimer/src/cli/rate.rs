//! How often something comes, and how regularly: the arithmetic of `ros2 topic hz`.

use std::collections::VecDeque;

/// Intervals that the figures are taken over.
const WINDOW: usize = 10_000;

/// The arrivals of one key.
#[derive(Debug, Default)]
pub(super) struct Rate {
    last_ns: Option<i64>,
    intervals_s: VecDeque<f64>,
}

/// Figures over the window.
#[derive(Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) rate_hz: f64,
    pub(super) min_s: f64,
    pub(super) max_s: f64,
    pub(super) std_dev_s: f64,
    pub(super) window: usize,
}

impl Rate {
    /// Takes one arrival into account.
    pub(super) fn arrived(&mut self, at_ns: i64) {
        if let Some(last_ns) = self.last_ns.replace(at_ns) {
            if self.intervals_s.len() == WINDOW {
                self.intervals_s.pop_front();
            }
            self.intervals_s.push_back(at_ns.saturating_sub(last_ns).max(0) as f64 / 1e9);
        }
    }

    /// The figures; `None` until two arrived.
    pub(super) fn figures(&self) -> Option<Figures> {
        let window = self.intervals_s.len();
        if window == 0 {
            return None;
        }
        let count = window as f64;
        let mean = self.intervals_s.iter().sum::<f64>() / count;
        let variance = self.intervals_s.iter().map(|interval| (interval - mean).powi(2)).sum::<f64>() / count;
        Some(Figures {
            rate_hz: if mean > 0.0 { 1.0 / mean } else { f64::INFINITY },
            min_s: self.intervals_s.iter().copied().fold(f64::INFINITY, f64::min),
            max_s: self.intervals_s.iter().copied().fold(0.0, f64::max),
            std_dev_s: variance.sqrt(),
            window,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_known_series() {
        let mut rate = Rate::default();
        assert_eq!(rate.figures(), None);
        for at_ms in [0, 50, 100, 160, 200] {
            rate.arrived(at_ms * 1_000_000);
        }
        let figures = rate.figures().unwrap();
        assert!((figures.rate_hz - 20.0).abs() < 1e-9);
        assert_eq!((figures.min_s, figures.max_s, figures.window), (0.04, 0.06, 4));
        assert!((figures.std_dev_s - 0.007_071).abs() < 1e-5, "{figures:?}");
    }
}
