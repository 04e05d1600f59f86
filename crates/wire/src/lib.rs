//! What leaves the process and comes in as JSON, by version of the API.

pub mod v1;
pub mod words;
