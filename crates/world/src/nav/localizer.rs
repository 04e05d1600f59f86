//! A model of localisation on a map: right while what is seen fits, and honestly wrong while it does not.
//!
//! ```text
//!            fits badly             fits badly for long · lose
//!  Tracking ───────────▶ Coasting ─────────────────────────────▶ Lost
//!     ▲  ◀── fits well ────┘                                      │ relocate
//!     │                                                           ▼
//!     ├──────────── 2 s, if the place fits ──────────────── Searching ──else──▶ Lost
//!     ├──────────── fits well where it believes to be ─────────────────────────── Lost
//!     ◀── a barcode is seen, from anywhere
//! ```
//!
//! While tracking, the belief is the truth with a little slow noise. Otherwise it moves on by odometry
//! from wherever it was, which may be wrong. Nothing here looks at the world: the true pose, odometry and
//! how well the scan fits at the believed pose are inputs of each step.

use crate::geometry::{Pose2, wrap_angle};
use crate::rng::Rng;

/// Below this quality the belief is no longer corrected, and from the second on it is again.
const POOR: f64 = 0.35;
const GOOD: f64 = 0.5;

/// How fast the quality follows the match, seconds.
const SMOOTH_S: f64 = 0.5;

/// How long odometry alone is trusted, seconds.
const COAST_S: f64 = 5.0;

/// How long a search over the whole map takes, seconds.
const SEARCH_S: f64 = 2.0;

/// How far odometry may have gone astray and still be pulled right, metres and radians.
const PULL_M: f64 = 0.5;
const PULL_RAD: f64 = 0.35;

/// Standard deviations of the noise while tracking, and how slowly it changes, seconds.
const NOISE_M: f64 = 0.008;
const NOISE_RAD: f64 = 0.003;
const NOISE_S: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fix {
    Tracking,
    Coasting { since_s: f64 },
    Lost,
    Searching { until_s: f64, quality: f64 },
}

/// Inputs of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalizerStep {
    /// The world's clock, seconds.
    pub time_s: f64,
    /// Length of the step, seconds.
    pub step_s: f64,
    /// Where the robot truly is.
    pub truth: Pose2,
    /// How odometry says that it moved in this step, in the frame that the step began in.
    pub moved: Pose2,
    /// How well the newest scan fits at the believed pose, 0..1; `None` without a new one.
    pub match_ratio: Option<f64>,
}

/// The localisation.
#[derive(Clone, Debug)]
pub struct Localizer {
    belief: Pose2,
    fix: Fix,
    quality: f64,
    /// How well scans fitted last.
    matched: f64,
    /// Off the truth: forward and left on the map, metres, and heading.
    noise: [f64; 3],
    rng: Rng,
}

impl Localizer {
    /// Standard deviation of a pose from scans, metres.
    pub const SIGMA_M: f64 = NOISE_M;

    /// A localisation that knows where it is.
    pub fn new(at: Pose2, rng: Rng) -> Self {
        Self { belief: at, fix: Fix::Tracking, quality: 1.0, matched: 1.0, noise: [0.0; 3], rng }
    }

    /// Where the robot believes to be.
    pub fn pose(&self) -> Pose2 {
        self.belief
    }

    /// How well it knows, 0..1.
    pub fn quality(&self) -> f64 {
        self.quality
    }

    /// Whether the pose is any good.
    pub fn is_reliable(&self) -> bool {
        matches!(self.fix, Fix::Tracking | Fix::Coasting { .. })
    }

    /// How well the newest scan fitted, 0..1.
    pub fn matched(&self) -> f64 {
        self.matched
    }

    /// Whether a scan fits well enough to localize the robot.
    pub fn is_good(match_ratio: f64) -> bool {
        match_ratio >= GOOD
    }

    /// Takes over a pose from a mark; if the mark was wrong, scans will not fit there.
    pub fn trust(&mut self, believed: Pose2, truth: Pose2, time_s: f64) {
        self.belief = believed;
        if self.is_near(truth) {
            self.see_landmark(truth);
        } else {
            (self.fix, self.quality, self.matched) = (Fix::Coasting { since_s: time_s }, 1.0, 1.0);
        }
    }

    /// Whether it searches the whole map just now.
    pub fn is_searching(&self) -> bool {
        matches!(self.fix, Fix::Searching { .. })
    }

    /// The robot is carried away, or begins with a wrong idea: it believes to be at the given pose.
    pub fn lose(&mut self, believed: Pose2) {
        (self.belief, self.fix, self.quality, self.matched) = (believed, Fix::Lost, 0.0, 0.0);
    }

    /// Begins a search over the whole map; `quality` is how well scans fit where the robot truly is.
    pub fn relocate(&mut self, quality: f64, time_s: f64) {
        self.fix = Fix::Searching { until_s: time_s + SEARCH_S, quality };
    }

    /// Something that is in one place only is seen, a barcode or the charger: the pose is known at once.
    pub fn see_landmark(&mut self, truth: Pose2) {
        (self.belief, self.fix, self.quality, self.matched) = (truth, Fix::Tracking, 1.0, 1.0);
        self.noise = [0.0; 3];
    }

