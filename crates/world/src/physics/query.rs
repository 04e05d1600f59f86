//! What is where: rays, overlaps, who is near.

use rapier2d::prelude::{Collider, ColliderHandle, Pose, QueryFilter, Ray, SharedShape, Vector};

use latimer_core::model::Realities;

use super::ray::Beam;
use super::surface::{Surface, Thing, groups};
use super::{Chassis, Footprint, Hit, Physics, engine_point, engine_pose};
use crate::distance::to_line;
use crate::geometry::Pose2;

impl Physics {
    /// The nearest thing on a ray that is not the asking chassis.
    pub fn cast(&self, from: [f64; 2], angle_rad: f64, max_m: f64, asking: &Chassis) -> Option<Hit> {
        self.cast_in(from, angle_rad, max_m, Some(asking), Realities::Mixed)
    }

    /// The nearest thing on a ray that is of these realities and not the asking chassis.
    pub fn cast_in(
        &self,
        from: [f64; 2],
        angle_rad: f64,
        max_m: f64,
        asking: Option<&Chassis>,
        realities: Realities,
    ) -> Option<Hit> {
        let (sin, cos) = angle_rad.sin_cos();
        let direction = Vector::new(cos as f32, sin as f32);
        let mut filter = QueryFilter::default().groups(groups(realities));
        filter.exclude_rigid_body = asking.map(|chassis| chassis.body);
        let beam = Beam::new(engine_point(from), direction, max_m as f32);
        let (collider, met) = beam.first(self.engine.query_pipeline_with_filter(filter))?;
        let facing = f64::from(met.normal.dot(direction).abs());
        let surface = Surface::of(collider);
        Some(Hit {
            distance_m: f64::from(met.way),
            // Within a thing the engine gives no normal.
            incidence_cos: if met.way > 0.0 { facing.min(1.0) } else { 1.0 },
            reflectivity: surface.reflectivity,
            color: surface.color,
            reality: surface.reality,
            thing: surface.thing,
            height_m: surface.height_m,
        })
    }

    /// What a footprint would overlap at a pose, `except` not counted.
    pub fn in_the_way(&self, footprint: Footprint, at: Pose2, except: Option<&Chassis>) -> Option<String> {
        let own = except.map(|chassis| chassis.body);
        self.overlaps(&footprint.shape(), at, |_, it| own.is_none() || it.parent() != own)
    }

    /// What a shape would overlap at a pose, of all that counts.
    pub(super) fn overlaps(
        &self,
        shape: &SharedShape,
        at: Pose2,
        counts: impl Fn(ColliderHandle, &Collider) -> bool,
    ) -> Option<String> {
        let place = engine_pose(at);
        let hit = self.engine.colliders.iter_enabled().find(|(handle, collider)| {
            let stands = self.place_of(collider);
            counts(*handle, collider)
                && rapier2d::parry::query::intersection_test(&place, &**shape, &stands, collider.shape())
                    .is_ok_and(|it| it.intersecting)
        });
        let (_, collider) = hit?;
        let thing = Surface::of(collider).thing.a_name();
        let middle = collider
            .parent()
            .and_then(|parent| self.engine.bodies.get(parent))
            .map_or(collider.position().translation, |body| body.position().translation);
        Some(format!("{thing} stands there, with its middle at x {:.2} m, y {:.2} m", middle.x, middle.y))
    }

    /// Where a shape is, even if it was moved since the last step.
    fn place_of(&self, collider: &Collider) -> Pose {
        match (collider.parent(), collider.position_wrt_parent()) {
            (Some(parent), Some(offset)) => {
                self.engine.bodies.get(parent).map_or(*offset, |body| *body.position() * *offset)
            }
            _ => *collider.position(),
        }
    }

    /// Whether something between two points is so tall that the one cannot be seen from the other; points
    /// are x, y and height, metres. Walls and doors are taken to reach the ceiling if they are as tall as a
    /// person.
    pub(super) fn shades(&self, from: [f64; 3], to: [f64; 3], asking: Option<&Chassis>) -> bool {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let way_m = dx.hypot(dy);
        if way_m < 1e-6 {
            return false;
        }
        let ray = Ray::new(engine_point([from[0], from[1]]), engine_point([dx / way_m, dy / way_m]));
        let own = asking.map(|chassis| chassis.body);
        let filter = QueryFilter { exclude_rigid_body: own, ..QueryFilter::default() };
        self.engine.intersect_ray(ray, way_m as f32, true, filter).any(|(_, collider, hit)| {
            let surface = Surface::of(collider);
            let ceiling = matches!(surface.thing, Thing::Wall | Thing::Door) && surface.height_m > 1.5;
            let passed = f64::from(hit.time_of_impact) / way_m;
            ceiling || surface.height_m > from[2] + (to[2] - from[2]) * passed
        })
    }

    /// The robots: where each is and the radius of a circle around it.
    fn robots(&self) -> impl Iterator<Item = ([f64; 2], f64)> {
        self.chassis.iter().filter_map(|(body, reach_m)| {
            let at = self.engine.bodies.get(*body)?.translation();
            Some(([f64::from(at.x), f64::from(at.y)], *reach_m))
        })
    }

    /// Whether a robot is within a radius of a point.
    pub(crate) fn robots_near(&self, point: [f64; 2], radius_m: f64) -> bool {
        self.robots_near_line([point, point], radius_m)
    }

    /// Whether a robot is within a distance of a line between two ends.
    pub(super) fn robots_near_line(&self, line: [[f64; 2]; 2], distance_m: f64) -> bool {
        self.robots().any(|(at, reach_m)| to_line(at, line) < distance_m + reach_m)
    }

    /// Whether the leaf of a door is within a radius of a point.
    pub(super) fn doors_near(&self, [x, y]: [f64; 2], radius_m: f64) -> bool {
        self.leaves.iter().any(|(body, [length_m, thickness_m])| {
            self.engine.bodies.get(*body).is_some_and(|body| {
                let own = body.position().inverse_transform_point(engine_point([x, y]));
                let beyond = |at: f32, side_m: f64| (f64::from(at).abs() - side_m / 2.0).max(0.0);
                beyond(own.x, *length_m).hypot(beyond(own.y, *thickness_m)) < radius_m
            })
        })
    }
}
