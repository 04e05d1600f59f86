//! The command line: `ros2 topic` users should feel at home.

mod api;
mod args;
mod cert;
mod check;
mod commands;
mod complete;
mod dialects;
mod doctor;
mod drive;
mod echo;
mod ended;
mod estop;
mod follow;
mod frames;
mod hz;
mod info;
mod info_robot;
mod limits;
mod lines;
mod matrix;
mod measure;
mod missing;
mod poke;
mod post;
mod probe;
mod rate;
mod reload;
mod robots;
mod send;
mod serve;
mod stands;
mod table;
mod topics;
mod trace;
mod user;
mod world;

pub use args::{Cli, Task};
pub use complete::answer_shell;

use crate::exit::{Ended, Exit, Failure};

/// Does what was asked.
pub fn run(cli: Cli) -> Ended {
    let Cli { task, log } = cli;
    match task {
        Task::Demo(args) => serve::demo(&args, &log),
        Task::Run(args) => serve::run(&args, &log),
        Task::CheckConfig(args) => check::check(&args),
        Task::Doctor(args) => doctor::doctor(&args),
        Task::Reload(args) => block_on(reload::reload(args)),
        Task::World(args) => world::world(args),
        Task::Api(task) => api::api(task),
        Task::Dialects => dialects::dialects(),
        Task::Matrix(args) => matrix::run(&args),
        Task::Limits(args) => limits::limits(&args),
        Task::Completions { shell } => complete::complete(shell),
        Task::Robots(args) => block_on(robots::robots(&args)),
        Task::Frames(args) => block_on(frames::frames(&args)),
        Task::Topics(args) => block_on(topics::topics(&args)),
        Task::Info(args) => block_on(info::info(&args)),
        Task::Trace(args) => block_on(trace::trace(&args)),
        Task::Commands(args) => block_on(commands::commands(&args)),
        Task::Echo(args) => block_on(echo::echo(&args)),
        Task::Hz(args) => block_on(hz::hz(&args)),
        Task::Send(args) => block_on(send::send(args)),
        Task::Cert(args) => cert::cert(&args),
        Task::User(args) => user::user(&args),
        Task::Estop(args) => block_on(estop::estop(args)),
        Task::Stands(args) => block_on(stands::stands(args)),
        Task::Poke(args) => block_on(poke::poke(args)),
        Task::Probe(args) => block_on(probe::probe(&args)),
    }
}

/// Runs a task that talks to a gateway; one thread is plenty.
fn block_on(task: impl Future<Output = Ended>) -> Ended {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Failed, format!("no runtime: {error}")))?;
    let ended = runtime.block_on(task);
    runtime.shutdown_background();
    ended
}
