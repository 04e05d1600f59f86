//! `latimer completions`: scripts for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use crate::exit::Ended;

pub(super) fn complete(shell: Shell) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "latimer", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
