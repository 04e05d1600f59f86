//! The program and its API from outside.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod api;
mod cli;
mod documents;
mod full;
mod matrix;
mod probe;
mod program;
mod references;
mod swarm;
mod trace;
mod verdicts;
