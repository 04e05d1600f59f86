//! Things that are put, moved and taken away while the world runs, by their names.
//!
//! Boxes and cylinders of the world file that have a name are among them from the start.

use latimer_core::model::Refusal;
use rapier2d::prelude::*;

use super::room::{pole, slab};
use super::surface::{Surface, Thing};
use super::{Physics, engine_pose};
use crate::config::{Color, Reality, WorldFile};
use crate::geometry::Pose2;

/// Most things at once; a client that puts one after the other must not fill the world.
const MOST: usize = 1_000;

/// Lengths that are accepted, metres.
const LENGTHS_M: std::ops::RangeInclusive<f64> = 0.001..=1_000.0;

/// The outline of a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle.
    Box {
        /// Length and width.
        size_m: [f64; 2],
    },
    /// A disc.
    Cylinder {
        /// Radius.
        radius_m: f64,
    },
}

impl Shape {
    fn outline(self) -> SharedShape {
        match self {
            Self::Box { size_m: [x, y] } => SharedShape::cuboid((x / 2.0) as f32, (y / 2.0) as f32),
            Self::Cylinder { radius_m } => SharedShape::ball(radius_m as f32),
        }
    }

    fn lengths_m(self) -> [f64; 2] {
        match self {
            Self::Box { size_m } => size_m,
            Self::Cylinder { radius_m } => [radius_m; 2],
        }
    }
}

/// A thing to be put into the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Its outline.
    pub shape: Shape,
    /// Where its middle is and how it is turned, on the map.
    pub pose: Pose2,
    /// Its colour.
    pub color: Color,
    /// Whether it is real or virtual.
    pub reality: Reality,
    /// How tall it is, metres.
    pub height_m: f64,
}

/// A thing in the world that has a name.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What it is called.
    pub name: String,
    /// What it is, and where it was put last.
    pub obstacle: Obstacle,
    pub(super) collider: ColliderHandle,
    /// There only if robots can push it.
    pub(super) body: Option<RigidBodyHandle>,
}

impl Placed {
    /// Whether robots can push it.
    pub fn is_pushable(&self) -> bool {
        self.body.is_some()
    }

    /// Where it is now: robots may have pushed it.
    pub fn pose(&self, physics: &Physics) -> Pose2 {
        let body = self.body.and_then(|body| physics.engine.bodies.get(body));
        body.map_or(self.obstacle.pose, |body| {
            let at = body.position();
            let middle = at.translation;
            Pose2::new(f64::from(middle.x), f64::from(middle.y), f64::from(at.rotation.angle()))
        })
    }
}

/// All things that have a name.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    room_m: [f64; 2],
    placed: Vec<Placed>,
}

impl Obstacles {
    /// The named things of a world file, which its physics knows already.
    pub fn new(file: &WorldFile, physics: &mut Physics) -> Self {
        Self { room_m: file.size_m, placed: std::mem::take(&mut physics.named) }
    }

