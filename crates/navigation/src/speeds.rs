//! The speed of a robot.

/// A speed of the whole robot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speeds {
    /// Forward, m/s.
    pub linear_mps: f64,
    /// Counter-clockwise, rad/s.
    pub angular_radps: f64,
}

impl Speeds {
    /// Standing.
    pub const REST: Self = Self { linear_mps: 0.0, angular_radps: 0.0 };
}
