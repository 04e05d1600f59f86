//! Pushes: a point of a link is to move, and joints and wheels give way as little as they need to.
//!
//! The change of the point by each joint and by the wheels is the Jacobian; the least of all changes that move the point is found by
//! damped least squares. A joint at its limit does not give way any further, and the rest do it.

use latimer_core::model::{Push, PushWay};

use crate::bodies::miro::neck::{Angles, links};
use crate::bodies::miro::parts::JOINTS;

/// The links by name, from the wheels on.
const LINKS: [&str; 5] = ["foot", "body", "neck", "gimbal", "head"];

/// How long an impulse takes, seconds (plausible).
pub(super) const IMPULSE_S: f64 = 0.5;

/// The sonar weakens pushes of the head from the second of these distances on, and ends them at the first, metres (published: 10
/// and 60 times 5 mm).
pub(super) const SONAR_M: [f64; 2] = [0.05, 0.3];

/// Most pushes at a time, and the fastest, m/s.
pub(super) const MOST: usize = 8;
pub(super) const FASTEST_MPS: f64 = 2.0;

/// What gives way: lift, yaw, pitch, forward, turn; and how easily each does (plausible: the neck before the wheels).
const WAYS: usize = 5;
const EASE: [f64; WAYS] = [1.0, 1.0, 1.0, 0.1, 0.3];

/// Damping, m/s: where no way leads, none is taken.
const DAMPING_M: f64 = 0.02;

/// A small angle for differences, radians.
const SMALL_RAD: f64 = 1e-4;

/// How joints and wheels give way, rad/s and m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::bodies::miro) struct Yield {
    pub(in crate::bodies::miro) lift_radps: f64,
    pub(in crate::bodies::miro) yaw_radps: f64,
    pub(in crate::bodies::miro) pitch_radps: f64,
    pub(in crate::bodies::miro) forward_mps: f64,
    pub(in crate::bodies::miro) turn_radps: f64,
}

/// Whether wheels may give way: forward, and turning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wheels {
    pub(super) forward: bool,
    pub(super) turn: bool,
}

/// The number of a link.
pub(super) fn link(name: &str) -> Option<usize> {
    LINKS.iter().position(|known| *known == name)
}

/// How a push is given way to.
pub(super) fn give_way(push: &Push, angles: Angles, wheels: Wheels) -> Yield {
    let Some(link) = link(push.link.as_str()) else { return Yield::default() };
    let place = |angles: Angles| links(angles)[link].point_out(push.point_m);
    let wanted = match push.way {
        PushWay::Impulse(by_m) => by_m.map(|it| it / IMPULSE_S),
        PushWay::Velocity(by_mps) => by_mps,
    };
    let axes = links(angles)[link];
    let wanted: [f64; 3] =
        std::array::from_fn(|row| (0..3).map(|k| axes.turn[row][k] * wanted[k]).sum::<f64>());
    let [here_x, here_y, _] = place(angles);
    let by = |turned: Angles| {
        let (there, here) = (place(turned), place(angles));
        std::array::from_fn::<f64, 3, _>(|i| (there[i] - here[i]) / SMALL_RAD)
    };
    let columns = [
        by(Angles { lift: angles.lift + SMALL_RAD, ..angles }),
        by(Angles { yaw: angles.yaw + SMALL_RAD, ..angles }),
        by(Angles { pitch: angles.pitch + SMALL_RAD, ..angles }),
        [1.0, 0.0, 0.0],
        [-here_y, here_x, 0.0],
    ];
    let mut free = [true, true, true, wheels.forward && !push.on_the_spot, wheels.turn];
    let positions = [angles.lift, angles.yaw, angles.pitch];
    let mut rates = solve(&columns, free, wanted);
    for (i, position) in positions.into_iter().enumerate() {
        let (_, low, high, ..) = JOINTS[i + 1];
        let (low, high) = (low.to_radians() + 1e-6, high.to_radians() - 1e-6);
        free[i] = if rates[i] < 0.0 { position > low } else { position < high };
    }
    rates = solve(&columns, free, wanted);
    let [lift_radps, yaw_radps, pitch_radps, forward_mps, turn_radps] = rates;
    Yield { lift_radps, yaw_radps, pitch_radps, forward_mps, turn_radps }
}

