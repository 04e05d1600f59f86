//! The facade as Misty's clients see it: frames and answers to the letter.

mod client;
mod events;
mod miro;
mod rest;
