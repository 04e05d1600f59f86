//! The world: a room, a clock of its own, and robots that live in it.

mod arena;
mod ask;
mod command;
mod crew;
mod effects;
mod happen;
mod keeping;
mod names;
mod perception;
mod photo;
mod robot;
mod scenery;
mod sense;
mod shapes;
mod spawn;
mod step;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use latimer_core::frames::{Placement, RobotFrames};
use latimer_core::model::Kind;
use latimer_core::{PartName, RobotId};

use crate::acoustics::Source;
use crate::bodies::{BodyKind, Demand, Wishes};
use crate::camera::{Room, Shot};
use crate::config::WorldFile;
use crate::error::WorldError;
use crate::geometry::Pose2;
use crate::household::Household;
use crate::nav::{Grid, KnownMap, shapes};
use crate::physics::{Doors, FloorPlan, Lights, Neighbour, Obstacles, People, Physics, Racks, STEP_S, Walls};
use crate::scenario::Player;
use ask::Puppet;
use crew::Crew;
use robot::Robot;
pub use spawn::{Newcomer, Start};

/// Side of a cell of the map that robots without a map of their own go by, metres.
const MAP_CELL_M: f64 = 0.05;

/// A room with robots in it.
///
/// It holds no clock: its owner calls [`World::step`] a hundred times a second of its time.
pub struct World {
    file: Arc<WorldFile>,
    seed: u64,
    physics: Physics,
    floor: FloorPlan,
    walls: Walls,
    people: People,
    doors: Doors,
    racks: Racks,
    lights: Lights,
    obstacles: Obstacles,
    household: Household,
    robots: Vec<Robot>,
    crew: Crew,
    ticks: u64,
    crowd: Vec<Neighbour>,
    /// Those of the world file, and after them what robots emit.
    sounds: Vec<Source>,
    wishes: Wishes,
    /// Racks that robots carry, by the robots' numbers.
    carried: Vec<(usize, String)>,
    /// What never moves, as cameras see it; made on first use.
    room: Option<Arc<Room>>,
    shots: Vec<Shot>,
    /// By their robots' names, because there may be thousands.
    puppets: BTreeMap<RobotId, Puppet>,
    pub(crate) player: Player,
    /// Counts changes of what stands about, apart from those of the household.
    revision: u64,
    /// Where no robot can be; made on first use.
    blocked: Option<Arc<Grid<bool>>>,
}

impl World {
    /// A world without robots.
    pub fn new(file: WorldFile, seed: u64) -> Result<Self, WorldError> {
        let mut physics = Physics::new(&file);
        Ok(Self {
            people: People::new(&file, &mut physics),
            doors: Doors::new(&file, &mut physics),
            racks: Racks::new(&file, &mut physics),
            lights: Lights::new(&file),
            obstacles: Obstacles::new(&file, &mut physics),
            household: Household::new(&file),
            physics,
            walls: Walls::new(&file),
            sounds: (0..).zip(&file.sounds).map(|(id, sound)| Source::of_sound(id, sound)).collect(),
            floor: FloorPlan::new(&file),
            file: Arc::new(file),
            seed,
            robots: Vec::new(),
            ticks: 0,
            crew: Crew::new(NonZeroUsize::MIN),
            crowd: Vec::new(),
            wishes: Wishes::default(),
            carried: Vec::new(),
            room: None,
            shots: Vec::new(),
            puppets: BTreeMap::new(),
            player: Player::default(),
            revision: 0,
            blocked: None,
        })
    }

    /// A world that comes with the program, e.g. `demo`.
    pub fn builtin(name: &str, seed: u64) -> Result<Self, WorldError> {
        Self::new(WorldFile::builtin(name)?, seed)
    }

    /// The same, with the robots of a step spread over so many threads; what comes of it does not depend on them.
    #[must_use]
    pub fn on_threads(self, threads: NonZeroUsize) -> Self {
        Self { crew: Crew::new(threads), ..self }
    }

    /// The file it was made from.
    pub fn file(&self) -> &WorldFile {
        &self.file
    }

    /// Seconds since it began.
    pub fn time_s(&self) -> f64 {
        self.ticks as f64 * STEP_S
    }

    /// Its robots and their kinds of body, in the order in which they came.
    pub fn population(&self) -> impl Iterator<Item = (&RobotId, &'static BodyKind)> {
        self.robots.iter().map(|robot| (&robot.id, robot.kind))
    }

    /// Where a robot's frames are: its map, and what its dead reckoning begins at.
    pub fn frames_of(&self, robot: &RobotId) -> RobotFrames {
        let robot = self.robots.iter().find(|it| it.id == *robot);
        let placed = |pose: Pose2| Some(Placement::in_world(pose));
        robot.map_or_else(RobotFrames::default, |it| RobotFrames {
            map: placed(it.frame),
            odom: placed(it.start),
        })
    }

    /// The frames that its file names.
    pub fn frames(&self) -> impl Iterator<Item = (Arc<str>, Placement)> {
        self.file.frames.iter().map(|frame| (frame.name.as_str().into(), Placement::in_world(frame.pose())))
    }

    /// Where a robot truly is, on the map.
    pub fn true_pose(&self, robot: &RobotId) -> Option<Pose2> {
        let robot = self.robots.iter().find(|it| it.id == *robot)?;
        Some(self.physics.pose(&robot.chassis))
    }

    /// Where its people are, on the map, in the order of the world file.
    pub fn people_at(&self) -> impl Iterator<Item = [f64; 2]> {
        self.people.iter().map(|walker| walker.at)
    }

    /// Its doors as they are now.
    pub fn doors(&self) -> &Doors {
        &self.doors
    }

    /// Its racks as they are now.
    pub fn racks(&self) -> &Racks {
        &self.racks
    }

    /// Its lamps as they are now.
    pub fn lights(&self) -> &Lights {
        &self.lights
    }

    /// Its things that have a name, as they are now.
    pub fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    /// The streams of each robot, in the order in which they came.
    pub fn streams(&self) -> impl Iterator<Item = &[(Kind, PartName)]> {
        self.robots.iter().map(|robot| robot.body.streams())
    }

    /// Sets the demand for each robot, in the order in which they were added.
    pub fn listen(&mut self, demands: impl IntoIterator<Item = Demand>) {
        for (robot, demand) in self.robots.iter_mut().zip(demands) {
            robot.demand = demand;
        }
    }

    /// Where no robot can be, by the world file.
    fn blocked(&mut self) -> Arc<Grid<bool>> {
        let file = &self.file;
        let map = || Arc::new(KnownMap::of(&shapes(file), MAP_CELL_M).blocked());
        self.blocked.get_or_insert_with(map).clone()
    }
}
