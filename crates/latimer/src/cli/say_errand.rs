//! The words of `latimer send` for robots that drive, carry and do tasks by themselves.

use std::collections::BTreeMap;

use clap::{Args, Subcommand, ValueEnum};
use latimer_core::Timestamp;

use super::numbers::{angle, number};
use crate::exit::Failure;
use crate::wire::v1::{
    CarryAction, Charger, Command, Destination, FollowTarget, Navigate, Pose, Target, Task,
};

/// Names that would be taken for parameters of a task.
const NO_PARAMETERS: [&str; 4] = ["gateway", "patience", "log", "log-level"];

#[derive(Debug, Subcommand)]
pub(super) enum SayErrand {
    /// Say where the robot is on its map
    Pose {
        /// East of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        x: f64,
        /// North of the map's origin, metres
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: f64,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        yaw: f64,
    },
    /// Drive to a point or a place by itself
    Goto {
        /// A place's name, or metres east of the map's origin
        #[arg(allow_hyphen_values = true, value_name = "X|PLACE")]
        to: String,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: Option<f64>,
        /// How to stand there, counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle)]
        yaw: Option<f64>,
        /// How near is near enough, metres
        #[arg(long, value_name = "METRES", value_parser = number)]
        within: Option<f64>,
    },
    /// Drive to a charger by itself
    Charge {
        /// The one whose robots stand there; the nearest if not given
        #[arg(long, value_name = "X,Y[,YAW]", allow_hyphen_values = true, value_parser = pose)]
        at: Option<Pose>,
        /// How often to try again
        #[arg(long, value_name = "N", default_value_t = Charger::default().retries)]
        retries: u32,
    },
    /// Drive along a line by itself, point by point
    Route {
        /// Metres east and north of the map's origin, such as 1,2 3,2; below zero write -1 2 or -- -1,2
        #[arg(required = true, allow_negative_numbers = true, value_name = "X,Y")]
        points: Vec<String>,
        /// How far it may leave the line to get around something, metres
        #[arg(long, value_name = "METRES", value_parser = number)]
        detour: Option<f64>,
    },
    /// Stop driving by itself
    Cancel,
    /// Follow the nearest person, or say where the one to follow is
    Follow {
        /// Metres east of the map's origin, or `pause`, or `fail`
        #[arg(allow_hyphen_values = true, value_name = "X|pause|fail")]
        at: Option<String>,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: Option<f64>,
        /// How to stand there, counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle)]
        yaw: Option<f64>,
    },
    /// Drive beneath a rack, ready to take it
    Rack {
        /// About where it stands, metres east of the map's origin
        #[arg(allow_negative_numbers = true, value_parser = number)]
        x: f64,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: f64,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        yaw: f64,
    },
    /// Drive to where a rack shall be put down
    Unload {
        /// Metres east of the map's origin
        #[arg(allow_negative_numbers = true, value_parser = number)]
        x: f64,
        /// Metres north of the map's origin
        #[arg(allow_negative_numbers = true, value_parser = number)]
        y: f64,
        /// Counter-clockwise from east
        #[arg(allow_hyphen_values = true, value_parser = angle, default_value = "0")]
        yaw: f64,
    },
    /// Lift what stands above, or put it down
    Jack {
        /// Which way
        way: Way,
    },
    /// Roll a load in or out
    Roller {
        /// Which way
        way: Load,
    },
    /// Bring a thing, and tell each step until it is done
    Bring {
        /// Which thing
        #[arg(long)]
        object: Option<String>,
        /// From which place; the robot searches if not given
        #[arg(long, value_name = "PLACE")]
        from: Option<String>,
        /// To which place or person; to whoever asked if not given
        #[arg(long, value_name = "PLACE|PERSON|user")]
        to: Option<String>,
        #[command(flatten)]
        own: TaskArgs,
    },
    /// Put away what lies where it does not belong, and tell each step until it is done
    Clean {
        /// At which place; everywhere if not given
        #[arg(long, value_name = "PLACE")]
        to: Option<String>,
        #[command(flatten)]
        own: TaskArgs,
    },
    /// Look what is where, and tell each step until it is done
    Memorize {
        #[command(flatten)]
        own: TaskArgs,
    },
    /// Do a task of any kind; its name is printed
    #[command(override_usage = "latimer send <ROBOT> task <KIND> [--id ID] [--NAME VALUE]...")]
    Task {
        /// What to do, e.g. bring
        kind: String,
        /// What with, what from, where to, e.g. --from kitchen; --id, --asker and --priority (1 urgent,
        /// 5 can wait) are the task's own
        #[arg(allow_hyphen_values = true, trailing_var_arg = true, value_name = "--NAME VALUE")]
        parameters: Vec<String>,
    },
    /// Give up a task
    CancelTask {
        /// Its name
        id: String,
    },
}

