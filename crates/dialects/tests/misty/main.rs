//! The facade as Misty's clients see it: frames and answers to the letter.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod client;
mod events;
mod miro;
mod rest;
#[path = "../conformance/samples.rs"]
#[expect(dead_code, reason = "shared with the conformance test, which uses all of it")]
mod samples;

mod house {
    //! What `samples` needs.
    pub(crate) fn robot() -> latimer_core::RobotId {
        super::client::robot()
    }
}
