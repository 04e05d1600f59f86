//! Rays among the engine's shapes. They go through the engine's tree of boxes; what they meet of a robot is reckoned here, because the
//! engine approaches a rectangle with round corners step by step.

use rapier2d::parry::partitioning::BvhNode;
use rapier2d::parry::shape::RoundCuboid;
use rapier2d::prelude::{Collider, Pose, QueryPipeline, Ray, Vector};

/// What a ray met: how far along, and the surface's normal there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Met {
    pub(super) way: f32,
    pub(super) normal: Vector,
}

/// A ray of a length, prepared for many boxes.
#[derive(Clone, Copy)]
pub(super) struct Beam {
    ray: Ray,
    /// 1 by its direction.
    inverse: Vector,
    length: f32,
}

impl Beam {
    /// A ray of a length in a direction of length 1.
    pub(super) fn new(from: Vector, direction: Vector, length: f32) -> Self {
        // Along a box's side it is 0 by 0 otherwise, which is neither before nor behind anything.
        let inverse = |along: f32| {
            if along.abs() < f32::EPSILON { 1.0_f32.copysign(along) / f32::EPSILON } else { 1.0 / along }
        };
        let inverse = Vector::new(inverse(direction.x), inverse(direction.y));
        Self { ray: Ray::new(from, direction), inverse, length }
    }

    /// The nearest shape that counts. A ray that begins within one meets it at once.
    pub(super) fn first<'a>(&self, among: QueryPipeline<'a>) -> Option<(&'a Collider, Met)> {
        let enters = |node: &BvhNode, best: f32| self.enters(node, best);
        let meets = |index: u32, best: f32| {
            let (collider, handle) = among.colliders.get_unknown_gen(index)?;
            among.filter.test(among.bodies, handle, collider).then_some(())?;
            let met = self.meets(collider, best)?;
            Some((met.way, (met, collider)))
        };
        let (_, (_, (met, collider))) = among.bvh.find_best(self.length, enters, meets)?;
        Some((collider, met))
    }

    /// How far along it comes into a box, `f32::MAX` if it does not before `best`.
    fn enters(&self, node: &BvhNode, best: f32) -> f32 {
        let (low, high) = (node.mins() - self.ray.origin, node.maxs() - self.ray.origin);
        let sides = [(low.x, high.x, self.inverse.x), (low.y, high.y, self.inverse.y)];
        let (mut enters, mut leaves) = (0.0_f32, best);
        for (low, high, inverse) in sides {
            let (one, other) = (low * inverse, high * inverse);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        if enters <= leaves { enters } else { f32::MAX }
    }

    /// What it meets of one shape within a length.
    pub(super) fn meets(&self, collider: &Collider, length: f32) -> Option<Met> {
        let (pose, shape) = (collider.position(), collider.shape());
        match shape.as_round_cuboid() {
            Some(shape) => meets_round(shape, pose, &self.ray).filter(|met| met.way <= length),
            None => shape
                .cast_ray_and_get_normal(pose, &self.ray, length, true)
                .map(|it| Met { way: it.time_of_impact, normal: it.normal }),
        }
    }
}

/// Where a ray with a direction of length 1 meets a rectangle with round corners.
fn meets_round(shape: &RoundCuboid, pose: &Pose, ray: &Ray) -> Option<Met> {
    let (from, along) =
        (pose.inverse_transform_point(ray.origin), pose.rotation.inverse_transform_vector(ray.dir));
    let (inner, corner) = (shape.inner_shape.half_extents, shape.border_radius);
    let outer = inner + Vector::splat(corner);
    // Into the box around it first.
    let (mut way, mut leaves, mut normal) = (0.0, f32::INFINITY, Vector::ZERO);
    let sides = [(from.x, along.x, outer.x, Vector::X), (from.y, along.y, outer.y, Vector::Y)];
    for (from, along, outer, axis) in sides {
        if along == 0.0 {
            if from.abs() > outer {
                return None;
            }
            continue;
        }
        let (enters, exits) =
            ((-outer.copysign(along) - from) / along, (outer.copysign(along) - from) / along);
        if enters > way {
            (way, normal) = (enters, axis * -along.signum());
        }
        leaves = leaves.min(exits);
    }
    if way > leaves {
        return None;
    }
    // Whoever comes in at a corner has to meet its disc: behind the disc, it is out of the box again.
    let at = from + along * way;
    let middle = Vector::new(inner.x.copysign(at.x), inner.y.copysign(at.y));
    let off = at - middle;
    if at.x.abs() > inner.x && at.y.abs() > inner.y && off.length_squared() > corner * corner {
        let nearer = off.dot(along);
        let beside = nearer * nearer - (off.length_squared() - corner * corner);
        if nearer >= 0.0 || beside < 0.0 {
            return None;
        }
        let more = (-nearer - beside.sqrt()).max(0.0);
        way += more;
        normal = (off + along * more) / corner;
    }
    Some(Met { way, normal: pose.rotation.transform_vector(normal) })
}

#[cfg(test)]
mod tests {
    use rapier2d::parry::query::RayCast;
    use rapier2d::prelude::SharedShape;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn rays_meet_robots_where_the_engine_finds_that_they_do() {
        let mut rng = Rng::new(7);
        let (mut met, mut missed) = (0, 0);
        for (half_x, half_y, corner) in [(0.001, 0.001, 0.029), (0.2, 0.1, 0.05), (0.005, 0.005, 0.27)] {
            let shared = SharedShape::round_cuboid(half_x, half_y, corner);
            let shape = shared.as_round_cuboid().unwrap();
            for _ in 0..2_000 {
                let mut between = |low: f64, high: f64| rng.between(low, high) as f32;
                let pose = Pose::new(Vector::new(between(-1.0, 1.0), between(-1.0, 1.0)), between(-3.0, 3.0));
                let angle = between(-3.2, 3.2);
                let ray = Ray::new(
                    Vector::new(between(-1.5, 1.5), between(-1.5, 1.5)),
                    Vector::new(angle.cos(), angle.sin()),
                );
                let ours = meets_round(shape, &pose, &ray);
                let theirs = shape.cast_ray_and_get_normal(&pose, &ray, 10.0, true);
                match (ours, theirs) {
                    (None, None) => missed += 1,
                    (Some(ours), Some(theirs)) => {
                        met += 1;
                        let off = (ours.way - theirs.time_of_impact).abs();
                        assert!(off < 2e-3, "{ours:?} {theirs:?}");
                        let turned = 1.0 - ours.normal.dot(theirs.normal);
                        assert!(theirs.time_of_impact == 0.0 || turned < 0.05, "{ours:?} {theirs:?}");
                    }
                    // Those that hardly touch may go either way.
                    (Some(it), None) => assert!(it.normal.dot(ray.dir).abs() < 0.1, "{it:?} is none"),
                    (None, Some(it)) => assert!(it.normal.dot(ray.dir).abs() < 0.1, "{it:?} is missed"),
                }
            }
        }
        assert!(met > 300 && missed > 3_000, "{met} {missed}");
    }
}
