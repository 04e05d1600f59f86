//! `latimer`: arguments in, exit code out.

use std::process::ExitCode;

use clap::Parser;
use latimer::cli::{self, Cli};
use latimer::exit::Exit;

/// What was freed is given back to the system within seconds (docs/decisions/0043).
#[cfg(all(unix, feature = "jemalloc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    cli::answer_shell();
    match cli::run(Cli::parse()) {
        Ok(()) => Exit::Ok.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("latimer: {failure}");
            }
            failure.exit.into()
        }
    }
}
