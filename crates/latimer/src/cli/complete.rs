//! `latimer completions`, and what TAB offers: the robots and keys of the gateway, besides the program's own words.

use std::ffi::OsStr;
use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};

use super::Cli;
use crate::api::{Frames, Last, Robots};
use crate::client::{Gateway, GatewayArgs};
use crate::exit::{Ended, Exit, Failure};
use crate::limits::COMPLETION_TIMEOUT;

/// How the script asks the program: a variable that names the shell.
const ASKED_BY: &str = "COMPLETE";

/// Name of the program on the path.
const PROGRAM: &str = "latimer";

pub(super) fn complete(shell: Shell) -> Ended {
    let shells = Shells::builtins();
    let name = shell.to_string();
    let Some(completer) = shells.completer(&name) else {
        return Err(Failure::new(Exit::Failed, format!("no completions are known for {name}")));
    };
    let mut script = Vec::new();
    completer.write_registration(ASKED_BY, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    Ok(std::io::stdout().write_all(&script)?)
}

/// Answers a shell that asks for completions and ends the program then; returns if none asks.
pub fn answer_shell() {
    CompleteEnv::with_factory(Cli::command).var(ASKED_BY).bin(PROGRAM).complete();
}

/// The robots of the gateway.
pub(super) fn robots() -> ArgValueCandidates {
    ArgValueCandidates::new(|| names().into_iter().map(CompletionCandidate::new).collect())
}

/// Keys: first a robot, then what it publishes.
pub(super) fn keys() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Some(current) = current.to_str() else { return Vec::new() };
        let known = match current.split_once('/') {
            Some((robot, _)) => keys_of(robot),
            None => names().into_iter().map(|robot| format!("{robot}/")).collect(),
        };
        known.into_iter().filter(|key| key.starts_with(current)).map(CompletionCandidate::new).collect()
    })
}

/// Frames of the tree.
pub(super) fn frames() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let frames = ask::<Frames>("/api/v1/frames").map(|it| it.frames);
        frames.into_iter().flatten().map(|it| CompletionCandidate::new(it.name)).collect()
    })
}

fn names() -> Vec<String> {
    let robots = ask::<Robots>("/api/v1/robots").map(|it| it.robots);
    robots.into_iter().flatten().map(|it| it.robot).collect()
}

fn keys_of(robot: &str) -> Vec<String> {
    let last = ask::<Last>(&format!("/api/v1/last?select={robot}"));
    last.into_iter().flat_map(|it| it.updates).map(|update| update.key).collect()
}

/// What the gateway answers; nothing if there is none, since nobody reads an error while completing.
fn ask<T: serde::de::DeserializeOwned>(path: &str) -> Option<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let answer = async {
        let gateway = Gateway::new(&GatewayArgs::from_environment()).ok()?;
        tokio::time::timeout(COMPLETION_TIMEOUT, gateway.get(path)).await.ok()?.ok()
    };
    let answer = runtime.block_on(answer);
    runtime.shutdown_background();
    answer
}
