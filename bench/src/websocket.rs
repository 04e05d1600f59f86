//! As much of a WebSocket client as the load needs, and as light as the MQTT one beside it.

use anyhow::{bail, ensure};
use latimer_listen::Stream;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpSocket;

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Longest message that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;

/// One connection.
pub(crate) struct WebSocket {
    stream: BufReader<Stream>,
    message: Vec<u8>,
}

impl WebSocket {
    /// Connects to `ws://address/path`, with a receive buffer of a size if one is given.
    pub(crate) async fn connect(address: &str, path: &str, buffer: Option<u32>) -> anyhow::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        if let Some(bytes) = buffer {
            socket.set_recv_buffer_size(bytes)?;
        }
        let stream = socket.connect(address.parse()?).await?;
        stream.set_nodelay(true)?;
        Self::over(Stream::Plain(stream), address, path, "").await
    }

    /// The same over a connection; `more` is lines of the request's head.
    pub(crate) async fn over(stream: Stream, address: &str, path: &str, more: &str) -> anyhow::Result<Self> {
        let mut stream = BufReader::new(stream);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{more}\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bGF0aW1lci1iZW5jaC0xNg==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        ensure!(line.contains(" 101 "), "{address} does not speak WebSocket: {line}");
        while line.trim_end() != "" {
            line.clear();
            stream.read_line(&mut line).await?;
        }
        Ok(Self { stream, message: Vec::new() })
    }

    /// Sends a text.
    pub(crate) async fn send(&mut self, text: &str) -> anyhow::Result<()> {
        self.write(TEXT, text.as_bytes()).await
    }

    /// The next text.
    pub(crate) async fn text(&mut self) -> anyhow::Result<&str> {
        loop {
            match self.next().await? {
                TEXT => return Ok(std::str::from_utf8(&self.message)?),
                PING => self.write(PONG, &[]).await?,
                CLOSE => bail!("closed by the server: {}", String::from_utf8_lossy(&self.message)),
                _ => {}
            }
        }
    }

    /// Reads a frame; its body is in `message`, its kind is returned.
    async fn next(&mut self) -> anyhow::Result<u8> {
        let head = self.stream.read_u8().await?;
        let length = match self.stream.read_u8().await? {
            126 => u64::from(self.stream.read_u16().await?),
            127 => self.stream.read_u64().await?,
            short => u64::from(short),
        };
        ensure!(head & 0x80 != 0 && length <= MAX_BYTES, "a frame in pieces, or of {length} bytes");
        self.message.resize(usize::try_from(length)?, 0);
        self.stream.read_exact(&mut self.message).await?;
        Ok(head & 0x0f)
    }

    /// Clients must mask what they send; a mask of zeros leaves it as it is.
    async fn write(&mut self, kind: u8, body: &[u8]) -> anyhow::Result<()> {
        let mut frame = vec![0x80 | kind];
        match u16::try_from(body.len())? {
            short @ 0..126 => frame.push(0x80 | short as u8),
            length => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend_from_slice(body);
        self.stream.write_all(&frame).await?;
        Ok(())
    }
}
