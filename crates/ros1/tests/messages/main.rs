//! Messages beside genpy's, which decides what is right.

mod answer;
mod genpy;
mod golden;
