//! Maps of a room and the way to a goal: parts that bodies with a laser scanner are built from.
//!
//! ```text
//!  WorldFile ──▶ Shapes ──▶ KnownMap ─┐                         Scan ──▶ Obstacles
//!                 Scan ───▶ SeenMap ──┴─▶ Grid<bool> ──▶ CostMap ◀────────┘
//!                                                          │
//!  Goal ──▶ Navigator ──────────────────────────────▶ plan ─┴─▶ Follower ──▶ Speeds
//!              ▲ Believed
//!          Localizer ◀── true pose, odometry, match ratio
//! ```
//!
//! Nothing here knows a robot, a clock or the physics: numbers come in, numbers go out, and the same
//! numbers give the same result bit for bit. All is in the frame `map` (REP-105), in metres and radians.

mod costs;
mod distance;
mod dock;
mod follow;
mod grid;
mod known;
mod localizer;
mod navigator;
mod obstacles;
mod plan;
mod scatter;
mod seen;
mod shapes;
mod shorten;
mod terrain;
mod walk;

pub use costs::{Berth, CostMap};
pub use dock::{Approach, Dock};
pub use follow::{FollowLimits, Follower};
pub use grid::{Cell, Grid};
pub use known::{Known, KnownMap, OCCUPIED_PERCENT};
pub use localizer::{Localizer, LocalizerStep};
pub use navigator::{Believed, Failure, Goal, NavigationTarget, Navigator, NavigatorLimits, Progress, State};
pub use obstacles::Obstacles;
pub use plan::{Plan, PlanError, plan, plan_into};
pub use scatter::featureless;
pub use seen::SeenMap;
pub use shapes::Shapes;
pub use terrain::{Door, Terrain};
