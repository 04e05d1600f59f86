//! People: bodies that nothing can push, which walk their route and wait for robots and doors.
//!
//! ```text
//!  walking ──at the point──▶ staying ──pause is over──▶ walking to the next
//!   │    ▲
//!   └────┘ a robot or a door in the way: stands still until it is gone, and turns back after a while
//! ```

use latimer_core::model::Refusal;
use rapier2d::prelude::*;

use super::surface::{Surface, Thing};
use super::{Footprint, Physics, STEP_S};
use crate::config::{Person, WorldFile};
use crate::geometry::Pose2;

/// How much room a person leaves before a robot, metres.
const ROOM_M: f64 = 0.25;

/// How long a person waits for a robot to get out of the way before turning back, seconds.
const PATIENCE_S: f64 = 4.0;

/// A person in the world.
#[derive(Clone, Debug)]
pub struct Walker {
    /// Who.
    pub person: Person,
    /// Where, on the map, metres.
    pub at: [f64; 2],
    /// Which point of the walk comes next.
    next: usize,
    /// Whether the points are walked from the last to the first.
    back: bool,
    /// How much longer to stay, seconds.
    stay_s: f64,
    /// How long something has been in the way, seconds.
    waited_s: f64,
    body: RigidBodyHandle,
}

/// All people of the world.
#[derive(Clone, Debug, Default)]
pub struct People(Vec<Walker>);

impl People {
    /// The people of a world file, put into its physics.
    pub fn new(file: &WorldFile, physics: &mut Physics) -> Self {
        let walker = |person: &Person| Walker {
            person: person.clone(),
            at: person.start_m,
            next: 0,
            back: false,
            stay_s: person.pause_s,
            waited_s: 0.0,
            body: physics.add_person(person),
        };
        Self(file.people.iter().map(walker).collect())
    }

    /// All people, in the order of the world file.
    pub fn iter(&self) -> impl Iterator<Item = &Walker> {
        self.0.iter()
    }

    /// The error for an unknown person.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.0.iter().filter_map(|it| it.person.name.as_deref()).collect();
        match known.as_slice() {
            [] => format!("nobody here is called {name:?}; nobody has a name"),
            some => format!("nobody here is called {name:?}; there are: {}", some.join(", ")),
        }
    }

    /// Puts a person elsewhere, from where the walk goes on.
    pub fn place(&mut self, physics: &mut Physics, name: &str, at: [f64; 2]) -> Result<(), Refusal> {
        let Some(walker) = self.0.iter_mut().find(|it| it.person.name.as_deref() == Some(name)) else {
            return Err(Refusal::bad_argument(self.unknown(name)));
        };
        if physics.robots_near(at, walker.person.radius_m) {
            return Err(Refusal::not_now(format!(
                "a robot is too near to x {:.2} m, y {:.2} m",
                at[0], at[1]
            )));
        }
        let round = Footprint {
            length_m: 2.0 * walker.person.radius_m,
            width_m: 2.0 * walker.person.radius_m,
            corner_m: 0.9 * walker.person.radius_m,
            mass_kg: 70.0,
        };
        let place = Pose2::new(at[0], at[1], 0.0);
        let own = place.distance_to(walker.at[0], walker.at[1]) < 2.0 * walker.person.radius_m;
        if let Some(reason) = physics.in_the_way(round, place, None).filter(|_| !own) {
            return Err(Refusal::not_now(reason));
        }
        walker.at = at;
        physics.move_person(walker.body, at);
        Ok(())
    }

    /// Makes a person stay for a while at least, seconds, by the order of the world file.
    pub fn stay(&mut self, number: usize, seconds: f64) {
        if let Some(walker) = self.0.get_mut(number) {
            walker.stay_s = walker.stay_s.max(seconds);
        }
    }

    /// Moves all people for a step.
    pub fn step(&mut self, physics: &mut Physics) {
        for walker in &mut self.0 {
            let radius_m = walker.person.radius_m;
            walker.step(|to| physics.robots_near(to, radius_m), |to| physics.doors_near(to, radius_m));
            physics.move_person(walker.body, walker.at);
        }
    }
}

impl Walker {
    /// The direction of the next point of the walk, radians on the map.
    pub fn yaw_rad(&self) -> f64 {
        let next = self.person.walk_m.get(self.next);
        next.map_or(0.0, |[x, y]| (y - self.at[1]).atan2(x - self.at[0]))
    }

    /// Walks on for a step unless a robot is near the point just ahead, or a door is.
    fn step(&mut self, robot_at: impl Fn([f64; 2]) -> bool, door_at: impl Fn([f64; 2]) -> bool) {
        let Some(&[x, y]) = self.person.walk_m.get(self.next) else { return };
        if self.stay_s > 0.0 {
            self.stay_s -= STEP_S;
            return;
        }
        let (dx, dy) = (x - self.at[0], y - self.at[1]);
        let (left_m, stride_m) = (dx.hypot(dy), self.person.speed_mps * STEP_S);
        if left_m <= stride_m {
            self.at = [x, y];
            self.next = self.after();
            self.stay_s = self.person.pause_s;
            return;
        }
        let ahead = |way_m: f64| [self.at[0] + dx / left_m * way_m, self.at[1] + dy / left_m * way_m];
        // A door beyond the next point is not on the way: it may stand open in its wall.
        if !robot_at(ahead(ROOM_M)) && !door_at(ahead(ROOM_M.min(left_m))) {
            self.at = ahead(stride_m);
            self.waited_s = 0.0;
            return;
        }
        self.waited_s += STEP_S;
        if self.waited_s > PATIENCE_S {
            self.waited_s = 0.0;
            self.turn_back();
        }
    }
}

impl Walker {
    /// Walks the other way round: a robot and a person in a doorway would wait for each other for ever, and
    /// a person who only took a step back would stand before the door.
    fn turn_back(&mut self) {
        self.back = !self.back;
        self.next = self.after();
    }

    /// The point after the next one.
    fn after(&self) -> usize {
        let points = self.person.walk_m.len();
        (self.next + if self.back { points - 1 } else { 1 }) % points
    }
}

impl Physics {
    fn add_person(&mut self, person: &Person) -> RigidBodyHandle {
        let [x, y] = person.start_m;
        let body = RigidBodyBuilder::kinematic_position_based().translation(Vector::new(x as f32, y as f32));
        let collider = ColliderBuilder::ball(person.radius_m as f32).friction(0.3);
        let clothes = Surface::plain(Thing::Person, person.color, person.height_m);
        self.engine.insert(body, clothes.on(collider)).0
    }

    fn move_person(&mut self, body: RigidBodyHandle, [x, y]: [f64; 2]) {
        let Some(body) = self.engine.bodies.get_mut(body) else { return };
        let to = Vector::new(x as f32, y as f32);
        if body.translation() != to {
            body.set_next_kinematic_translation(to);
        }
    }
}
