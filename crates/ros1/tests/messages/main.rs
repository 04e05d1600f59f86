//! Messages beside genpy's, which decides what is right, and beside what nobody should send.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answer;
mod definitions;
mod genpy;
mod golden;
mod hostile;
mod property;
mod structs;
