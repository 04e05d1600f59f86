//! The world: a room, a clock of its own, and robots that live in it.

use std::sync::Arc;

use latimer_core::model::{Command, Kind, Stimulus};
use latimer_core::stage::{Answer, Ask};
use latimer_core::{Outcome, PartName, RobotId, Timestamp, Update};

use crate::behaviour::{Actor, Behaviour};
use crate::bodies::{self, Body, Deed, Demand, KINDS, Origin, Outbox};
use crate::config::WorldFile;
use crate::error::WorldError;
use crate::geometry::{Pose2, wrap_angle};
use crate::physics::{
    Chassis, Doors, FloorPlan, Footprint, Lights, Neighbour, Obstacle, Obstacles, People, Physics, Racks,
    STEP_S, Surroundings, Touching, Walls,
};
use crate::rng::Rng;

/// How long an explicit drive command keeps the behaviour from driving, seconds.
const TAKE_OVER_S: f64 = 10.0;

/// Distance between the places that are tried when every spawn point is taken, metres.
const GRID_M: f64 = 0.5;

/// Where a robot starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// At the first free spawn point, or else anywhere.
    #[default]
    Anywhere,
    /// At a spawn point.
    Spawn(String),
    /// At a pose on the map.
    At(Pose2),
}

struct Robot {
    id: RobotId,
    demand: Demand,
    /// Where the frame is that it tells its place in.
    frame: Pose2,
    body: Box<dyn Body>,
    chassis: Chassis,
    actor: Actor,
    /// Until when an explicit command keeps the behaviour away.
    taken_until_s: f64,
    taken: bool,
}

