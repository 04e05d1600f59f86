//! A robot in the world: its body, its chassis, and its driver.

use latimer_core::RobotId;

use super::perception::Visible;
use crate::behaviour::Actor;
use crate::bodies::{Body, BodyKind, Demand, Wish};
use crate::geometry::{Pose2, wrap_angle};
use crate::physics::{Chassis, Footprint, Physics};

pub(super) struct Robot {
    pub(super) id: RobotId,
    pub(super) demand: Demand,
    /// The frame of its published poses.
    pub(super) frame: Pose2,
    /// Where it started, on the map.
    pub(super) start: Pose2,
    pub(super) kind: &'static BodyKind,
    pub(super) body: Box<dyn Body>,
    pub(super) chassis: Chassis,
    pub(super) actor: Actor,
    /// How its chassis shall move in this step.
    pub(super) wish: Wish,
    /// Until when an explicit command keeps the behaviour away.
    taken_until_s: f64,
    taken: bool,
    /// How long the behaviour stays away after what was commanded is over, seconds.
    resume_after_s: f64,
}

impl Robot {
    /// A robot without a driver yet; its place is on the map.
    pub(super) fn new(
        id: RobotId,
        kind: &'static BodyKind,
        body: Box<dyn Body>,
        chassis: Chassis,
        actor: Actor,
        resume_after_s: f64,
    ) -> Self {
        Self {
            id,
            demand: Demand::EVERY_KIND,
            frame: Pose2::default(),
            start: Pose2::default(),
            kind,
            body,
            chassis,
            actor,
            wish: Wish::STAND,
            taken_until_s: 0.0,
            taken: false,
            resume_after_s,
        }
    }

    /// The outline of its chassis.
    pub(super) fn footprint(&self) -> Footprint {
        self.body.outline().unwrap_or(self.kind.footprint)
    }

    /// Commands drive it now.
    pub(super) fn take(&mut self, time_s: f64) {
        self.taken_until_s = time_s + self.resume_after_s;
        self.taken = true;
        self.body.taken_over();
    }

    /// Lets its behaviour drive, unless commands do.
    pub(super) fn act(&mut self, time_s: f64, visible: &Visible<'_>) {
        if self.actor.is_idle() {
            return;
        }
        let senses = self.body.senses();
        if self.taken {
            if self.body.is_busy() {
                self.taken_until_s = time_s + self.resume_after_s;
            }
            if time_s < self.taken_until_s {
                self.actor.feel(&senses);
                return;
            }
            self.taken = false;
            self.actor.resume();
        }
        let perception = visible.of(self);
        if let Some(intent) = self.actor.act(&senses, &self.body.vitals(), &perception) {
            self.body.intend(&intent);
        }
    }

    /// Puts it elsewhere.
    pub(super) fn place(&mut self, physics: &mut Physics, at: Pose2) {
        let before = physics.pose(&self.chassis);
        physics.place(&self.chassis, at);
        self.body.put(wrap_angle(at.yaw_rad - before.yaw_rad));
        self.actor.placed(at);
    }
}
