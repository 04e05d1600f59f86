//! What the robot was asked to do, and how far it is: pure, without wheels, arm or clock.
//!
//! ```text
//!  request ──▶ Agenda ── Event ──▶ Job ── Act ──▶ the body drives, looks, grasps ──▶ Event
//!                 │                 │
//!                 └── reports ◀─────┴──▶ Memory: where the robot believes things to be
//! ```
//!
//! The [`Agenda`] owns the tasks and decides whose turn it is; a [`Job`] is one task's own state machine,
//! one file each in `jobs/`. A job says what it does at the moment it begins to do it, and never a
//! progress without an action.
//!
//! A report for assistance names the thing as its target. Its action distinguishes the two sorts:
//! `search_alternatives` when the thing is not available, `position_unknown` when the robot does not know
//! where the thing belongs.

mod act;
mod agenda;
mod failure;
mod jobs;
mod lessons;
mod memory;
mod request;
mod voice;

use voice::Voice;

pub(super) use act::{Act, Event};
pub(super) use agenda::{Agenda, AgendaContext, TaskOrigin};
pub(super) use failure::{ActFailure, SubmitError, TaskFailure, UnknownObject, UnknownTask};
pub(super) use lessons::ArmPose;
pub(super) use memory::Memory;