/// Damped least squares with weights: E Jᵀ (J E Jᵀ + d²)⁻¹ v.
fn solve(columns: &[[f64; 3]; WAYS], free: [bool; WAYS], wanted: [f64; 3]) -> [f64; WAYS] {
    let ease: [f64; WAYS] = std::array::from_fn(|i| if free[i] { EASE[i] } else { 0.0 });
    let matrix: [[f64; 3]; 3] = std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let sum: f64 = (0..WAYS).map(|i| columns[i][row] * ease[i] * columns[i][column]).sum();
            sum + if row == column { DAMPING_M * DAMPING_M } else { 0.0 }
        })
    });
    let force = invert(matrix, wanted);
    std::array::from_fn(|i| ease[i] * (0..3).map(|k| columns[i][k] * force[k]).sum::<f64>())
}

/// The solution of three equations, by Cramer's rule; the matrix is positive definite.
fn invert(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let determinant = |m: [[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(m);
    std::array::from_fn(|column| {
        let mut replaced = m;
        for (row, value) in replaced.iter_mut().zip(v) {
            row[column] = value;
        }
        determinant(replaced) / whole
    })
}

#[cfg(test)]
mod tests {
    use latimer_core::PartName;

    use super::*;

    const BOTH: Wheels = Wheels { forward: true, turn: true };

    fn first() -> Angles {
        let [tilt, lift, yaw, pitch] = JOINTS.map(|(_, _, _, first, _)| first.to_radians());
        Angles { tilt, lift: lift + 0.3, yaw, pitch: pitch + 0.1 }
    }

    fn nose(way: PushWay) -> Push {
        Push { link: PartName::of("head"), point_m: [0.1, 0.0, 0.0], way, on_the_spot: false }
    }

    #[test]
    fn the_point_goes_where_it_is_pushed() {
        for by in [[0.0, 0.1, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, -0.05]] {
            let angles = first();
            let gives = give_way(&nose(PushWay::Velocity(by)), angles, BOTH);
            let axes = links(angles)[4];
            let step = 1e-3;
            let moved = Angles {
                lift: angles.lift + gives.lift_radps * step,
                yaw: angles.yaw + gives.yaw_radps * step,
                pitch: angles.pitch + gives.pitch_radps * step,
                ..angles
            };
            let place = |angles| links(angles)[4].point_out([0.1, 0.0, 0.0]);
            let (from, to) = (place(angles), place(moved));
            let wheels = [gives.forward_mps - gives.turn_radps * from[1], gives.turn_radps * from[0], 0.0];
            for row in 0..3 {
                let wanted: f64 = (0..3).map(|k| axes.turn[row][k] * by[k]).sum();
                let got = (to[row] - from[row]) / step + wheels[row];
                assert!((got - wanted).abs() < 0.02, "{by:?}: {got} for {wanted} along {row}");
            }
        }
    }

    #[test]
    fn what_is_not_free_does_not_give_way() {
        let angles = Angles { yaw: 60_f64.to_radians(), ..first() };
        let gives = give_way(&nose(PushWay::Velocity([0.0, 0.1, 0.0])), angles, BOTH);
        assert!(gives.yaw_radps <= 0.0 && gives.turn_radps > 0.05, "the wheels turn instead: {gives:?}");
        let still = Wheels { forward: false, turn: false };
        let gives = give_way(&nose(PushWay::Velocity([0.1, 0.0, 0.0])), first(), still);
        assert_eq!((gives.forward_mps, gives.turn_radps), (0.0, 0.0));
        let there = Push { on_the_spot: true, ..nose(PushWay::Velocity([0.1, 0.0, 0.0])) };
        assert_eq!(give_way(&there, first(), BOTH).forward_mps, 0.0);
    }
}
