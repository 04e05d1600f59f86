//! Maps of the floor and the way to a goal, for simulated robots and for real ones without a navigation of their own.
//!
//! ```text
//!  OccupancyGrid ──▶ KnownMap ─┐                         Scan ──▶ Obstacles
//!           Scan ──▶ SeenMap ──┴─▶ Grid<bool> ──▶ CostMap ◀────────┘
//!                                                   │
//!  Goal ──▶ Navigator ───────────────────────▶ plan ┴─▶ Follower ──▶ Speeds
//!              ▲ Believed
//! ```
//!
//! The planner knows no robot, no clock and no physics: numbers come in, numbers go out, and the same numbers
//! give the same result bit for bit. All is in the frame `map` (REP-105), in metres and radians.

mod costs;
mod distance;
mod dock;
mod follow;
pub mod geometry;
mod grid;
mod known;
pub mod limits;
mod navigator;
mod obstacles;
mod plan;
mod scatter;
mod seen;
pub mod service;
mod shapes;
mod shorten;
mod speeds;
mod terrain;
mod walk;

pub use costs::{Berth, CostMap};
pub use dock::{Approach, Dock};
pub use follow::{FollowLimits, Follower};
pub use grid::{Cell, Grid};
pub use known::{Known, KnownMap, OCCUPIED_PERCENT};
pub use navigator::{Believed, Failure, Goal, NavigationTarget, Navigator, NavigatorLimits, Progress, State};
pub use obstacles::Obstacles;
pub use plan::{Plan, PlanError, plan, plan_into};
pub use scatter::featureless;
pub use seen::SeenMap;
pub use shapes::{Shapes, circle, rectangle};
pub use speeds::Speeds;
pub use terrain::{Door, Terrain};
