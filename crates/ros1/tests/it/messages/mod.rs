//! Messages beside genpy's, which decides what is right, and beside what nobody should send.

mod answer;
mod definitions;
mod genpy;
mod golden;
mod hostile;
mod property;
mod structs;
