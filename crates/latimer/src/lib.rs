//! The gateway as a program: config, app, API, command line.
//!
//! ```text
//! cli ──▶ config ──▶ app ──▶ world, dialects, api ──▶ hub
//!   └───▶ client ──HTTP, WebSocket──▶ api
//! ```
//!
//! [`config`] is the TOML file, [`app`] builds and runs what it says, [`latimer_wire`] is the JSON that leaves
//! the process, [`api`] serves it, [`client`] talks to it, and [`cli`] is the command line over both.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod api;
pub mod app;
pub mod cli;
pub mod client;
pub mod config;
mod doctor;
pub mod exit;
mod handles;
pub mod journal;
pub mod limits;
pub mod log;
pub mod matrix;
mod metrics;
pub mod page;
pub mod probe;
