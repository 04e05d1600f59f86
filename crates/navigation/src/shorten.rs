//! Makes a way of cells straight where that is no dearer, and cuts it into even pieces.

use super::{CostMap, Plan};

/// How much dearer a straight piece may be: whole-numbered costs are a little uneven.
const DEARER: f64 = 1.02;

/// Leaves out the points between which going straight is possible and no dearer.
pub(super) fn shorten(map: &CostMap, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let Some(&first) = points.first() else { return Vec::new() };
    let mut kept = vec![first];
    let mut anchor = 0;
    while anchor + 1 < points.len() {
        let mut reached = anchor + 1;
        let mut cost_m = map.straight(points[anchor], points[reached]);
        while let (Some(so_far_m), Some(&next)) = (cost_m, points.get(reached + 1)) {
            let Some(step_m) = map.straight(points[reached], next) else { break };
            match map.straight(points[anchor], next) {
                Some(straight_m) if straight_m <= (so_far_m + step_m) * DEARER => {
                    cost_m = Some(so_far_m + step_m);
                    reached += 1;
                }
                _ => break,
            }
        }
        kept.push(points[reached]);
        anchor = reached;
    }
    kept
}

/// Cuts each piece into even ones no longer than the limit.
pub(super) fn even_pieces(points: &[[f64; 2]], piece_m: f64) -> Plan {
    let mut plan = Plan { points_m: points.first().copied().into_iter().collect(), length_m: 0.0 };
    for pair in points.windows(2) {
        let ([x1, y1], [x2, y2]) = (pair[0], pair[1]);
        let length_m = (x2 - x1).hypot(y2 - y1);
        plan.length_m += length_m;
        let count = (length_m / piece_m - 1e-9).ceil().clamp(1.0, 1e5) as u32;
        for i in 1..count {
            let share = f64::from(i) / f64::from(count);
            plan.points_m.push([x1 + share * (x2 - x1), y1 + share * (y2 - y1)]);
        }
        plan.points_m.push([x2, y2]);
    }
    plan
}
