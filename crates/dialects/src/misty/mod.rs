//! Misty II: JSON events over a WebSocket, commands over REST.

pub mod lenient;
pub mod rest;
pub mod wire;
