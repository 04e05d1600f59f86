//! Values that the gateway derives from what a robot publishes, once for every client, whatever its dialect.
//!
//! ```text
//! profiles of the dialects ─┐
//! profile of a robot ───────┴─▶ rules() ──▶ Rule { to, from, how }     what could be derived, without any robot running
//!                                              │ somebody follows `to`
//!                                              ▼
//!           hub ──updates of `from`──▶ Deriver (method.rs) ──▶ hub: an update of `to` with its provenance
//! ```
//!
//! A dialect's profile names the sensors and joints that a program of its family expects. A robot that lacks one by that name gets it
//! from what it has: a range from a scan, a joint from the one with the same role. What cannot be derived is absent.
//!
//! | file | holds |
//! |---|---|
//! | `rules` | what a robot of a profile gets |
//! | `cone` | distances in a cone, from scans, points and other ranges |
//! | `wheels` | wheels, speeds and attitude from poses |
//! | `method` | one rule at work |
//! | `service` | the task: who is followed, what is published |

mod cone;
mod method;
mod rules;
mod service;
mod wheels;

pub use rules::{Method, Rule, Vocabulary};
pub use service::{Deriving, run};

use crate::model::{Kind, PartName};

/// The part of a scan that is made from range sensors.
pub const RANGES: &str = "ranges";

/// What a robot publishes, without its name.
pub type Address = (Kind, Option<PartName>);