    /// All of them, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &Placed> {
        self.placed.iter()
    }

    /// Each thing that nothing can push, as it stands.
    pub fn fixed(&self) -> impl Iterator<Item = &Obstacle> {
        self.placed.iter().filter(|placed| placed.body.is_none()).map(|placed| &placed.obstacle)
    }

    /// Puts a new thing where nothing is in the way.
    pub fn put(&mut self, physics: &mut Physics, name: &str, it: Obstacle) -> Result<(), Refusal> {
        let refused = |Refusal { code, reason }: Refusal| {
            Refusal::new(code, format!("cannot put {name:?} there: {reason}"))
        };
        if name.is_empty() {
            return Err(Refusal::bad_argument(
                "what is put needs a name, so that it can be moved and removed",
            ));
        }
        if self.placed.iter().any(|placed| placed.name == name) {
            return Err(refused(Refusal::not_now(
                "there is one of that name already; move that one or choose another name",
            )));
        }
        if self.placed.len() >= MOST {
            return Err(refused(Refusal::not_now(format!("{MOST} things are the most; remove some"))));
        }
        let lengths = it.shape.lengths_m().into_iter().chain([it.height_m]);
        if let Some(wrong) = lengths.into_iter().find(|length| !LENGTHS_M.contains(length)) {
            return Err(refused(Refusal::bad_argument(format!(
                "{wrong} is no length in metres; give one from 0.001 to 1000"
            ))));
        }
        self.must_be_free(physics, it.shape, it.pose, None).map_err(refused)?;
        let surface = |thing| Surface { reality: it.reality, ..Surface::plain(thing, it.color, it.height_m) };
        let shape = match it.shape {
            Shape::Box { size_m } => slab(it.pose, size_m, surface(Thing::Box)),
            Shape::Cylinder { radius_m } => {
                pole([it.pose.x_m, it.pose.y_m], radius_m, surface(Thing::Cylinder))
            }
        };
        let collider = physics.engine.insert_collider(shape, None);
        self.placed.push(Placed { name: name.to_owned(), obstacle: it, collider, body: None });
        Ok(())
    }

    /// Moves a thing to where nothing is in the way.
    pub fn shift(&mut self, physics: &mut Physics, name: &str, to: Pose2) -> Result<(), Refusal> {
        let number = self.find(name)?;
        let (shape, collider) = (self.placed[number].obstacle.shape, self.placed[number].collider);
        self.must_be_free(physics, shape, to, Some(collider)).map_err(|Refusal { code, reason }| {
            Refusal::new(code, format!("cannot move {name:?} there: {reason}"))
        })?;
        let placed = &mut self.placed[number];
        placed.obstacle.pose = to;
        if let Some(body) = placed.body.and_then(|body| physics.engine.bodies.get_mut(body)) {
            body.set_position(engine_pose(to), true);
            body.set_linvel(Vector::ZERO, true);
            body.set_angvel(0.0, true);
        } else if let Some(collider) = physics.engine.colliders.get_mut(placed.collider) {
            collider.set_position(engine_pose(to));
        }
        Ok(())
    }

    /// Takes a thing away.
    pub fn remove(&mut self, physics: &mut Physics, name: &str) -> Result<(), Refusal> {
        let number = self.find(name)?;
        let placed = self.placed.remove(number);
        match placed.body {
            Some(body) => {
                physics.movable.retain(|movable| *movable != body);
                physics.engine.remove_body(body);
            }
            None => {
                physics.engine.remove_collider(placed.collider);
            }
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Result<usize, Refusal> {
        self.placed.iter().position(|placed| placed.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.placed.iter().map(|placed| placed.name.as_str()).collect();
            Refusal::bad_argument(match known.as_slice() {
                [] => format!("there is no obstacle {name:?}; nothing here has a name yet, put one first"),
                some => format!("there is no obstacle {name:?}; there are: {}", some.join(", ")),
            })
        })
    }

    /// Refuses a pose outside the room, and one where something is in the way now.
    fn must_be_free(
        &self,
        physics: &Physics,
        shape: Shape,
        at: Pose2,
        own: Option<ColliderHandle>,
    ) -> Result<(), Refusal> {
        let [x, y] = self.room_m;
        let within = (0.0..=x).contains(&at.x_m) && (0.0..=y).contains(&at.y_m);
        if !at.is_finite() || at.yaw_rad.abs() > 1e3 || !within {
            return Err(Refusal::bad_argument(format!(
                "it is outside the room, which is {x} × {y} m; choose a place inside"
            )));
        }
        match physics.overlaps(&shape.outline(), at, |handle, _| Some(handle) != own) {
            Some(reason) => Err(Refusal::not_now(format!("{reason}; choose another place"))),
            None => Ok(()),
        }
    }
}

impl Obstacles {
    /// Where everything is that robots can push and that has no name, in the order of the world file.
    pub fn nameless(&self, physics: &Physics) -> impl Iterator<Item = Pose2> {
        let named = |handle: RigidBodyHandle| self.placed.iter().any(|placed| placed.body == Some(handle));
        let nameless = physics.movable.iter().filter(move |handle| !named(**handle));
        nameless.filter_map(|handle| physics.pushed(*handle)).map(|(pose, ..)| pose)
    }
}

impl Physics {
    /// What robots can push, named or not: where it is now, its size and what it looks like.
    pub fn pushable(&self) -> impl Iterator<Item = (Pose2, [f64; 2], Surface)> {
        self.movable.iter().filter_map(|handle| self.pushed(*handle))
    }

    fn pushed(&self, handle: RigidBodyHandle) -> Option<(Pose2, [f64; 2], Surface)> {
        let body = self.engine.bodies.get(handle)?;
        let collider = self.engine.colliders.get(*body.colliders().first()?)?;
        let half = collider.shape().as_cuboid()?.half_extents;
        let (at, yaw) = (body.position().translation, body.position().rotation.angle());
        let pose = Pose2::new(f64::from(at.x), f64::from(at.y), f64::from(yaw));
        Some((pose, [2.0 * f64::from(half.x), 2.0 * f64::from(half.y)], Surface::of(collider)))
    }
}
