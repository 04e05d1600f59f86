//! Robot protocols, one folder per dialect.

pub mod misty;
