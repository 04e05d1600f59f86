//! Every dialect from outside: what it serves as its clients see it, what it connects to as the hub does.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod axbot;
mod axbot_rest;
mod axbot_session;
mod conformance;
mod miro;
mod miro_control;
mod misty;
mod pera_robots;
mod robotkoop;
mod time;
