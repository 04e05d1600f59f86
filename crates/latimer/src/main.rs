//! `latimer`: arguments in, exit code out.

use std::process::ExitCode;

use clap::Parser;
use latimer::cli::{self, Cli};
use latimer::exit::{self, Exit};

/// What was freed is given back to the system within seconds (docs/decisions/0043).
#[cfg(all(unix, feature = "jemalloc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    cli::answer_shell();
    match Cli::try_parse() {
        Ok(cli) => exit::end(cli::run(cli)),
        // Help, or what is wrong with the arguments.
        Err(error) => match error.print() {
            Err(unwritten) if !error.use_stderr() => exit::end(Err(unwritten.into())),
            _ if error.use_stderr() => Exit::Usage.into(),
            _ => exit::end(Ok(())),
        },
    }
}
