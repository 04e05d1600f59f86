//! A connection to who follows a topic.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Buf;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::{Place, Publication};
use crate::message::{Layout, TranscodeError};
use crate::node::socket::Ends;
use crate::node::traffic::Traffic;
use crate::tcpros::write_frame;

/// Who takes no byte for this long is cut off.
const STALLED: Duration = Duration::from_secs(30);

/// Who follows a topic.
#[derive(Debug)]
pub(in crate::node) struct Follower {
    /// The connection's number.
    pub id: u64,
    /// Its name.
    pub caller: String,
    /// Its build of the type, if that is another.
    pub foreign: Option<Arc<Layout>>,
    /// From where to where.
    pub ends: Ends,
    /// What it got.
    pub traffic: Traffic,
}

/// Why a follower is left.
#[derive(Debug, thiserror::Error)]
pub(in crate::node) enum Left {
    /// It went away.
    #[error("it closed the connection")]
    Gone,
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(#[from] io::Error),
    /// It is too slow.
    #[error("it took nothing for {} s", STALLED.as_secs())]
    Stalled,
    /// A message cannot be put into its layout.
    #[error("a message does not fit its build of the type: {0}")]
    Foreign(#[from] TranscodeError),
    /// No frame holds such a message.
    #[error("a message is longer than 4 GiB")]
    TooLong,
}

/// Feeds a follower until it leaves or the topic is withdrawn.
pub(in crate::node) async fn feed<R, W>(
    publication: &Publication,
    follower: &Follower,
    place: Place,
    from: R,
    to: W,
) -> Result<(), Left>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    tokio::select! {
        () = publication.closed.cancelled() => Ok(()),
        () = gone(from) => Err(Left::Gone),
        left = deliver(publication, follower, place, to) => left,
    }
}

/// A subscriber has nothing to say; what it says is thrown away.
async fn gone<R: AsyncRead + Unpin>(mut from: R) {
    let mut ignored = [0; 256];
    while let Ok(1..) = from.read(&mut ignored).await {}
}

async fn deliver<W: AsyncWrite + Unpin>(
    publication: &Publication,
    follower: &Follower,
    place: Place,
    mut to: W,
) -> Result<(), Left> {
    let Place { mut last, mut messages } = place;
    loop {
        let message = match last.take() {
            Some(message) => message,
            None => match messages.recv().await {
                Ok(message) => message,
                Err(RecvError::Lagged(lost)) => {
                    follower.traffic.lose(lost);
                    continue;
                }
                Err(RecvError::Closed) => return Ok(()),
            },
        };
        let message = match &follower.foreign {
            Some(foreign) => publication.layout.transcode(&message, foreign)?,
            None => message,
        };
        let length = message.len();
        write(&mut to, write_frame(message).ok_or(Left::TooLong)?).await?;
        follower.traffic.message(length);
    }
}

async fn write<W: AsyncWrite + Unpin>(to: &mut W, mut frame: impl Buf) -> Result<(), Left> {
    while frame.has_remaining() {
        match timeout(STALLED, to.write_buf(&mut frame)).await {
            Ok(Ok(0)) => return Err(Left::Gone),
            Ok(written) => written?,
            Err(_) => return Err(Left::Stalled),
        };
    }
    Ok(())
}

impl Left {
    /// Whether somebody should look at it.
    pub(in crate::node) fn is_fault(&self) -> bool {
        matches!(self, Self::Stalled | Self::Foreign(_) | Self::TooLong)
    }
}
