//! A message that came.

use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::message::{DecodeError, Layout};

/// A message that came.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The message, without its length.
    pub bytes: Bytes,
    /// How it lies, by its publisher's word.
    pub layout: Arc<Layout>,
    /// Who sent it.
    pub caller: Arc<str>,
    /// From where.
    pub host: IpAddr,
    /// How many before it were lost because nobody took them in time.
    pub missed: u64,
}

impl Incoming {
    /// The message as a struct.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.layout.decode(&self.bytes)
    }
}
