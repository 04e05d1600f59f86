//! `latimer world`: which worlds there are, what is wrong with a file, how it looks; and what happens in
//! the world of a running gateway.

mod running;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use latimer_world::WorldFile;
use latimer_world::config::BUILTIN;
use latimer_world::render::{self, RenderError};

pub(super) use self::running::RunningWorld;
use super::post::DEFAULT_PATIENCE;
use super::table::table;
use crate::app;
use crate::client::GatewayArgs;
use crate::exit::{Ended, Exit, Failure};
use latimer_wire::v1::duration;

/// `latimer world`.
#[derive(Debug, Args)]
pub struct WorldArgs {
    /// What to do.
    #[command(subcommand)]
    task: WorldTask,
    /// How long the world of a running gateway may take to answer
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration, default_value = DEFAULT_PATIENCE)]
    patience: Duration,
    #[command(flatten)]
    gateway: GatewayArgs,
}

#[derive(Debug, Subcommand)]
enum WorldTask {
    /// List the worlds that come with the program
    List,
    /// Say what is wrong with a world file
    Check {
        /// The world file
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Draw a world from above, as PNG
    Render {
        /// A world file, or the name of a world that comes with the program
        #[arg(value_name = "FILE|NAME")]
        world: String,
        /// Where to put the picture
        #[arg(short, long, value_name = "PNG")]
        output: PathBuf,
        /// How wide it is, pixels
        #[arg(long, value_name = "N", default_value_t = 800)]
        width: u32,
    },
    #[command(flatten)]
    Running(RunningWorld),
}

pub(super) fn world(args: WorldArgs) -> Ended {
    let WorldArgs { task, patience, gateway } = args;
    match task {
        WorldTask::List => list(),
        WorldTask::Check { file } => check(&file),
        WorldTask::Render { world, output, width } => draw(&world, &output, width),
        WorldTask::Running(words) => super::block_on(words.post(&gateway, patience)),
    }
}

fn read(name: &str) -> Result<WorldFile, Failure> {
    app::world::file(name, Path::new("")).map_err(|error| Failure::usage(error.to_string()))
}

fn list() -> Ended {
    let mut rows = Vec::new();
    for (name, text) in BUILTIN {
        let [x, y] = read(name)?.size_m;
        let about = text.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
        let about = about.split_inclusive('.').next().unwrap_or_default();
        rows.push(vec![(*name).to_owned(), format!("{x} × {y} m"), about.to_owned()]);
    }
    Ok(writeln!(std::io::stdout(), "{}", table(&["world", "size", "what it is"], rows))?)
}

fn check(file: &str) -> Ended {
    let world = read(file)?;
    let [x, y] = world.size_m;
    let things = world.walls.len() + world.boxes.len() + world.cylinders.len();
    let (people, sounds, spawns) = (world.people.len(), world.sounds.len(), world.spawns.len());
    Ok(writeln!(
        std::io::stdout(),
        "{file} is fine: {x} × {y} m, {things} walls and things, {people} people, {sounds} sounds, {spawns} spawn points"
    )?)
}

fn draw(world: &str, output: &Path, width: u32) -> Ended {
    let picture = render::png(&read(world)?, width).map_err(|error| match error {
        RenderError::Size { .. } => Failure::usage(error.to_string()),
        RenderError::Png(_) => Failure::new(Exit::Failed, error.to_string()),
    })?;
    std::fs::write(output, picture).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot write {}: {error}; choose another path", output.display()))
    })?;
    Ok(writeln!(std::io::stdout(), "{}", output.display())?)
}

/// The words for a running world, if they are for one.
#[cfg(test)]
pub(super) fn running_from_args(args: WorldArgs) -> Option<RunningWorld> {
    match args.task {
        WorldTask::Running(words) => Some(words),
        WorldTask::List | WorldTask::Check { .. } | WorldTask::Render { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_or_drawn_says_what_to_do() {
        let missing = read("no-such.toml").unwrap_err();
        assert_eq!(missing.exit, Exit::Usage);
        assert!(missing.message.contains("demo, warehouse, arena, maze, empty"), "{missing}");
        let narrow = draw("demo", Path::new("never-written.png"), 5).unwrap_err();
        assert!(narrow.exit == Exit::Usage && narrow.message.contains("another width"), "{narrow}");
        assert!(!Path::new("never-written.png").exists());
    }
}
