//! A connection to who follows a topic.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::{FrameQueue, Publication};
use crate::limits::SUBSCRIBER_WRITE_TIMEOUT;
use crate::message::{LENGTH_PREFIX, Layout, TranscodeError};
use crate::node::socket::Ends;
use crate::node::traffic::Traffic;

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
    #[error("it took nothing for {} s", SUBSCRIBER_WRITE_TIMEOUT.as_secs())]
    Stalled,
    /// A message cannot be put into its layout.
    #[error("a message does not fit its build of the type: {0}")]
    Foreign(#[from] TranscodeError),
}

/// Feeds a follower until it leaves or the topic is withdrawn.
pub(in crate::node) async fn feed<R, W>(
    publication: &Publication,
    follower: &Follower,
    place: FrameQueue,
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
    place: FrameQueue,
    mut to: W,
) -> Result<(), Left> {
    let FrameQueue { mut last, mut frames } = place;
    loop {
        let frame = match last.take() {
            Some(frame) => frame,
            None => match frames.recv().await {
                Ok(frame) => frame,
                Err(RecvError::Lagged(lost)) => {
                    follower.traffic.lose(lost);
                    continue;
                }
                Err(RecvError::Closed) => return Ok(()),
            },
        };
        let frame = match &follower.foreign {
            Some(foreign) => publication.layout.transcode_frame(payload(&frame), foreign)?,
            None => frame,
        };
        write(&mut to, &frame).await?;
        follower.traffic.message(payload(&frame).len());
    }
}

/// A frame without its length.
fn payload(frame: &Bytes) -> &[u8] {
    frame.get(LENGTH_PREFIX..).unwrap_or_default()
}

async fn write<W: AsyncWrite + Unpin>(to: &mut W, frame: &[u8]) -> Result<(), Left> {
    let mut rest = frame;
    while !rest.is_empty() {
        let written =
            timeout(SUBSCRIBER_WRITE_TIMEOUT, to.write(rest)).await.map_err(|_| Left::Stalled)??;
        if written == 0 {
            return Err(Left::Gone);
        }
        rest = rest.get(written..).unwrap_or_default();
    }
    Ok(())
}

impl Left {
    /// Whether somebody should look at it.
    pub(in crate::node) fn is_fault(&self) -> bool {
        matches!(self, Self::Stalled | Self::Foreign(_))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::duplex;
    use tokio::sync::broadcast;

    use super::*;

    fn setting(foreign: Option<Layout>) -> (Publication, Follower) {
        let layout = Arc::new(Layout::from_definition("std_msgs/String", "string data").unwrap());
        let publication = Publication::new(1, "/chatter".to_owned(), layout, 4, false);
        let nowhere = ([127, 0, 0, 1], 1).into();
        let (ends, traffic) = (Ends { local: nowhere, peer: nowhere }, Traffic::default());
        let foreign = foreign.map(Arc::new);
        (publication, Follower { id: 2, caller: "/listener".to_owned(), foreign, ends, traffic })
    }

    fn place(last: &'static [u8]) -> (broadcast::Sender<Bytes>, FrameQueue) {
        let (sender, frames) = broadcast::channel(4);
        (sender, FrameQueue { last: Some(Bytes::from_static(last)), frames })
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_cut_off_and_who_takes_little_is_not() {
        let (publication, follower) = setting(None);
        let (near, mut far) = duplex(16);
        let (read, write) = tokio::io::split(near);
        let (_sender, place) = place(&[7; 100]);
        let slow = async {
            let mut some = [0; 16];
            for _ in 0..3 {
                tokio::time::sleep(SUBSCRIBER_WRITE_TIMEOUT - Duration::from_secs(1)).await;
                far.read_exact(&mut some).await.unwrap();
            }
            // From here on it takes nothing.
            std::future::pending::<()>().await;
        };
        let left = tokio::select! {
            left = feed(&publication, &follower, place, read, write) => left.unwrap_err(),
            () = slow => unreachable!(),
        };
        assert_eq!(left.to_string(), "it took nothing for 30 s");
        assert!(left.is_fault());
    }

    #[tokio::test]
    async fn who_goes_is_noticed_though_nothing_is_sent() {
        let (publication, follower) = setting(None);
        let (near, far) = duplex(1024);
        let (read, write) = tokio::io::split(near);
        let (_sender, place) = place(b"a");
        drop(far);
        let left = feed(&publication, &follower, place, read, write).await.unwrap_err();
        assert!(!left.is_fault(), "{left}");
    }

    #[tokio::test]
    async fn what_does_not_fit_another_build_is_reported() {
        let other = Layout::from_definition("std_msgs/String", "uint8 data").unwrap();
        let (publication, follower) = setting(Some(other));
        let (near, _far) = duplex(1024);
        let (read, write) = tokio::io::split(near);
        let (_sender, place) = place(b"\x05\0\0\0\x01\0\0\0a");
        let left = feed(&publication, &follower, place, read, write).await.unwrap_err();
        assert!(left.to_string().starts_with("a message does not fit its build of the type: "), "{left}");
    }
}
