//! A joint with a motor: goes to its target at a speed, never past its limits.

use latimer_core::model::signal::Joint;

/// A joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotor {
    min_rad: f64,
    max_rad: f64,
    max_radps: f64,
    position_rad: f64,
    target_rad: f64,
    speed_radps: f64,
    velocity_radps: f64,
}

impl JointMotor {
    /// A joint at 0 within limits given in degrees, with a greatest speed in degrees a second.
    pub fn degrees(min: f64, max: f64, speed: f64) -> Self {
        Self {
            min_rad: min.to_radians(),
            max_rad: max.to_radians(),
            max_radps: speed.to_radians(),
            position_rad: 0.0,
            target_rad: 0.0,
            speed_radps: 0.0,
            velocity_radps: 0.0,
        }
    }

    /// The same joint, at rest at an angle given in degrees.
    #[must_use]
    pub fn at_degrees(self, position: f64) -> Self {
        let position_rad = position.to_radians().clamp(self.min_rad, self.max_rad);
        Self { position_rad, target_rad: position_rad, ..self }
    }

    /// Where it is.
    pub fn position_rad(&self) -> f64 {
        self.position_rad
    }

    /// Whether it is on its way.
    pub fn is_moving(&self) -> bool {
        self.position_rad != self.target_rad
    }

    /// Sends it somewhere at a speed; both are held to what it can do.
    pub fn aim(&mut self, target_rad: f64, speed_radps: f64) {
        self.target_rad = target_rad.clamp(self.min_rad, self.max_rad);
        self.speed_radps = speed_radps.clamp(0.0, self.max_radps);
    }

    /// Sends it somewhere in a time, as fast as it can if that is too short.
    pub fn aim_within(&mut self, target_rad: f64, seconds: f64) {
        let way = target_rad.clamp(self.min_rad, self.max_rad) - self.position_rad;
        self.aim(target_rad, if seconds > 0.0 { way.abs() / seconds } else { self.max_radps });
    }

    /// The speed at a share of the greatest one, 0..1.
    pub fn speed_at(&self, ratio: f64) -> f64 {
        self.max_radps * ratio
    }

    /// Stays where it is.
    pub fn stop(&mut self) {
        self.target_rad = self.position_rad;
        self.velocity_radps = 0.0;
    }

    /// Moves for a step.
    pub fn step(&mut self, step_s: f64) {
        let way = self.target_rad - self.position_rad;
        let most = self.speed_radps * step_s;
        if way.abs() <= most || way == 0.0 {
            self.position_rad = self.target_rad;
            self.velocity_radps = 0.0;
        } else {
            self.position_rad += most.copysign(way);
            self.velocity_radps = self.speed_radps.copysign(way);
        }
    }

    /// One reading.
    pub fn read(&self) -> Joint {
        Joint { velocity_radps: Some(self.velocity_radps), ..Joint::hinge(self.position_rad) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_at_the_asked_speed_and_stops_at_its_limit() {
        let mut joint = JointMotor::degrees(-40.0, 26.0, 90.0);
        joint.aim(1.0, 0.2);
        for _ in 0..100 {
            joint.step(0.01);
        }
        assert!((joint.position_rad() - 0.2).abs() < 1e-9);
        assert_eq!(joint.read().velocity_radps, Some(0.2));
        for _ in 0..1_000 {
            joint.step(0.01);
        }
        assert!((joint.position_rad() - 26.0_f64.to_radians()).abs() < 1e-12);
        assert!(!joint.is_moving());
    }

    #[test]
    fn keeps_a_time_it_can_keep() {
        let mut joint = JointMotor::degrees(-90.0, 90.0, 90.0);
        joint.aim_within(1.0, 2.0);
        for _ in 0..199 {
            joint.step(0.01);
        }
        assert!(joint.is_moving());
        joint.step(0.01);
        joint.step(0.01);
        assert!(!joint.is_moving());
    }
}
