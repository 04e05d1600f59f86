//! The core from outside: only what a user of the crate could see.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod adapt;
mod authority;
mod hub;
mod interest;
mod policies;
mod readers;
mod rig;
mod robots;
mod stops;
mod stress;
mod supervisor;
mod totals;
mod trace;
