//! Where one frame is in another one.

use std::collections::HashMap;

use latimer_ros1::msgs::geometry_msgs::{Quaternion, Transform, TransformStamped, Vector3};

/// Most frames between one and its root; a frame that hangs in itself has no root.
const MAX_DEPTH: usize = 64;

/// A shift, and a turn as x, y, z, w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Rigid {
    at_m: [f64; 3],
    turned: [f64; 4],
}

fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn conjugate([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

fn rotated(turned: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [x, y, z, _] = product(product(turned, [x, y, z, 0.0]), conjugate(turned));
    [x, y, z]
}

impl Rigid {
    const NONE: Self = Self { at_m: [0.0; 3], turned: [0.0, 0.0, 0.0, 1.0] };

    /// What hangs in this, as it is seen from where this hangs.
    fn of(self, inner: Self) -> Self {
        let [x, y, z] = rotated(self.turned, inner.at_m);
        let [sx, sy, sz] = self.at_m;
        Self { at_m: [sx + x, sy + y, sz + z], turned: product(self.turned, inner.turned) }
    }

    fn inverse(self) -> Self {
        let turned = conjugate(self.turned);
        Self { at_m: rotated(turned, self.at_m.map(|it| -it)), turned }
    }

    /// How far one is from another: metres, and radians.
    pub(in super::super) fn distance(self, other: Self) -> [f64; 2] {
        let squares: f64 = self.at_m.iter().zip(other.at_m).map(|(a, b)| (a - b) * (a - b)).sum();
        let dot: f64 = self.turned.iter().zip(other.turned).map(|(a, b)| a * b).sum();
        [squares.sqrt(), 2.0 * dot.abs().min(1.0).acos()]
    }
}

impl From<&Transform> for Rigid {
    fn from(Transform { translation: it, rotation: r }: &Transform) -> Self {
        Self { at_m: [it.x, it.y, it.z], turned: [r.x, r.y, r.z, r.w] }
    }
}

impl From<Rigid> for Transform {
    fn from(Rigid { at_m: [x, y, z], turned }: Rigid) -> Self {
        let translation = Vector3 { x, y, z };
        let [x, y, z, w] = turned;
        Self { translation, rotation: Quaternion { x, y, z, w } }
    }
}

/// Frames, each in the one that it hangs in.
pub(in super::super) struct Tree(HashMap<String, (String, Rigid)>);

impl Tree {
    pub(in super::super) fn of(transforms: Vec<TransformStamped>) -> Self {
        let hung =
            |it: TransformStamped| (it.child_frame_id, (it.header.frame_id, Rigid::from(&it.transform)));
        Self(transforms.into_iter().map(hung).collect())
    }

    /// A frame as it is seen from another one; `None` if they have no root in common.
    pub(in super::super) fn seen_from(&self, target: &str, source: &str) -> Option<Rigid> {
        let ((one, target), (other, source)) = (self.rooted(target)?, self.rooted(source)?);
        (one == other).then(|| target.inverse().of(source))
    }

    /// The root of a frame, and where it is there.
    fn rooted<'a>(&'a self, mut frame: &'a str) -> Option<(&'a str, Rigid)> {
        let mut at = Rigid::NONE;
        for _ in 0..MAX_DEPTH {
            let Some((parent, hung)) = self.0.get(frame) else { return Some((frame, at)) };
            (frame, at) = (parent, hung.of(at));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use latimer_ros1::msgs::std_msgs::Header;

    use super::*;

    fn hung(parent: &str, child: &str, at_m: [f64; 3], yaw_rad: f64) -> TransformStamped {
        let (sin, cos) = (yaw_rad / 2.0).sin_cos();
        let header = Header { frame_id: parent.to_owned(), ..Header::default() };
        let transform = Rigid { at_m, turned: [0.0, 0.0, sin, cos] }.into();
        TransformStamped { header, child_frame_id: child.to_owned(), transform }
    }

    fn near(is: Rigid, at_m: [f64; 3], yaw_rad: f64) {
        let (sin, cos) = (yaw_rad / 2.0).sin_cos();
        let [shift, turn] = is.distance(Rigid { at_m, turned: [0.0, 0.0, sin, cos] });
        assert!(shift < 1e-9 && turn < 1e-6, "{is:?}");
    }

    #[test]
    fn a_frame_is_seen_from_any_other_with_the_same_root() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let tree = Tree::of(vec![
            hung("map", "odom", [1.0, 0.0, 0.0], quarter),
            hung("odom", "base_link", [2.0, 0.0, 0.0], 0.0),
            hung("base_link", "laser", [0.0, 0.0, 0.5], quarter),
            hung("elsewhere", "other", [0.0; 3], 0.0),
            hung("a", "b", [0.0; 3], 0.0),
            hung("b", "a", [0.0; 3], 0.0),
        ]);
        near(tree.seen_from("map", "base_link").unwrap(), [1.0, 2.0, 0.0], quarter);
        near(tree.seen_from("map", "laser").unwrap(), [1.0, 2.0, 0.5], 2.0 * quarter);
        near(tree.seen_from("laser", "map").unwrap(), [1.0, 2.0, -0.5], -2.0 * quarter);
        near(tree.seen_from("odom", "odom").unwrap(), [0.0; 3], 0.0);
        for (target, source) in [("map", "other"), ("map", "nowhere"), ("a", "b")] {
            assert_eq!(tree.seen_from(target, source), None, "{target} {source}");
        }
    }
}
