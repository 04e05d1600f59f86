//! The words of `latimer send` for tasks.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use latimer_core::Timestamp;

use crate::exit::Failure;
use latimer_wire::v1::Task;

/// Options of the program itself, which would be taken for parameters of a task.
const NO_PARAMETERS: [&str; 4] = ["gateway", "patience", "log", "log-level"];

#[derive(Debug, Subcommand)]
pub(super) enum TaskWords {
    /// Bring a thing, and print each step until it is done
    Bring {
        /// Which thing
        #[arg(long)]
        object: Option<String>,
        /// From which place; the robot searches if not given
        #[arg(long, value_name = "PLACE")]
        from: Option<String>,
        /// To which place or person; to the asker if not given
        #[arg(long, value_name = "PLACE|PERSON|user")]
        to: Option<String>,
        #[command(flatten)]
        own: TaskArgs,
    },
    /// Put away what lies where it does not belong, and print each step until it is done
    Clean {
        /// At which place; everywhere if not given
        #[arg(long, value_name = "PLACE")]
        to: Option<String>,
        #[command(flatten)]
        own: TaskArgs,
    },
    /// Look what is where, and print each step until it is done
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
}

impl TaskWords {
    /// Whether `latimer send` prints each report until the task ends.
    pub(super) fn is_followed(&self) -> bool {
        !matches!(self, Self::Task { .. })
    }

    /// The task; one without a name gets one from the time.
    pub(super) fn task(self, now: Timestamp) -> Result<Task, Failure> {
        Ok(match self {
            Self::Bring { object, from, to, own } => {
                own.task("bring", &[("object", object), ("from", from), ("to", to)], now)
            }
            Self::Clean { to, own } => own.task("clean", &[("to", to)], now),
            Self::Memorize { own } => own.task("memorize", &[], now),
            Self::Task { kind, parameters } => task(kind, &parameters, now)?,
        })
    }
}

/// What every task has.
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
    fn task(self, kind: &str, parameters: &[(&str, Option<String>)], now: Timestamp) -> Task {
        let Self { id, asker, priority } = self;
        let given = parameters.iter().filter_map(|(name, value)| Some(((*name).to_owned(), value.clone()?)));
        let id = id.unwrap_or_else(|| made_up(now));
        Task { id, kind: kind.to_owned(), parameters: given.collect(), asker, priority }
    }
}

/// A name for a task that has none.
fn made_up(now: Timestamp) -> String {
    format!("task{}", now.as_nanos() / 1_000_000)
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
