//! The simulated world of a config: its file, and the robots in it.

use latimer_core::model::Refusal;
use std::path::{Path, PathBuf};

use latimer_world::{
    Newcomer, Start, World, WorldError, WorldFile, WorldFileError, config::BUILTIN, config::NamingError,
};

use crate::config::Config;
use crate::config::scenario::{self, ScenarioError};
use crate::config::world::{Naming, Simulate};

/// Why there is no world.
#[derive(Debug, thiserror::Error)]
pub enum WorldFailure {
    /// The file cannot be read.
    #[error("cannot read the world {path}: {source}; write the path of a world file, or one of: {builtin}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// Worlds that come with the program.
        builtin: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is wrong.
    #[error("the world {file} is wrong: {source}")]
    File {
        /// Which file.
        file: String,
        /// What is wrong.
        source: WorldFileError,
    },
    /// A place or an object cannot be called so.
    #[error("{source} (world.names[{number}], in the world {world})")]
    Naming {
        /// Which entry, from 0.
        number: usize,
        /// The world's name or file.
        world: String,
        /// What is wrong.
        source: NamingError,
    },
    /// A robot cannot be in it.
    #[error("{source} (simulate.robot = {robot:?}, in the world {world})")]
    Robot {
        /// Which robot.
        robot: String,
        /// The world's name or file.
        world: String,
        /// What is wrong.
        source: Box<WorldError>,
    },
    /// The scenario is wrong.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The scenario is about somebody or something that is not there.
    #[error(
        "{path}: {reason}; write another name, or add it: robots to the config with [[simulate]], the rest to the world file"
    )]
    Unplayable {
        /// The scenario's file.
        path: String,
        /// What does not fit.
        reason: String,
    },
    /// Something else.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// The world with its robots; `None` if nothing is simulated and no world is asked for.
pub fn make(config: &Config) -> Result<Option<World>, WorldFailure> {
    if config.simulate.is_empty() && !config.has_world {
        return Ok(None);
    }
    let mut file = file(&config.world.file, &config.folder)?;
    for (number, Naming { name, called }) in config.world.names.iter().enumerate() {
        file.call(name, called).map_err(|source| WorldFailure::Naming {
            number,
            world: config.world.file.clone(),
            source,
        })?;
    }
    let mut world = World::new(file, config.world.seed)?;
    for simulate in &config.simulate {
        let Newcomer { robot, kind, start, habits } = newcomer(simulate);
        world.add_robot(robot.clone(), &kind, start, habits).map_err(|source| WorldFailure::Robot {
            robot: robot.to_string(),
            world: config.world.file.clone(),
            source: Box::new(source),
        })?;
    }
    if let Some(path) = &config.world.scenario {
        let scenario = scenario::from_file(path)?;
        world.play(scenario).map_err(|Refusal { reason, .. }| WorldFailure::Unplayable {
            path: path.display().to_string(),
            reason,
        })?;
    }
    Ok(Some(world))
}

/// A robot as an entry of `[[simulate]]` has it.
pub fn newcomer(simulate: &Simulate) -> Newcomer {
    let start = match (simulate.pose(), &simulate.spawn) {
        (Some(pose), _) => Start::At(pose),
        (None, Some(name)) => Start::Spawn(name.clone()),
        (None, None) => Start::Anywhere,
    };
    let (robot, kind) = (simulate.robot.clone(), simulate.body.clone());
    Newcomer { robot, kind, start, habits: simulate.habits() }
}

/// A world that comes with the program, or the world file at a path below a folder.
pub fn file(name: &str, folder: &Path) -> Result<WorldFile, WorldFailure> {
    let wrong = |source| WorldFailure::File { file: name.to_owned(), source };
    if BUILTIN.iter().any(|(known, _)| *known == name) {
        return WorldFile::builtin(name).map_err(wrong);
    }
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(|source| WorldFailure::Read {
        path,
        builtin: BUILTIN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        source,
    })?;
    WorldFile::parse(&text).map_err(wrong)
}
