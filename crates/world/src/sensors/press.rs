//! Things that are pressed: by what the chassis runs into, or by a hand for a while.

use crate::physics::Touching;

/// Pressed when the air gap is smaller than this, metres.
const PRESS_M: f64 = 0.0006;

/// Released when it is larger than this, metres; the travel in between keeps it from chattering.
const RELEASE_M: f64 = 0.0015;

/// Part of the chassis's outline that one bumper covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumperArc {
    /// Direction of its middle, counter-clockwise from ahead.
    pub center_rad: f64,
    /// Half of its width.
    pub half_rad: f64,
}

impl BumperArc {
    /// Whether something presses this part; `pressed` is how it was before.
    pub fn feels(&self, touching: &[Touching], pressed: bool) -> bool {
        let gap_m = if pressed { RELEASE_M } else { PRESS_M };
        touching.iter().any(|point| {
            let direction = point.y_m.atan2(point.x_m);
            point.gap_m < gap_m
                && crate::geometry::wrap_angle(direction - self.center_rad).abs() <= self.half_rad
        })
    }
}

/// The state of one such sensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Press {
    pressed: bool,
    held_until_s: f64,
}

impl Press {
    /// Whether it is pressed now.
    pub fn is_pressed(&self) -> bool {
        self.pressed
    }

    /// Holds it pressed until a time of the world's clock.
    pub fn hold_until(&mut self, time_s: f64) {
        self.held_until_s = self.held_until_s.max(time_s);
    }

    /// Takes in what is so now; returns the new state if it changed.
    pub fn update(&mut self, felt: bool, time_s: f64) -> Option<bool> {
        let pressed = felt || time_s < self.held_until_s;
        let changed = pressed != self.pressed;
        self.pressed = pressed;
        changed.then_some(pressed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_feels_its_own_side_and_does_not_chatter() {
        let left = BumperArc { center_rad: 0.7, half_rad: 0.87 };
        let at = |y_m: f64, gap_m: f64| [Touching { x_m: 0.13, y_m, gap_m }];
        assert!(left.feels(&at(0.1, 0.0), false));
        assert!(!left.feels(&at(-0.1, 0.0), false));
        assert!(!left.feels(&at(0.1, 0.001), false) && left.feels(&at(0.1, 0.001), true));
    }

    #[test]
    fn reports_changes_only() {
        let mut press = Press::default();
        assert_eq!(press.update(false, 0.0), None);
        press.hold_until(1.0);
        assert_eq!(press.update(false, 0.5), Some(true));
        assert_eq!(press.update(true, 1.0), None);
        assert_eq!(press.update(false, 1.1), Some(false));
    }
}
