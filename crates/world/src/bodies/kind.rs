//! A kind of body: what the world knows of it before one is made.

use std::sync::{Arc, LazyLock};

use latimer_core::model::RobotProfile;

use super::{Body, Figure, Origin};
use crate::config::Color;
use crate::physics::Footprint;

/// A kind of body; each family's folder has one.
pub struct BodyKind {
    /// Its family.
    pub family: &'static str,
    /// What its robots are called in full.
    pub title: &'static str,
    /// The outline of its chassis.
    pub footprint: Footprint,
    /// Its colour, as cameras see it.
    pub color: Color,
    /// How tall it is, metres.
    pub height_m: f64,
    /// What it looks like and what can be done with it.
    pub figure: fn() -> Figure,
    /// What it has and can, as it registers.
    pub profile: LazyLock<Arc<RobotProfile>>,
    /// A body of the kind.
    pub(crate) make: fn(Origin<'_>) -> Box<dyn Body>,
}
