//! The world from outside: only what a user of the crate could see.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

mod acoustics;
mod battery;
mod camera;
mod driving;
mod edges;
mod files;
mod hazards;
mod hostile;
mod joints;
mod lab;
mod locating;
mod people;
mod perception;
mod ranges;
mod rates;
mod runtime;
mod sounds;
mod surfaces;
mod whole;
