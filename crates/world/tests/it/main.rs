//! The world from outside: only what a user of the crate could see.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

mod acoustics;
mod axbot;
mod battery;
mod builtin;
mod camera;
mod doors;
mod driving;
mod edges;
mod families;
mod files;
mod floor;
mod habits;
mod hazards;
mod hostile;
mod joints;
mod lab;
mod lidar;
mod light;
mod locating;
mod mapping;
mod miro;
mod miro_senses;
mod mixed;
mod navigation;
mod obstacles;
mod people;
mod pera;
mod perception;
mod racks;
mod ranges;
mod rates;
mod realities;
mod rig;
mod robotkoop_home;
mod robotkoop_tasks;
mod robotkoop_trouble;
mod runtime;
mod scenario;
mod scenery;
mod sceptic;
mod sounds;
mod surfaces;
mod watching;
mod whole;
