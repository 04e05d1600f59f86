//! The REST side of Misty II: which commands there are, how parameters come, how answers look.

pub mod catalogue;
pub mod command_params;
pub mod envelope;
mod form;
pub mod param_type;
pub mod params;
