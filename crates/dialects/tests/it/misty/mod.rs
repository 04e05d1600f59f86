//! The facade as Misty's clients see it: frames and answers to the letter.

pub(crate) mod client;
mod events;
mod miro;
mod rest;
