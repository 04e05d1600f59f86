//! The world from outside: only what a user of the crate could see.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

mod battery;
mod driving;
mod edges;
mod files;
mod hazards;
mod hostile;
mod joints;
mod lab;
mod lidar;
mod locating;
mod mapping;
mod navigation;
mod people;
mod perception;
mod ranges;
mod rates;
mod rig;
mod robotkoop_home;
mod robotkoop_tasks;
mod robotkoop_trouble;
mod runtime;
mod sounds;
mod surfaces;
mod whole;
