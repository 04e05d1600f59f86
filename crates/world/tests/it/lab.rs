//! A world with one robot `m`, and everything that it said.

use std::time::Duration;

use latimer_core::model::signal::{Hazard, Motion, MotionState};
use latimer_core::model::{Command, Kind, Signal};
use latimer_core::{Outcome, PartName, RobotId, Timestamp, Update};
use latimer_dialects::describe::Call;
use latimer_simulator_api::Stimulus;
use latimer_world::{Behaviour, Pose2, Start, World, WorldFile};

/// A command of one family.
pub(crate) fn own(call: impl Call) -> Command {
    call.command().unwrap()
}

pub(crate) struct Lab {
    pub(crate) world: World,
    pub(crate) now: Timestamp,
    pub(crate) received: Vec<Update>,
}

pub(crate) fn id(name: &str) -> RobotId {
    RobotId::new(name).unwrap()
}

/// A room of 6 × 6 m with more in it, and a Misty at a pose.
pub(crate) fn lab(more: &str, x_m: f64, y_m: f64, yaw_deg: f64) -> Lab {
    lab_of("misty", more, x_m, y_m, yaw_deg)
}

/// The same with a robot of another kind.
pub(crate) fn lab_of(kind: &str, more: &str, x_m: f64, y_m: f64, yaw_deg: f64) -> Lab {
    let file = WorldFile::parse(&format!("name = \"lab\"\nsize_m = [6.0, 6.0]\n{more}")).unwrap();
    let mut world = World::new(file, 42).unwrap();
    let start = Start::At(Pose2::new(x_m, y_m, yaw_deg.to_radians()));
    world.add_robot(id("m"), kind, start, Behaviour::Stand).unwrap();
    Lab::of(world)
}

/// What a robot is asked, or what happens to it.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Command(Command),
    Poke(Stimulus),
}

impl Input {
    pub(crate) fn of(self, world: &mut World, robot: &RobotId) -> Outcome {
        match self {
            Self::Command(command) => world.command(robot, command),
            Self::Poke(stimulus) => world.poke(robot, stimulus),
        }
    }
}

impl From<Command> for Input {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

impl From<Stimulus> for Input {
    fn from(stimulus: Stimulus) -> Self {
        Self::Poke(stimulus)
    }
}

impl Lab {
    /// A world in which nothing was said yet.
    pub(crate) fn of(world: World) -> Self {
        Self { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() }
    }

    pub(crate) fn run(&mut self, seconds: f64) -> &mut Self {
        for _ in 0..(seconds * 100.0).round() as u32 {
            self.now = self.now.after(Duration::from_millis(10));
            self.world.step(self.now, &mut self.received);
        }
        self
    }

    pub(crate) fn ask(&mut self, asked: impl Into<Input>) -> Outcome {
        asked.into().of(&mut self.world, &id("m"))
    }

    pub(crate) fn poke(&mut self, stimulus: Stimulus) -> Outcome {
        self.ask(stimulus)
    }

    pub(crate) fn drive(&mut self, linear_mps: f64, angular_radps: f64) -> Outcome {
        self.ask(Command::Drive { linear_mps, angular_radps, duration: None })
    }

    pub(crate) fn stop(&mut self) {
        assert!(self.ask(Command::Stop { hold: false }).is_ok());
    }

    pub(crate) fn pose(&self) -> Pose2 {
        self.world.true_pose(&id("m")).unwrap()
    }

    /// All signals of a kind, of a part if given.
    pub(crate) fn all(&self, kind: Kind, part: &str) -> Vec<&Signal> {
        let part = (!part.is_empty()).then(|| PartName::of(part));
        let fits = |update: &&Update| update.kind() == kind && (part.is_none() || update.part == part);
        self.received.iter().filter(fits).map(|update| &update.signal).collect()
    }

    pub(crate) fn last(&self, kind: Kind, part: &str) -> Signal {
        (*self.all(kind, part).last().unwrap_or_else(|| panic!("no {kind} of {part:?}"))).clone()
    }

    pub(crate) fn number(&self, kind: Kind, part: &str, field: &str) -> f64 {
        self.last(kind, part).field(field).unwrap().as_f64().unwrap_or(f64::NAN)
    }

    pub(crate) fn forget(&mut self) -> &mut Self {
        self.received.clear();
        self
    }

    /// The names of the hazards that hold, by the last notice.
    pub(crate) fn hazards(&self) -> Vec<String> {
        match self.all(Kind::Hazard, "").last() {
            Some(Signal::Hazard(Hazard { items, .. })) => {
                items.iter().filter(|it| it.active).map(|it| format!("{}:{}", it.source, it.part)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn motions(&self) -> Vec<MotionState> {
        let state = |signal: &&Signal| match signal {
            Signal::Motion(Motion { state, .. }) => Some(*state),
            _ => None,
        };
        self.all(Kind::Motion, "").iter().filter_map(state).collect()
    }
}

pub(crate) fn seconds(s: f64) -> Duration {
    Duration::from_secs_f64(s)
}
