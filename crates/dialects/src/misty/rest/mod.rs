//! The REST side of Misty II: which commands there are, how parameters come, how answers look.
//!
//! [`command`] turns a call into a command of the model and [`call`] a command into calls.

pub mod call;
pub mod catalogue;
pub mod command;
pub mod command_params;
mod described;
pub mod envelope;
pub mod hazards;
pub mod param_type;
pub mod params;
pub mod row;
pub mod scale;