/// A room with robots in it.
///
/// It holds no clock: whoever owns it calls [`World::step`] a hundred times a second of its time.
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
    robots: Vec<Robot>,
    ticks: u64,
    touching: Vec<Touching>,
    crowd: Vec<Neighbour>,
    deeds: Vec<(usize, Deed)>,
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
            physics,
            walls: Walls::new(&file),
            floor: FloorPlan::new(&file),
            file: Arc::new(file),
            seed,
            robots: Vec::new(),
            ticks: 0,
            touching: Vec::new(),
            crowd: Vec::new(),
            deeds: Vec::new(),
        })
    }

    /// A world that comes with the program, e.g. `demo`.
    pub fn builtin(name: &str, seed: u64) -> Result<Self, WorldError> {
        Self::new(WorldFile::builtin(name)?, seed)
    }

    /// The file it was made from.
    pub fn file(&self) -> &WorldFile {
        &self.file
    }

    /// Seconds since it began.
    pub fn time_s(&self) -> f64 {
        self.ticks as f64 * STEP_S
    }

    /// Its robots and the families they belong to, in the order in which they came.
    pub fn population(&self) -> impl Iterator<Item = (&RobotId, &'static str)> {
        self.robots.iter().map(|robot| (&robot.id, robot.body.family()))
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

    /// Tells a door to open or to close.
    pub fn open_door(&mut self, name: &str, open: bool) -> Result<(), String> {
        self.doors.command(name, open)
    }

    /// Turns a lamp on or off.
    pub fn switch_light(&mut self, name: &str, on: bool) -> Result<(), String> {
        self.lights.switch(name, on)
    }

    /// Puts a new thing into the world.
    pub fn put_obstacle(&mut self, name: &str, it: Obstacle) -> Result<(), String> {
        self.obstacles.put(&mut self.physics, name, it)
    }

    /// Moves a thing that has a name.
    pub fn shift_obstacle(&mut self, name: &str, to: Pose2) -> Result<(), String> {
        self.obstacles.shift(&mut self.physics, name, to)
    }

    /// Takes a thing that has a name away.
    pub fn remove_obstacle(&mut self, name: &str) -> Result<(), String> {
        self.obstacles.remove(&mut self.physics, name)
    }

    /// Puts a robot of a kind, e.g. `misty`, into the world.
    pub fn add_robot(
        &mut self,
        id: RobotId,
        kind: &str,
        start: Start,
        behaviour: Behaviour,
    ) -> Result<(), WorldError> {
        if self.robots.iter().any(|known| known.id == id) {
            return Err(WorldError::DuplicateRobot(id));
        }
        let origin = Origin { robot: &id, rng: Rng::of(self.seed, id.as_str()), file: &self.file };
        let body = bodies::make(kind, origin)
            .ok_or_else(|| WorldError::UnknownKind { kind: kind.to_owned(), known: KINDS.join(", ") })?;
        let at = self.starting_pose(&id, start, body.footprint())?;
        let chassis = self.physics.add_chassis(body.footprint(), at);
        let actor = Actor::new(behaviour, Rng::of(self.seed ^ 1, id.as_str()));
        let (family, footprint) = (body.family(), body.footprint());
        self.crowd.push(Neighbour { robot: id.clone(), family, pose: at, footprint });
        let (frame, demand) = (Pose2::default(), Demand::EVERY_KIND);
        self.robots.push(Robot { id, demand, frame, body, chassis, actor, taken_until_s: 0.0, taken: false });
        Ok(())
    }

    /// Moves everything on by a hundredth of a second and collects what the robots have to say.
    pub fn step(&mut self, now: Timestamp, out: &mut Vec<Update>) {
        self.ticks += 1;
        let time_s = self.time_s();
        self.people.step(&mut self.physics);
        self.doors.step(&mut self.physics, &self.people);
        self.walls.follow(&self.doors);
        for robot in &mut self.robots {
            robot.act(time_s);
            let wish = robot.body.wish(self.physics.motion(&robot.chassis), STEP_S);
            self.physics.drive(&robot.chassis, wish.forward_mps, wish.turn_radps);
        }
        self.physics.step();
        for (neighbour, robot) in self.crowd.iter_mut().zip(&self.robots) {
            neighbour.pose = self.physics.pose(&robot.chassis);
        }
        for (number, robot) in self.robots.iter_mut().enumerate() {
            self.physics.touching(&robot.chassis, &mut self.touching);
            let around = Surroundings {
                file: &self.file,
                doors: &self.doors,
                racks: &self.racks,
                lights: &self.lights,
                physics: &self.physics,
                floor: &self.floor,
                walls: &self.walls,
                people: &self.people,
                sounds: &self.file.sounds,
                chassis: &robot.chassis,
                pose: self.physics.pose(&robot.chassis),
                motion: self.physics.motion(&robot.chassis),
                touching: &self.touching,
                crowd: &self.crowd,
                frame: robot.frame,
                demand: robot.demand,
                now,
                time_s,
            };
            robot.body.sense(&around, &mut Outbox::new(&robot.id, now, out, &mut self.deeds, number));
        }
    }

    /// The streams of each robot, in the order in which they came.
    pub fn streams(&self) -> impl Iterator<Item = &[(Kind, PartName)]> {
        self.robots.iter().map(|robot| robot.body.streams())
    }

    /// Says what somebody wants to hear of each robot, in the order in which they came.
    pub fn listen(&mut self, demands: impl IntoIterator<Item = Demand>) {
        for (robot, demand) in self.robots.iter_mut().zip(demands) {
            robot.demand = demand;
        }
    }

    /// Does what is asked of the world as a whole, or says why not.
    pub fn ask(&mut self, ask: Ask) -> Result<Answer, String> {
        Err(format!("this world cannot do that: {ask:?}"))
    }

    /// Asks something of a robot, or makes something happen to it.
    pub fn command(&mut self, robot: &RobotId, command: Command) -> Outcome {
        let time_s = self.time_s();
        let Some(robot) = self.robots.iter_mut().find(|it| it.id == *robot) else {
            return Outcome::refused(format!("no robot {robot} in world {:?}", self.file.name));
        };
        if let Command::Poke(Stimulus::Place { x_m, y_m, yaw_rad }) = command {
            return match place(&mut self.physics, &self.file, robot, Pose2::new(x_m, y_m, yaw_rad)) {
                Ok(()) => Outcome::Done,
                Err(reason) => Outcome::refused(format!("cannot put {} there: {reason}", robot.id)),
            };
        }
        let takes_over = takes_over(&command);
        let outcome = robot.body.command(command, self.physics.pose(&robot.chassis));
        if takes_over && outcome.is_ok() {
            robot.taken_until_s = time_s + TAKE_OVER_S;
            robot.taken = true;
        }
        outcome
    }

    fn starting_pose(&self, robot: &RobotId, start: Start, outline: Footprint) -> Result<Pose2, WorldError> {
        let blocked = |at: Pose2| {
            let gap = self.floor.at(at.x_m, at.y_m).depth_m > 0.0;
            let gap = gap.then(|| "there is no floor, but a drop".to_owned());
            gap.or_else(|| obstacle(&self.physics, &self.file, outline, at, None))
        };
        let wanted = match start {
            Start::Anywhere => return self.any_pose(robot, outline),
            Start::At(pose) => pose,
            Start::Spawn(name) => {
                let found = self.file.spawns.iter().find(|spawn| spawn.name == name);
                found.map(crate::config::Spawn::pose).ok_or_else(|| WorldError::UnknownSpawn {
                    name,
                    world: self.file.name.clone(),
                    known: self.file.spawns.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", "),
                })?
            }
        };
        match blocked(wanted) {
            None => Ok(wanted),
            Some(reason) => {
                Err(WorldError::NoRoom { robot: robot.clone(), x_m: wanted.x_m, y_m: wanted.y_m, reason })
            }
        }
    }

    /// A spawn point, or else a point of a grid, that is free and has floor all around.
    fn any_pose(&self, robot: &RobotId, outline: Footprint) -> Result<Pose2, WorldError> {
        let [columns, rows] = self.file.size_m.map(|size| (size / GRID_M) as u32);
        let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let grid = grid.map(|(column, row)| {
            Pose2::new((f64::from(column) + 0.5) * GRID_M, (f64::from(row) + 0.5) * GRID_M, 0.0)
        });
        let spawns = self.file.spawns.iter().map(crate::config::Spawn::pose);
        let free = |at: &Pose2| {
            let solid = |(dx, dy): &(f64, f64)| self.floor.at(at.x_m + dx, at.y_m + dy).depth_m == 0.0;
            obstacle(&self.physics, &self.file, outline, *at, None).is_none()
                && [(0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2)].iter().all(solid)
        };
        spawns
            .chain(grid)
            .find(free)
            .ok_or_else(|| WorldError::Full { robot: robot.clone(), world: self.file.name.clone() })
    }
}

