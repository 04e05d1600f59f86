//! A flat with a household robot `k`, and what it published of its tasks.

use std::time::Duration;

use crate::lab::Input;
use latimer_core::model::signal::{Task, TaskState};
use latimer_core::model::{Command, Kind, Refusal, Signal, TaskRequest};
use latimer_core::{Outcome, RobotId, Timestamp, Update};
use latimer_simulator_api::Happening;
use latimer_world::{Behaviour, Pose2, Start, Whereabouts, World, WorldFile};

pub(crate) struct Home {
    pub(crate) world: World,
    pub(crate) now: Timestamp,
    pub(crate) received: Vec<Update>,
}

/// A room with a kitchen, a shelf and a sofa, two sodas, a book, and Anna who stands.
pub(crate) const ROOM: &str = r#"
name = "room"
size_m = [7.0, 5.0]
known_faces = ["Anna"]
[[places]]
name = "Kitchen"
position_m = [6.0, 1.0]
surface_m = [6.6, 1.0]
[[places]]
name = "Shelf"
position_m = [6.0, 4.0]
surface_m = [6.6, 4.0]
[[places]]
name = "Sofa"
position_m = [1.0, 4.0]
yaw_deg = 180.0
surface_m = [0.4, 4.0]
[[objects]]
name = "coke"
category = "soda"
place = "Kitchen"
[[objects]]
name = "fanta"
category = "soda"
place = "Kitchen"
[[objects]]
name = "book"
category = "reading"
place = "Shelf"
"#;

pub(crate) const ANNA: &str = "[[people]]\nname = \"Anna\"\nstart_m = [2.5, 1.0]\n";

fn id() -> RobotId {
    RobotId::new("k").unwrap()
}

pub(crate) fn request(id: &str, kind: &str, parameters: &[(&str, &str)]) -> TaskRequest {
    TaskRequest {
        id: id.to_owned(),
        kind: kind.to_owned(),
        parameters: parameters.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        asker: Some("dm".to_owned()),
        priority: 3,
    }
}

impl Home {
    pub(crate) fn new(text: &str, x_m: f64, y_m: f64, behaviour: Behaviour) -> Self {
        Self::of(WorldFile::parse(text).unwrap(), Start::At(Pose2::new(x_m, y_m, 0.0)), behaviour)
    }

    pub(crate) fn of(file: WorldFile, start: Start, behaviour: Behaviour) -> Self {
        let mut world = World::new(file, 42).unwrap();
        world.add_robot(id(), "robotkoop", start, behaviour).unwrap();
        Self { world, now: Timestamp::from_nanos(1_700_000_000_000_000_000), received: Vec::new() }
    }

    /// The room with Anna in it and the robot near her.
    pub(crate) fn room() -> Self {
        let mut home = Self::new(&format!("{ROOM}{ANNA}"), 1.0, 1.0, Behaviour::Stand);
        home.run(0.5);
        home
    }

    pub(crate) fn run(&mut self, seconds: f64) -> &mut Self {
        for _ in 0..(seconds * 100.0).round() as u32 {
            self.now = self.now.after(Duration::from_millis(10));
            self.world.step(self.now, &mut self.received);
        }
        self
    }

    pub(crate) fn ask(&mut self, asked: impl Into<Input>) -> Outcome {
        asked.into().of(&mut self.world, &id())
    }

    pub(crate) fn task(&mut self, kind: &str, parameters: &[(&str, &str)]) -> &mut Self {
        assert!(self.ask(Command::Task(request("T", kind, parameters))).is_ok());
        self
    }

    /// Runs until the last published tasks are these, at most so long.
    pub(crate) fn until(&mut self, words: &str, most_s: f64) -> &mut Self {
        for _ in 0..(most_s * 2.0) as u32 {
            if self.published().ends_with(words) {
                return self;
            }
            self.run(0.5);
        }
        let (published, at) = (self.published(), self.pose());
        panic!("{words:?} was not published in {most_s} s, but: {published} at {at:?}");
    }

    pub(crate) fn pose(&self) -> Pose2 {
        self.world.true_pose(&id()).unwrap()
    }

    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.received.iter().filter_map(|update| match &update.signal {
            Signal::Task(task) => Some(task),
            _ => None,
        })
    }

    /// Everything that was published of tasks, in a word each.
    pub(crate) fn published(&self) -> String {
        let word = |task: &Task| {
            let target = task.target.as_ref().map_or(String::new(), |it| format!(":{it}"));
            match (task.state, task.action) {
                (TaskState::Progress, Some(action)) => format!("{action}{target}"),
                (TaskState::Progress, None) => panic!("progress without an action: {task:?}"),
                (TaskState::MissingInfo, _) => format!("missing_info:{}", task.missing.join(",")),
                (TaskState::Anomaly, _) => {
                    format!("anomaly:{}[{}]", task.location.as_deref().unwrap(), task.objects.join(","))
                }
                (state, _) => state.to_string(),
            }
        };
        self.tasks().map(word).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn signals(&self, kind: Kind) -> Vec<&Signal> {
        self.received.iter().filter(|it| it.kind() == kind).map(|it| &it.signal).collect()
    }

    pub(crate) fn chat(&self) -> Vec<String> {
        let line = |signal: &&Signal| match signal {
            Signal::Text(text) => Some(text.text.to_string()),
            _ => None,
        };
        self.signals(Kind::Text).iter().filter_map(line).collect()
    }

    pub(crate) fn happen(&mut self, happening: Happening) -> Result<(), Refusal> {
        self.world.happen(happening)
    }

    pub(crate) fn at(&self, thing: &str) -> Whereabouts {
        self.world.household().whereabouts(thing).unwrap().clone()
    }

    pub(crate) fn put(&mut self, thing: &str, place: &str) -> &mut Self {
        self.world.household_mut().move_to(thing, Whereabouts::Place(place.to_owned())).unwrap();
        self
    }

    pub(crate) fn remove(&mut self, thing: &str) -> &mut Self {
        self.world.household_mut().move_to(thing, Whereabouts::Gone).unwrap();
        self
    }
}

pub(crate) fn place(name: &str) -> Whereabouts {
    Whereabouts::Place(name.to_owned())
}
