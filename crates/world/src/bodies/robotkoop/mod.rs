//! A household robot.
mod tasks;
