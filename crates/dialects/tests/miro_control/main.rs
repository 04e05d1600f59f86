//! What nodes tell a served MiRo, and what the hub tells a real one.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod connected;
mod programs;
#[path = "../miro/rig.rs"]
#[expect(dead_code, reason = "what only the other tests need")]
mod rig;
mod served;
mod teller;
