//! `latimer doctor`: what a config and this machine have that will trouble a gateway, without running one.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use latimer_core::service::{Insecure, Rules};

use crate::config::{Config, Overrides};
use crate::doctor;
use crate::exit::{Ended, Exit, Failure};

/// `latimer doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The config; the demo's if not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The state folder that the gateway is started with
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Listeners that other machines may reach without encryption or password, as for `run`
    #[arg(long, value_name = "KEY")]
    insecure: Vec<String>,
}

pub(super) fn doctor(args: &DoctorArgs) -> Ended {
    let DoctorArgs { file, state, insecure } = args;
    let rules = Rules { insecure: Insecure::new(insecure.clone()), ..Rules::default() };
    let overrides = Overrides { rules, ..Overrides::default() };
    let config = match file {
        Some(file) => Config::from_file(file, &overrides),
        None => Config::demo(&overrides),
    };
    let config = config.map_err(|error| Failure::usage(error.to_string()))?;
    let findings = doctor::examine(&config, state.as_deref());
    let mut out = std::io::stdout().lock();
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    match findings.len() {
        0 => Ok(writeln!(out, "nothing is found that would trouble a gateway")?),
        1 => Err(Failure::new(Exit::Failed, "one finding".to_owned())),
        count => Err(Failure::new(Exit::Failed, format!("{count} findings"))),
    }
}
