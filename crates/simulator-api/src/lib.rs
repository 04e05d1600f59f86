//! What can be asked of the simulated world, apart from the world itself: dialects, API and command line need no physics
//! to ask for a stimulus, a scenario, a reading or a view.
//!
//! ```text
//! API, dialects ──SimulatorHandle::ask──▶ queue ──RequestQueue::next_request──▶ the world's thread ──WorldResponse──▶ caller
//! ```
//!
//! | file | |
//! |---|---|
//! | [`handle`](SimulatorHandle) | requests, responses and the bounded queue between |
//! | [`stimulus`](Stimulus), [`happening`](Happening), [`scenario`](Scenario) | what happens to a robot, in the world, and when |
//! | [`scenery`](Scenery), [`arena`](Arena) | what the world looks like |
//! | [`load`](WorldLoad) | how hard it works |
//! | [`clock`](WorldClock) | its time |

mod arena;
mod clock;
mod handle;
mod happening;
mod load;
mod scenario;
mod scenery;
mod stimulus;

pub use arena::{Arena, ArenaObstacle, ArenaShape};
pub use clock::WorldClock;
pub use handle::{
    PendingRequest, RequestQueue, SimulatorError, SimulatorHandle, WorldRequest, WorldResponse,
};
pub use happening::{Happening, ObjectLocation, ObstacleShape, Pace};
pub use load::{LoadMeter, WorldLoad};
pub use scenario::{Cue, Scenario, ScenarioEvent};
pub use scenery::{
    DoorAt, DoorIs, Layer, Outline, PersonAt, RobotAt, Scenery, SceneryNow, SceneryShape, ThingAt,
};
pub use stimulus::Stimulus;
