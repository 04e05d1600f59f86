//! Navigation of simulated robots: the planner of [`latimer_navigation`], with maps of the room and a model of localisation.
//!
//! ```text
//!  WorldFile ──▶ Shapes ──▶ KnownMap        Localizer ◀── true pose, odometry, match ratio
//! ```

mod localizer;
mod room;

pub use latimer_navigation::{
    Approach, Believed, Berth, Cell, CostMap, Dock, Door, Failure, FollowLimits, Follower, Goal, Grid, Known,
    KnownMap, NavigationTarget, Navigator, NavigatorLimits, OCCUPIED_PERCENT, Obstacles, Plan, PlanError,
    Progress, SeenMap, Shapes, State, Terrain, featureless, plan, plan_into,
};
pub use localizer::{Localizer, LocalizerStep};
pub use room::shapes;