impl Robot {
    fn act(&mut self, time_s: f64) {
        if self.taken {
            if time_s < self.taken_until_s || self.body.is_busy() {
                return;
            }
            self.taken = false;
            self.actor.resume();
        }
        if let Some(intent) = self.actor.act(&self.body.senses()) {
            self.body.intend(&intent);
        }
    }
}

fn takes_over(command: &Command) -> bool {
    matches!(
        command,
        Command::Drive { .. }
            | Command::DriveTracks(_)
            | Command::DriveHeading { .. }
            | Command::DriveArc { .. }
            | Command::Stop { .. }
            | Command::Halt { .. }
            | Command::Joints(_)
    )
}

/// Why a robot cannot be at a pose.
fn obstacle(
    physics: &Physics,
    file: &WorldFile,
    outline: Footprint,
    at: Pose2,
    own: Option<&Chassis>,
) -> Option<String> {
    if !at.is_finite() || at.yaw_rad.abs() > 1e3 || !file.contains(at.x_m, at.y_m) {
        return Some("it is outside the room".to_owned());
    }
    physics.in_the_way(outline, at, own)
}

fn place(physics: &mut Physics, file: &WorldFile, robot: &mut Robot, at: Pose2) -> Result<(), String> {
    if let Some(reason) = obstacle(physics, file, robot.body.footprint(), at, Some(&robot.chassis)) {
        return Err(reason);
    }
    let before = physics.pose(&robot.chassis);
    physics.place(&robot.chassis, at);
    robot.body.placed(wrap_angle(at.yaw_rad - before.yaw_rad));
    Ok(())
}
