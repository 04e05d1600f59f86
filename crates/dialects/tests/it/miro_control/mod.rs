//! What nodes tell a served MiRo, and what the hub tells a real one.

mod connected;
mod core;
mod programs;
mod publisher;
mod served;
mod sessions;