    /// Lives through a step.
    pub fn step(&mut self, now: &LocalizerStep) {
        self.matched = now.match_ratio.unwrap_or(self.matched);
        self.quality += (self.matched - self.quality) * (now.step_s / SMOOTH_S).clamp(0.0, 1.0);
        let [x_m, y_m] = self.belief.point_out(now.moved.x_m, now.moved.y_m);
        self.belief = Pose2::new(x_m, y_m, wrap_angle(self.belief.yaw_rad + now.moved.yaw_rad));
        self.fix = match self.fix {
            Fix::Tracking if self.quality < POOR => Fix::Coasting { since_s: now.time_s },
            Fix::Coasting { .. } if self.quality >= GOOD && self.is_near(now.truth) => Fix::Tracking,
            // It is where it believes to be after all: a pose that was given from outside is right.
            Fix::Lost if self.quality >= GOOD && self.is_near(now.truth) => Fix::Tracking,
            Fix::Coasting { since_s } if now.time_s - since_s > COAST_S => Fix::Lost,
            Fix::Searching { until_s, quality } if now.time_s >= until_s => self.found(now.truth, quality),
            fix => fix,
        };
        if self.fix == Fix::Tracking {
            self.track(now);
        }
    }

    fn is_near(&self, truth: Pose2) -> bool {
        self.belief.distance_to(truth.x_m, truth.y_m) < PULL_M
            && wrap_angle(self.belief.yaw_rad - truth.yaw_rad).abs() < PULL_RAD
    }

    fn found(&mut self, truth: Pose2, quality: f64) -> Fix {
        if quality < GOOD {
            return Fix::Lost;
        }
        (self.belief, self.quality, self.matched) = (truth, quality, quality);
        Fix::Tracking
    }

    fn track(&mut self, now: &LocalizerStep) {
        // An Ornstein-Uhlenbeck process: its width stays, and it changes slowly enough to be steered by.
        let fade = (now.step_s / NOISE_S).clamp(0.0, 1.0);
        let fresh = (2.0 * fade - fade * fade).sqrt();
        for (noise, sigma) in self.noise.iter_mut().zip([NOISE_M, NOISE_M, NOISE_RAD]) {
            *noise += self.rng.normal(sigma * fresh) - *noise * fade;
        }
        let [x, y, yaw] = self.noise;
        let truth = now.truth;
        self.belief = Pose2::new(truth.x_m + x, truth.y_m + y, wrap_angle(truth.yaw_rad + yaw));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP_S: f64 = 0.01;

    struct Walk {
        localizer: Localizer,
        truth: Pose2,
        time_s: f64,
    }

    impl Walk {
        fn new() -> Self {
            let truth = Pose2::new(1.0, 1.0, 0.0);
            Self { localizer: Localizer::new(truth, Rng::new(9)), truth, time_s: 0.0 }
        }

        /// East at 0.1 m/s; calls back after each step.
        fn run(&mut self, seconds: f64, match_ratio: f64, mut after: impl FnMut(&Self)) {
            for _ in 0..(seconds / STEP_S) as u32 {
                self.time_s += STEP_S;
                self.truth.x_m += 0.001;
                self.localizer.step(&LocalizerStep {
                    time_s: self.time_s,
                    step_s: STEP_S,
                    truth: self.truth,
                    moved: Pose2::new(0.001, 0.0, 0.0),
                    match_ratio: Some(match_ratio),
                });
                after(self);
            }
        }

        fn off_m(&self) -> f64 {
            self.localizer.pose().distance_to(self.truth.x_m, self.truth.y_m)
        }
    }

    #[test]
    fn while_scans_fit_the_belief_is_near_the_truth_and_never_still() {
        let (mut walk, mut squares, mut count) = (Walk::new(), 0.0, 0.0);
        walk.run(500.0, 0.95, |walk| {
            squares += (walk.localizer.pose().x_m - walk.truth.x_m).powi(2);
            count += 1.0;
        });
        let sigma = (squares / count).sqrt();
        assert!((sigma / NOISE_M - 1.0).abs() < 0.2, "{sigma}");
        assert!(walk.localizer.is_reliable() && (walk.localizer.quality() - 0.95).abs() < 0.01);
    }

    #[test]
    fn the_lost_go_on_from_where_they_believe_to_be_until_they_search() {
        let mut walk = Walk::new();
        walk.localizer.lose(Pose2::new(3.0, 3.0, 0.0));
        walk.run(1.0, 0.1, |_| {});
        assert!(!walk.localizer.is_reliable() && (walk.localizer.pose().x_m - 3.1).abs() < 1e-9);
        walk.localizer.relocate(0.9, walk.time_s);
        walk.run(1.9, 0.1, |walk| assert!(!walk.localizer.is_reliable()));
        walk.run(0.2, 0.9, |_| {});
        assert!(walk.localizer.is_reliable() && walk.off_m() < 0.05);
    }

    #[test]
    fn a_search_where_nothing_fits_finds_nothing_but_a_landmark_does() {
        let mut walk = Walk::new();
        walk.localizer.lose(Pose2::new(3.0, 3.0, 0.0));
        walk.localizer.relocate(0.2, 0.0);
        walk.run(3.0, 0.1, |_| {});
        assert!(!walk.localizer.is_reliable() && !walk.localizer.is_searching());
        walk.localizer.see_landmark(walk.truth);
        assert!(walk.localizer.is_reliable() && walk.off_m() < 1e-9);
    }

    #[test]
    fn a_crowd_is_coasted_through_if_it_is_short() {
        let mut walk = Walk::new();
        walk.run(3.0, 0.1, |_| {});
        assert!(walk.localizer.is_reliable() && walk.localizer.quality() < 0.2);
        walk.run(3.0, 0.9, |_| {});
        assert!(walk.localizer.is_reliable() && walk.off_m() < 0.05);
        walk.run(7.0, 0.1, |_| {});
        assert!(!walk.localizer.is_reliable());
    }
}
