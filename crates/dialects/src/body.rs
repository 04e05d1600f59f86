//! The body of a request, while there is memory for it.

use std::fmt;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use latimer_core::memory::{Budget, Exceeded, Reservation, Share};
use latimer_listen::limits::REQUEST_BODY_TIMEOUT;

use crate::limits::GUARANTEED_BODY_BYTES;

/// How a body may be.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// Most bytes.
    pub most: usize,
    /// How often what is in it is there while the request is carried out.
    pub copies: u64,
}

/// A body that was not read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It is longer than allowed, or broke off.
    #[error("the body is longer than {0} bytes or broke off")]
    Long(usize),
    /// It did not come in time.
    #[error("the body did not come within {} s", REQUEST_BODY_TIMEOUT.as_secs())]
    Slow,
    /// There is no memory for it.
    #[error("{0}")]
    Memory(Exceeded),
}

/// Reads a body; the reservation is for as long as what is made of it is needed.
pub async fn read(
    body: Body,
    limits: BodyLimits,
    memory: &Budget,
    client: impl fmt::Display,
) -> Result<(Bytes, Reservation), BodyError> {
    let BodyLimits { most, copies } = limits;
    let mut room = memory.hold(Share::Bodies);
    let reading = async {
        let mut chunks = body.into_data_stream();
        let mut read = BytesMut::new();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| BodyError::Long(most))?;
            if chunk.len() > most - read.len() {
                return Err(BodyError::Long(most));
            }
            let taken = chunk.len() as u64 * copies;
            if read.len() + chunk.len() <= GUARANTEED_BODY_BYTES {
                room.set(room.bytes() + taken);
            } else {
                room.grow(taken, &client).map_err(BodyError::Memory)?;
            }
            read.extend_from_slice(&chunk);
        }
        Ok(read.freeze())
    };
    let read = tokio::time::timeout(REQUEST_BODY_TIMEOUT, reading).await.map_err(|_| BodyError::Slow)??;
    Ok((read, room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_core::Clock;

    const LIMITS: BodyLimits = BodyLimits { most: 9_000, copies: 3 };

    #[tokio::test(start_paused = true)]
    async fn a_body_takes_memory_as_it_comes() {
        let memory = Budget::new(Clock::system());
        let used = || memory.report().find(|it| it.share == Share::Bodies).unwrap().used;
        let (body, room) = read(Body::from("12345678"), LIMITS, &memory, "a").await.unwrap();
        assert_eq!((&body[..], used()), (&b"12345678"[..], 24));
        drop(room);
        assert_eq!(used(), 0);
        let refused = read(Body::from(vec![0; 9_001]), LIMITS, &memory, "a").await.unwrap_err();
        assert!(matches!(refused, BodyError::Long(9_000)), "{refused}");
        let never = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        let refused = read(never, LIMITS, &memory, "a").await.unwrap_err();
        assert!(matches!(refused, BodyError::Slow), "{refused}");
        memory.set_total(64);
        let refused = read(Body::from(vec![0; 5_000]), LIMITS, &memory, "a").await.unwrap_err();
        assert!(matches!(refused, BodyError::Memory(_)), "{refused}");
        assert!(
            read(Body::from("{\"stop\": true}"), LIMITS, &memory, "a").await.is_ok(),
            "a stop always comes in"
        );
        assert_eq!(used(), 0);
    }
}
