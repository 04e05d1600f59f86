//! The exchange of headers, with a time limit.

use std::io;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_util::codec::FramedRead;

use super::{BadHeader, Frames, Header, MAX_HEADER_BYTES};

/// Reads frames from a connection.
pub type Incoming<R> = FramedRead<R, Frames>;

/// Why there is no handshake.
#[derive(Debug, thiserror::Error)]
pub enum HandshakeError {
    /// The connection broke.
    #[error("the connection broke during the handshake: {0}")]
    Broken(#[from] io::Error),
    /// It ended before a header had come.
    #[error("the connection was closed before its header had come")]
    Closed,
    /// Nothing came in time.
    #[error("no header came within {} s", .0.as_secs_f64())]
    Silent(Duration),
    /// What came is no header.
    #[error(transparent)]
    Bad(#[from] BadHeader),
    /// The other side does not want to.
    #[error("refused: {0}")]
    Refused(String),
}

/// Reads a header; frames of at most `limit` bytes come after it.
pub async fn read_header<R: AsyncRead + Unpin>(
    from: R,
    limit: usize,
    within: Duration,
) -> Result<(Header, Incoming<R>), HandshakeError> {
    let mut frames = FramedRead::new(from, Frames::new(MAX_HEADER_BYTES));
    let Ok(first) = timeout(within, frames.next()).await else { return Err(HandshakeError::Silent(within)) };
    let header = Header::parse(&first.ok_or(HandshakeError::Closed)??)?;
    Ok((header, frames.map_decoder(|_| Frames::new(limit))))
}

/// Writes a header.
pub async fn write_header<W: AsyncWrite + Unpin>(
    to: &mut W,
    header: &Header,
    within: Duration,
) -> Result<(), HandshakeError> {
    let fields = header.to_bytes();
    let mut bytes = u32::try_from(fields.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    bytes.extend_from_slice(&fields);
    match timeout(within, to.write_all(&bytes)).await {
        Ok(written) => Ok(written?),
        Err(_) => Err(HandshakeError::Silent(within)),
    }
}

/// Greets a publisher, and reads its answer; its messages of at most `limit` bytes come after it.
pub async fn greet<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    (from, to): (R, &mut W),
    header: &Header,
    limit: usize,
    within: Duration,
) -> Result<(Header, Incoming<R>), HandshakeError> {
    write_header(to, header, within).await?;
    let (answer, frames) = read_header(from, limit, within).await?;
    match answer.get("error") {
        Some(error) => Err(HandshakeError::Refused(error.to_owned())),
        None => Ok((answer, frames)),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::duplex;

    use super::*;

    const WITHIN: Duration = Duration::from_secs(5);

    #[tokio::test]
    async fn headers_are_exchanged_and_frames_come_after() {
        let (near, far) = duplex(64);
        let (read, mut write) = tokio::io::split(near);
        let publisher = async {
            let (read, mut write) = tokio::io::split(far);
            let (asked, _) = read_header(read, 0, WITHIN).await.unwrap();
            assert_eq!(asked.get("topic"), Some("/chatter"));
            write_header(&mut write, &Header::default().with("md5sum", "1"), WITHIN).await.unwrap();
            write.write_all(b"\x02\0\0\0hi").await.unwrap();
        };
        let subscriber = async {
            let header = Header::default().with("topic", "/chatter");
            let (answer, mut frames) = greet((read, &mut write), &header, 2, WITHIN).await.unwrap();
            assert_eq!(answer.get("md5sum"), Some("1"));
            assert_eq!(frames.next().await.unwrap().unwrap(), "hi");
        };
        tokio::join!(publisher, subscriber);
    }

    #[tokio::test]
    async fn a_refusal_is_reported() {
        let (near, mut far) = duplex(4096);
        let (read, mut write) = tokio::io::split(near);
        write_header(&mut far, &Header::default().with("error", "no"), WITHIN).await.unwrap();
        let refused = greet((read, &mut write), &Header::default(), 2, WITHIN).await.unwrap_err();
        assert_eq!(refused.to_string(), "refused: no");
    }

    #[tokio::test(start_paused = true)]
    async fn silence_and_an_early_end_are_reported() {
        let (near, far) = duplex(64);
        let silent = read_header(near, 0, WITHIN).await.unwrap_err();
        assert_eq!(silent.to_string(), "no header came within 5 s");
        drop(far);
        let (near, far) = duplex(64);
        drop(far);
        let closed = read_header(near, 0, WITHIN).await.unwrap_err();
        assert_eq!(closed.to_string(), "the connection was closed before its header had come");
        let (near, mut far) = duplex(64);
        far.write_all(b"\x09\0\0\0abc").await.unwrap();
        drop(far);
        assert!(matches!(read_header(near, 0, WITHIN).await, Err(HandshakeError::Broken(_))));
    }

    #[tokio::test]
    async fn a_header_that_claims_too_much_is_reported() {
        let (near, mut far) = duplex(64);
        far.write_all(&u32::MAX.to_le_bytes()).await.unwrap();
        let error = read_header(near, 0, WITHIN).await.unwrap_err().to_string();
        assert!(error.ends_with("a frame claims 4294967295 bytes; at most 1048576 are taken"), "{error}");
    }
}