/// What is every task's own.
#[derive(Debug, Args)]
pub(super) struct TaskArgs {
    /// Its name; the same again adds what was missing or answers a question
    #[arg(long)]
    id: Option<String>,
    /// Who asks
    #[arg(long, value_name = "NAME")]
    asker: Option<String>,
    /// 1 is urgent, 5 can wait
    #[arg(long, value_name = "1..5", default_value_t = Task::DEFAULT_PRIORITY, value_parser = clap::value_parser!(u8).range(1..=5))]
    priority: u8,
}

impl TaskArgs {
    fn task(self, kind: &str, parameters: &[(&str, Option<String>)], now: Timestamp) -> Command {
        let Self { id, asker, priority } = self;
        let said = parameters.iter().filter_map(|(name, value)| Some(((*name).to_owned(), value.clone()?)));
        let id = id.unwrap_or_else(|| made_up(now));
        Command::Task(Task { id, kind: kind.to_owned(), parameters: said.collect(), asker, priority })
    }
}

/// A name for a task that has none.
fn made_up(now: Timestamp) -> String {
    format!("task{}", now.as_nanos() / 1_000_000)
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Way {
    Up,
    Down,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Load {
    Load,
    Unload,
}

impl SayErrand {
    /// What the API is told; a task without a name gets one from the time.
    pub(super) fn command(self, now: Timestamp) -> Result<Command, Failure> {
        let pose = |x_m, y_m, yaw_rad| Some(Pose { x_m, y_m, yaw_rad });
        Ok(match self {
            Self::Pose { x, y, yaw } => Command::SetPose { x_m: x, y_m: y, yaw_rad: yaw },
            Self::Goto { to, y, yaw, within } => {
                Command::Navigate(Navigate { to: goto(to, y, yaw)?, id: None, accuracy_m: within })
            }
            Self::Charge { at, retries } => navigate(Destination {
                charger: Some(Charger { pose: at, retries }),
                ..Destination::default()
            }),
            Self::Route { points, detour } => navigate(Destination {
                route: Some(route(&points)?),
                detour_m: detour,
                ..Destination::default()
            }),
            Self::Cancel => Command::CancelNavigation {},
            Self::Follow { at, y, yaw } => follow(at.as_deref(), y, yaw)?,
            Self::Rack { x, y, yaw } => {
                navigate(Destination { rack: pose(x, y, yaw), ..Destination::default() })
            }
            Self::Unload { x, y, yaw } => {
                navigate(Destination { unload: pose(x, y, yaw), ..Destination::default() })
            }
            Self::Jack { way: Way::Up } => Command::Carry { action: CarryAction::JackUp },
            Self::Jack { way: Way::Down } => Command::Carry { action: CarryAction::JackDown },
            Self::Roller { way: Load::Load } => Command::Carry { action: CarryAction::RollerLoad },
            Self::Roller { way: Load::Unload } => Command::Carry { action: CarryAction::RollerUnload },
            Self::Bring { object, from, to, own } => {
                own.task("bring", &[("object", object), ("from", from), ("to", to)], now)
            }
            Self::Clean { to, own } => own.task("clean", &[("to", to)], now),
            Self::Memorize { own } => own.task("memorize", &[], now),
            Self::Task { kind, parameters } => Command::Task(task(kind, &parameters, now)?),
            Self::CancelTask { id } => Command::CancelTask { id },
        })
    }
}

fn navigate(to: Destination) -> Command {
    Command::Navigate(Navigate { to, id: None, accuracy_m: None })
}

fn goto(to: String, y_m: Option<f64>, yaw_rad: Option<f64>) -> Result<Destination, Failure> {
    match (number(&to), y_m) {
        (Ok(x_m), Some(_)) => Ok(Destination { x_m: Some(x_m), y_m, yaw_rad, ..Destination::default() }),
        (Err(_), None) => Ok(Destination { place: Some(to), ..Destination::default() }),
        (Ok(_), None) => Err(Failure::usage("a point needs two numbers; write such as goto 1.5 2")),
        (Err(_), Some(_)) => Err(Failure::usage(format!(
            "a place goes by its name alone; write such as goto {to}, or goto 1.5 2 for a point"
        ))),
    }
}

fn follow(at: Option<&str>, y_m: Option<f64>, yaw_rad: Option<f64>) -> Result<Command, Failure> {
    let target = match (at, y_m) {
        (None, _) => return Ok(navigate(Destination { target: Some(Target {}), ..Destination::default() })),
        (Some("pause"), None) => FollowTarget::Pause,
        (Some("fail"), None) => FollowTarget::Fail,
        (Some(x), Some(_)) if number(x).is_ok() => FollowTarget::Pose { x_m: number(x).ok(), y_m, yaw_rad },
        (Some(_), _) => {
            return Err(Failure::usage(
                "this is no place of somebody to follow; write such as follow 1.5 2, follow pause, follow fail, or follow alone",
            ));
        }
    };
    Ok(Command::Follow { target })
}

/// Points with a comma or a space between their coordinates.
fn route(words: &[String]) -> Result<Vec<[f64; 2]>, Failure> {
    let wrong = |why: String| Failure::usage(format!("{why}; write points such as 1,2 3,2"));
    let numbers = words.iter().flat_map(|word| word.split(',')).map(number);
    let numbers = numbers.collect::<Result<Vec<f64>, String>>().map_err(wrong)?;
    let (points, rest) = numbers.as_chunks::<2>();
    if rest.is_empty() { Ok(points.to_vec()) } else { Err(wrong("a coordinate is missing".to_owned())) }
}

/// `1,2` or `1,2,90deg`.
fn pose(text: &str) -> Result<Pose, String> {
    let words: Vec<&str> = text.split(',').collect();
    let (x, y, yaw) = match words.as_slice() {
        [x, y] => (x, y, "0"),
        [x, y, yaw] => (x, y, *yaw),
        _ => return Err("write such as 1,2 or 1,2,90deg".to_owned()),
    };
    Ok(Pose { x_m: number(x)?, y_m: number(y)?, yaw_rad: angle(yaw)? })
}

fn task(kind: String, words: &[String], now: Timestamp) -> Result<Task, Failure> {
    let mut parameters = BTreeMap::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let example = "write such as --from kitchen";
        let name = word.strip_prefix("--").filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| Failure::usage(format!("{word:?} has no name; {example}")))?;
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None => {
                let missing = || Failure::usage(format!("{word} has no value; {example}"));
                (name, words.next().ok_or_else(missing)?.clone())
            }
        };
        if NO_PARAMETERS.contains(&name) {
            return Err(Failure::usage(format!(
                "--{name} is no parameter of a task; write it before `task`"
            )));
        }
        if parameters.insert(name.to_owned(), value).is_some() {
            return Err(Failure::usage(format!("--{name} is given twice; {example}, once for each name")));
        }
    }
    let priority = match parameters.remove("priority") {
        None => Task::DEFAULT_PRIORITY,
        Some(given) => given.parse().map_err(|_| {
            Failure::usage(format!("{given:?} is no priority; write 1, urgent, to 5, can wait"))
        })?,
    };
    Ok(Task {
        id: parameters.remove("id").unwrap_or_else(|| made_up(now)),
        kind,
        asker: parameters.remove("asker"),
        priority,
        parameters,
    })
}
